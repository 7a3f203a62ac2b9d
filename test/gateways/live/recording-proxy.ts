import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request as send } from 'undici';
import { fromCompactReference } from '../../../src/gateways/compact-reference';
import type { Endpoints } from '../../../src/gateways/driver-names';
import type { ClientCertificate } from '../../../src/gateways/http';
import { foreignPage } from '../../../src/simulator/foreign-pages';
import type { GatewayFault } from '../contract/gateway-under-test';
import { scrubbed, scrubbedText } from './scrub';

/** What the vendor itself would have to do: no proxy can. */
export class LiveLimit extends Error {
  override readonly name = 'LiveLimit';
}

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  readonly text: string;
}

interface Planned {
  readonly fault: GatewayFault;
  readonly isRead: boolean;
}

/** Where the proxy sends to, and how it identifies itself there: the driver speaks no TLS with the proxy. */
interface Upstream {
  readonly targets: Endpoints;
  readonly certificate: ClientCertificate | null;
}

const HOP_HEADERS = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'content-length']);

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
const OWN_REFERENCE = new RegExp(`(${UUID.source})-\\d`);
const NO_WORD = /[^\w-]+/;
/** What vendors call the id of a charge or an operation. Some are numbers. */
const VENDOR_ID = /"(?:id|pspReference|PaymentId)"\s*:\s*"?([\w-]{6,100})/g;

/**
 * Stands between a driver and the vendor's test environment: it records the answers, and makes the troubles of a network. A request
 * belongs to a payment if it contains its transaction id, or an id that an answer about it had.
 */
export class RecordingProxy {
  private readonly faults = new Map<string, Planned[]>();
  private readonly counts = new Map<string, number>();
  /** Transaction ids by the vendor's ids. */
  private readonly owners = new Map<string, string>();
  private readonly targets: Endpoints;
  private readonly agent: Agent;
  private readonly server = createServer((request, response) => {
    this.handle(request, response).catch(() => response.destroy());
  });
  private recorded = 0;

  private constructor(
    { targets, certificate }: Upstream,
    private readonly folder: string,
  ) {
    this.targets = targets;
    this.agent = new Agent(
      certificate === null ? {} : { connect: { cert: certificate.certificate, key: certificate.privateKey } },
    );
  }

  static async start(upstream: Upstream, folder: string): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(upstream, folder);
    mkdirSync(folder, { recursive: true });
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** The driver's addresses: each endpoint is a folder of the proxy. */
  get endpoints(): Endpoints {
    const address = this.server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return Object.fromEntries(
      Object.keys(this.targets).map((name) => [name, `http://127.0.0.1:${port}/${name}`]),
    );
  }

  /** For the payment's next request that reads, or that changes something. */
  plan(transactionId: string, fault: GatewayFault, isRead: boolean): void {
    if ('status' in fault || 'lacks' in fault || 'duplicate_id' in fault)
      throw new LiveLimit('only the vendor can answer so');
    const planned = this.faults.get(transactionId) ?? [];
    this.faults.set(transactionId, [...planned, { fault, isRead }]);
  }

  requestCount(transactionId: string): number {
    return this.counts.get(transactionId) ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await this.agent.destroy();
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = 'GET', url = '/' } = request;
    // Cielo's verification of a card has our reference in this header alone.
    const id = String(request.headers.requestid ?? '');
    const owner = this.ownerOf(
      `${decodeURIComponent(url)} ${decodeURIComponent(safe(body.toString()))} ${id}`,
    );
    if (owner !== null) this.counts.set(owner, this.requestCount(owner) + 1);
    const fault = owner === null ? null : this.take(owner, method === 'GET');
    if (fault !== null && 'drop' in fault && fault.drop === 'before') return void response.destroy();
    if (fault !== null && 'hang' in fault && fault.hang === 'before') return;
    if (fault !== null && 'delay_ms' in fault) await pause(fault.delay_ms);
    const answer = await this.forward(method, url, request.headers, body);
    if (owner !== null) this.learn(owner, answer.text);
    this.record({ method, path: url.replace(/^\/\w+/, ''), body: body.toString(), ...answer });
    reply(response, fault, answer);
  }

  private async forward(
    method: string,
    url: string,
    headers: IncomingMessage['headers'],
    body: Buffer,
  ): Promise<{ status: number; type: string; text: string }> {
    const [, name = '', path = ''] = /^\/(\w+)(.*)$/.exec(url) ?? [];
    const kept = Object.entries(headers).filter(([header]) => !HOP_HEADERS.has(header));
    const answer = await send(`${this.targets[name]}${path}`, {
      method,
      headers: Object.fromEntries(kept.map(([header, value]) => [header, String(value)])),
      body: body.length === 0 ? null : body,
      dispatcher: this.agent,
    });
    const type = String(answer.headers['content-type'] ?? '');
    return { status: answer.statusCode, type, text: await answer.body.text() };
  }

  private ownerOf(text: string): string | null {
    const own = OWN_REFERENCE.exec(text)?.[1] ?? compactOwner(text);
    if (own !== null) return own;
    const known = text.split(NO_WORD).find((word) => this.owners.has(word));
    // Ids of ours are UUIDs, and so are some of the vendor's, which are known.
    return (known !== undefined ? this.owners.get(known) : UUID.exec(text)?.[0]) ?? null;
  }

  private learn(owner: string, text: string): void {
    for (const [, id = ''] of text.matchAll(VENDOR_ID)) this.owners.set(id, owner);
  }

  private take(owner: string, isRead: boolean): GatewayFault | null {
    const planned = this.faults.get(owner) ?? [];
    const next = planned.find((each) => each.isRead === isRead) ?? null;
    this.faults.set(
      owner,
      planned.filter((each) => each !== next),
    );
    return next?.fault ?? null;
  }

  /** Without headers: they have the key. */
  private record({ method, path, body, status, text }: Exchange): void {
    this.recorded += 1;
    const entry = {
      request: { method, path: scrubbed(path), body: body === '' ? null : scrubbedText(body) },
      status,
      body: scrubbedText(text),
    };
    const file = `${String(this.recorded).padStart(4, '0')}-${status}.json`;
    writeFileSync(join(this.folder, file), `${JSON.stringify(entry, null, 2)}\n`);
  }
}

function compactOwner(text: string): string | null {
  for (const word of text.split(NO_WORD)) {
    // Adyen has a letter before it.
    const reference = fromCompactReference(word.replace(/^[a-z]_/, ''));
    if (reference !== null) return UUID.exec(reference)?.[0] ?? null;
  }
  return null;
}

/** A form is decoded once more when it is searched; a stray per cent sign must not break that. */
function safe(text: string): string {
  return text.replaceAll(/%(?![0-9a-f]{2})/gi, '');
}

function reply(
  response: ServerResponse,
  fault: GatewayFault | null,
  answer: { readonly status: number; readonly type: string; readonly text: string },
): void {
  if (fault !== null && 'hang' in fault) return;
  if (fault !== null && 'truncate' in fault) {
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'content-length': answer.text.length + 9,
    });
    response.write(answer.text.slice(0, answer.text.length / 2));
    response.destroy();
    return;
  }
  if (fault !== null && 'drop' in fault) return void response.destroy();
  if (fault !== null && 'html' in fault) {
    const page = foreignPage(fault.html, fault.body ?? 'html');
    response.writeHead(fault.html, { 'content-type': page.contentType }).end(page.text);
    return;
  }
  response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text);
}
