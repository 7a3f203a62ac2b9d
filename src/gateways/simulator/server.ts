import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isGatewaySlug } from '../../domain/gateway-slug';
import { Callbacks, type CallbackOptions } from './callbacks';
import { ChargeStore } from './charge-store';
import { Charges } from './charges';
import { Control } from './control';
import { Exchange, parseJson, readBody, sendJson } from './exchange';
import { InFlight } from './in-flight';
import { RecipientStore } from './recipients';
import { errorAnswer, type Answer } from './replies';
import { RequestLog } from './requests';
import { Scripts } from './scripts';
import { Vendor } from './vendor';
import { routeVendorCall, traceOf, type VendorRequest } from './vendor-routes';

export interface SimulatorOptions extends CallbackOptions {
  readonly port: number;
  /** Where the ledger, the request log and the recipients live. */
  readonly folder: string;
}

export interface RunningSimulator {
  readonly url: string;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const EXPIRY_CHECK_MS = 1_000;
/** Idle connections outlive every client's own limit, so that no request meets one that is being closed. */
const KEEP_ALIVE_MS = 60_000;
/** How long open answers may finish once the simulator is told to stop. */
const STOP_GRACE_MS = 500;

/** Takes the port, then the data folder, so that a second start never touches the first one's files. Throws EADDRINUSE. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  server.listen(options.port, HOST);
  await once(server, 'listening');
  const simulator = new Simulator(options);
  server.on('request', (request, response) => void simulator.serve(request, response));
  const expiry = setInterval(() => simulator.expireOverdue(), EXPIRY_CHECK_MS);
  return {
    url: `http://${HOST}:${options.port}`,
    async stop() {
      clearInterval(expiry);
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

class Simulator {
  private readonly store: ChargeStore;
  private readonly recipients: RecipientStore;
  private readonly requests: RequestLog;
  private readonly scripts = new Scripts();
  private readonly callbacks: Callbacks;
  private readonly charges: Charges;
  private readonly vendor: Vendor;
  private readonly control: Control;

  constructor(options: SimulatorOptions) {
    this.store = new ChargeStore(join(options.folder, 'ledger.jsonl'));
    this.recipients = new RecipientStore(join(options.folder, 'recipients.jsonl'));
    this.requests = new RequestLog(join(options.folder, 'requests.jsonl'));
    this.callbacks = new Callbacks(options);
    this.charges = new Charges(this.store, this.recipients);
    const inFlight = new InFlight();
    this.vendor = new Vendor(this.store, this.charges, this.recipients, inFlight, this.callbacks);
    this.control = new Control(this.store, this.charges, this.scripts, this.requests, this.callbacks);
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

  expireOverdue(): void {
    for (const charge of this.charges.expireOverdue()) {
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
    const url = new URL(request.url ?? '/', `http://${HOST}`);
    const [area = '', ...path] = url.pathname.split('/').filter((segment) => segment !== '');
    const method = request.method ?? 'GET';
    const body = text === '' ? undefined : parseJson(text);
    if (area === '_admin') {
      const answer = this.control.handle({ method, resource: path.join('/'), query: url.searchParams, body });
      return answer.status === 204 ? void response.writeHead(204).end() : sendJson(response, answer);
    }
    const call = isGatewaySlug(area) ? routeVendorCall(method, path, url.searchParams) : null;
    if (!isGatewaySlug(area) || call === null) {
      return sendJson(response, errorAnswer(404, 'not_found', 'no such route'));
    }
    const { authorization = '' } = request.headers;
    const idempotencyKey = request.headers['idempotency-key'];
    await this.serveVendor(
      {
        gateway: area,
        call,
        authorization,
        idempotencyKey: typeof idempotencyKey === 'string' && idempotencyKey !== '' ? idempotencyKey : null,
        body,
      },
      response,
    );
  }

  private async serveVendor(request: VendorRequest, response: ServerResponse): Promise<void> {
    const { gateway, idempotencyKey } = request;
    const trace = traceOf(request, (chargeId) => this.store.find(gateway, chargeId)?.reference ?? null);
    const { operation, amount, reference } = trace;
    const log =
      reference === null
        ? () => undefined
        : this.requests.received({
            time: new Date().toISOString(),
            gateway,
            operation,
            amount,
            idempotency_key: idempotencyKey,
            reference,
          });
    const exchange = new Exchange(response, log);
    const refusal = refuseCredential(request.authorization);
    if (refusal !== null) return exchange.send(refusal);
    await this.vendor.handle(request, this.scripts.take({ gateway, ...trace }), exchange);
  }
}

/** Any secret will do, except none and one that begins with `sk_invalid`. */
function refuseCredential(authorization: string): Answer | null {
  const secret = /^Bearer (.+)$/.exec(authorization)?.[1];
  if (secret !== undefined && !secret.startsWith('sk_invalid')) return null;
  return errorAnswer(401, 'unauthenticated', 'the secret key is not valid');
}
