import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { freePort } from '../../../src/dev/ports';
import { setUpTemporal } from '../../../src/temporal/setup';
import { NAMESPACE } from '../../support/processes/stack-processes';
import type { BenchProcesses } from './bench-processes';
import {
  findTemporalServer,
  HISTORY_SHARDS,
  prepareTemporalOnPostgres,
  TEMPORAL_VERSION,
} from './temporal-on-postgres';

/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

/** The Temporal server that the service and baseline T share. */
export class BenchTemporal {
  private constructor(
    readonly address: string,
    /** A description for the report. */
    readonly kind: string,
    private readonly client: Client,
  ) {}

  /** Starts the server on this Postgres if it can be built, and otherwise the development server. */
  static async start(
    processes: BenchProcesses,
    postgresUrl: string,
    log: (message: string) => void,
  ): Promise<BenchTemporal> {
    const programs = await findTemporalServer(log);
    const { address, kind } =
      programs === null
        ? await startDevServer(processes)
        : await startServer(processes, programs, postgresUrl);
    const connection = await Connection.connect({ address });
    await setUpTemporal(connection, NAMESPACE);
    return new BenchTemporal(address, kind, new Client({ connection, namespace: NAMESPACE }));
  }

  /** The history events of all runs with this workflow id: a signal to a finished payment starts another run. */
  async historyEvents(workflowId: string): Promise<number> {
    const { workflow } = this.client;
    let events = 0;
    for await (const { runId } of workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      events += (await workflow.getHandle(workflowId, runId).describe()).historyLength;
    }
    return events;
  }

  /** Whether a worker polls the task queue; with `pid` the one of this process. */
  async hasWorker(taskQueue: string, pid?: number): Promise<boolean> {
    const { pollers } = await this.client.workflowService.describeTaskQueue({
      namespace: NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_TASKS,
    });
    return pollers.some(({ identity }) => pid === undefined || identity?.startsWith(`${pid}@`) === true);
  }

  close(): Promise<void> {
    return this.client.connection.close();
  }
}

interface StartedServer {
  readonly address: string;
  readonly kind: string;
}

async function startServer(
  processes: BenchProcesses,
  programs: string,
  postgresUrl: string,
): Promise<StartedServer> {
  const { spec, address } = await prepareTemporalOnPostgres({
    programs,
    postgresUrl,
    folder: processes.folder,
    logFile: processes.logFile('temporal'),
  });
  await processes.start('temporal', spec);
  return {
    address,
    kind: `server ${TEMPORAL_VERSION} on the same Postgres, ${HISTORY_SHARDS} history shards`,
  };
}

async function startDevServer(processes: BenchProcesses): Promise<StartedServer> {
  const databaseFile = join(processes.folder, 'temporal.db');
  return {
    address: await processes.startTemporal({ port: await freePort(), databaseFile }),
    kind: 'DEVELOPMENT server on SQLite, 1 history shard: not valid as capacity figures',
  };
}
