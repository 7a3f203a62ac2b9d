import { absenceProven } from '../../src/domain/payments/inquiry-schedule';
import { CHARGE_WINDOW_MS } from '../../src/domain/payments/payment';
import type { CompanyGateway } from '../../src/gateways/registry';
import type { InquiryResult } from '../../src/gateways/gateway';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { WaitingCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentStep } from '../../workflows/messages';
import { gatewayContext, prepareCharge, type GatewayAnswer } from './call-gateway';
import type { ChargeContext } from './apply-charge-result';
import { isCharge, isOpen } from './attempt-predicates';
import { findGateway } from './find-gateway';
import { loadPayment } from './load-payment';
import type { PaymentDeps } from './payment-deps';
import { stepOf } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** What one question to the gateway brought. */
export type InquiryOutcome = { readonly requestMs: number } & (
  | { readonly kind: 'found'; readonly answer: GatewayAnswer & { readonly kind: 'outcome' } }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'inconclusive' }
);

/** Different ids that callbacks may name of one charge; a gateway has one. */
const MOST_IDS = 3;

const ABSENT = { kind: 'absent', message: 'the gateway never received it' } as const;

/** Asks the gateway once what became of an attempt, and records what it learns. */
export async function inquireAttempt(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
): Promise<PaymentStep> {
  const { payment, attempts, callbacks } = await loadPayment(deps, transactionId);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  if (!isOpen(attempt)) return stepOf(deps, { payment, attempts }, attempt);
  const news = rejectAmountMismatch(await ask(deps, { payment, attempts, attempt }, callbacks), attempt);
  await deps.payments.noteInquiry(transactionId, news.requestMs, deps.now());
  const step = await recordNews(deps, { payment, attempts, attempt }, news);
  const isKnown = step.unknown.every((open) => open.attemptId !== attemptId);
  const answered = callbacks.filter((callback) => isKnown && callback.attemptId === attemptId);
  await deps.callbacks.markProcessed(
    answered.map(({ id }) => id),
    deps.now(),
  );
  return step;
}

async function recordNews(
  deps: PaymentDeps,
  { payment, attempts, attempt }: ChargeContext,
  news: InquiryOutcome,
): Promise<PaymentStep> {
  if (news.kind === 'inconclusive') await deps.attempts.forgetNotFound(attempt.id);
  const absent = news.kind === 'not_found' && (await provenAbsent(deps, attempt));
  if (news.kind !== 'found' && !absent) return stepOf(deps, { payment, attempts }, attempt);
  const learned = news.kind === 'found' ? news.answer : ABSENT;
  const source = { kind: 'inquiry', requestMs: news.requestMs } as const;
  return isCharge(attempt)
    ? recordCharge(deps, payment.transactionId, attempt.id, learned, source)
    : recordOperation(deps, payment.transactionId, attempt, learned, source);
}

/** Only the account that was charged can tell; another one's "not found" would prove nothing. */
async function ask(
  deps: PaymentDeps,
  { payment, attempts, attempt }: ChargeContext,
  callbacks: readonly WaitingCallback[],
): Promise<InquiryOutcome> {
  const gateway = await findGateway(deps, attempt);
  if (gateway?.accountFingerprint !== attempt.accountFingerprint)
    return { kind: 'inconclusive', requestMs: 0 };
  const told = await queryChargeFromCallback(deps, attempt, gateway, callbacks);
  if (told !== null) return told;
  // The charge an operation acts on is known by the gateway's id, and lists what was done to it, at every gateway.
  if (isCharge(attempt)) return askAboutCharge(deps, payment, attempt, gateway);
  const news = await queryCharge(deps, attempt, gateway);
  if (news.kind !== 'not_found' || !isOwnRelease(attempt)) return news;
  const charge = attempts.find(({ id }) => id === attempt.targetAttemptId);
  return (charge && (await releasedBySomebody(deps, charge, gateway))) ?? news;
}

/** A cancel that nobody asked for: what matters is that the charge is released, not who did it. */
function isOwnRelease({ operation, purpose }: AttemptRecord): boolean {
  return operation === 'cancel' && purpose !== 'command';
}

/** A gateway lets an authorization go by itself when its time is over, and then refuses to cancel it. */
async function releasedBySomebody(
  deps: PaymentDeps,
  charge: AttemptRecord,
  gateway: CompanyGateway,
): Promise<InquiryOutcome | null> {
  const news = await queryCharge(deps, charge, gateway);
  return news.kind === 'found' && news.answer.outcome.kind === 'canceled' ? news : null;
}

