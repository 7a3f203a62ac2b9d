import type { components } from '../../http/generated/openapi';

type Schemas = components['schemas'];

interface PresentableSystemStatus {
  readonly at: Date;
  readonly backlog: {
    readonly waiting: ReadonlyArray<{
      readonly kind: NonNullable<Schemas['SystemStatus']['backlog']>[number]['kind'];
      readonly count: number;
      readonly oldestAgeSeconds: number;
    }>;
    readonly circuits: ReadonlyArray<{ readonly gateway: string; readonly count: number }>;
  } | null;
  readonly taskQueues: ReadonlyArray<
    Pick<
      NonNullable<Schemas['SystemStatus']['task_queues']>[number],
      'queue' | 'tasks' | 'waiting' | 'pollers'
    > & {
      readonly oldestAgeSeconds: number;
      readonly addedPerSecond: number;
    }
  > | null;
  readonly process: {
    readonly host: string;
    readonly pid: number;
    readonly buildId: string | null;
    readonly startedAt: Date;
    readonly pool: Record<'used' | 'idle' | 'waiting' | 'max', number>;
    readonly poolWaits: Record<'count' | 'seconds' | 'slow', number>;
  };
}

/** Milliseconds are enough for people. */
const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

export function presentSystemStatus(status: PresentableSystemStatus): Schemas['SystemStatusResponse'] {
  const { at, backlog, taskQueues, process } = status;
  return {
    data: {
      checked_at: at.toISOString(),
      backlog:
        backlog &&
        backlog.waiting.map(({ kind, count, oldestAgeSeconds }) => ({
          ...{ kind, count },
          oldest_age_seconds: rounded(oldestAgeSeconds),
        })),
      circuits:
        backlog &&
        backlog.circuits
          .map(({ gateway, count }) => ({ gateway: gateway as Schemas['GatewaySlug'], open: count }))
          .sort((a, b) => a.gateway.localeCompare(b.gateway)),
      task_queues:
        taskQueues &&
        taskQueues.map(({ queue, tasks, waiting, oldestAgeSeconds, addedPerSecond, pollers }) => ({
          ...{ queue, tasks, waiting, pollers },
          oldest_age_seconds: rounded(oldestAgeSeconds),
          added_per_second: rounded(addedPerSecond),
        })),
      process: presentProcess(process),
    },
  };
}

function presentProcess({
  host,
  pid,
  buildId,
  startedAt,
  pool,
  poolWaits,
}: PresentableSystemStatus['process']) {
  const { count, seconds, slow } = poolWaits;
  return {
    ...{ host, pid, build_id: buildId, started_at: startedAt.toISOString() },
    connections: { used: pool.used, idle: pool.idle, waiting: pool.waiting, max: pool.max },
    connection_waits: { count, slow, average_seconds: count === 0 ? 0 : rounded(seconds / count) },
  };
}
