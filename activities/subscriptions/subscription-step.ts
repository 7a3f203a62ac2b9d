import { paymentSummary } from '../../src/domain/payments/payment';
import { isUnresolved } from '../../src/domain/subscriptions/charge-hold';
import { nextDue, type DueEvent } from '../../src/domain/subscriptions/subscription-due';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentToStart } from '../../workflows/messages';
import type { SubscriptionStep } from '../../workflows/subscriptions/messages';
import { findOpenPayment } from './open-payment';
import { jitterOf, type SubscriptionDeps } from './subscription-deps';
import { unresolvedCheckMs } from './unresolved-charge';

/** How long after the workflow's next planned step the sweeper signals it. */
const RECOVERY_DELAY_MS = 120_000;
/** The same while the charge waits for an operator. */
const ESCALATED_RECOVERY_DELAY_MS = 3_720_000;
/** The same if the next step follows immediately. */
const NEXT_STEP_RECOVERY_DELAY_MS = 5_000;

/** What a step processed, before its result for the workflow is computed. */
export interface StepOutcome {
  /** Now on the subscription's clock, and that clock's offset from the wall clock. */
  readonly at: Date;
  readonly offsetMs: number;
  readonly events: readonly string[];
  /** Another step can follow immediately. */
  readonly more: boolean;
  /** The payment of the charge that the last transition opened, if it did. */
  readonly payment?: PaymentRecord | null;
}

/** A step that is stored, with the payment of the charge that is open after it. */
export interface StoredStep {
  readonly step: SubscriptionStep;
  readonly openPayment: PaymentRecord | null;
}

/** Ends a step: stores the recovery time and the test clock, and returns what the workflow waits for next. */
export async function finishStep(
  deps: SubscriptionDeps,
  tx: Tx,
  record: SubscriptionRecord,
  outcome: StepOutcome,
): Promise<StoredStep> {
  const { row, state } = record;
  const { at, offsetMs, more, events } = outcome;
  const opened = outcome.payment ?? null;
  const payment = state.openCharge === null ? null : (opened ?? (await findOpenPayment(deps, tx, record)));
  const due = nextDue(state);
  const jitterMs = jitterOf(row.uuid, deps.subscriptionSettings.jitterMs);
  const clock = { offsetMs, target: row.clockTarget?.getTime() ?? null };
  const isAdvancing = row.clockTarget !== null && row.clockTarget > at;
  const recoverAfter = recoverAfterOf(deps.now(), {
    payment,
    due,
    more: more || isAdvancing,
    offsetMs: offsetMs - jitterMs,
  });
  await deps.subscriptions.change(tx, row, {
    recoverAfter,
    ...(row.clockTarget !== null && { clockNow: at, clockOffsetMs: offsetMs }),
  });
  const step = {
    status: state.status,
    openCharge: payment && {
      transactionId: payment.transactionId,
      summary: paymentSummary(payment),
      unresolved: isUnresolved(state),
      checkInMs: unresolvedCheckMs(deps, state, payment, isAdvancing),
    },
    due: due && { at: due.at.getTime(), description: DESCRIPTIONS[due.kind] },
    jitterMs,
    openCommands: record.commands.map(({ id }) => id),
    more,
    closedCycles: state.openCycle === null ? state.cyclesOpened : state.cyclesOpened - 1,
    events: [...events],
    clock,
  };
  return { step, openPayment: payment };
}

interface NextStep {
  readonly payment: PaymentRecord | null;
  readonly due: DueEvent | null;
  readonly more: boolean;
  /** From the wall clock to the subscription's clock, less the jitter. */
  readonly offsetMs: number;
}

/** When the sweeper signals the workflow; null if only a request, which signals it too, can change anything. */
function recoverAfterOf(now: Date, { payment, due, more, offsetMs }: NextStep): Date | null {
  if (more) return new Date(+now + NEXT_STEP_RECOVERY_DELAY_MS);
  if (payment !== null) {
    return new Date(+now + (payment.stuckAt === null ? RECOVERY_DELAY_MS : ESCALATED_RECOVERY_DELAY_MS));
  }
  if (due === null) return null;
  return new Date(Math.max(+due.at - offsetMs, +now) + RECOVERY_DELAY_MS);
}

/** What the workflow of a payment is started with. */
export function toStart(payment: PaymentRecord): PaymentToStart {
  const { companyId, transactionId, paymentMethod, amountCents, currency, merchantOrderId } = payment;
  return { companyId, transactionId, paymentMethod, amountCents, currency, merchantOrderId };
}

/** Shown in the Temporal UI. */
const DESCRIPTIONS: Readonly<Record<DueEvent['kind'], string>> = {
  trial_ending: 'publish that the trial ends soon',
  card_expiring: 'publish that the card expires soon',
  pause_ended: 'resume after the pause',
  period_ended: 'renew or cancel at the end of the period',
  retry: 'retry the charge of the unpaid cycle',
  probe: 'charge the cycle on hold again',
  payment_delayed: 'publish that the charge is delayed',
  initial_payment_expired: 'cancel because the first charge is unpaid',
  past_due_expired: 'cancel because it is past due for too long',
};
