import { Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributeKeys } from '../../../workflows/search-attributes';
import type { ProcessSpec } from '../supervised-process';

export interface TemporalServerOptions {
  /** The `temporal` program. */
  readonly program: string;
  readonly port: number;
  readonly logFile: string;
  /** The database file; without one the server keeps its data in memory. */
  readonly databaseFile?: string;
  /** Additional dynamic configuration, `name=value`. */
  readonly settings?: readonly string[];
  readonly ui?: { readonly port: number; readonly codecEndpoint: string };
}

/**
 * By default the server polls each of its queues 20 times a second, which delays every task by up to 50 ms. SQLite's
 * defaults on a file halve the throughput.
 */
const POLLS_PER_SECOND = 2_000;
const POLLING_QUEUES = ['transferProcessor', 'timerProcessor', 'visibilityProcessor'];
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=1'];

/** The spec of Temporal's development server, configured for this service. */
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
      // Eager execution starts an activity on the worker that scheduled it.
      ...['--dynamic-config-value', 'system.enableActivityEagerExecution=true'],
      // Fairness between companies. It needs a single partition, because each partition is fair only within itself.
      ...['--dynamic-config-value', 'matching.enableFairness=true'],
      ...['Read', 'Write'].flatMap((mode) => [
        '--dynamic-config-value',
        `matching.numTaskqueue${mode}Partitions=1`,
      ]),
      // A test clock runs a subscription through years, one run per cycle; the default delays each run by a second.
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

/** Resolves to true if the server answers for the namespace; rejects otherwise. */
export async function isTemporalReady(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  try {
    await connection.workflowService.describeNamespace({ namespace });
    return true;
  } finally {
    await connection.close();
  }
}
