import type { SettlementId } from '../../../../src/domain/shared/ids';
import { SettlementRepository } from '../../../../src/persistence/settlement/settlement-repository';
import { statementFile, upload } from '../../../api/settlement/statement-file';
import { waitFor } from '../../../support/stack/wait-for';
import { readMovements } from '../reconciliation';
import type { SoakMerchant } from '../soak-merchant';
import { untilNothingPending } from '../unfinished-work';
import { plantErrors, type PlantedErrors } from './planted-errors';
import {
  chargesOf,
  daysOf,
  readStatement,
  sourcesOf,
  type SourcedLine,
  type StatementSource,
} from './statement-lines';

/** The statements of a merchant's month, and what their reconciliation must find. */
export interface MonthStatements {
  readonly planted: PlantedErrors;
  readonly settlements: readonly SettlementId[];
  /** As the company got them: with the errors. */
  readonly lines: readonly SourcedLine[];
}

/** A step that was lost with its worker is repeated after 5 s, a workflow task after 10 s, a pause after a failure is longer. */
const DAY_WITHIN_MS = 120_000;
const RETRY_EVERY_MS = 200;

/**
 * Once no money moves any more, as a statement is made when its day is over: has the gateways make mistakes, and then each day's
 * statements fetched or uploaded, and reconciled, one day after the other.
 */
export async function settleMonth(
  merchant: SoakMerchant,
  options: { readonly seed: number; readonly rounds: number; readonly beforeDay?: () => void },
): Promise<MonthStatements> {
  await untilNothingPending(merchant);
  const movements = await waitFor(() => readMovements(merchant), retried('the movements'));
  const sources = sourcesOf(movements.ledger);
  const days = daysOf(movements.ledger);
  const charges = chargesOf(movements.ledger);
  const read = (): Promise<SourcedLine[]> => readStatements(merchant, sources, days, charges);
  const planted = await plantErrors(merchant, movements, await read(), options);
  const lines = await read();
  const settlements: SettlementId[] = [];
  for (const day of days) {
    options.beforeDay?.();
    const begun = await Promise.all(sources.map((source) => begin(merchant, source, day, lines)));
    const ids = begun.filter((id) => id !== null);
    settlements.push(...ids);
    await untilEnded(merchant, ids);
  }
  return { planted, settlements, lines };
}

async function readStatements(
  { environment: { simulator } }: SoakMerchant,
  sources: readonly StatementSource[],
  days: readonly string[],
  charges: ReadonlyMap<string, string>,
): Promise<SourcedLine[]> {
  const lines: SourcedLine[] = [];
  for (const day of days) {
    for (const source of sources) {
      const statement = (): Promise<SourcedLine[]> => readStatement(simulator, source, day, charges);
      lines.push(...(await waitFor(statement, retried(`the statement of ${source.gateway}`))));
    }
  }
  return lines;
}

/** Has a statement fetched, as the sweeper does, or uploads it. Null if there is nothing to upload. */
function begin(
  merchant: SoakMerchant,
  source: StatementSource,
  day: string,
  lines: readonly SourcedLine[],
): Promise<SettlementId | null> {
  const { gateway, isFetched } = source;
  if (isFetched) return waitFor(() => insertToFetch(merchant, source, day), retried(`${gateway} of ${day}`));
  const own = lines.filter((one) => one.source.gateway === gateway && one.day === day);
  if (own.length === 0) return Promise.resolve(null);
  const file = statementFile(own.map(({ line }) => line));
  const { environment, office } = merchant;
  const uploaded = async (): Promise<SettlementId> => {
    const { status, body } = await upload(environment.baseUrl, office.headers, { gateway, day }, file);
    if (body.data === undefined) throw new Error(`the upload got ${status}: ${JSON.stringify(body)}`);
    return body.data.id as SettlementId;
  };
  // The same file again changes nothing.
  return waitFor(uploaded, retried(`the upload of ${gateway} of ${day}`));
}

async function insertToFetch(
  { environment: { db }, companyId }: SoakMerchant,
  { gateway }: StatementSource,
  day: string,
): Promise<SettlementId | undefined> {
  const settlements = new SettlementRepository(db);
  const [accountId = null] = await settlements.listAccounts(companyId, gateway);
  const account = { companyId, gateway, accountId };
  const id = await settlements.insertToFetch(account, day, new Date());
  return id ?? (await settlements.findDay(account, day))?.id;
}

/** The next day begins when this one is reconciled; if that takes too long, the settlement is reported in the end. */
async function untilEnded(
  { environment: { db } }: SoakMerchant,
  ids: readonly SettlementId[],
): Promise<void> {
  const ended = async (): Promise<boolean> => {
    const rows = await db.query(
      `SELECT FROM settlements WHERE id = ANY ($1) AND status NOT IN ('done', 'failed')`,
      [ids],
    );
    return rows.length === 0;
  };
  await waitFor(ended, { withinMs: DAY_WITHIN_MS, everyMs: RETRY_EVERY_MS }).catch(() => undefined);
}

function retried(what: string) {
  return { what, withinMs: DAY_WITHIN_MS, everyMs: RETRY_EVERY_MS };
}
