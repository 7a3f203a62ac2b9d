import { activityInfo, heartbeat } from '@temporalio/activity';
import type {
  PollInput,
  PaymentInput,
  PaymentStep,
  AttemptInput,
  ResolveInput,
} from '../../workflows/messages';
import {
  NOT_SENT_RESULT,
  prepareCharge,
  prepareOperation,
  type GatewayAnswer,
  type Send,
} from './call-gateway';
import { claimAttempt, type Claim } from './claim-attempt';
import { reportFailures } from '../shared/failures';
import { findGateway } from './find-gateway';
import { withHeartbeat } from '../shared/heartbeat';
import { inquireAttempt } from './inquire-attempt';
import { pollPaymentStatus } from './poll-payment-status';
import type { PaymentDeps } from './payment-deps';
import { recordCharge } from './record-charge';
import { recordOperation, type SentOperation } from './record-operation';
import { restartInquirySchedule, resolveAttempt } from './resolve-attempt';

/** An answer that could not be recorded yet: the next try of the activity records it and does not ask again. */
interface Unrecorded {
  readonly subject: 'charge' | 'operation';
  readonly attempt: SentOperation;
  readonly answer: GatewayAnswer;
}

type Claimed = Exclude<Claim, { kind: 'nothing' }>;

/** What a payment's workflow can do. Each is safe to run again after a crash at any line. */
export function createPaymentActivities(deps: PaymentDeps) {
  const reported = reportFailures(deps.log);

  /** Sends what is to be sent next: an operation that was asked for, or the next charge attempt; or tells that there is nothing. */
  async function attemptPayment(input: PaymentInput): Promise<PaymentStep> {
    const { companyId, transactionId } = input;
    const unrecorded = activityInfo().heartbeatDetails as Unrecorded | undefined;
    if (unrecorded !== undefined) return record(input, unrecorded);
    const claim = await claimAttempt(deps, input);
    if (claim.kind === 'nothing') return claim.step;
    deps.failpoint('attempt-claimed', companyId);
    const send = await prepare(transactionId, claim);
    deps.failpoint('charge-prepared', companyId);
    const { id, tries, sentAt } = claim.attempt;
    const answer = await send(new Date(sentAt.getTime() + deps.settings.sendWindowMs));
    deps.failpoint('gateway-answered', companyId);
    return record(input, { subject: claim.kind, attempt: { id, tries }, answer });
  }

  /** What cannot be prepared never leaves, and that is known at once: nobody need ask the gateway about it. */
  async function prepare(transactionId: string, claim: Claimed): Promise<Send> {
    try {
      if (claim.kind === 'charge') {
        return await prepareCharge(deps, claim.payment, claim.attempt, claim.gateway);
      }
      const gateway = await findGateway(deps, claim.attempt);
      if (gateway?.accountFingerprint !== claim.attempt.accountFingerprint) return OTHER_ACCOUNT;
      return await prepareOperation(deps, claim.attempt, gateway);
    } catch (error) {
      deps.log.error(
        { transaction_id: transactionId, attempt_id: claim.attempt.id, err: error },
        'nothing was sent',
      );
      return () => Promise.resolve(NOT_SENT_RESULT);
    }
  }

  async function record(
    { companyId, transactionId }: PaymentInput,
    unrecorded: Unrecorded,
  ): Promise<PaymentStep> {
    try {
      const { subject, attempt, answer } = unrecorded;
      const source = { kind: 'call' } as const;
      const step =
        subject === 'charge'
          ? await recordCharge(deps, transactionId, attempt.id, answer, source)
          : await recordOperation(deps, transactionId, attempt, answer, source);
      deps.failpoint('outcome-committed', companyId);
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

  return {
    attemptPayment: withHeartbeat(reported('attemptPayment', attemptPayment)),
    inquireAttempt: withHeartbeat(
      reported('inquireAttempt', ({ transactionId, attemptId }: AttemptInput) =>
        inquireAttempt(deps, transactionId, attemptId),
      ),
    ),
    pollPaymentStatus: withHeartbeat(
      reported('pollPaymentStatus', (input: PollInput) => pollPaymentStatus(deps, input)),
    ),
    markStuck: reported('markStuck', markStuck),
    restartInquiry: reported('restartInquiry', (input: ResolveInput) => restartInquirySchedule(deps, input)),
    resolveAttempt: reported('resolveAttempt', (input: ResolveInput) => resolveAttempt(deps, input)),
  };
}

/** Another account than the one that was charged cannot act on the charge. */
const OTHER_ACCOUNT: Send = () =>
  Promise.resolve({
    kind: 'error',
    family: 'bad_credentials',
    code: null,
    message: 'the credentials of the account that was charged are gone',
    requestMs: 0,
  });
