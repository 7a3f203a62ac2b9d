import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { loadConfig } from '../../../src/config';
import { freePort } from '../../../src/dev/ports';
import { findTemporalCli } from '../../../src/dev/servers/temporal-cli';
import { temporalServerProcess } from '../../../src/dev/servers/temporal-server';
import { setUpTemporal } from '../../../src/temporal/setup';
import type { AppContext } from './processes';
import {
  findTemporalServer,
  HISTORY_SHARDS,
  prepareTemporalOnPostgres,
  TEMPORAL_VERSION,
} from './temporal-on-postgres';

const NAMESPACE = 'default';
/** TaskQueueType in temporal/api/enums/v1/task_queue.proto. */
const WORKFLOW_TASKS = 1;

/** The Temporal server that the engine and reference T share, and what is asked of it. */
export class BenchTemporal {
  private constructor(
    readonly address: string,
    /** In words, for the report. */
    readonly kind: string,
    private readonly client: Client,
  ) {}

  /** On this Postgres where the server can be built, else the development server. */
  static async start(
    parts: AppContext,
    postgresUrl: string,
    tell: (message: string) => void,
  ): Promise<BenchTemporal> {
    const programs = await findTemporalServer(tell);
    const { address, kind } =
      programs === null ? await startDevServer(parts, tell) : await startServer(parts, programs, postgresUrl);
    const connection = await Connection.connect({ address });
    await setUpTemporal(connection, NAMESPACE);
    return new BenchTemporal(address, kind, new Client({ connection, namespace: NAMESPACE }));
  }

  /** Of all the runs under this id: what reaches a finished payment begins another. */
  async historyEvents(workflowId: string): Promise<number> {
    const { workflow } = this.client;
    let events = 0;
    for await (const { runId } of workflow.list({ query: `WorkflowId = "${workflowId}"` })) {
      events += (await workflow.getHandle(workflowId, runId).describe()).historyLength;
    }
    return events;
  }

  async hasWorker(taskQueue: string): Promise<boolean> {
    const { pollers } = await this.client.workflowService.describeTaskQueue({
      namespace: NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: WORKFLOW_TASKS,
    });
    return pollers.length > 0;
  }

  close(): Promise<void> {
    return this.client.connection.close();
  }
}

interface StartedServer {
  readonly address: string;
  readonly kind: string;
}

async function startServer(parts: AppContext, programs: string, postgresUrl: string): Promise<StartedServer> {
  const { part, address } = await prepareTemporalOnPostgres({
    programs,
    postgresUrl,
    folder: parts.folder,
    logFile: parts.log('temporal'),
  });
  await parts.run('temporal', part);
  return {
    address,
    kind: `server ${TEMPORAL_VERSION} on the same Postgres, ${HISTORY_SHARDS} history shards`,
  };
}

async function startDevServer(parts: AppContext, tell: (message: string) => void): Promise<StartedServer> {
  const { dataDir, executablePath } = loadConfig();
  const program = await findTemporalCli(dataDir, executablePath, tell);
  const port = await freePort();
  const databaseFile = join(parts.folder, 'temporal.db');
  const logFile = parts.log('temporal');
  await parts.run('temporal', temporalServerProcess({ program, port, logFile, databaseFile }));
  return {
    address: `127.0.0.1:${port}`,
    kind: 'DEVELOPMENT server on SQLite, 1 history shard: no capacity figures',
  };
}
