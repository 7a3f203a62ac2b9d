import { DefaultLogger, Runtime } from '@temporalio/worker';
import './workflow-threads';

/*
 * For files that run workers: once installed, the runtime keeps its process alive until the last worker has ended.
 * Tests make workers lose their activities on purpose; the runtime's own log of that would bury what failed.
 */
Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
});
