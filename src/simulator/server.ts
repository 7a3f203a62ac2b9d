import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isGatewaySlug, type GatewaySlug } from '../domain/shared/gateway-slug';
import { accountOf, Accounts } from './accounts';
import { billetPage } from './billet-page';
import { Callbacks, type CallbackOptions } from './callbacks';
import { ChargeStore } from './charge-store';
import { Charges } from './charges';
import { Control } from './control';
import { Exchange, parseJson, readBody, sendHtml, sendJson } from './exchange';
import { InFlight } from './in-flight';
import { PendingCharges } from './pending-charges';
import { RecipientStore } from './recipients';
import { errorAnswer } from './replies';
import { RequestLog } from './requests';
import { Scripts } from './scripts';
import { Vendor } from './vendor';
import { routeVendorCall, traceOf, type VendorRequest } from './vendor-routes';

export interface SimulatorOptions extends CallbackOptions {
  readonly port: number;
  /** Where the ledger, the request log and the recipients live. */
  readonly folder: string;
  /** How long after it was made a pix or billet is paid by itself, in ms; null: never. */
  readonly paysAfterMs: number | null;
}

export interface RunningSimulator {
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** How often pix and billets are looked through for what is due. */
const DUE_CHECK_MS = 500;
/** Idle connections outlive every client's own limit, so that no request meets one that is being closed. */
const KEEP_ALIVE_MS = 60_000;
/** How long open answers may finish once the simulator is told to stop. */
const STOP_GRACE_MS = 500;

/** Takes the port, then the data folder, so that a second start never touches the first one's files. Throws EADDRINUSE. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.listen(options.port, HOST);
  await once(server, 'listening');
  const url = `http://${HOST}:${options.port}`;
  const simulator = new Simulator(options, url);
  server.on('request', (request, response) => void simulator.serve(request, response));
  const dueCheck = setInterval(() => simulator.settleDue(), DUE_CHECK_MS);
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
  const impatience = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
  await closed;
  clearTimeout(impatience);
}

/** Not yet let in: it may come from no account. */
type UnjudgedRequest = Omit<VendorRequest, 'account'> & { readonly account: string | null };

class Simulator {
  private readonly store: ChargeStore;
  private readonly recipients: RecipientStore;
  private readonly requests: RequestLog;
  private readonly scripts = new Scripts();
  private readonly accounts = new Accounts();
  private readonly callbacks: Callbacks;
  private readonly pending: PendingCharges;
  private readonly vendor: Vendor;
  private readonly control: Control;

  constructor(
    options: SimulatorOptions,
    private readonly url: string,
  ) {
    this.store = new ChargeStore(join(options.folder, 'ledger.jsonl'));
    this.recipients = new RecipientStore(join(options.folder, 'recipients.jsonl'));
    this.requests = new RequestLog(join(options.folder, 'requests.jsonl'));
    this.callbacks = new Callbacks(options, this.accounts);
    this.pending = new PendingCharges(this.store, options.paysAfterMs);
    const charges = new Charges(this.store, this.recipients);
    this.vendor = new Vendor(this.store, charges, this.recipients, new InFlight(), this.callbacks, url);
    this.control = new Control(
      this.store,
      this.pending,
      this.recipients,
      this.scripts,
      this.requests,
      this.callbacks,
      this.accounts,
    );
  }

  /** Answers one request. What goes wrong inside is a 500: one bad request must not end the process. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.dispatch(request, response);
    } catch (error) {
      if (request.destroyed || response.closed) return;
      console.error('the simulator failed:', error);
      if (response.headersSent) response.destroy();
      else sendJson(response, errorAnswer(500, 'internal', 'the simulator failed'));
    }
  }

  settleDue(): void {
    for (const charge of this.pending.settleDue()) {
      if (charge.callbacks) void this.callbacks.tell(charge);
    }
  }

  close(): void {
    this.callbacks.stop();
    this.store.close();
    this.recipients.close();
    this.requests.close();
  }

  private async dispatch(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    if (text === null)
      return sendJson(response, errorAnswer(413, 'payload_too_large', 'the body is too large'));
    const url = new URL(request.url ?? '/', this.url);
    const [area = '', ...path] = url.pathname.split('/').filter((segment) => segment !== '');
    const method = request.method ?? 'GET';
    const body = text === '' ? undefined : parseJson(text);
    if (area === '_admin') {
      const answer = this.control.handle({ method, resource: path.join('/'), query: url.searchParams, body });
      return answer.status === 204 ? void response.writeHead(204).end() : sendJson(response, answer);
    }
    if (isGatewaySlug(area) && method === 'GET' && path[0] === 'billets' && path.length === 2) {
      return this.showBillet(area, path[1] ?? '', response);
    }
    const call = isGatewaySlug(area) ? routeVendorCall(method, path, url.searchParams) : null;
    if (!isGatewaySlug(area) || call === null) {
      return sendJson(response, errorAnswer(404, 'not_found', 'no such route'));
    }
    const secret = validSecret(request.headers.authorization);
    const idempotencyKey = request.headers['idempotency-key'];
    await this.serveVendor(
      {
        gateway: area,
        call,
        account: secret === null ? null : accountOf(secret),
        idempotencyKey: typeof idempotencyKey === 'string' && idempotencyKey !== '' ? idempotencyKey : null,
        body,
      },
      response,
    );
  }

  /** For the customer, who has no key: whoever knows a billet's address may see it. */
  private showBillet(gateway: GatewaySlug, id: string, response: ServerResponse): void {
    const charge = this.store.find(gateway, id);
    if (charge?.billet) sendHtml(response, billetPage(charge, charge.billet));
    else sendJson(response, errorAnswer(404, 'not_found', 'no such billet'));
  }

  private async serveVendor(request: UnjudgedRequest, response: ServerResponse): Promise<void> {
    const { gateway, idempotencyKey } = request;
    const trace = traceOf(request, (chargeId) => this.store.find(gateway, chargeId)?.reference ?? null);
    const { reference, ...told } = trace;
    const log =
      reference === null
        ? () => undefined
        : this.requests.received({
            time: new Date().toISOString(),
            gateway,
            idempotency_key: idempotencyKey,
            reference,
            ...told,
          });
    const exchange = new Exchange(response, log);
    const { account } = request;
    if (account === null)
      return exchange.send(errorAnswer(401, 'unauthenticated', 'the secret key is not valid'));
    await this.vendor.handle({ ...request, account }, this.scripts.take({ gateway, ...trace }), exchange);
  }
}

/** Any secret will do, except none and one that begins with `sk_invalid`. */
function validSecret(authorization = ''): string | null {
  const secret = /^Bearer (.+)$/.exec(authorization)?.[1];
  return secret === undefined || secret.startsWith('sk_invalid') ? null : secret;
}
