import { openOperations } from '../../src/domain/payments/charge-operations';
import { failWith, type SettleOutcome } from '../../src/domain/payments/charge-outcome';
import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import { newAttemptId } from '../../src/domain/shared/ids';
import { FORBIDDEN_BY_STATE } from '../../src/domain/payments/operation-refusal';
import {
  attemptReference,
  CHARGE_WINDOW_MS,
  failureOf,
  hasTriesLeft,
} from '../../src/domain/payments/payment';
import { operationProblem } from '../../src/domain/payments/payment-operation';
import { nextRoute, routeGateways, type RoutingRequest } from '../../src/domain/routing/routing';
import { explainRoute } from '../../src/domain/routing/routing-reason';
import type { CompanyGateway } from '../../src/gateways/registry';
import type { AttemptRecord, NewAttempt } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentInput, PaymentStep } from '../../workflows/messages';
import { asTried, isCharge, isOpen, isUnfinishedOperation, operationOf } from './attempt-predicates';
import { chargeSplits } from './charge-splits';
import { lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { maxAttemptsOf, recoveryScheduleOf, stepOf, type PaymentContext } from './payment-step';
import { concludeOperation } from './record-operation';

/** What a payment is ready for. */
export type Claim =
  /** There is nothing to send. */
  | { readonly kind: 'nothing'; readonly step: PaymentStep }
  /** This process, and no other, may send this operation on a charge, until the send window closes. */
  | { readonly kind: 'operation'; readonly attempt: AttemptRecord & { readonly sentAt: Date } }
  /** The same for a charge. */
  | {
      readonly kind: 'charge';
      readonly payment: PaymentRecord;
      readonly attempt: ClaimedAttempt;
      readonly gateway: CompanyGateway;
    };

export type ClaimedAttempt = Pick<
  AttemptRecord,
  'id' | 'attempt' | 'operation' | 'gatewaySlug' | 'reference' | 'amountCents' | 'splits' | 'tries'
> & { readonly sentAt: Date };

/**
 * Decides what is sent next and commits it as sent, before any byte leaves: whoever finds the row already there asks
 * about it and never sends. One transaction, under the payment's lock.
 */
export async function claimAttempt(
  deps: PaymentDeps,
  { companyId, transactionId }: PaymentInput,
): Promise<Claim> {
  const platformSlugs = await deps.platformSlugs(companyId);
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    // Counted by the claim itself, under the same lock: nothing was tried, so there is nothing to read.
    const attempts = payment.attempts === 0 ? [] : await deps.attempts.ofPayment(payment.id, tx);
    const requested = attempts.find((attempt) => !isCharge(attempt) && attempt.status === 'requested');
    if (requested !== undefined) return claimOperation(deps, tx, { payment, attempts }, requested);
    const underWay = attempts.some((attempt) => isOpen(attempt) || isUnfinishedOperation(attempt));
    if (payment.status === 'processing' && !underWay) {
      return claimCharge(deps, tx, { payment, attempts }, platformSlugs);
    }
    return nothingToSend(deps, tx, { payment, attempts });
  });
}

async function claimCharge(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  platformSlugs: readonly GatewaySlug[],
): Promise<Claim> {
  const charges = attempts.filter(isCharge);
  const now = deps.now();
  const chosen = await chooseGateway(deps, tx, payment, charges, platformSlugs, now);
  if (chosen === null) {
    const failed = await applyPaymentTransition(
      deps,
      tx,
      { payment, attempts },
      withoutGateway(charges).fact,
    );
    return { kind: 'nothing', step: stepOf(deps, failed) };
  }
  const { gateway } = chosen;
  const attempt = newAttempt(payment, charges.length + 1, chosen, now);
  const noted = { number: attempt.attempt, gateway: gateway.slug };
  deps.db.awaitBeforeCommit(tx, deps.attempts.insert(tx, attempt));
  deps.db.awaitBeforeCommit(tx, deps.payments.noteAttempt(tx, payment.id, noted, now));
  return { kind: 'charge', payment, attempt, gateway };
}

/** What a payment's state forbids by now is refused here, where nothing can change it any more. */
async function claimOperation(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): Promise<Claim> {
  const now = deps.now();
  const forbidden = forbiddenByState({ payment, attempts }, attempt);
  if (forbidden !== null) {
    const change = {
      status: 'error',
      responseCode: FORBIDDEN_BY_STATE,
      responseMessage: forbidden,
      // It may have been sent before, in vain: this is no word of the gateway's.
      errorFamily: null,
    } as const;
    await deps.attempts.refuse(tx, attempt.id, change, now);
    const refused = { ...attempt, ...change, updatedAt: now };
    const current = attempts.map((other) => (other.id === attempt.id ? refused : other));
    return {
      kind: 'nothing',
      step: await concludeOperation(deps, tx, { payment, attempts: current }, refused),
    };
  }
  await deps.attempts.claimRequested(tx, attempt.id, now);
  return {
    kind: 'operation',
    attempt: { ...attempt, status: 'sent', sentAt: now, tries: attempt.tries + 1 },
  };
}