/** Looks the charge up; only where the gateway cannot, and while it still answers the key, the same request is repeated. */
async function askAboutCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  gateway: CompanyGateway,
): Promise<InquiryOutcome> {
  const { idempotency, replayWindowMs } = gateway.capabilities;
  if (idempotency === 'both' || idempotency === 'lookup' || attempt.gatewayTransactionId !== null) {
    return queryCharge(deps, attempt, gateway);
  }
  const now = deps.now();
  // A repetition charges when the first request never arrived: not once the customer has left.
  const ageMs = now.getTime() - payment.createdAt.getTime();
  if (idempotency === 'none' || ageMs >= Math.min(replayWindowMs, CHARGE_WINDOW_MS)) {
    return { kind: 'inconclusive', requestMs: 0 };
  }
  const send = await prepareCharge(deps, payment, attempt, gateway);
  const answer = await send(new Date(now.getTime() + deps.settings.sendWindowMs));
  // An error says what became of the repetition, not of the first request.
  return answer.kind === 'outcome'
    ? { kind: 'found', answer, requestMs: answer.requestMs }
    : { kind: 'inconclusive', requestMs: answer.requestMs };
}

/**
 * A callback names the gateway's own id of a charge whose answer was lost. That is nobody's word: what counts is what the
 * gateway says under that id of our reference, and only if it says something.
 */
export async function queryChargeFromCallback(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  gateway: CompanyGateway,
  callbacks: readonly WaitingCallback[],
): Promise<InquiryOutcome | null> {
  if (attempt.gatewayTransactionId !== null) return null;
  const called = callbacks.filter(({ attemptId }) => attemptId === attempt.id);
  const ids = new Set(called.map(({ gatewayTransactionId }) => gatewayTransactionId));
  for (const gatewayTransactionId of [...ids].slice(0, MOST_IDS)) {
    if (gatewayTransactionId === null) continue;
    const news = await queryCharge(deps, { ...attempt, gatewayTransactionId }, gateway);
    if (news.kind === 'found') return news;
  }
  return null;
}

/** Asks by our reference, and by the gateway's id where it is known. */
export async function queryCharge(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  gateway: CompanyGateway,
): Promise<InquiryOutcome> {
  const { result, requestMs } = await inquire(deps, attempt, gateway);
  switch (result.kind) {
    case 'found':
      return { kind: 'found', answer: { kind: 'outcome', outcome: result.outcome, requestMs }, requestMs };
    case 'not_found':
    case 'inconclusive':
      return { kind: result.kind, requestMs };
  }
}

async function inquire(
  deps: PaymentDeps,
  subject: AttemptRecord,
  gateway: CompanyGateway,
): Promise<{ result: InquiryResult; requestMs: number }> {
  const startedAt = performance.now();
  const deadline = new Date(deps.now().getTime() + deps.settings.gatewayTimeoutMs);
  const context = await gatewayContext(deps, subject.companyId, subject.id, gateway, deadline);
  const { reference, gatewayTransactionId } = subject;
  const result = await deps.registry
    .driver(gateway.slug)
    .inquire(context, { reference, gatewayTransactionId });
  return { result, requestMs: Math.round(performance.now() - startedAt) };
}

/** A gateway that charged something else than it was asked to is for a person to look at. */
export function rejectAmountMismatch(news: InquiryOutcome, attempt: AttemptRecord): InquiryOutcome {
  if (news.kind !== 'found') return news;
  const { outcome } = news.answer;
  if (outcome.kind === 'declined' || outcome.amountCents === attempt.amountCents) return news;
  // A pix or billet may have been paid otherwise than asked.
  const mayDiffer = isCharge(attempt) && outcome.paidAmountCents !== null;
  return mayDiffer ? news : { kind: 'inconclusive', requestMs: news.requestMs };
}

async function provenAbsent(deps: PaymentDeps, attempt: AttemptRecord): Promise<boolean> {
  const { count, sinceSentMs } = await deps.attempts.countNotFound(attempt.id);
  const { absenceProvenAfterMs } = deps.settings;
  return absenceProven({ notFoundCount: count, sinceSentMs, absenceProvenAfterMs });
}
