import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from '../log';

/** Logs the Temporal runtime's warnings in our format. Logs only their messages, because their details may contain payloads. */
export function logTemporalRuntime(log: Logger): void {
  const logger = new DefaultLogger('WARN', ({ level, message }) => {
    log[level === 'ERROR' ? 'error' : 'warn'](message);
  });
  Runtime.install({
    logger,
    telemetryOptions: { logging: { filter: 'WARN', forward: {} } },
    // Each process stops its own workers, in its own order. The runtime would stop them before the work that leads to tasks.
    shutdownSignals: [],
  });
}
