import type { Config } from '../config';
import { watchBacklog } from '../metrics/backlog-metrics';
import { serveMetrics, type MetricsServer, type MetricsSource } from '../metrics/metrics-server';
import { BacklogReader } from '../persistence/read-models/backlog';
import type { StartedSpans } from '../tracing/started-spans';
import type { AppContext } from './app-context';

/** Serves the process's metrics, if the settings give a port for them. */
export async function startMetricsServer(
  { metrics: address }: Config,
  { metrics, db, now }: AppContext,
  sources: readonly MetricsSource[],
  tracing: Pick<StartedSpans, 'counts'>,
): Promise<MetricsServer | null> {
  if (address === null) return null;
  metrics.watchPool(() => db.poolState());
  metrics.watchSpans(() => tracing.counts());
  const backlog = new BacklogReader(db);
  watchBacklog(metrics, () => backlog.read(now()));
  return serveMetrics(metrics, address, sources);
}
