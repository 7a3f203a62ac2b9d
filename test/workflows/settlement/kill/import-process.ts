import { createReadStream, writeFileSync } from 'node:fs';
import { Client } from 'pg';
import { createAppContext, type AppContext } from '../../../../src/composition/app-context';
import { closeActivityDeps } from '../../../../src/composition/close-activity-deps';
import { createActivityDeps } from '../../../../src/composition/worker';
import type { SettlementToStart } from '../../../../src/domain/settlement/settlement';
import type { FailpointName } from '../../../../src/failpoints';
import { testConfig } from '../../../support/stack/test-config';
import { waitFor } from '../../../support/stack/wait-for';
import { reconcile, uploadStatement } from '../at-size';

/** As many statements as a step makes at once. */
const CONNECTIONS = 3;

/** Where a process kills itself. */
export type Kill =
  /** The n-th time that it reaches the failpoint, from 1. */
  | { readonly at: FailpointName; readonly nth: number }
  /** At its n-th statement to Postgres, from 1: before it sends it, or without an answer. */
  | { readonly statement: number; readonly isSent: boolean };

export type ImportWork =
  | { readonly kind: 'upload'; readonly companyId: number; readonly day: string; readonly file: string }
  | { readonly kind: 'reconcile'; readonly settlement: SettlementToStart };

export interface ImportSpec {
  readonly databaseUrl: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly work: ImportWork;
  /** Null: it ends by itself. */
  readonly kill: Kill | null;
}

/** What the work took, on the standard output. */
export interface ImportFigures {
  readonly seconds: number;
  /** The most memory that the process had, with what Node and the code need. */
  readonly peakMiB: number;
}

/** A process that imports a statement, and may kill itself on the way: what it has not committed is lost. */
async function main({ databaseUrl, settings, work, kill }: ImportSpec): Promise<void> {
  const config = testConfig({ ...settings, DATABASE_POOL: String(CONNECTIONS) }, databaseUrl);
  const context = createAppContext(config);
  await openConnections(context);
  const log = { warn: () => undefined, error: () => undefined };
  const deps = createActivityDeps(config, context, log);
  if (kill !== null && 'statement' in kill) killAtStatement(kill);
  const startedAt = performance.now();
  if (work.kind === 'upload')
    await uploadStatement({ context }, work.companyId, work.day, createReadStream(work.file));
  else await reconcile({ deps }, work.settlement, failpointOf(kill));
  const seconds = (performance.now() - startedAt) / 1_000;
  const figures: ImportFigures = { seconds, peakMiB: Math.round(process.resourceUsage().maxRSS / 1_024) };
  writeFileSync(process.stdout.fd, JSON.stringify(figures));
  await closeActivityDeps(deps, context);
}

/** All of them, because a busy machine may take longer than the engine waits for one. */
async function openConnections({ db }: AppContext): Promise<void> {
  const sleep = () => db.query('SELECT pg_sleep(0.2)');
  await waitFor(() => Promise.all(Array.from({ length: CONNECTIONS }, sleep)), { what: 'the connections' });
}

function killAtStatement({ statement, isSent }: Extract<Kill, { statement: number }>): void {
  const { query } = Client.prototype as { query: (...args: unknown[]) => unknown };
  let count = 0;
  Client.prototype.query = function (this: unknown, ...args: unknown[]) {
    count += 1;
    if (count === statement && !isSent) die();
    const sent = query.apply(this, args);
    if (count === statement) setImmediate(die);
    return sent;
  } as typeof Client.prototype.query;
}

function failpointOf(kill: Kill | null): (name: FailpointName) => boolean {
  let count = 0;
  return (name) => {
    if (kill === null || !('at' in kill) || name !== kill.at) return false;
    count += 1;
    if (count === kill.nth) die();
    return false;
  };
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

main(JSON.parse(process.argv[2] ?? '') as ImportSpec).catch((error: unknown) => {
  writeFileSync(process.stderr.fd, String(error instanceof Error ? error.stack : error));
  process.exitCode = 1;
});
