import { activeCharge, capturedSplits } from '../payments/charge-operations';
import { haveRecipientsReceived } from '../payments/operation-splits';
import type { AttemptOperation, AttemptPurpose, AttemptStatus, PaymentMethod } from '../payments/payment';
import type { PaymentState } from '../payments/payment-lifecycle';
import type { SplitAllocation } from '../payments/split';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { GatewaySecretId } from '../shared/ids';
import { moving, posting, type JournalEntry, type LedgerPosting } from './journal';
import { deduction, receivables } from './receivables';

/** The amounts of a payment that the ledger follows, in minor units. None of them ever decreases. */
export interface PaymentTotals {
  readonly capturedCents: number;
  readonly refundedCents: number;
  readonly paidCents: number;
}

/** What of a payment the ledger needs. */
export interface LedgerPayment extends Pick<
  PaymentState,
  'amountCents' | 'capturedAmountCents' | 'refundedAmountCents' | 'paidAmountCents'
> {
  readonly paymentMethod: PaymentMethod;
  readonly currency: string;
  readonly installments: number;
  readonly paidAt: Date | null;
  readonly updatedAt: Date;
  /** What is in the ledger. */
  readonly postedCapturedCents: number;
  readonly postedRefundedCents: number;
  readonly postedPaidCents: number;
}

export interface LedgerAttempt {
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly gatewaySlug: GatewaySlug;
  readonly secretId: GatewaySecretId | null;
  readonly gatewayTransactionId: string | null;
  readonly splits: readonly SplitAllocation[] | null;
  readonly updatedAt: Date;
}

/** One change of a payment's totals. */
interface Step {
  readonly totals: PaymentTotals;
  readonly at: Date;
  /** Of a refund: what each recipient returns. */
  readonly returned: readonly SplitAllocation[];
}

/** A transition of a payment: its totals after it, and the refund that it records. */
export interface LedgerTransition {
  readonly state: Pick<PaymentState, 'capturedAmountCents' | 'refundedAmountCents' | 'paidAmountCents'>;
  readonly refund: Pick<LedgerAttempt, 'splits'> | null;
  readonly at: Date;
}

export function totalsOf(state: LedgerTransition['state']): PaymentTotals {
  return {
    capturedCents: state.capturedAmountCents,
    refundedCents: state.refundedAmountCents,
    paidCents: state.paidAmountCents ?? 0,
  };
}

/**
 * The entries of a transition, `payment` being as it was before it. A payment of before the ledger, or one that the previous
 * release has changed meanwhile, first gets those of its history.
 */
export function transitionEntries(
  payment: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  { state, refund, at }: LedgerTransition,
): JournalEntry[] {
  const history = historySteps(payment, attempts);
  const step = { totals: totalsOf(state), at, returned: refund?.splits ?? [] };
  return entriesOf(payment, attempts, [...history, step]);
}

/** The entries of a payment's history that are not in the ledger. */
export function missingEntries(payment: LedgerPayment, attempts: readonly LedgerAttempt[]): JournalEntry[] {
  return entriesOf(payment, attempts, historySteps(payment, attempts));
}

function entriesOf(
  payment: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  steps: readonly Step[],
): JournalEntry[] {
  let before = postedTotals(payment);
  const entries: JournalEntry[] = [];
  for (const step of steps) {
    const postings = moving(postingsOf(payment, attempts, before, step));
    if (postings.length > 0) entries.push(entryOf(payment, attempts, before, step, postings));
    before = step.totals;
  }
  return entries;
}

function entryOf(
  { currency }: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  before: PaymentTotals,
  { totals, at }: Step,
  postings: readonly LedgerPosting[],
): JournalEntry {
  const { capturedCents, refundedCents, paidCents } = totals;
  const secretId = chargeOf(attempts)?.secretId ?? null;
  const step = `payment/${capturedCents}/${refundedCents}/${paidCents}`;
  return { step, kind: kindOf(before, totals), currency, postedAt: at, secretId, postings };
}

function kindOf(before: PaymentTotals, after: PaymentTotals): JournalEntry['kind'] {
  if (after.refundedCents > before.refundedCents) return 'refunded';
  return cashCents(after) > cashCents(before) ? 'received' : 'accepted';
}

/**
 * The postings of one change of the totals: the difference between the balances that the totals mean. So they sum to zero,
 * and the balances depend only on the totals, whatever the order in which they were reached.
 */
