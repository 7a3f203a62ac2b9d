import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { MetricsSource } from './metrics-server';

/** The metrics of Temporal's runtime, which serves them itself, on a port of the loopback interface. */
export interface TemporalMetrics {
  /** For `telemetryOptions.metrics` of the runtime. */
  readonly exporter: {
    readonly prometheus: {
      readonly bindAddress: string;
      readonly countersTotalSuffix: true;
      readonly unitSuffix: true;
      readonly useSecondsForDurations: true;
    };
  };
  readonly source: MetricsSource;
}

const READ_TIMEOUT_MS = 2_000;

/** Chooses the port of the runtime's metrics. They become part of the process's own, so that each process has one address. */
export async function chooseTemporalMetrics(): Promise<TemporalMetrics> {
  const bindAddress = `127.0.0.1:${await freePort()}`;
  const read = async (): Promise<string> => {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const response = await fetch(`http://${bindAddress}/metrics`, { signal });
    if (!response.ok) throw new Error(`the runtime's metrics answered ${response.status}`);
    return response.text();
  };
  return {
    exporter: {
      prometheus: {
        bindAddress,
        countersTotalSuffix: true,
        unitSuffix: true,
        useSecondsForDurations: true,
      },
    },
    source: { name: 'temporal', read },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
