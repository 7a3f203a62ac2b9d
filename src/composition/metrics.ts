import type { Config } from '../config';
import { serveMetrics, type MetricsServer, type MetricsSource } from '../metrics/metrics-server';
import type { AppContext } from './app-context';

/** Serves the process's metrics, if the settings give a port for them. */
export async function startMetricsServer(
  { metrics: address }: Config,
  { metrics, db }: AppContext,
  sources: readonly MetricsSource[] = [],
): Promise<MetricsServer | null> {
  if (address === null) return null;
  metrics.watchPool(() => db.poolState());
  return serveMetrics(metrics, address, sources);
}
