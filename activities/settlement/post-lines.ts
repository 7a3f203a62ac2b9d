import { DateTime } from 'luxon';
import { settlementEntry } from '../../src/domain/ledger/settlement-entries';
import type { MatchedLine, NumberedLine } from '../../src/domain/settlement/match-lines';
import { BRASILIA } from '../../src/domain/time/timezone';
import { postedEntries, type NewJournalEntry } from '../../src/persistence/ledger/ledger-repository';
import type { SettlementRecord } from '../../src/persistence/settlement/settlement-repository';
import { changeJointly } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SettlementDeps } from './settlement-deps';

const NOON = 12;

/** Posts what lines of a statement have moved to the ledger, as of the statement's day. */
export async function postMatchedLines(
  deps: SettlementDeps,
  tx: Tx,
  settlement: SettlementRecord,
  { lines, matched }: { readonly lines: readonly NumberedLine[]; readonly matched: readonly MatchedLine[] },
): Promise<void> {
  const { id, companyId, gatewaySlug: gateway, day } = settlement;
  const currencyOf = new Map(lines.map((line) => [line.number, line.currency]));
  const secretId = await findSecretId(deps, settlement);
  const at = DateTime.fromISO(day, { zone: BRASILIA }).set({ hour: NOON }).toJSDate();
  const entries = matched.flatMap(({ number, transactionId, posts }): NewJournalEntry[] => {
    const currency = currencyOf.get(number);
    if (posts === null || currency === undefined) return [];
    const entry = settlementEntry(posts, {
      step: `settlement/${id}/${number}`,
      currency,
      gateway,
      secretId,
      at,
    });
    return entry === null ? [] : [{ ...entry, companyId, transactionId }];
  });
  const changes = postedEntries(entries);
  if (changes.length > 0) await changeJointly(deps.db, changes, tx);
}

/** Tells the account of the postings; null for the platform's own. */
async function findSecretId(
  deps: SettlementDeps,
  { companyId, gatewaySlug: slug, accountId }: SettlementRecord,
) {
  if (accountId === null) return null;
  const secrets = await deps.gatewaySecrets.list({ companyId, slug });
  return secrets.find((secret) => secret.accountId === accountId)?.id ?? null;
}
