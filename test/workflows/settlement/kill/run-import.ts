import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Engine } from '../../../support/stack/engine';
import type { ImportFigures, ImportSpec, ImportWork, Kill } from './import-process';

/**
 * Does a part of an import in a process that kills itself there.
 *
 * @returns whether it was killed; false if it ended before it got there
 */
export async function runKilled(
  engine: Pick<Engine, 'config'>,
  work: ImportWork,
  kill: Kill,
  settings: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  return (await run(engine, { settings, work, kill })) === null;
}

/** Does a part of an import in a process of its own, and measures it. */
export async function runMeasured(engine: Pick<Engine, 'config'>, work: ImportWork): Promise<ImportFigures> {
  const output = await run(engine, { settings: {}, work, kill: null });
  return JSON.parse(output ?? '') as ImportFigures;
}

/** What the process has written; null if it was killed. */
async function run(
  { config }: Pick<Engine, 'config'>,
  spec: Omit<ImportSpec, 'databaseUrl'>,
): Promise<string | null> {
  const argument = JSON.stringify({ databaseUrl: config.databaseUrl, ...spec });
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'import-process.ts'), argument], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL') return null;
  if (code !== 0) throw new Error(`the import failed: ${errors.join('')}`);
  return output.join('');
}

/** What an import has left behind, without ids, which differ from company to company. */
export async function outcomeOf({ context: { db } }: Pick<Engine, 'context'>, companyId: number) {
  const rows = (sql: string) => db.query<Record<string, unknown>>(sql, [companyId]);
  const [statements, lines, items, entries, postings, findings] = await Promise.all([
    rows('SELECT status, line_count, processed_to, totals FROM settlements WHERE company_id = $1'),
    rows(
      `SELECT state, kind, counts, count(*) AS lines FROM settlement_lines WHERE company_id = $1
        GROUP BY state, kind, counts ORDER BY state, kind, counts`,
    ),
    rows(
      `SELECT kind, expected_cents, actual_cents, count(*) AS items FROM settlement_items WHERE company_id = $1
        GROUP BY kind, expected_cents, actual_cents ORDER BY kind, expected_cents, actual_cents`,
    ),
    rows(
      `SELECT kind, count(*) AS entries, count(DISTINCT regexp_replace(step, '^settlement/[^/]+/', '') || transaction_id) AS steps
         FROM ledger_entries WHERE company_id = $1 GROUP BY kind ORDER BY kind`,
    ),
    rows(
      `SELECT account, count(*) AS postings, sum(amount_cents)::bigint AS cents FROM ledger_postings WHERE company_id = $1
        GROUP BY account ORDER BY account`,
    ),
    rows(`SELECT count(*) AS findings FROM gateway_callbacks WHERE company_id = $1`),
  ]);
  return { statements, lines, items, entries, postings, findings };
}
