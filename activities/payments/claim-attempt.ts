import { isAccepted, openOperations } from '../../src/domain/payments/charge-operations';
import { failWith, type SettleOutcome } from '../../src/domain/payments/charge-outcome';
import type { SplitAllocation } from '../../src/domain/payments/split';
import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import { newAttemptId, type VaultCardId } from '../../src/domain/shared/ids';
import { FORBIDDEN_BY_DISPUTE, FORBIDDEN_BY_STATE } from '../../src/domain/payments/operation-refusal';
import {
  attemptReference,
  CHARGE_WINDOW_MS,
  failureOf,
  hasAttemptsLeft,
} from '../../src/domain/payments/payment';
import { operationProblem, type OperationProblem } from '../../src/domain/payments/payment-operation';
import type { CompanyGateway } from '../../src/gateways/registry';
import type { AttemptRecord, NewAttempt } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PreparedChange } from '../../src/persistence/sql/prepared-table';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SealedSecrets } from '../../src/security/card-vault';
import type { PaymentInput, PaymentStep } from '../../workflows/messages';
import { toChargeAttempt, isCharge, isOpen, operationOf } from './attempt-predicates';
import { chargeSplits } from './charge-splits';
import { chargingAs } from './gateways/call-recipient';
import { adoptLostCharge } from './gateways/adopt-lost-charge';
import { routePayment, type GatewayChoice } from './gateways/route-payment';
import { cardPermission, chargedCardOf, type CardPermission } from '../subscriptions/guard-card';
import { lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';
import { applyOperationResult } from './record-operation';
import { recoveryScheduleOf } from './recovery-schedule';
import { mayHaveBeenSent } from './operations/sent-before-restore';
import { waitForRestore } from '../shared/wait-for-restore';

/** What a worker may send for a payment. */
export type Claim =
  /** Nothing to send. */
  | { readonly kind: 'nothing'; readonly step: PaymentStep }
  /** The charge must wait for the answers of other charges of its card. */
  | { readonly kind: 'card_busy' }
  /** Only this worker may send the operation, until the send window ends. */
  | {
      readonly kind: 'operation';
      readonly attempt: AttemptRecord & { readonly sentAt: Date };
      readonly currency: string;
    }
  /** Only this worker may send the charge, until the send window ends. */
  | {
      readonly kind: 'charge';
      readonly payment: PaymentRecord;
      readonly attempt: ClaimedAttempt;
      readonly gateway: CompanyGateway;
      /** Null for other methods, or if the card is not in the vault. */
      readonly sealedCard: SealedSecrets | null;
    };

export type ClaimedAttempt = Pick<
  AttemptRecord,
  'id' | 'attempt' | 'operation' | 'gatewaySlug' | 'reference' | 'amountCents' | 'splits' | 'sendCount'
> & { readonly sentAt: Date };

/**
 * Decides what to send next and commits it as sent before sending. A worker that finds the row already sent inquires
 * about it and never sends. One transaction under the payment's lock.
 *
 * @throws ApplicationFailure which is retried while the database is being restored, if there is something to send
 */
export async function claimAttempt(
  deps: PaymentDeps,
  { companyId, transactionId }: PaymentInput,
): Promise<Claim> {
  const platformSlugs = await deps.platformSlugs(companyId);
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    // `attempts` counts claims under the same lock, so a payment without any has no rows to load.
    const attempts = payment.attempts === 0 ? [] : await deps.attempts.listByPayment(payment.id, tx);
    const requested = attempts.find((attempt) => !isCharge(attempt) && attempt.status === 'requested');
    if (requested !== undefined) return claimOperation(deps, tx, { payment, attempts }, requested);
    if (payment.status === 'processing' && !attempts.some(isOpen)) {
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
  waitForRestore(deps.restoreState);
  const adopted = await adoptLostCharge(deps, tx, { payment, attempts });
  if (adopted !== null) return { kind: 'nothing', step: adopted };
  const charges = attempts.filter(isCharge);
  const now = deps.now();
  const permission = await cardPermission(deps, tx, payment, now);
  if (permission === 'busy' && !customerHasLeft(payment, now)) return { kind: 'card_busy' };
  // While the customer still waits for the money of an earlier charge, nothing is charged again.
  const isReturning = attempts.some(isAccepted);
  const chosen =
    permission === 'allowed' && !isReturning
      ? await chooseGateway(deps, tx, payment, charges, platformSlugs, now)
      : null;
  if (chosen === null) {
    const { fact } = failureWithoutCharge(charges, permission);
    const failed = await applyPaymentTransition(deps, tx, { payment, attempts }, fact);
    return { kind: 'nothing', step: toPaymentStep(deps, failed) };
  }
  const { ignoredFirstTry, reason, reasons, rule } = chosen;
  const splits = chargeSplits(payment, chosen.gateway);
  const gateway = chargingAs(deps, payment.companyId, chosen.gateway, splits);
  const attempt = newAttempt(payment, charges.length + 1, { gateway, reason, reasons, rule, splits }, now);
  const claim = { number: attempt.attempt, gateway: gateway.slug, ignoredFirstTry };
  const change = deps.payments.claimedBy(payment.id, claim, now);
  const sealedCard = await saveClaim(deps, tx, payment, attempt, change);
  if (gateway.secret?.isUsed === false) await deps.gatewaySecrets.markUsed(tx, gateway.secret.id, now);
  return { kind: 'charge', payment, attempt, gateway, sealedCard };
}

/** Also reads the card, because a read of its own would be one more transaction for every payment. */
async function saveClaim(
  { attempts, vault }: PaymentDeps,
  tx: Tx,
  { companyId, vaultCardId }: PaymentRecord,
  attempt: NewAttempt,
  change: PreparedChange,
): Promise<SealedSecrets | null> {
  if (vaultCardId !== null) {
    const card = vault.query(companyId, vaultCardId as VaultCardId);
    return attempts.insertAndRead<SealedSecrets>(tx, attempt, change, card);
  }
  await attempts.insertWith(tx, attempt, change);
  return null;
}

/** Checks the operation again: under the lock, the payment's state cannot change any more. */
async function claimOperation(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): Promise<Claim> {
  waitForRestore(deps.restoreState);
  const now = deps.now();
  const problem = problemByState({ payment, attempts }, attempt);
  if (problem !== null) {
    const change = {
      status: 'error',
      responseCode: problem.kind === 'payment_disputed' ? FORBIDDEN_BY_DISPUTE : FORBIDDEN_BY_STATE,
      responseMessage: problem.message,
      // An earlier sending may have left a gateway error, which is not the reason.
      errorFamily: null,
    } as const;
    await deps.attempts.rejectRequested(tx, attempt.id, change, now);
    const rejected = { ...attempt, ...change, updatedAt: now };
    const current = attempts.map((other) => (other.id === attempt.id ? rejected : other));
    return {
      kind: 'nothing',
      step: await applyOperationResult(deps, tx, { payment, attempts: current }, rejected),
    };
  }
  await deps.attempts.claimRequested(tx, attempt.id, now);
  const claimed = { ...attempt, status: 'sent', sentAt: now, sendCount: attempt.sendCount + 1 } as const;
  if (mayHaveBeenSent(deps, attempt)) {
    // As after a crash behind the claim: the gateway is asked first.
    const current = attempts.map((other) => (other.id === attempt.id ? claimed : other));
    return { kind: 'nothing', step: toPaymentStep(deps, { payment, attempts: current }, claimed) };
  }
  return { kind: 'operation', attempt: claimed, currency: payment.currency };
}

function problemByState(
  { payment, attempts }: PaymentContext,
  attempt: AttemptRecord,
): OperationProblem | null {
  const operation = operationOf(attempt);
  if (operation === null) return null;
  const request = { operation, amountCents: attempt.amountCents };
  const open = {
    ...openOperations(attempts.filter(({ id }) => id !== attempt.id)),
    disputedCents: payment.disputedAmountCents,
    paidAt: payment.paidAt,
    // Deadlines are checked against the time of the request, not of the claim.
    now: new Date(attempt.createdAt.getTime() + payment.clockOffsetMs),
  };
  return operationProblem(payment, request, open);
}

/**
 * The sweeper wakes a payment past `processing`, which is then polled: the poll saves the recovery schedule. Until then the
 * payment stays overdue, so that one whose polls fail is noticed.
 */
async function nothingToSend(deps: PaymentDeps, tx: Tx, context: PaymentContext): Promise<Claim> {
  // A step that is repeated, because its task was lost, shows the charge that was made.
  const step = toPaymentStep(deps, context, context.attempts.findLast(isCharge) ?? null);
  const { id, status, stuckAt } = context.payment;
  if (status === 'processing')
    await deps.payments.saveRecoverySchedule(tx, id, recoveryScheduleOf(step, stuckAt, deps.now()));
  return { kind: 'nothing', step };
}

/** Null when no charge may be attempted: no gateway is left, no attempts are left, or the customer has left. */
async function chooseGateway(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  charges: readonly AttemptRecord[],
  platformSlugs: readonly GatewaySlug[],
  now: Date,
): Promise<GatewayChoice | null> {
  const attempted = charges.map(toChargeAttempt);
  if (!hasAttemptsLeft(attempted, deps.settings.maxAttempts)) return null;
  if (customerHasLeft(payment, now)) return null;
  return routePayment(deps, tx, payment, { attempted, platformSlugs, now });
}

function customerHasLeft(payment: PaymentRecord, now: Date): boolean {
  return now.getTime() - payment.createdAt.getTime() >= CHARGE_WINDOW_MS;
}

const CARD_FORBIDDEN = 'the network of the card allows no further charge yet';

/** After a charge, the last one says why the payment failed. */
function failureWithoutCharge(
  charges: readonly AttemptRecord[],
  permission: CardPermission = 'allowed',
): SettleOutcome {
  return charges.length === 0 && permission === 'forbidden'
    ? failWith({ code: 'not_attempted', message: CARD_FORBIDDEN })
    : failWith(failureOf(charges.map(toChargeAttempt)));
}

/**
 * Fails a payment that was not attempted before the customer left. The sweeper calls it when workflows cannot run;
 * `claimAttempt` applies the same rule under the same lock.
 */
export async function failNotAttempted(deps: PaymentDeps, transactionId: string): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const context = await lockPayment(deps, tx, transactionId);
    const { payment, attempts } = context;
    if (attempts.length > 0 || !customerHasLeft(payment, deps.now())) return;
    await applyPaymentTransition(deps, tx, context, failureWithoutCharge([]).fact);
  });
}

function newAttempt(
  payment: PaymentRecord,
  number: number,
  {
    gateway,
    reason,
    reasons,
    rule,
    splits,
  }: Pick<GatewayChoice, 'gateway' | 'reason' | 'reasons' | 'rule'> & { readonly splits: SplitAllocation[] },
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
    secretId: gateway.secret?.id ?? null,
    chargedCard: chargedCardOf(payment),
    reference: attemptReference(payment.transactionId, number, operation),
    routingReason: reason,
    routingReasons: [...reasons],
    routingRule: rule,
    status: 'sent',
    sendCount: 1,
    splits: splits.length === 0 ? null : splits,
    amountCents: payment.amountCents,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  };
}
