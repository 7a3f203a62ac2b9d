import type { PaymentInput, PaymentStep } from '../../../workflows/messages';
import type { SentAttempt } from '../attempt-predicates';
import {
  NOT_SENT_RESULT,
  prepareChargeCall,
  prepareOperationCall,
  type GatewayAnswer,
  type SendRequest,
} from '../call-gateway';
import { claimAttempt, type Claim } from '../claim-attempt';
import { noteChargeAnswer } from '../gateways/charge-access';
import { chooseOperationAccess, judgeOperationAnswer } from '../gateways/operation-access';
import type { PaymentDeps } from '../payment-deps';
import { recordCharge } from '../record-charge';
import { recordOperation } from '../record-operation';

/** The gateway's answer to a request that was sent. It is in memory alone until `recordAnswerOf` has committed it. */
export interface UnrecordedAnswer {
  readonly subject: 'charge' | 'operation';
  readonly attempt: SentAttempt;
  readonly answer: GatewayAnswer;
}

/** What was sent for a payment. */
export type Sent =
  | Extract<Claim, { kind: 'nothing' | 'card_busy' }>
  | { readonly kind: 'answered'; readonly unrecorded: UnrecordedAnswer };

type Claimed = Exclude<Claim, { kind: 'nothing' | 'card_busy' }>;
type ChargeClaim = Extract<Claim, { kind: 'charge' }>;
type OperationClaim = Extract<Claim, { kind: 'operation' }>;

/** Claims the next request of a payment and sends it, if there is one: a requested operation or the next charge attempt. */
export async function sendNext(deps: PaymentDeps, input: PaymentInput): Promise<Sent> {
  const { companyId, transactionId } = input;
  const claim = await claimAttempt(deps, input);
  if (claim.kind === 'nothing' || claim.kind === 'card_busy') return claim;
  deps.failpoint('attempt-claimed', companyId);
  const send = await prepare(deps, transactionId, claim);
  deps.failpoint('charge-prepared', companyId);
  const { id, sendCount, sentAt } = claim.attempt;
  const answer = await send(new Date(sentAt.getTime() + deps.settings.sendWindowMs));
  deps.failpoint('gateway-answered', companyId);
  return { kind: 'answered', unrecorded: { subject: claim.kind, attempt: { id, sendCount }, answer } };
}

/** Commits an answer and what it means for the payment. */
export async function recordAnswerOf(
  deps: PaymentDeps,
  { companyId, transactionId }: PaymentInput,
  { subject, attempt, answer }: UnrecordedAnswer,
): Promise<PaymentStep> {
  const source = { kind: 'call' } as const;
  const step =
    subject === 'charge'
      ? await recordCharge(deps, transactionId, attempt, answer, source)
      : await recordOperation(deps, transactionId, attempt, answer, source);
  deps.failpoint('outcome-committed', companyId);
  return step;
}

/** If preparation fails, nothing was sent: the result is known without an inquiry. */
async function prepare(deps: PaymentDeps, transactionId: string, claim: Claimed): Promise<SendRequest> {
  try {
    return claim.kind === 'charge' ? await prepareCharge(deps, claim) : await prepareOperation(deps, claim);
  } catch (error) {
    deps.log.error(
      { transaction_id: transactionId, attempt_id: claim.attempt.id, err: error },
      'request preparation failed; nothing was sent',
    );
    return () => Promise.resolve(NOT_SENT_RESULT);
  }
}

async function prepareCharge(
  deps: PaymentDeps,
  { payment, attempt, gateway, sealedCard }: ChargeClaim,
): Promise<SendRequest> {
  const send = await prepareChargeCall(deps, payment, attempt, gateway, sealedCard);
  return async (sendBefore) => {
    const answer = await send(sendBefore);
    const charge = { companyId: payment.companyId, gateway, sentAt: attempt.sentAt };
    await noteChargeAnswer(deps, charge, answer);
    return answer;
  };
}

async function prepareOperation(deps: PaymentDeps, claim: OperationClaim): Promise<SendRequest> {
  const { attempt } = claim;
  const chosen = await chooseOperationAccess(deps, attempt);
  if (chosen === null) return reportNoSecret;
  const send = await prepareOperationCall(deps, claim, chosen.access);
  return async (sendBefore) => judgeOperationAnswer(deps, attempt, chosen, await send(sendBefore));
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
