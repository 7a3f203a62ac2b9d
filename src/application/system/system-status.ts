import type { Backlog } from '../../persistence/read-models/backlog';
import type { PoolState } from '../../persistence/sql/pooled-connection';
import type { TaskQueueState } from '../../temporal/task-queues';

/** Waits of one process for a database connection, since it began. */
export interface PoolWaits {
  readonly count: number;
  readonly seconds: number;
  /** Those of more than 0.1 s. */
  readonly slow: number;
}

/** What only the API process that answers knows. */
interface ProcessStatus {
  readonly host: string;
  readonly pid: number;
  readonly buildId: string | null;
  readonly startedAt: Date;
  readonly pool: PoolState;
  readonly poolWaits: PoolWaits;
}

/** How the deployment is doing, for its operators. No figure is of one company. */
export interface SystemStatus {
  readonly at: Date;
  /** Of all processes, from the database; null if it could not be read. */
  readonly backlog: Backlog | null;
  /** Of all processes, from Temporal; null if it does not answer. */
  readonly taskQueues: readonly TaskQueueState[] | null;
  readonly process: ProcessStatus;
}

export interface SystemStatusDeps {
  readonly readBacklog: (now: Date) => Promise<Backlog>;
  readonly readTaskQueues: () => Promise<TaskQueueState[]>;
  readonly readPool: () => PoolState;
  readonly readPoolWaits: () => Promise<PoolWaits>;
  readonly process: Pick<ProcessStatus, 'host' | 'pid' | 'buildId' | 'startedAt'>;
  readonly now: () => Date;
}

/** What cannot be read is null, because that is when an operator looks. */
export async function readSystemStatus(deps: SystemStatusDeps): Promise<SystemStatus> {
  const at = deps.now();
  const [backlog, taskQueues, poolWaits] = await Promise.all([
    deps.readBacklog(at).catch(() => null),
    deps.readTaskQueues().catch(() => null),
    deps.readPoolWaits(),
  ]);
  return { at, backlog, taskQueues, process: { ...deps.process, pool: deps.readPool(), poolWaits } };
}
