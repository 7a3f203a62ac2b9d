import { announcementOf, type Dispute } from '../../src/domain/disputes/dispute';
import { mailDueAfter } from '../../src/domain/disputes/dispute-mail';
import { borneShares, disputedCents, heldCents, lostCents } from '../../src/domain/disputes/dispute-money';
import { disputeEntry } from '../../src/domain/ledger/dispute-entries';
import { capturedSplits } from '../../src/domain/payments/charge-operations';
import { paymentNow } from '../../src/domain/payments/payment-clock';
import type { DisputeSnapshot } from '../../src/domain/shared/dispute-snapshot';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import { postedEntries } from '../../src/persistence/ledger/ledger-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import { changeJointly, type JointChange } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { DisputeDeps } from './dispute-deps';
import { publishDispute } from './publish-dispute';

/** A dispute's row after a transition. */
export type DisputeRow = Omit<DisputeRecord, 'createdAt' | 'updatedAt' | 'recoverAfter'>;

interface Locked {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
  /** Null before the first report. */
  readonly before: DisputeRecord | null;
  /** The payment's disputes. */
  readonly known: readonly DisputeRecord[];
}

/** How long the sweeper waits for the workflow that changes a dispute to make its step. */
const RECOVERY_DELAY_MS = 60_000;

/** What a transition counts, the mail that it makes due, and what the ledger has after it. */
export function consequences(
  before: DisputeRecord | null,
  after: Dispute,
  attempts: readonly AttemptRecord[],
): Pick<
  DisputeRow,
  'transitions' | 'eventSequence' | 'mailDue' | 'postedHeldCents' | 'postedLostCents' | 'postedBorne'
> {
  const announced = announcementOf(before, after);
  return {
    transitions: (before?.transitions ?? 0) + 1,
    eventSequence: (before?.eventSequence ?? 0) + (announced === null ? 0 : 1),
    mailDue: mailDueAfter(before, after),
    postedHeldCents: heldCents(after),
    postedLostCents: lostCents(after),
    postedBorne: borneShares(capturedSplits(attempts), lostCents(after)),
  };
}

/** Saves a transition of a dispute, and publishes what is to be published. Returns the type of the event, if there is one. */
export async function recordDispute(
  deps: DisputeDeps,
  tx: Tx,
  locked: Locked,
  row: DisputeRow,
): Promise<string | null> {
  const { payment, before, known } = locked;
  const now = deps.now();
  const disputedAmountCents = [...known.filter(({ id }) => id !== row.id), row].reduce(
    (sum, dispute) => sum + disputedCents(dispute),
    0,
  );
  const isNewest = known.every(({ id, openedAt }) => id === row.id || openedAt <= row.openedAt);
  const shown = isNewest ? { dispute: snapshotOf(row) } : {};
  const changes = [
    before === null
      ? deps.disputes.inserted({ ...row, createdAt: now, updatedAt: now, recoverAfter: recoverAfter(now) })
      : deps.disputes.changed(before, { ...row, updatedAt: now, recoverAfter: recoverAfter(now) }),
    deps.payments.changed(payment, { disputedAmountCents, ...shown, updatedAt: now }),
    ...ledgerChanges(locked, row, now),
  ];
  const announced = announcementOf(before, row);
  if (announced === null) {
    await changeJointly(deps.db, changes, tx);
    return null;
  }
  const type = `transaction.dispute.${announced}` as const;
  const current = { ...payment, disputedAmountCents };
  await publishDispute(
    deps,
    tx,
    { payment: current, dispute: row, type, sequence: row.eventSequence },
    changes,
  );
  return type;
}

function recoverAfter(now: Date): Date {
  return new Date(now.getTime() + RECOVERY_DELAY_MS);
}

/** What the transition posts; nothing if it moves no money. */
function ledgerChanges({ payment, attempts, before }: Locked, row: DisputeRow, now: Date): JointChange[] {
  const { companyId, transactionId, currency } = payment;
  const entry = disputeEntry({
    disputeId: row.id,
    number: row.transitions,
    before: { heldCents: before?.postedHeldCents ?? 0, lostCents: before?.postedLostCents ?? 0 },
    after: { heldCents: row.postedHeldCents, lostCents: row.postedLostCents },
    borneBefore: before?.postedBorne ?? [],
    borneAfter: row.postedBorne,
    currency,
    gateway: row.gatewaySlug,
    secretId: attempts.find(({ id }) => id === row.attemptId)?.secretId ?? null,
    at: paymentNow(payment, now),
  });
  return entry === null ? [] : postedEntries([{ ...entry, companyId, transactionId }]);
}

function snapshotOf(row: DisputeRow): DisputeSnapshot {
  const { id, kind, status, attemptId, amountCents, returnedCents, reasonCode, evidenceDueAt } = row;
  return {
    id,
    kind,
    status,
    attemptId,
    amountCents,
    returnedCents,
    reasonCode,
    evidenceDueAt: evidenceDueAt?.toISOString() ?? null,
  };
}