function forbiddenByState({ payment, attempts }: PaymentContext, attempt: AttemptRecord): string | null {
  const operation = operationOf(attempt);
  if (operation === null) return null;
  const request = { operation, amountCents: attempt.amountCents };
  const open = {
    ...openOperations(attempts.filter(({ id }) => id !== attempt.id)),
    paidAt: payment.paidAt,
    // What was asked for in time is not too late because its turn came later.
    now: new Date(attempt.createdAt.getTime() + payment.clockOffsetMs),
  };
  return operationProblem(payment, request, open)?.message ?? null;
}

async function nothingToSend(deps: PaymentDeps, tx: Tx, situation: PaymentContext): Promise<Claim> {
  const step = stepOf(deps, situation);
  const { id, recoverAfter, stuckAt } = situation.payment;
  const rest = recoveryScheduleOf(step, stuckAt, deps.now());
  if (rest.recoverAfter !== null || recoverAfter !== null) await deps.payments.rest(tx, id, rest);
  return { kind: 'nothing', step };
}

/** A gateway, and why it and no other. */
interface Choice {
  readonly gateway: CompanyGateway;
  readonly reason: string;
}

/** Null when nothing (more) may be tried: no gateway is left, attempts are used up, or the customer has left. */
async function chooseGateway(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  charges: readonly AttemptRecord[],
  platformSlugs: readonly GatewaySlug[],
  now: Date,
): Promise<Choice | null> {
  const tried = charges.map(asTried);
  if (!hasTriesLeft(tried, maxAttemptsOf(deps, payment))) return null;
  if (customerHasLeft(payment, now)) return null;
  const { gateways, rules } = await deps.gateways.loadRouting(payment.companyId, platformSlugs, tx);
  const request = routingRequest(payment);
  const routed = routeGateways(request, rules, deps.registry.routable(gateways, now));
  const next = nextRoute(routed, tried);
  return next && { gateway: next.gateway, reason: explainRoute(next, routed, tried, request) };
}

function routingRequest(payment: PaymentRecord): RoutingRequest {
  const { transactionId, paymentMethod, amountCents, currency, installments, card } = payment;
  return {
    ...{ transactionId, paymentMethod, amountCents, currency, installments, card },
    authorizeOnly: !payment.capture,
    recipientIds: (payment.splits ?? []).map((split) => split.recipientId),
    gatewayFirstTry: payment.gatewayFirstTry,
  };
}

function customerHasLeft(payment: PaymentRecord, now: Date): boolean {
  return now.getTime() - payment.createdAt.getTime() >= CHARGE_WINDOW_MS;
}

function withoutGateway(charges: readonly AttemptRecord[]): SettleOutcome {
  const last = charges.at(-1);
  if (last !== undefined) return failWith(failureOf(asTried(last)));
  return failWith({ code: 'not_attempted', message: 'no gateway was tried' });
}

/**
 * Ends a payment that nobody attempted while the customer could still be there. The sweeper's one decision, for a
 * time when no workflow can run; the claim above refuses such a payment too, under the same lock.
 */
export async function failNotAttempted(deps: PaymentDeps, transactionId: string): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const situation = await lockPayment(deps, tx, transactionId);
    const { payment, attempts } = situation;
    if (payment.status !== 'processing' || !customerHasLeft(payment, deps.now())) return;
    if (attempts.length > 0) return;
    await applyPaymentTransition(deps, tx, situation, withoutGateway([]).fact);
  });
}

function newAttempt(
  payment: PaymentRecord,
  number: number,
  { gateway, reason }: Choice,
  now: Date,
): NewAttempt & ClaimedAttempt {
  const operation = payment.capture ? 'charge' : 'authorize';
  const parts = chargeSplits(payment, gateway);
  return {
    id: newAttemptId(),
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt: number,
    operation,
    gatewaySlug: gateway.slug,
    accountFingerprint: gateway.accountFingerprint,
    reference: attemptReference(payment.transactionId, number, operation),
    routingReason: reason,
    status: 'sent',
    tries: 1,
    splits: parts.length === 0 ? null : parts,
    amountCents: payment.amountCents,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  };
}
