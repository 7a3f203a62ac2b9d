import { hostname } from 'node:os';
import { readSystemStatus } from '../../application/system/system-status';
import type { Config } from '../../config';
import type { SystemRouteDeps } from '../../http/routes/system/system-status';
import { BacklogReader } from '../../persistence/read-models/backlog';
import { readTaskQueues } from '../../temporal/task-queues';
import type { AppContext } from '../app-context';

export function createSystem(
  { supportEmails, temporal: { taskQueue, buildId } }: Config,
  { db, metrics, temporal, now }: AppContext,
): SystemRouteDeps {
  const backlog = new BacklogReader(db);
  const startedAt = new Date(now().getTime() - process.uptime() * 1000);
  const deps = {
    readBacklog: (at: Date) => backlog.read(at),
    readTaskQueues: () => readTaskQueues(temporal, taskQueue),
    readPool: () => db.poolState(),
    readPoolWaits: () => metrics.poolWaitTotals(),
    process: { host: hostname(), pid: process.pid, buildId, startedAt },
    now,
  };
  return { operatorEmails: supportEmails, readStatus: () => readSystemStatus(deps) };
}
