import { cpus, totalmem } from 'node:os';
import { describeCommit } from '../../support/stack/commit';
import type { BenchStack } from './bench-stack';

/** The commit, machine and servers of a run. Results from different environments are not comparable. */
export interface RunEnvironment {
  readonly commit: string;
  readonly machine: string;
  readonly temporal: string;
  readonly postgres: string;
}

export async function describeRunEnvironment(stack: BenchStack): Promise<RunEnvironment> {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return {
    commit: describeCommit(),
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? '?'}), ${memory}, Node ${process.version}`,
    temporal: stack.temporal.kind,
    postgres: await describePostgres(stack),
  };
}

async function describePostgres(stack: BenchStack): Promise<string> {
  const [row] = await stack.query<{ version: string; fsync: string; commit: string }>(
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
            current_setting('synchronous_commit') AS commit`,
  );
  return row === undefined ? '' : `${row.version}, fsync ${row.fsync}, synchronous_commit ${row.commit}`;
}
