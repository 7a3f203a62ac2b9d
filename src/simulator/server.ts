import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isGatewaySlug, type GatewaySlug } from '../domain/shared/gateway-slug';
import { accountIdOf, Accounts } from './accounts';
import { billetPage } from './billet-page';
import { Callbacks, type CallbackOptions } from './callbacks';
import { ChargeStore } from './charge-store';
import { ChargeOperations } from './charges';
import { ControlRoutes } from './control';
import { Exchange, parseJson, readBody, sendHtml, sendJson } from './exchange';
import { InFlightRequests } from './in-flight';
import { DisputeControl } from './operations/disputes';
import { MerchantRefunds } from './operations/merchant-refunds';
import { SecondCharges } from './operations/second-charges';
import { Outages, type OutageKind } from './outages';
import { PendingOperations } from './operations/pending-operations';
import { PendingCharges } from './operations/pending-charges';
import { RecipientStore } from './recipients';
import { gatewayErrorResponse } from './replies';
import { RequestLog, type RequestOutcome } from './requests';
import { Scripts } from './scripts';
import { StatementBook } from './statements/statement-book';
import { StatementControl } from './statements/statement-control';
import { runCall } from './run-call';
import type { VendorCall, WireAdapter } from './vendors/adapter';
import { adaptersFor, type VendorOptions } from './vendors/registry';

export interface SimulatorOptions extends CallbackOptions, VendorOptions {
  /** The interface to listen on; default loopback. */
  readonly host?: string;
  readonly port: number;
  /** The data folder: ledger, request log and recipients. */
  readonly folder: string;
  /** Delay after creation until a pix or billet is paid automatically, in ms; null disables this. */
  readonly paysAfterMs: number | null;
  /** Whether the `/_admin/` routes exist; default true. */
  readonly controlRoutes?: boolean;
}

export interface RunningSimulator {
  readonly url: string;
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
/** Interval of the check for due pix and billets. */
const DUE_CHECK_MS = 500;
/** Longer than the idle limit of clients, so that no request hits a connection that is being closed. */
const KEEP_ALIVE_MS = 60_000;
/** How long open requests may finish at shutdown. */
const STOP_GRACE_MS = 500;

/** Binds the port before it opens the data folder, so that a second start never touches the first one's files. Throws EADDRINUSE. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.listen(options.port, options.host ?? LOOPBACK);
  await once(server, 'listening');
  const url = `http://${LOOPBACK}:${options.port}`;
  const simulator = new Simulator(options, url);
  server.on('request', (request, response) => void simulator.serve(request, response));
  const dueCheck = setInterval(() => simulator.processDue(), DUE_CHECK_MS);
  return {
    url,
    async stop() {
      clearInterval(dueCheck);
      await closeServer(server);
      simulator.close();
    },
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const forceClose = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(forceClose);
}

class Simulator {
  private readonly store: ChargeStore;
  private readonly recipients: RecipientStore;
  private readonly requests: RequestLog;
  private readonly scripts = new Scripts();
  private readonly outages = new Outages();
  private readonly accounts = new Accounts();
  private readonly statements: StatementBook;
  private readonly callbacks: Callbacks;
  private readonly pending: PendingCharges;
  private readonly pendingOperations: PendingOperations;
  private readonly adapterOf: (gateway: GatewaySlug) => WireAdapter;
  private readonly control: ControlRoutes;
  private readonly hasControlRoutes: boolean;

  constructor(
    options: SimulatorOptions,
    private readonly url: string,
  ) {
    this.hasControlRoutes = options.controlRoutes ?? true;
    this.store = new ChargeStore(join(options.folder, 'ledger.jsonl'));
    this.recipients = new RecipientStore(join(options.folder, 'recipients.jsonl'));
    this.requests = new RequestLog(join(options.folder, 'requests.jsonl'));
    this.statements = new StatementBook(join(options.folder, 'statements.jsonl'), this.store, this.accounts);
    const charges = new ChargeOperations(this.store, this.recipients);
    this.adapterOf = adaptersFor(options, {
      store: this.store,
      charges,
      recipients: this.recipients,
      inFlight: new InFlightRequests(),
      accounts: this.accounts,
      statements: this.statements,
      origin: url,
    });
    this.callbacks = new Callbacks(options, this.accounts, this.adapterOf);
    this.pending = new PendingCharges(this.store, options.paysAfterMs);
    this.pendingOperations = new PendingOperations(this.store, charges);
    this.control = new ControlRoutes(
      this.store,
      this.pending,
      this.pendingOperations,
      new MerchantRefunds(this.store),
      new SecondCharges(this.store),
      new DisputeControl(this.store, this.callbacks),
      new StatementControl(this.store, this.statements),
      this.recipients,
      this.scripts,
      this.outages,
      this.requests,
      this.callbacks,
      this.accounts,
    );
  }

  /** Answers one request. An internal error is a 500, so that one bad request does not end the process. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.dispatch(request, response);
    } catch (error) {
      if (request.destroyed || response.closed) return;
      console.error('request failed:', error);
      if (response.headersSent) response.destroy();
      else sendJson(response, gatewayErrorResponse('internal', 'the simulator failed'));
    }
  }

  processDue(): void {
    for (const charge of [...this.pending.processDue(), ...this.pendingOperations.processDue()]) {
      if (charge.callbacks) void this.callbacks.send(charge);
    }
  }

  close(): void {
    this.callbacks.stop();
    this.store.close();
    this.statements.close();
    this.recipients.close();
    this.requests.close();
  }

  private async dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const [area = '', ...path] = url.pathname.split('/').filter((segment) => segment !== '');
    const text = await readBody(request);
    if (text === null)
      return sendJson(response, gatewayErrorResponse('payload_too_large', 'the body is too large'));
    const method = request.method ?? 'GET';
    if (area === '_admin' && this.hasControlRoutes) {
      const body = text === '' ? undefined : parseJson(text);
      const result = this.control.handle({ method, resource: path.join('/'), query: url.searchParams, body });
      return result.status === 204 ? void response.writeHead(204).end() : sendJson(response, result);
    }
    if (!isGatewaySlug(area)) return sendJson(response, gatewayErrorResponse('not_found', 'no such route'));
    if (method === 'GET' && path[0] === 'billets' && path.length === 2) {
      return this.showBillet(area, path[1] ?? '', response);
    }
    const { headers } = request;
    const adapter = this.adapterOf(area);
    const call = adapter.receive({
      gateway: area,
      method,
      path,
      query: url.searchParams,
      headers,
      body: text,
    });
    if (call === null) return sendJson(response, adapter.errorOf('not_found'));
    await this.serveCall(area, call, this.acceptedSecret(adapter.secretOf(headers)), response);
  }

  /** The secret key, or null if it is missing, revoked or begins with `sk_invalid`. Every other secret is valid. */
  private acceptedSecret(secret: string | null): string | null {
    if (secret === null || secret.startsWith('sk_invalid')) return null;
    return this.accounts.isRevoked(secret) ? null : secret;
  }

