import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ResolveStatus } from './webhook-reconciliation';

/**
 * Everybody's webhook receiver. The path says how it behaves: `/ok/...` 204, `/fail/...` 500, `/sleep/...` says nothing.
 * `PUT /secret?path=...` makes it check the signatures of what comes to a path from then on; `GET /log?path=...` tells
 * what came there under each `webhook-id`. `BENCH_RECEIVER_PORT`.
 */

const byPath = new Map<string, Map<string, ResolveStatus>>();
const secrets = new Map<string, Webhook>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver');
  const asked = searchParams.get('path') ?? '';
  if (pathname === '/log') {
    response.end(JSON.stringify(Object.fromEntries(byPath.get(asked) ?? [])));
    return;
  }
  void text(request).then((body) => {
    if (pathname === '/secret') secrets.set(asked, new Webhook(body));
    else note(pathname, request, body);
    if (pathname.startsWith('/sleep/')) return;
    response.writeHead(pathname.startsWith('/fail/') ? 500 : 204).end();
  });
});
server.listen(Number(process.env.BENCH_RECEIVER_PORT), '127.0.0.1');

function note(path: string, { headers }: IncomingMessage, body: string): void {
  const log = byPath.get(path) ?? new Map<string, ResolveStatus>();
  byPath.set(path, log);
  const id = String(headers['webhook-id']);
  const { requests, forged } = log.get(id) ?? { requests: 0, forged: 0 };
  const isForged = !isSigned(secrets.get(path), headers as Record<string, string>, body);
  log.set(id, { requests: requests + 1, forged: forged + (isForged ? 1 : 0) });
}

function isSigned(secret: Webhook | undefined, headers: Record<string, string>, body: string): boolean {
  try {
    secret?.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
