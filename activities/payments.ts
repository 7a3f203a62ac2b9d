import { activityInfo, heartbeat } from '@temporalio/activity';
import type { AttemptInput, PaymentInput, PaymentStep, ResolveInput } from '../workflows/messages';
import { NEVER_LEFT_HERE, prepareCharge, type GatewayAnswer, type Send } from './call-gateway';
import { isCharge } from './attempt-kind';
import { claimAttempt, type Claim } from './claim-attempt';
import { reportFailures } from './failures';
import { recordFollowUp, runFollowUp } from './follow-up';
import { withHeartbeat } from './heartbeat';
import { inquireAttempt } from './inquire-attempt';
import type { PaymentDeps } from './payment-deps';
import { settledStep, unknownStep } from './payment-step';
import { recordCharge } from './record-charge';

/** An answer that could not be recorded yet: the next try of the activity records it and does not ask again. */
interface Unrecorded {
  readonly attemptId: string;
  readonly answer: GatewayAnswer;
}

/** What a payment's workflow can do. Each is safe to run again after a crash at any line. */
export function createPaymentActivities(deps: PaymentDeps) {
  const reported = reportFailures(deps.log);

  /** Makes the next charge attempt, or tells why there is none to make. */
  async function attemptPayment(input: PaymentInput): Promise<PaymentStep> {
    const { transactionId } = input;
    const unrecorded = activityInfo().heartbeatDetails as Unrecorded | undefined;
    if (unrecorded !== undefined) return record(transactionId, unrecorded);
    const claim = await claimAttempt(deps, input);
    switch (claim.kind) {
      case 'settled':
        return settledStep(claim.payment.status, claim.payment.message, claim.attempts, null);
      case 'open':
        return unknownStep(deps, claim.attempt);
      case 'follow_up':
        return claim.attempt.status === 'requested'
          ? runFollowUp(deps, claim.payment, claim.attempt)
          : unknownStep(deps, claim.attempt);
      case 'claimed': {
        deps.failpoint('attempt-claimed');
        const { attempt } = claim;
        const send = await prepare(claim);
        const answer = await send(new Date(attempt.sentAt.getTime() + deps.settings.sendWindowMs));
        deps.failpoint('gateway-answered');
        return record(transactionId, { attemptId: attempt.id, answer });
      }
    }
  }

  /** What cannot be prepared never leaves, and that is known at once: nobody need ask the gateway about it. */
  async function prepare({ payment, attempt, gateway }: Claim & { kind: 'claimed' }): Promise<Send> {
    try {
      return await prepareCharge(deps, payment, attempt, gateway);
    } catch (error) {
      deps.log.error(
        { transaction_id: payment.transactionId, attempt_id: attempt.id, err: error },
        'nothing was sent',
      );
      return () => Promise.resolve(NEVER_LEFT_HERE);
    }
  }

  async function record(transactionId: string, unrecorded: Unrecorded): Promise<PaymentStep> {
    try {
      const { attemptId, answer } = unrecorded;
      const step = await recordCharge(deps, transactionId, attemptId, answer, { kind: 'call' });
      deps.failpoint('outcome-committed');
      return step;
    } catch (error) {
      // The answer is known and the database did not take it: it travels with the retry.
      heartbeat(unrecorded);
      throw error;
    }
  }

  /** Puts the payment on the stuck-payment desk. */
  async function markStuck({ transactionId }: PaymentInput): Promise<void> {
    const now = deps.now();
    await deps.payments.markStuck(transactionId, now, now);
  }

  async function markInquiring({ transactionId }: PaymentInput): Promise<void> {
    await deps.payments.markStuck(transactionId, null, deps.now());
  }

  /** Takes a person's word for what became of an attempt. */
  async function resolveAttempt({
    transactionId,
    attemptId,
    resolution,
  }: ResolveInput): Promise<PaymentStep> {
    const payment = await deps.payments.get(transactionId);
    const attempts = await deps.attempts.ofPayment(payment.id);
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) throw new Error('the attempt does not exist');
    const message = `resolved by a person as ${resolution.outcome}: ${resolution.reason}`;
    const paid = resolution.outcome === 'paid';
    if (isCharge(attempt)) {
      const news = { kind: paid ? 'confirmed' : 'absent', message } as const;
      return recordCharge(deps, transactionId, attemptId, news, { kind: 'person' });
    }
    const status = attempt.operation === 'refund' ? 'refunded' : 'canceled';
    return recordFollowUp(
      deps,
      payment,
      attemptId,
      paid ? { kind: 'confirmed', status, message } : { kind: 'absent', message },
    );
  }

  return {
    attemptPayment: withHeartbeat(reported('attemptPayment', attemptPayment)),
    inquireAttempt: withHeartbeat(
      reported('inquireAttempt', ({ transactionId, attemptId }: AttemptInput) =>
        inquireAttempt(deps, transactionId, attemptId),
      ),
    ),
    markStuck: reported('markStuck', markStuck),
    markInquiring: reported('markInquiring', markInquiring),
    resolveAttempt: reported('resolveAttempt', resolveAttempt),
  };
}
