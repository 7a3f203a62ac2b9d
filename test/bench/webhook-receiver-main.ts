import { createServer } from 'node:http';

/**
 * Everybody's webhook receiver. The path says how it behaves: `/ok/...` 204, `/fail/...` 500, `/sleep/...` says nothing.
 * `GET /counts` tells how many requests and how many different `webhook-id`s came to each path. `BENCH_RECEIVER_PORT`.
 */

interface Counts {
  requests: number;
  readonly ids: Set<string>;
}

const byPath = new Map<string, Counts>();

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/counts') {
    const counts = [...byPath].map(([name, { requests, ids }]) => [name, { requests, ids: ids.size }]);
    response.end(JSON.stringify(Object.fromEntries(counts)));
    return;
  }
  const counts = byPath.get(path) ?? { requests: 0, ids: new Set<string>() };
  byPath.set(path, counts);
  counts.requests += 1;
  counts.ids.add(String(request.headers['webhook-id']));
  request.resume();
  if (path.startsWith('/sleep/')) return;
  request.once('end', () => {
    response.writeHead(path.startsWith('/fail/') ? 500 : 204).end();
  });
});
server.listen(Number(process.env.BENCH_RECEIVER_PORT), '127.0.0.1');
