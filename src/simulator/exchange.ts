import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './replies';
import type { Answered } from './requests';
import type { Behavior } from './scripts';

const MAX_BODY_BYTES = 256 * 1024;
/** A hung request ends when its client leaves, and after this long in any case. */
const LONGEST_HANG_MS = 10 * 60 * 1000;

/** The body's text, or null when it is larger than any request of the protocol. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : null;
}

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function sendJson(response: ServerResponse, answer: Answer): void {
  const body = JSON.stringify(answer.body);
  response.writeHead(answer.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** A page that loads nothing and runs nothing. */
export function sendHtml(response: ServerResponse, page: string): void {
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  });
  response.end(page);
}

/** One request's answer and every way it can be lost. What became of it is logged before the first byte leaves. */
export class Exchange {
  constructor(
    private readonly response: ServerResponse,
    private readonly log: (answered: Answered) => void,
  ) {}

  send(answer: Answer): void {
    this.log(answer.status);
    sendJson(this.response, answer);
  }

  drop(): void {
    this.log('dropped');
    this.response.destroy();
  }

  async hang(): Promise<void> {
    this.log('hung');
    if (this.response.closed) return;
    const left = new AbortController();
    this.response.once('close', () => left.abort());
    await delay(LONGEST_HANG_MS, undefined, { signal: left.signal, ref: false }).catch(() => undefined);
    this.response.destroy();
  }

  /** Answers as scripted, now that the work is done. */
  async sendAfter(answer: Answer, behavior: Behavior): Promise<void> {
    if (behavior.truncate === true) this.truncate(answer, behavior.drop === 'after');
    else if (behavior.drop === 'after') this.drop();
    else if (behavior.hang === 'after') await this.hang();
    else if (behavior.html !== undefined) this.sendHtml(behavior.html);
    else this.send(answer);
  }

  private truncate(answer: Answer, breakConnection: boolean): void {
    const body = Buffer.from(JSON.stringify(answer.body));
    const half = body.subarray(0, Math.floor(body.length / 2));
    this.log(breakConnection ? 'dropped' : answer.status);
    this.response.writeHead(answer.status, {
      'content-type': 'application/json',
      'content-length': breakConnection ? body.length : half.length,
    });
    if (breakConnection) this.response.write(half, () => this.response.destroy());
    else this.response.end(half);
  }

  private sendHtml(status: number): void {
    this.log(status);
    this.response.writeHead(status, { 'content-type': 'text/html' });
    this.response.end(
      `<html><body><h1>${status}</h1><p>The gateway's front door is not well.</p></body></html>`,
    );
  }
}
