import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { foreignPage } from './foreign-pages';
import type { SimulatorResponse } from './replies';
import type { RequestOutcome } from './requests';
import type { Behavior } from './scripts';

/** Evidence has files of 4 MiB in base64. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** A hung request ends when its client disconnects, at the latest after this time. */
const LONGEST_HANG_MS = 10 * 60 * 1000;

/** The body's text; null if it exceeds the size limit. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) return null;
  // A form with a file is bytes.
  const isMultipart = request.headers['content-type']?.startsWith('multipart/') === true;
  return Buffer.concat(chunks).toString(isMultipart ? 'latin1' : 'utf8');
}

/** The parsed JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, result: SimulatorResponse): void {
  const body = result.isEmpty === true ? '' : JSON.stringify(result.body);
  response.writeHead(result.status, {
    'content-type': 'application/json',
    ...result.headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Sends a page that may load no resources and run no scripts. */
export function sendHtml(response: ServerResponse, page: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(page);
}

/** Sends one response, or loses it as scripted. Logs the outcome before the first byte is sent. */
export class Exchange {
  constructor(
    private readonly response: ServerResponse,
    private readonly log: (outcome: RequestOutcome) => void,
  ) {}

  send(result: SimulatorResponse): void {
    this.log(result.status);
    sendJson(this.response, result);
  }

  drop(): void {
    this.log('dropped');
    this.response.destroy();
  }

  async hang(): Promise<void> {
    this.log('hung');
    if (this.response.closed) return;
    const disconnected = new AbortController();
    this.response.once('close', () => disconnected.abort());
    await delay(LONGEST_HANG_MS, undefined, { signal: disconnected.signal, ref: false }).catch(
      () => undefined,
    );
    this.response.destroy();
  }

  /** Responds as scripted, after the commit. */
  async sendAfter(result: SimulatorResponse, behavior: Behavior): Promise<void> {
    if (behavior.truncate === true) this.truncate(result, behavior.drop === 'after');
    else if (behavior.drop === 'after') this.drop();
    else if (behavior.hang === 'after') await this.hang();
    else if (behavior.html !== undefined) this.sendForeignPage(behavior.html, behavior.body);
    else this.send(result);
  }

  private truncate(result: SimulatorResponse, breakConnection: boolean): void {
    const body = Buffer.from(JSON.stringify(result.body));
    const half = body.subarray(0, Math.floor(body.length / 2));
    this.log(breakConnection ? 'dropped' : result.status);
    this.response.writeHead(result.status, {
      ...result.headers,
      'content-type': 'application/json',
      'content-length': breakConnection ? body.length : half.length,
    });
    if (breakConnection) this.response.write(half, () => this.response.destroy());
    else this.response.end(half);
  }

  private sendForeignPage(status: number, body: Behavior['body'] = 'html'): void {
    const { contentType, text } = foreignPage(status, body);
    this.log(status);
    this.response.writeHead(status, { 'content-type': contentType });
    this.response.end(text);
  }
}