function postingsOf(
  payment: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  before: PaymentTotals,
  { totals: after, at, returned }: Step,
): LedgerPosting[] {
  const gateway = chargeOf(attempts)?.gatewaySlug ?? null;
  const receivedCents = cashCents(after) - cashCents(before);
  const refundedCents = after.refundedCents - before.refundedCents;
  const shares = sharesDue(payment, before) ? [] : sharesGiven(payment, attempts, after);
  const returns = after.capturedCents > 0 && refundedCents > 0 ? returned : [];
  const companyRefunds = contraCents(after) - contraCents(before) - sumOf(returns);
  const { paymentMethod, installments } = payment;
  return [
    ...receivables({ amountCents: receivedCents, paymentMethod, installments, gateway, at }),
    deduction(refundedCents, gateway, at),
    posting('sales', sumOf(shares) - (after.capturedCents - before.capturedCents)),
    ...shares.map((share) => toRecipient(share, -share.amountCents)),
    posting('refunds', companyRefunds),
    ...returns.map((share) => toRecipient(share, share.amountCents)),
    posting('unapplied_receipts', unappliedCents(before) - unappliedCents(after)),
  ];
}

function toRecipient({ recipientId }: SplitAllocation, amountCents: number): LedgerPosting {
  return posting('recipient_payable', amountCents, { recipientId });
}

/** What the customer has paid, whether or not it is accepted. */
function cashCents({ capturedCents, paidCents }: PaymentTotals): number {
  return Math.max(capturedCents, paidCents);
}

/** What was refunded of a sale. A part that nobody accepted never was one. */
function contraCents({ capturedCents, refundedCents }: PaymentTotals): number {
  return capturedCents > 0 ? refundedCents : 0;
}

/** What the customer has paid and is no sale: above the amount, or a part that nobody has accepted. */
function unappliedCents(totals: PaymentTotals): number {
  const { capturedCents, refundedCents } = totals;
  return capturedCents > 0 ? cashCents(totals) - capturedCents : cashCents(totals) - refundedCents;
}

/** Whether the recipients have their shares of these totals. */
function sharesDue({ paymentMethod, amountCents }: LedgerPayment, totals: PaymentTotals): boolean {
  const paidAmountCents = cashCents(totals);
  return totals.capturedCents > 0 && haveRecipientsReceived({ paymentMethod, amountCents, paidAmountCents });
}

function sharesGiven(
  payment: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  totals: PaymentTotals,
): readonly SplitAllocation[] {
  return sharesDue(payment, totals) ? capturedSplits(attempts) : [];
}

/** The steps from what is in the ledger to the payment's totals: what was received, and then each refund. */
function historySteps(payment: LedgerPayment, attempts: readonly LedgerAttempt[]): Step[] {
  const posted = postedTotals(payment);
  const current = totalsOf(payment);
  const received = { ...current, refundedCents: posted.refundedCents };
  const first = { totals: received, at: payment.paidAt ?? payment.updatedAt, returned: [] };
  return [first, ...refundSteps(payment, attempts, received)];
}

function refundSteps(
  payment: LedgerPayment,
  attempts: readonly LedgerAttempt[],
  received: PaymentTotals,
): Step[] {
  const steps: Step[] = [];
  let sumCents = 0;
  for (const refund of refundsOf(attempts)) {
    sumCents += refund.amountCents;
    if (sumCents <= received.refundedCents || sumCents > payment.refundedAmountCents) continue;
    const totals = { ...received, refundedCents: sumCents };
    const isWhole = sumCents - refund.amountCents >= received.refundedCents;
    steps.push({ totals, at: refund.updatedAt, returned: isWhole ? (refund.splits ?? []) : [] });
  }
  const last = { ...received, refundedCents: payment.refundedAmountCents };
  return [...steps, { totals: last, at: payment.updatedAt, returned: [] }];
}

function refundsOf(attempts: readonly LedgerAttempt[]): LedgerAttempt[] {
  return attempts
    .filter(({ operation, purpose }) => operation === 'refund' && purpose !== 'reversal')
    .filter(({ status }) => status === 'refunded')
    .toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime());
}

/** The charge that made the payment's money: its active one, else the last one that its gateway knows. */
function chargeOf(attempts: readonly LedgerAttempt[]): LedgerAttempt | null {
  const known = attempts.filter(
    ({ operation, gatewayTransactionId }) =>
      (operation === 'charge' || operation === 'authorize') && gatewayTransactionId !== null,
  );
  return activeCharge(attempts) ?? known.at(-1) ?? null;
}

function postedTotals(payment: LedgerPayment): PaymentTotals {
  return {
    capturedCents: payment.postedCapturedCents,
    refundedCents: payment.postedRefundedCents,
    paidCents: payment.postedPaidCents,
  };
}

function sumOf(shares: readonly SplitAllocation[]): number {
  return shares.reduce((sum, { amountCents }) => sum + amountCents, 0);
}