  /** Unauthenticated: customers have no key, and the URL is unguessable. */
  private showBillet(gateway: GatewaySlug, id: string, response: ServerResponse): void {
    const charge = this.store.find(gateway, id);
    if (charge?.billet) sendHtml(response, billetPage(charge, charge.billet));
    else sendJson(response, gatewayErrorResponse('not_found', 'no such billet'));
  }

  private async serveCall(
    gateway: GatewaySlug,
    call: VendorCall,
    secret: string | null,
    response: ServerResponse,
  ): Promise<void> {
    const adapter = this.adapterOf(gateway);
    const exchange = new Exchange(response, this.logOf(gateway, call));
    const outage = this.outages.at(gateway);
    if (outage !== null) return failDuringOutage(exchange, outage, adapter);
    if (secret === null && call.isPublic !== true) return exchange.send(adapter.errorOf('unauthenticated'));
    const { operation, amount, reference } = call;
    const behavior =
      operation === null ? {} : this.scripts.takeBehavior({ gateway, operation, amount, reference });
    await runCall(call.prepare(accountIdOf(secret ?? ''), behavior), behavior, exchange, this.callbacks);
  }

  private logOf(gateway: GatewaySlug, call: VendorCall): (outcome: RequestOutcome) => void {
    const { operation, amount, reference, initiation, purchase, idempotencyKey } = call;
    if (operation === null || reference === null) return () => undefined;
    return this.requests.recordReceived({
      time: new Date().toISOString(),
      gateway,
      idempotency_key: idempotencyKey,
      reference,
      operation,
      amount,
      ...(initiation !== undefined && { initiation }),
      ...(purchase !== undefined && { purchase }),
    });
  }
}

/** Nothing is committed, and no script is used up. */
async function failDuringOutage(exchange: Exchange, outage: OutageKind, adapter: WireAdapter): Promise<void> {
  switch (outage) {
    case 'refuse':
      return exchange.drop();
    case '503':
      return exchange.send(adapter.errorOf('unavailable'));
    case 'hang':
      return exchange.hang();
  }
}
