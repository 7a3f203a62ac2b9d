import { activeCharge, refundedCentsOf } from '../../../src/domain/payments/charge-operations';
import { paidCents } from '../../../src/domain/payments/payment-lifecycle';
import {
  judgeReport,
  stateWithout,
  type OperationReport,
} from '../../../src/domain/payments/operations/reported-operation';
import { REPORTED_BY_CALLBACK } from '../../../src/domain/payments/reported-charge-state';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../../src/persistence/payments/gateway-callback-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { isNotMade, operationOf } from '../attempt-predicates';
import { statedOperation } from '../gateways/stated-by-callbacks';
import { loadPayment } from '../load-payment';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentPoll } from '../payment-poll';
import type { PaymentContext } from '../payment-step';
import { recordOperation } from '../record-operation';
import { raiseContradiction } from './contradictions';

/** Callbacks that need no inquiry. */
export interface FollowedReports {
  /** The rest is still to be followed. */
  readonly poll: PaymentPoll;
  readonly followed: readonly UnprocessedCallback[];
  /** Operations that were recorded as made and have failed since. */
  readonly undone: readonly AttemptRecord[];
}

/**
 * Follows signed callbacks of gateways without inquiries that only an inquiry would answer elsewhere: about operations that have a
 * result, and chargeback notices, which the timeline shows. No inquiry ever tells more about them.
 */
export async function followReports(deps: PaymentDeps, loaded: PaymentPoll): Promise<FollowedReports> {
  const judged = loaded.callbacks.map((callback) => ({ callback, report: reportOf(deps, loaded, callback) }));
  const callbacksOf = (report: OperationReport) =>
    judged.filter((each) => each.report === report).map(({ callback }) => callback);
  const late = attemptsOf(loaded, callbacksOf('made_after_all'));
  for (const attempt of late) await recordLate(deps, loaded, attempt);
  const current = late.length > 0 ? await loadPayment(deps, loaded.payment.transactionId) : loaded;
  const { payment, attempts } = current;
  // Otherwise the records leave no room for it.
  const isRecorded = ({ attemptId }: UnprocessedCallback): boolean =>
    attempts.some((attempt) => attempt.id === attemptId && !isNotMade(attempt));
  const followed = [
    ...callbacksOf('agrees'),
    ...callbacksOf('undone'),
    ...callbacksOf('made_after_all').filter(isRecorded),
  ];
  const callbacks = loaded.callbacks.filter((callback) => !followed.includes(callback));
  return {
    poll: { ...loaded, payment, attempts, callbacks },
    followed,
    undone: attemptsOf(loaded, callbacksOf('undone')),
  };
}

/** Null if an inquiry, or the charge's own report, must answer it. */
function reportOf(
  deps: PaymentDeps,
  { attempts }: PaymentPoll,
  { trusted, kind, attemptId, reportedState }: UnprocessedCallback,
): OperationReport | null {
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined || !trusted) return null;
  if (deps.registries.of(attempt.companyId).capabilities(attempt.gatewaySlug).truth !== 'signed_callback')
    return null;
  if (kind === 'chargeback') return 'agrees';
  if (operationOf(attempt) === null || reportedState === null) return null;
  const isRefusedByReport = attempt.responseMessage === REPORTED_BY_CALLBACK;
  return judgeReport({ status: attempt.status, isRefusedByReport }, reportedState);
}

function attemptsOf({ attempts }: PaymentPoll, callbacks: readonly UnprocessedCallback[]): AttemptRecord[] {
  return attempts.filter(({ id }) => callbacks.some(({ attemptId }) => attemptId === id));
}

async function recordLate(
  deps: PaymentDeps,
  { payment }: PaymentPoll,
  attempt: AttemptRecord,
): Promise<void> {
  const answer = { kind: 'outcome', outcome: statedOperation(attempt), requestMs: 0 } as const;
  await recordOperation(deps, payment.transactionId, attempt, answer, { kind: 'inquiry', requestMs: 0 });
}

/** Lets a person look at operations that have failed after they were recorded as made. Under the payment's lock. */
export async function raiseUndone(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  undone: readonly AttemptRecord[],
): Promise<PaymentContext> {
  let raised = context;
  for (const attempt of undone) {
    const { payment, attempts } = raised;
    const operation = operationOf(attempt);
    const charge = activeCharge(attempts);
    if (operation === null || charge === null || charge.id !== attempt.targetAttemptId) continue;
    const recorded = {
      refundedCents: refundedCentsOf(attempts, charge.id),
      paidCents: paidCents(payment),
    };
    const reported = stateWithout({ operation, amountCents: attempt.amountCents }, payment, recorded);
    raised = await raiseContradiction(deps, tx, raised, { charge, reported, requestMs: 0 });
  }
  return raised;
}
