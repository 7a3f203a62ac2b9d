import { paymentSummary } from '../../src/domain/payments/payment';
import { nextDue, type DueEvent } from '../../src/domain/subscriptions/subscription-due';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SubscriptionStep } from '../../workflows/messages';
import { openPayment } from './process-subscription';
import { jitterOf, type SubscriptionDeps } from './subscription-deps';

/** How long a subscription may go without a sign of its workflow, beyond what it waits for, before the sweeper wakes it. */
const RECOVERY_DELAY_MS = 120_000;
/** The same while a person is asked what became of its charge. */
const SIGN_OF_LIFE_ON_DESK_MS = 3_720_000;
const MORE_WITHIN_MS = 5_000;

/** What a step has come to. */
export interface StepMade {
  /** Now, in the subscription's own time, and how far that is ahead. */
  readonly at: Date;
  readonly offsetMs: number;
  readonly told: readonly string[];
  readonly more: boolean;
}

/**
 * Ends a step: has the charge that began run, notes when the sweeper is to look and where the clock stands, and tells the
 * workflow what it waits for.
 */
export async function finishStep(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  made: StepMade,
): Promise<SubscriptionStep> {
  const { row, state } = record;
  const { at, offsetMs, more } = made;
  const payment = state.openCharge === null ? null : await openPayment(deps, tx, record);
  if (payment?.attempts === 0) tx.afterCommit(() => deps.startPayment(toStart(payment)));
  const due = nextDue(state);
  const jitterMs = jitterOf(row.uuid, deps.subscriptionSettings.jitterMs);
  const clock = { offsetMs, target: row.clockTarget?.getTime() ?? null };
  const isMoving = row.clockTarget !== null && row.clockTarget > at;
  const recoverAfter = wakeByOf(deps.now(), {
    payment,
    due,
    more: more || isMoving,
    aheadMs: offsetMs - jitterMs,
  });
  await deps.subscriptions.change(tx, row.id, {
    recoverAfter,
    ...(row.clockTarget !== null && { clockNow: at, clockOffsetMs: offsetMs }),
  });
  return {
    status: state.status,
    openCharge: payment && toStart(payment),
    due: due && { at: due.at.getTime(), what: inWords(due) },
    jitterMs,
    openCommands: record.commands.map(({ id }) => id),
    more,
    closedCycles: state.openCycle === null ? state.cyclesOpened : state.cyclesOpened - 1,
    events: [...made.told],
    clock,
  };
}

interface RecoverySchedule {
  readonly payment: PaymentRecord | null;
  readonly due: DueEvent | null;
  readonly more: boolean;
  /** How much sooner than by the subscription's own clock something is done. */
  readonly aheadMs: number;
}

/** Null when only somebody's wish, which wakes the workflow, can change anything. */
function wakeByOf(now: Date, { payment, due, more, aheadMs }: RecoverySchedule): Date | null {
  if (more) return new Date(+now + MORE_WITHIN_MS);
  if (payment !== null) {
    return new Date(+now + (payment.stuckAt === null ? RECOVERY_DELAY_MS : SIGN_OF_LIFE_ON_DESK_MS));
  }
  if (due === null) return null;
  return new Date(Math.max(+due.at - aheadMs, +now) + RECOVERY_DELAY_MS);
}

function toStart(payment: PaymentRecord): NonNullable<SubscriptionStep['openCharge']> {
  const { companyId, transactionId, paymentMethod, amountCents, currency, merchantOrderId } = payment;
  const summary = paymentSummary(payment);
  return { companyId, transactionId, paymentMethod, amountCents, currency, merchantOrderId, summary };
}

const WORDS: Readonly<Record<DueEvent['what'], string>> = {
  trial_ending: 'tell that the trial ends soon',
  card_expiring: 'tell that the card expires soon',
  pause_ended: 'resume after the pause',
  period_ended: 'renew, or end, with the period',
  retry: 'charge the unpaid cycle again',
  initial_payment_expired: 'end it, its first charge unpaid',
  past_due_expired: 'end it, past due for too long',
};

function inWords({ what }: DueEvent): string {
  return WORDS[what];
}
