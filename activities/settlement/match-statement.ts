import { nextBankDay } from '../../src/domain/payments/billet-calendar';
import { MAX_MATCH_TRIES } from '../../src/domain/settlement/settlement';
import { matchLines, type MatchedLine, type NumberedLine } from '../../src/domain/settlement/match-lines';
import type {
  SettlementProgress,
  SettlementRecord,
} from '../../src/persistence/settlement/settlement-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { postMatchedLines } from './post-lines';
import type { SettlementDeps, StageResult } from './settlement-deps';
import { storeFinding } from './store-finding';

/** Lines of one transaction. */
const BATCH = 1_000;

/** Matches the next lines, and commits the results together with the progress. */
export async function matchStatement(
  deps: SettlementDeps,
  settlement: SettlementRecord,
): Promise<StageResult> {
  const lines = await deps.statementLines.list(settlement.id, settlement.processedTo, BATCH);
  const last = lines.at(-1);
  if (last === undefined) {
    await deps.settlements.advance(settlement, { status: 'comparing', processedTo: 0 }, deps.now());
    return { kind: 'next' };
  }
  await matchBatch(deps, settlement, lines, { processedTo: last.number });
  return { kind: 'next' };
}

/** Matches the lines that wait for an outcome again, and has them compared. */
export async function matchWaiting(deps: SettlementDeps, settlement: SettlementRecord): Promise<StageResult> {
  let after = 0;
  for (;;) {
    const lines = await deps.statementLines.listWaiting(settlement.id, after, BATCH);
    const last = lines.at(-1);
    if (last === undefined) break;
    await matchBatch(deps, settlement, lines, {});
    after = last.number;
  }
  const { tries } = settlement;
  await deps.settlements.advance(
    settlement,
    { status: 'comparing', processedTo: 0, tries: tries + 1 },
    deps.now(),
  );
  return { kind: 'next' };
}

async function matchBatch(
  deps: SettlementDeps,
  settlement: SettlementRecord,
  lines: readonly NumberedLine[],
  progress: SettlementProgress,
): Promise<void> {
  const haveWaited = settlement.status === 'waiting';
  const known = await deps.knownRecords.load(settlement, lines, haveWaited);
  const isLastTry = settlement.tries + 1 >= MAX_MATCH_TRIES;
  const matched = matchLines(lines, known, { nextBankDay, haveWaited, isLastTry: haveWaited && isLastTry });
  await deps.db.inTransaction(async (tx) => {
    // First, so that no other process saves the same lines.
    if (!(await deps.settlements.advance(settlement, progress, deps.now(), tx))) return;
    await save(deps, tx, settlement, { lines, matched });
  });
  deps.failpoint('statement-batch-committed', settlement.companyId);
}

async function save(
  deps: SettlementDeps,
  tx: Tx,
  settlement: SettlementRecord,
  { lines, ...result }: { readonly lines: readonly NumberedLine[]; readonly matched: readonly MatchedLine[] },
): Promise<void> {
  const before = settlement.status === 'waiting' ? 'waiting' : 'new';
  const matched = await deps.statementLines.saveMatches(tx, settlement.id, result.matched, before);
  const items = matched.flatMap((line) => line.items);
  await deps.settlementItems.insert(tx, settlement, items, deps.now());
  await postMatchedLines(deps, tx, settlement, { lines, matched });
  const lineOf = new Map(lines.map((line) => [line.number, line]));
  for (const { number, isFinding } of matched) {
    const line = lineOf.get(number);
    if (isFinding && line !== undefined) await storeFinding(deps, tx, settlement, line);
  }
}
