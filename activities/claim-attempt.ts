import { failWith, type SettleOutcome } from '../src/domain/charge-outcome';
import type { GatewaySlug } from '../src/domain/gateway-slug';
import { newAttemptId } from '../src/domain/ids';
import { attemptReference, CHARGE_WINDOW_MS, failureOf } from '../src/domain/payment';
import { nextGateway, routeGateways } from '../src/domain/routing';
import type { CompanyGateway } from '../src/gateways/registry';
import type { AttemptRecord, NewAttempt } from '../src/persistence/gateway-attempt-repository';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { Tx } from '../src/persistence/transaction';
import type { PaymentInput } from '../workflows/messages';
import { asTried, isCharge, isOpen, isUnfinishedFollowUp } from './attempt-kind';
import type { PaymentDeps } from './payment-deps';
import { settlePayment } from './settle-payment';

const NO_CALL = { requestMs: 0, captureBefore: null } as const;

/** What a payment is ready for. */
export type Claim =
  | { readonly kind: 'settled'; readonly payment: PaymentRecord; readonly attempts: readonly AttemptRecord[] }
  /** An earlier attempt has no certain result: it is asked about, and nothing is sent. */
  | { readonly kind: 'open'; readonly attempt: AttemptRecord }
  /** An operation on an earlier charge comes first: it moves money back. */
  | {
      readonly kind: 'follow_up';
      readonly payment: PaymentRecord;
      readonly attempts: readonly AttemptRecord[];
      readonly attempt: AttemptRecord;
    }
  /** This process, and no other, may send this attempt, until the send window closes. */
  | {
      readonly kind: 'claimed';
      readonly payment: PaymentRecord;
      readonly attempt: ClaimedAttempt;
      readonly gateway: CompanyGateway;
    };

export type ClaimedAttempt = Pick<
  AttemptRecord,
  'id' | 'attempt' | 'operation' | 'gatewaySlug' | 'reference' | 'amountCents'
> & { readonly sentAt: Date };

/**
 * Decides the next charge attempt and commits it as sent, before any byte leaves: whoever finds the row already there
 * asks about it and never sends. One transaction, under the payment's lock.
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
    const followUp = attempts.find(isUnfinishedFollowUp);
    if (followUp !== undefined) return { kind: 'follow_up', payment, attempts, attempt: followUp };
    if (payment.status !== 'processing') {
      if (payment.wakeBy !== null) await deps.payments.rest(tx, payment.id);
      return { kind: 'settled', payment, attempts };
    }
    const charges = attempts.filter(isCharge);
    const open = charges.find(isOpen);
    if (open !== undefined) return { kind: 'open', attempt: open };

    const now = deps.now();
    const gateway = await chooseGateway(deps, tx, payment, charges, platformSlugs, now);
    if (gateway === null) {
      const settled = await settlePayment(deps, tx, { payment, attempts }, withoutGateway(charges), NO_CALL);
      return { kind: 'settled', payment: settled, attempts };
    }
    const attempt = newAttempt(payment, charges.length + 1, gateway, now);
    await deps.attempts.insert(tx, attempt);
    await deps.payments.noteAttempt(tx, payment.id, { number: attempt.attempt, gateway: gateway.slug }, now);
    return { kind: 'claimed', payment, attempt, gateway };
  });
}

/** Null when nothing (more) may be tried: no gateway is left, attempts are used up, or the customer has left. */
async function chooseGateway(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  charges: readonly AttemptRecord[],
  platformSlugs: readonly GatewaySlug[],
  now: Date,
): Promise<CompanyGateway | null> {
  if (charges.length >= deps.settings.maxAttempts) return null;
  if (customerHasLeft(payment, now)) return null;
  const stored = await deps.gateways.loadRoutableGateways(payment.companyId, platformSlugs, tx);
  const routed = routeGateways(
    {
      paymentMethod: payment.paymentMethod,
      authorizeOnly: !payment.capture,
      currency: payment.currency,
      recipientIds: (payment.splits ?? []).map((split) => split.recipientId),
      gatewayFirstTry: payment.gatewayFirstTry,
    },
    deps.registry.routable(stored, now),
  );
  const tried = charges.map((charge) => ({
    gateway: charge.gatewaySlug,
    provenAbsent: charge.status === 'abandoned',
  }));
  return nextGateway(routed, tried);
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
    const payment = await deps.payments.lock(tx, transactionId);
    if (payment.status !== 'processing' || !customerHasLeft(payment, deps.now())) return;
    const attempts = await deps.attempts.ofPayment(payment.id, tx);
    if (attempts.length > 0) return;
    await settlePayment(deps, tx, { payment, attempts }, withoutGateway([]), NO_CALL);
  });
}

function newAttempt(
  payment: PaymentRecord,
  number: number,
  gateway: CompanyGateway,
  now: Date,
): NewAttempt & ClaimedAttempt {
  const operation = payment.capture ? 'charge' : 'authorize';
  return {
    id: newAttemptId(),
    paymentId: payment.id,
    companyId: payment.companyId,
    attempt: number,
    operation,
    gatewaySlug: gateway.slug,
    accountFingerprint: gateway.accountFingerprint,
    reference: attemptReference(payment.transactionId, number, operation),
    status: 'sent',
    amountCents: payment.amountCents,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  };
}
