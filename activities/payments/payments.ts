import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type {
  PollInput,
  PaymentInput,
  PaymentStep,
  AttemptInput,
  ResolveInput,
} from '../../workflows/messages';
import {
  NOT_SENT_RESULT,
  prepareChargeCall,
  prepareOperationCall,
  type GatewayAnswer,
  type SendRequest,
} from './call-gateway';
import { applyResolution } from './apply-resolution';
import type { SentAttempt } from './attempt-predicates';
import { claimAttempt, type Claim } from './claim-attempt';
import { reportFailures } from '../shared/failures';
import { noteChargeAnswer } from './gateways/charge-access';
import { chooseOperationAccess, judgeOperationAnswer } from './gateways/operation-access';
import { isOpen } from './attempt-predicates';
import { lockPayment } from './load-payment';
import { withHeartbeat } from '../shared/heartbeat';
import { inquireAttempt } from './inquire-attempt';
import { pollPaymentStatus } from './poll-payment-status';
import type { PaymentDeps } from './payment-deps';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** An answer that could not be recorded yet. The next attempt of the activity records it and does not call the gateway again. */
interface Unrecorded {
  readonly subject: 'charge' | 'operation';
  readonly attempt: SentAttempt;
  readonly answer: GatewayAnswer;
}

type Claimed = Exclude<Claim, { kind: 'nothing' | 'card_busy' }>;
type ChargeClaim = Extract<Claim, { kind: 'charge' }>;
type OperationClaim = Extract<Claim, { kind: 'operation' }>;

const BUSY_RETRY_STEP_MS = 100;
const MAX_BUSY_RETRY_MS = 2_000;

/** The activities of a payment's workflow. Each can be retried after a crash at any line. */
export function createPaymentActivities(deps: PaymentDeps) {
  const reported = reportFailures(deps.log);

  /** Sends the next request, if there is one: a requested operation or the next charge attempt. */
  async function attemptPayment(input: PaymentInput): Promise<PaymentStep> {
    const { companyId, transactionId } = input;
    const unrecorded = activityInfo().heartbeatDetails as Unrecorded | undefined;
    if (unrecorded !== undefined) return record(input, unrecorded);
    const claim = await claimAttempt(deps, input);
    if (claim.kind === 'nothing') return claim.step;
    if (claim.kind === 'card_busy') throw cardBusy(activityInfo().attempt);
    deps.failpoint('attempt-claimed', companyId);
    const send = await prepare(transactionId, claim);
    deps.failpoint('charge-prepared', companyId);
    const { id, sendCount, sentAt } = claim.attempt;
    const answer = await send(new Date(sentAt.getTime() + deps.settings.sendWindowMs));
    deps.failpoint('gateway-answered', companyId);
    return record(input, { subject: claim.kind, attempt: { id, sendCount }, answer });
  }

  /** If preparation fails, nothing was sent: the result is known without an inquiry. */
  async function prepare(transactionId: string, claim: Claimed): Promise<SendRequest> {
    try {
      return claim.kind === 'charge' ? await prepareCharge(claim) : await prepareOperation(claim);
    } catch (error) {
      deps.log.error(
        { transaction_id: transactionId, attempt_id: claim.attempt.id, err: error },
        'request preparation failed; nothing was sent',
      );
      return () => Promise.resolve(NOT_SENT_RESULT);
    }
  }

  async function prepareCharge({ payment, attempt, gateway }: ChargeClaim): Promise<SendRequest> {
    const send = await prepareChargeCall(deps, payment, attempt, gateway);
    return async (sendBefore) => {
      const answer = await send(sendBefore);
      const charge = { companyId: payment.companyId, gateway, sentAt: attempt.sentAt };
      await noteChargeAnswer(deps, charge, answer);
      return answer;
    };
  }

  async function prepareOperation(claim: OperationClaim): Promise<SendRequest> {
    const { attempt } = claim;
    const chosen = await chooseOperationAccess(deps, attempt);
    if (chosen === null) return reportNoSecret;
    const send = await prepareOperationCall(deps, claim, chosen.access);
    return async (sendBefore) => judgeOperationAnswer(deps, attempt, chosen, await send(sendBefore));
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
          ? await recordCharge(deps, transactionId, attempt, answer, source)
          : await recordOperation(deps, transactionId, attempt, answer, source);
      deps.failpoint('outcome-committed', companyId);
      return step;
    } catch (error) {
      // The heartbeat details carry the answer to the next attempt of this activity.
      heartbeat(unrecorded);
      throw error;
    }
  }

  /** Escalates an attempt, and so its payment, to manual review. */
  async function markStuck({ transactionId, attemptId }: AttemptInput): Promise<void> {
    const now = deps.now();
    await deps.db.inTransaction(async (tx) => {
      const { attempts } = await lockPayment(deps, tx, transactionId);
      if (!attempts.some((attempt) => attempt.id === attemptId && isOpen(attempt))) return;
      await deps.attempts.markEscalated(tx, attemptId, now);
      await deps.payments.markStuck(transactionId, now, now, tx);
    });
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
    applyResolution: reported('applyResolution', (input: ResolveInput) => applyResolution(deps, input)),
  };
}

/** Retried until the charge window ends, after which the claim fails the payment. */
function cardBusy(attempt: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'CardBusy',
    message: 'other charges of the card are in progress',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.min(attempt * BUSY_RETRY_STEP_MS, MAX_BUSY_RETRY_MS),
  });
}

/** No secret that is left can change the charge. */
const reportNoSecret: SendRequest = () =>
  Promise.resolve({
    kind: 'error',
    family: 'bad_credentials',
    code: null,
    message: 'no secret of the charged account is left',
    requestMs: 0,
  });
