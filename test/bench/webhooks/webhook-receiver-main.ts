import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ReceivedRequests } from './webhook-reconciliation';

/**
 * The webhook receiver of all companies. The path determines the response: `/ok/...` 204, `/fail/...` 500, `/hang/...`
 * none. After `PUT /secret?path=...` it verifies the signatures of requests to that path. `GET /log?path=...` returns the
 * requests to a path by `webhook-id`. Configured by `BENCH_RECEIVER_PORT`.
 */

const byPath = new Map<string, Map<string, ReceivedRequests>>();
const secrets = new Map<string, Webhook>();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://receiver');
  const loggedPath = searchParams.get('path') ?? '';
  if (pathname === '/log') {
    response.end(JSON.stringify(Object.fromEntries(byPath.get(loggedPath) ?? [])));
    return;
  }
  void text(request).then((body) => {
    if (pathname === '/secret') secrets.set(loggedPath, new Webhook(body));
    else record(pathname, request, body);
    if (pathname.startsWith('/hang/')) return;
    response.writeHead(pathname.startsWith('/fail/') ? 500 : 204).end();
  });
});
server.listen(Number(process.env.BENCH_RECEIVER_PORT), '127.0.0.1');

function record(path: string, { headers }: IncomingMessage, body: string): void {
  const log = byPath.get(path) ?? new Map<string, ReceivedRequests>();
  byPath.set(path, log);
  const id = String(headers['webhook-id']);
  const { requests, invalidSignatures } = log.get(id) ?? { requests: 0, invalidSignatures: 0 };
  const isValid = hasValidSignature(secrets.get(path), headers as Record<string, string>, body);
  log.set(id, { requests: requests + 1, invalidSignatures: invalidSignatures + (isValid ? 0 : 1) });
}

function hasValidSignature(
  secret: Webhook | undefined,
  headers: Record<string, string>,
  body: string,
): boolean {
  try {
    secret?.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
