import { absenceProven } from '../src/domain/inquiry-schedule';
import { CHARGE_WINDOW_MS } from '../src/domain/payment';
import type { CompanyGateway } from '../src/gateways/registry';
import type { InquiryResult, Outcome } from '../src/gateways/gateway';
import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { PaymentStep } from '../workflows/messages';
import { gatewayContext, prepareCharge, type GatewayAnswer } from './call-gateway';
import { isCharge, isOpen } from './attempt-kind';
import { findGateway } from './find-gateway';
import { recordFollowUp, sendFollowUp } from './follow-up';
import type { PaymentDeps } from './payment-deps';
import { settledStep, summarize, unknownStep } from './payment-step';
import { recordCharge } from './record-charge';

/** What one question to the gateway brought. */
type News = { readonly requestMs: number } & (
  | { readonly kind: 'found'; readonly answer: GatewayAnswer }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'inconclusive' }
);

const ABSENT = { kind: 'absent', message: 'the gateway never received it' } as const;

/** Asks the gateway once what became of an attempt, and records what it learns. */
export async function inquireAttempt(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
): Promise<PaymentStep> {
  const { payment, attempts, attempt } = await load(deps, transactionId, attemptId);
  if (!isOpen(attempt)) {
    return payment.status === 'processing'
      ? { kind: 'try_next', attempt: summarize(attempt) }
      : settledStep(payment.status, payment.message, attempts, summarize(attempt));
  }
  const gateway = await findGateway(deps, attempt);
  const news = await ask(deps, payment, attempt, gateway);
  await deps.payments.noteInquiry(transactionId, news.requestMs, deps.now());
  if (news.kind === 'inconclusive') await deps.attempts.forgetNotFound(attempt.id);
  const absent = news.kind === 'not_found' && (await provenAbsent(deps, attempt));
  if (news.kind !== 'found' && !absent) return unknownStep(deps, attempt);
  const learned = news.kind === 'found' ? news.answer : ABSENT;
  if (!isCharge(attempt)) return recordFollowUp(deps, payment, attemptId, learned);
  return recordCharge(deps, transactionId, attemptId, learned, {
    kind: 'inquiry',
    requestMs: news.requestMs,
  });
}

/** Only the account that was charged can tell; another one's "not found" would prove nothing. */
async function ask(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  gateway: CompanyGateway | null,
): Promise<News> {
  if (gateway?.accountFingerprint !== attempt.accountFingerprint)
    return { kind: 'inconclusive', requestMs: 0 };
  return isCharge(attempt)
    ? askAboutCharge(deps, payment, attempt, gateway)
    : askAboutFollowUp(deps, attempt, gateway);
}

async function load(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
): Promise<{ payment: PaymentRecord; attempts: AttemptRecord[]; attempt: AttemptRecord }> {
  const payment = await deps.payments.get(transactionId);
  const attempts = await deps.attempts.ofPayment(payment.id);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  return { payment, attempts, attempt };
}

/** Looks the charge up; only where the gateway cannot, and while it still answers the key, the same request is repeated. */
async function askAboutCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: AttemptRecord,
  gateway: CompanyGateway,
): Promise<News> {
  const { idempotency, replayWindowMs } = gateway.capabilities;
  if (idempotency === 'both' || idempotency === 'lookup' || attempt.gatewayTransactionId !== null) {
    return lookUp(deps, attempt, gateway);
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

async function lookUp(deps: PaymentDeps, attempt: AttemptRecord, gateway: CompanyGateway): Promise<News> {
  const { result, requestMs } = await inquire(deps, attempt, gateway);
  switch (result.kind) {
    case 'found':
      return isWhole(result.outcome, attempt)
        ? { kind: 'found', answer: { kind: 'outcome', outcome: result.outcome, requestMs }, requestMs }
        : { kind: 'inconclusive', requestMs };
    case 'not_found':
    case 'inconclusive':
      return { kind: result.kind, requestMs };
  }
}

/** A follow-up is repeated under its key where keys are replayed; elsewhere it is looked up by its own reference. */
async function askAboutFollowUp(
  deps: PaymentDeps,
  attempt: AttemptRecord,
  gateway: CompanyGateway,
): Promise<News> {
  const { idempotency } = gateway.capabilities;
  if (idempotency !== 'both' && idempotency !== 'replay') return lookUp(deps, attempt, gateway);
  const answer = await sendFollowUp(
    deps,
    attempt,
    new Date(deps.now().getTime() + deps.settings.sendWindowMs),
  );
  return answer.kind === 'outcome'
    ? { kind: 'found', answer, requestMs: answer.requestMs }
    : { kind: 'inconclusive', requestMs: answer.requestMs };
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
function isWhole(outcome: Outcome, attempt: AttemptRecord): boolean {
  return outcome.kind === 'declined' || outcome.amountCents === attempt.amountCents;
}

async function provenAbsent(deps: PaymentDeps, attempt: AttemptRecord): Promise<boolean> {
  const { count, sinceSentMs } = await deps.attempts.countNotFound(attempt.id);
  const { absenceProvenAfterMs } = deps.settings;
  return absenceProven({ notFoundCount: count, sinceSentMs, absenceProvenAfterMs });
}
