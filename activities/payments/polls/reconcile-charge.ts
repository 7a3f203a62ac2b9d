import { newOperation } from '../../../src/application/payments/new-operation';
import { assertNever } from '../../../src/domain/shared/assert-never';
import {
  compareCharge,
  isExplainedBy,
  type ChargeComparison,
} from '../../../src/domain/payments/charge-discrepancy';
import { isAccepted, refundedCentsOf } from '../../../src/domain/payments/charge-operations';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { ReportedChargeState } from '../../../src/domain/payments/reported-charge-state';
import { newAttemptId } from '../../../src/domain/shared/ids';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { applyPaymentTransition } from '../apply-payment-transition';
import { mayChangeCharge } from '../attempt-predicates';
import type { InquiryOutcome } from '../inquire-attempt';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentContext } from '../payment-step';
import { nameFound, type NamedOperation } from './name-found';
import { endContradictions, raiseContradiction } from './contradictions';

/** `undecided`: the records have changed, or may still change, so the report must be asked for again. */
export interface Reconciliation {
  readonly context: PaymentContext;
  readonly undecided: boolean;
}

/** One inquiry about the payment's charge. */
export interface ChargeInquiry {
  readonly charge: AttemptRecord;
  readonly inquiry: InquiryOutcome;
  /** The payment as it was before the gateway was asked. */
  readonly seen: PaymentContext;
  /** False if an operation that was recorded as not made may be the one that the gateway reports. */
  readonly isConclusive: boolean;
  /** Now by the payment's clock, epoch ms. */
  readonly at: number;
}

/**
 * Corrects the records by what the gateway reports about the payment's charge. An operation that nobody requested here is
 * recorded as a row, changes the payment and waits for a person's review. A report that no operation explains changes
 * nothing and waits for a review as well. Under the payment's lock.
 */
export async function reconcileCharge(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  asked: ChargeInquiry,
  /** The records have changed since the gateway was asked. */
  isOutdated: boolean,
): Promise<Reconciliation> {
  const { inquiry, charge, at } = asked;
  const reported = reportOf(inquiry);
  const isUnknownThere = inquiry.kind === 'not_found' && holdsMoney(context);
  if (reported === null && !isUnknownThere) return { context, undecided: false };
  // An operation that has no result yet, or got one since the gateway was asked, may explain the report.
  if (isOutdated) return { context, undecided: true };
  const comparison = reported && compareActiveCharge(context, charge, reported, at);
  const open = context.attempts.filter(mayChangeCharge);
  if (open.length > 0) {
    const accepted = open.every(isAccepted) ? open : [];
    const isExplained = accepted.length > 0 && comparison !== null && isExplainedBy(comparison, accepted);
    return { context, undecided: !isExplained };
  }
  const reconciled = await apply(deps, tx, context, asked, { reported, comparison });
  return { context: reconciled, undecided: false };
}

/** What the gateway reports about the charge; null if it does not report it. */
export function reportOf(inquiry: InquiryOutcome): ReportedChargeState | null {
  if (inquiry.kind !== 'found') return null;
  const { outcome } = inquiry.answer;
  if (outcome.kind !== 'declined') return outcome.chargeState;
  return { status: 'declined', capturedCents: 0, refundedCents: 0, paidCents: 0 };
}

function compareActiveCharge(
  { payment, attempts }: PaymentContext,
  charge: AttemptRecord,
  reported: ReportedChargeState,
  at: number,
): ChargeComparison {
  const { captureBefore } = payment;
  return compareCharge(
    {
      payment,
      refundedCents: refundedCentsOf(attempts, charge.id),
      captureWindowOver: captureBefore !== null && at >= captureBefore.getTime(),
    },
    reported,
  );
}

function holdsMoney({ payment: { status } }: PaymentContext): boolean {
  return status === 'authorized' || status === 'approved' || status === 'refunded';
}

/** Whether the payment or its attempts changed in a way that a report of the gateway may or may not include. */
export function haveRecordsChanged(before: PaymentContext, now: PaymentContext): boolean {
  return recordsOf(before) !== recordsOf(now);
}

function recordsOf({ payment, attempts }: PaymentContext): string {
  const { status, capturedAmountCents, refundedAmountCents, paidAmountCents } = payment;
  const results = attempts.map((attempt) => [attempt.id, attempt.status, attempt.sendCount]);
  return JSON.stringify([status, capturedAmountCents, refundedAmountCents, paidAmountCents, results]);
}

async function apply(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  { charge, inquiry, isConclusive }: ChargeInquiry,
  result: { readonly reported: ReportedChargeState | null; readonly comparison: ChargeComparison | null },
): Promise<PaymentContext> {
  const { reported, comparison } = result;
  const contradict = () =>
    raiseContradiction(deps, tx, context, { charge, reported, requestMs: inquiry.requestMs });
  if (comparison === null) return contradict();
  switch (comparison.kind) {
    case 'same':
      return endContradictions(deps, tx, context, charge);
    case 'contradiction':
      return contradict();
    case 'found': {
      // Recorded as another operation, a refund could count twice.
      if (!isConclusive) return contradict();
      let corrected = await endContradictions(deps, tx, context, charge);
      for (const operation of await nameFound(deps, tx, context, comparison.operations))
        corrected = await recordFound(deps, tx, corrected, charge, operation);
      return corrected;
    }
    default:
      return assertNever(comparison);
  }
}

const SUCCESS = { capture: 'approved', cancel: 'canceled', refund: 'refunded' } as const satisfies Record<
  PaymentOperation,
  AttemptRecord['status']
>;

async function recordFound(
  deps: PaymentDeps,
  tx: Tx,
  context: PaymentContext,
  charge: AttemptRecord,
  { operation, amountCents, fact, needsReview, reference }: NamedOperation,
): Promise<PaymentContext> {
  const { payment, attempts } = context;
  const now = deps.now();
  const row = newOperation(payment, attempts, charge, {
    id: newAttemptId(),
    operation,
    purpose: reference === null ? 'found_at_gateway' : 'merchant_request',
    amountCents,
    // How a part was shared is not known. The shares of the whole are those of the charge.
    splits: operation === 'capture' && amountCents === charge.amountCents ? charge.splits : null,
  });
  await deps.attempts.insert(tx, {
    ...row,
    reference: reference ?? `${row.reference}-found`,
    status: SUCCESS[operation],
    responseMessage: `made at ${charge.gatewaySlug}`,
    escalatedAt: needsReview ? now : null,
    createdAt: now,
    updatedAt: now,
  });
  const { companyId, transactionId } = payment;
  deps.log.warn(
    { company_id: companyId, transaction_id: transactionId, gateway: charge.gatewaySlug, operation },
    reference === null
      ? 'operation found at the gateway that was not requested here'
      : 'operation found at the gateway that a restore had lost',
  );
  const found = { ...context, attempts: await deps.attempts.listByPayment(payment.id, tx) };
  return fact === null ? found : applyPaymentTransition(deps, tx, found, fact);
}
