import { freePort } from '../../../src/dev/ports';
import { migrate } from '../../../src/persistence/sql/migrator';
import type { BenchProcesses } from './bench-processes';
import { respondsOk } from './engine-pair';

/** Counts statements. It does not count BEGIN and COMMIT, nor statements inside functions. */
const COUNTING_SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_utility': 'off',
};

/** A durable Postgres with the service's schema; returns its URL. */
export async function startBenchPostgres(processes: BenchProcesses): Promise<string> {
  const url = await processes.startPostgres({
    port: await freePort(),
    durable: true,
    settings: COUNTING_SETTINGS,
  });
  await migrate(url, 'live');
  return url;
}

/** Sends its callbacks to this API; returns its URL. */
export async function startBenchSimulator(
  processes: BenchProcesses,
  apiUrl: string,
  secrets: Readonly<Record<string, string>>,
): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...secrets,
    SIMULATOR_PORT: String(port),
    SIMULATOR_CALLBACK_URL: apiUrl,
    DATA_DIR: processes.folder,
  };
  await processes.startProgram('simulator', 'src/simulator/main', settings, () =>
    respondsOk(`${url}/_admin/requests?transaction_id=none`),
  );
  return url;
}
