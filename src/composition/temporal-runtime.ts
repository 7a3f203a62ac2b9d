import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Config } from '../config';
import type { Logger } from '../log';
import type { MetricsSource } from '../metrics/metrics-server';
import { chooseTemporalMetrics } from '../metrics/temporal-metrics';

/**
 * Logs the Temporal runtime's warnings in our format. Logs only their messages, because their details may contain payloads. Returns
 * what the runtime measures, if the process serves metrics.
 */
export async function installTemporalRuntime(config: Config, log: Logger): Promise<MetricsSource[]> {
  const logger = new DefaultLogger('WARN', ({ level, message }) => {
    log[level === 'ERROR' ? 'error' : 'warn'](message);
  });
  const temporal = config.metrics === null ? null : await chooseTemporalMetrics();
  Runtime.install({
    logger,
    telemetryOptions: {
      logging: { filter: 'WARN', forward: {} },
      ...(temporal !== null && { metrics: temporal.exporter }),
    },
    // Each process stops its own workers, in its own order. The runtime would stop them before the work that leads to tasks.
    shutdownSignals: [],
  });
  return temporal === null ? [] : [temporal.source];
}
