import { Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeKeys } from '../../../workflows/search-attributes';
import type { ProcessSpec } from '../supervised-process';

export interface TemporalServerOptions {
  /** The `temporal` program. */
  readonly program: string;
  readonly port: number;
  readonly logFile: string;
  /** Kept across runs in this file; without one in memory, gone when the process ends. */
  readonly databaseFile?: string;
  /** Further dynamic configuration, `name=value`. */
  readonly settings?: readonly string[];
  readonly ui?: { readonly port: number; readonly codecEndpoint: string };
}

/**
 * By default each of the server's queues is polled 20 times a second, so that every task waits for its slot of 50 ms;
 * on a durable file SQLite's own defaults halve the throughput once more.
 */
const POLLS_PER_SECOND = 2_000;
const POLLING_QUEUES = ['transferProcessor', 'timerProcessor', 'visibilityProcessor'];
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=1'];

/** Temporal's development server with what this service needs of it. */
export function temporalServerProcess(options: TemporalServerOptions): ProcessSpec {
  const { program, port, logFile, databaseFile, settings = [], ui } = options;
  return {
    name: 'temporal',
    command: program,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port)],
      ...['--log-format', 'json', '--log-level', 'warn'],
      ...POLLING_QUEUES.flatMap((queue) => [
        '--dynamic-config-value',
        `history.${queue}MaxPollRPS=${POLLS_PER_SECOND}`,
      ]),
      // An activity goes straight to the worker that scheduled it.
      ...['--dynamic-config-value', 'system.enableActivityEagerExecution=true'],
      // Where tasks wait for workers, companies take turns: in one line, since each part of a divided one has its own turns.
      ...['--dynamic-config-value', 'matching.enableFairness=true'],
      ...['Read', 'Write'].flatMap((way) => [
        '--dynamic-config-value',
        `matching.numTaskqueue${way}Partitions=1`,
      ]),
      // A subscription whose clock is moved lives through years, a run each cycle: by default each waits for a second.
      ...['--dynamic-config-value', 'history.workflowIdReuseMinimalInterval="10ms"'],
      ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
      ...searchAttributeKeys.flatMap(({ name, type }) => [
        '--search-attribute',
        `${name}=${TypedSearchAttributes.toMetadataType(type)}`,
      ]),
      ...(databaseFile === undefined
        ? []
        : [
            '--db-filename',
            databaseFile,
            ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
          ]),
      ...(ui === undefined
        ? ['--headless']
        : ['--ui-port', String(ui.port), '--ui-codec-endpoint', ui.codecEndpoint, '--ui-disable-news-fetch']),
    ],
    env: {},
    logFile,
    stopSignal: 'SIGTERM',
    ready: () => isTemporalReady(`127.0.0.1:${port}`, 'default'),
  };
}

/** Whether the server answers for this namespace; throws why not. */
export async function isTemporalReady(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } finally {
    await connection.close();
  }
}
