import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import type { Metrics } from './metrics';

/** Metrics in Prometheus' text format that another part of the process keeps. */
export interface MetricsSource {
  readonly name: string;
  read(): Promise<string>;
}

export interface MetricsServer {
  close(): Promise<void>;
}

/** How precisely the delay of the event loop is measured: each step wakes the process once. */
const EVENT_LOOP_STEP_MS = 100;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Serves `GET /metrics` on an address of its own, which only the monitoring should reach. The process's own CPU, memory and event
 * loop are measured from then on.
 *
 * @throws if another program uses the port
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
  sources: readonly MetricsSource[] = [],
): Promise<MetricsServer> {
  const { registry } = metrics;
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_STEP_MS });
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    request.resume();
    const isScrape = request.method === 'GET' && request.url === '/metrics';
    if (!isScrape) response.writeHead(404).end();
    else void answer(response, registry.contentType, () => readAll(metrics, sources));
  });
  server.listen(port, host);
  await once(server, 'listening');
  // A process that ends does not wait for its monitoring.
  server.unref();
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  response: ServerResponse,
  contentType: string,
  read: () => Promise<string>,
): Promise<void> {
  try {
    const text = await read();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}

/** A source that fails is left out and counted. */
async function readAll(metrics: Metrics, sources: readonly MetricsSource[]): Promise<string> {
  const read = async (source: MetricsSource): Promise<string> => {
    try {
      return await source.read();
    } catch {
      metrics.sourceFailed(source.name);
      return '';
    }
  };
  const others = await Promise.all(sources.map(read));
  return [await metrics.registry.metrics(), ...others].join('\n');
}
