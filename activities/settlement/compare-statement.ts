import { nextBankDay } from '../../src/domain/payments/billet-calendar';
import { compareExpected, compareFee } from '../../src/domain/settlement/compare-expected';
import { MAX_MATCH_TRIES, settlementPauseMs } from '../../src/domain/settlement/settlement';
import type { SettlementItem } from '../../src/domain/settlement/settlement-item';
import { MIDNIGHT_TOLERANCE_MS, plusDays, settlementDays } from '../../src/domain/settlement/settlement-days';
import { daysIn } from '../../src/domain/time/day-range';
import { BRASILIA } from '../../src/domain/time/timezone';
import type { ComparedAmount, UnmatchedAmount } from '../../src/persistence/settlement/expected-reader';
import type { SettlementRecord } from '../../src/persistence/settlement/settlement-repository';
import type { SettlementDeps, StageResult } from './settlement-deps';

const BATCH = 1_000;
const FIRST_ENTRY = '00000000-0000-0000-0000-000000000000';
/** Banks are never closed for longer. */
const MAX_CLOSED_DAYS = 10;

/** Compares the next amounts that lines are about; then finds what has no line. */
export async function compareStatement(
  deps: SettlementDeps,
  settlement: SettlementRecord,
): Promise<StageResult> {
  const { processedTo, lineCount } = settlement;
  if (processedTo < lineCount) {
    const compared = await deps.expectedAmounts.listCompared(settlement, processedTo, BATCH);
    await saveItems(deps, settlement, compared.flatMap(differences), processedTo + BATCH);
    return { kind: 'next' };
  }
  const waiting = await deps.statementLines.listWaiting(settlement.id, 0, 1);
  if (waiting.length > 0 && settlement.tries < MAX_MATCH_TRIES) {
    // An outcome that is recorded now would be found missing, although its line is there and waits.
    await deps.settlements.advance(settlement, { status: 'waiting' }, deps.now());
    return { kind: 'pause', pauseMs: settlementPauseMs(settlement.tries) };
  }
  await findUnsold(deps, settlement);
  await findUnsettled(deps, settlement);
  deps.failpoint('statement-compared', settlement.companyId);
  await deps.settlements.saveTotals(settlement.id);
  await deps.settlements.advance(settlement, { status: 'done' }, deps.now());
  return { kind: 'ended' };
}

function differences(amount: ComparedAmount): SettlementItem[] {
  const items = [compareExpected(amount), amount.fee && compareFee(amount.fee)];
  return items.filter((item) => item !== null);
}

/** Lines may be counted to the day before near midnight, so what was received just before it waits for the next statement. */
async function findUnsold(deps: SettlementDeps, settlement: SettlementRecord): Promise<void> {
  const { from, to } = daysIn(BRASILIA, settlement.day, settlement.day);
  const period = { from: earlier(from), to: earlier(to) };
  let after = FIRST_ENTRY;
  for (;;) {
    const unsold = await deps.expectedAmounts.listUnsold(settlement, period, after, BATCH);
    await saveItems(deps, settlement, unsold.flatMap(missing));
    const last = unsold.at(-1);
    if (last === undefined || unsold.length < BATCH) return;
    after = last.ref.entryId;
  }
}

/** The receivables that must be settled on this day at the latest. */
async function findUnsettled(deps: SettlementDeps, settlement: SettlementRecord): Promise<void> {
  const { day } = settlement;
  const days = Array.from({ length: MAX_CLOSED_DAYS }, (_, back) => plusDays(day, -back)).filter(
    (due) => nextBankDay(due) === day || nextBankDay(plusDays(due, 1)) === day,
  );
  let after = { entryId: FIRST_ENTRY, posting: 0 };
  for (;;) {
    const unsettled = await deps.expectedAmounts.listUnsettled(settlement, days, after, BATCH);
    const due = unsettled.filter(({ expectedOn, postedAt }) => {
      return expectedOn !== null && settlementDays({ expectedOn, postedAt }, nextBankDay).last === day;
    });
    await saveItems(deps, settlement, due.flatMap(missing));
    const last = unsettled.at(-1);
    if (last === undefined || unsettled.length < BATCH) return;
    after = { entryId: last.ref.entryId, posting: last.ref.posting ?? 0 };
  }
}

function missing(amount: UnmatchedAmount): SettlementItem[] {
  const item = compareExpected({ ...amount, linesCents: null, allCount: true, lineNumber: null });
  return item === null ? [] : [item];
}

async function saveItems(
  deps: SettlementDeps,
  settlement: SettlementRecord,
  items: readonly SettlementItem[],
  processedTo = settlement.processedTo,
): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    if (await deps.settlements.advance(settlement, { processedTo }, deps.now(), tx))
      await deps.settlementItems.insert(tx, settlement, items, deps.now());
  });
}

function earlier(instant: Date): Date {
  return new Date(instant.getTime() - MIDNIGHT_TOLERANCE_MS);
}
