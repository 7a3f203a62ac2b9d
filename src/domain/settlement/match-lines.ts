import type { AttemptStatus } from '../payments/payment';
import type { SettlementLine } from '../ledger/settlement-entries';
import { SubjectFinder, type LineSubject } from './find-subject';
import { ExpectedAmounts } from './expected-amounts';
import type { KnownPayment, KnownRecords, KnownRefund } from './known-records';
import type { ExpectedRef, SettlementItem, SettlementItemKind } from './settlement-item';
import { isWithin, possibleDays, settlementDays, type BankDays } from './settlement-days';
import { netOf, takesMoney, type StatementLine } from './statement-line';

/** A line with its place in the statement, from 1. */
export interface NumberedLine extends StatementLine {
  readonly number: number;
}

/** What became of a line. */
export interface MatchedLine {
  readonly number: number;
  /**
   * `matched`: it is what the records have, or differs from it by an item. `unmatched`: an item says why. `waiting`: the payment
   * has no such outcome yet; it is asked about, and the line is matched again.
   */
  readonly state: 'matched' | 'unmatched' | 'waiting';
  readonly transactionId: string | null;
  readonly attemptId: string | null;
  readonly expected: ExpectedRef | null;
  /** Whether its amount counts as the expected one's. */
  readonly counts: boolean;
  readonly items: readonly SettlementItem[];
  /** Whether the payment's workflow is told, so that it asks the gateway. */
  readonly isFinding: boolean;
  /** What it posts to the ledger; null if nothing. */
  readonly posts: SettlementLine | null;
}

/** Charges that end without money. */
const FAILED: readonly AttemptStatus[] = ['declined', 'error', 'abandoned'];

export interface MatchOptions {
  readonly nextBankDay: BankDays;
  /** Whether the lines have waited for the outcome of their payment, which is recorded later than the gateway had it. */
  readonly haveWaited: boolean;
  /** Whether a line whose payment still has no outcome is an item, and does not wait any more. */
  readonly isLastTry: boolean;
}

/** Matches lines to what the records have. The same lines and records have the same result. */
export function matchLines(
  lines: readonly NumberedLine[],
  known: KnownRecords,
  options: MatchOptions,
): MatchedLine[] {
  const matcher = new Matcher(known, options);
  return lines.map((line) => matcher.match(line));
}

class Matcher {
  private readonly subjects: SubjectFinder;
  private readonly expected: ExpectedAmounts;
  private readonly seenIds: Set<string>;

  constructor(
    known: KnownRecords,
    private readonly options: MatchOptions,
  ) {
    this.subjects = new SubjectFinder(known);
    this.expected = new ExpectedAmounts(known, options.nextBankDay);
    this.seenIds = new Set(known.earlierLineIds);
  }

  match(line: NumberedLine): MatchedLine {
    if (this.seenIds.has(line.lineId))
      return unmatched(line, 'twice', this.subjects.find(line), line.amountCents);
    this.seenIds.add(line.lineId);
    const matched = this.matchOnce(line);
    const expectedCents = netOf(line);
    if (line.netCents === expectedCents) return matched;
    const difference = itemOf(line, 'net_differs', matched, expectedCents, line.netCents);
    return { ...matched, items: [...matched.items, difference] };
  }

  private matchOnce(line: NumberedLine): MatchedLine {
    const { kind, amountCents, feeCents } = line;
    if (kind === 'payout') return matchedAlone(line, { kind: 'paid_out', amountCents });
    if (kind === 'fee') return matchedAlone(line, { kind: 'fee_charged', feeCents });
    const subject = this.subjects.find(line);
    if (subject === null) return unmatched(line, 'unknown_to_us', null, null);
    if (kind === 'chargeback' || kind === 'chargeback_returned') {
      const isKnown = line.disputeId === null || subject.payment.disputeIds.includes(line.disputeId);
      if (!isKnown) return unmatched(line, 'unknown_dispute', subject, null);
    }
    if (kind === 'refund') return this.matchRefund(line, subject);
    const reversal = reversalOf(line, subject);
    if (reversal !== undefined) return matchReversed(line, subject, reversal);
    const problem = this.chargeProblem(line, subject);
    if (problem !== null) return problem;
    return kind === 'sale' ? this.matchSale(line, subject) : this.matchReceivable(line, subject);
  }

  /** Whether the charge of the line is the one that was paid. */
  private chargeProblem(line: NumberedLine, subject: LineSubject): MatchedLine | null {
    const { charge, payment } = subject;
    if (charge === null || takesMoney(line.kind)) return null;
    const { gatewayTransactionId: recordedId, status } = charge;
    const { gatewayTransactionId: id } = line;
    if (id !== null && recordedId !== null && id !== recordedId) {
      const expectedCents = payment.received.length > 0 ? 0 : null;
      return { ...unmatched(line, 'charged_twice', subject, expectedCents), isFinding: true };
    }
    if (FAILED.includes(status)) return this.unpaid(line, subject, 'unmatched');
    if (payment.received.length > 0) return null;
    const isEnded = status === 'canceled' || status === 'approved' || status === 'refunded';
    return this.unpaid(line, subject, isEnded || this.options.isLastTry ? 'unmatched' : 'waiting');
  }

  /** The records know no money of the charge, and the gateway does: it is asked about. */
  private unpaid(line: NumberedLine, subject: LineSubject, state: 'unmatched' | 'waiting'): MatchedLine {
    const result = { ...unmatched(line, 'status_differs', subject, 0), isFinding: true, state };
    return state === 'waiting' ? { ...result, items: [] } : result;
  }

  private matchSale(line: NumberedLine, subject: LineSubject): MatchedLine {
    const found = this.expected.takeReceived(line, subject.payment);
    if (found === null) return unmatched(line, 'twice', subject, 0);
    const { ref, value } = found;
    const inCurrency = line.currency === subject.payment.currency;
    const isOnDay = this.options.haveWaited || isWithin(line.day, possibleDays(value.postedAt));
    return {
      ...matched(line, subject, ref, inCurrency),
      items: [
        ...(inCurrency ? [] : [differs(line, 'currency_differs', subject, ref, value.amountCents)]),
        ...(isOnDay ? [] : [differs(line, 'wrong_day', subject, ref, value.amountCents)]),
      ],
    };
  }

  private matchRefund(line: NumberedLine, subject: LineSubject): MatchedLine {
    const refund = this.expected.takeRefund(line, subject.payment);
    if (refund === null) return unmatched(line, 'unknown_to_us', subject, null);
    if (refund.reversed !== null) return matchReversed(line, subject, refund);
    const result = this.matchReceivable(line, subject);
    return { ...result, attemptId: refund.attemptId };
  }

  private matchReceivable(line: NumberedLine, subject: LineSubject): MatchedLine {
    const { payment } = subject;
    const found = this.expected.takeReceivable(line, payment);
    if (found === 'settled') return unmatched(line, 'twice', subject, 0);
    if (found === null) return unmatched(line, 'not_expected', subject, null);
    const { ref, value } = found;
    const inCurrency = line.currency === payment.currency;
    const items = [
      ...(inCurrency ? [] : (['currency_differs'] as const)),
      ...(line.installment === value.installment ? [] : (['installment_differs'] as const)),
      ...(this.isOnTime(line, value) ? [] : (['wrong_day'] as const)),
    ].map((kind) => differs(line, kind, subject, ref, value.amountCents));
    const sign = takesMoney(line.kind) ? -1 : 1;
    const posts: SettlementLine = {
      kind: 'settled',
      amountCents: sign * line.amountCents,
      feeCents: line.feeCents,
      expectedOn: value.expectedOn,
      installment: value.installment,
    };
    return { ...matched(line, subject, ref, inCurrency), items, posts: inCurrency ? posts : null };
  }

  private isOnTime(line: NumberedLine, receivable: KnownPayment['receivables'][number]): boolean {
    if (this.options.haveWaited) return true;
    const days = settlementDays(receivable, this.options.nextBankDay);
    return line.kind === 'anticipated' ? line.day <= days.last : isWithin(line.day, days);
  }
}

function matched(
  { number }: NumberedLine,
  { payment, charge }: LineSubject,
  expected: ExpectedRef,
  counts: boolean,
): Omit<MatchedLine, 'items'> {
  return {
    number,
    state: 'matched',
    transactionId: payment.transactionId,
    attemptId: charge?.attemptId ?? null,
    expected,
    counts,
    isFinding: false,
    posts: null,
  };
}

/** What gave back the charge of the line. A line without the gateway's id is about the charge that has its reference. */
function reversalOf(
  { gatewayTransactionId: id }: NumberedLine,
  { payment, charge }: LineSubject,
): KnownRefund | undefined {
  return payment.refunds.find(({ reversed }) => {
    if (reversed === null) return false;
    if (id !== null) return id === reversed.gatewayTransactionId;
    return charge !== null && charge.attemptId === reversed.attemptId && FAILED.includes(charge.status);
  });
}

/**
 * A line of a charge that was given back, or of what gave it back. The ledger expects neither, as the charge is not part of the payment:
 * what the gateway settles and deducts of it is posted, so that what it keeps as its fee is.
 */
function matchReversed(line: NumberedLine, subject: LineSubject, reversal: KnownRefund): MatchedLine {
  const { kind, amountCents, feeCents, installment, day, number } = line;
  const { payment, charge } = subject;
  const inCurrency = line.currency === payment.currency;
  const posts: SettlementLine = {
    kind: 'settled',
    amountCents: kind === 'refund' ? -amountCents : amountCents,
    feeCents,
    expectedOn: day,
    installment,
  };
  const result: Omit<MatchedLine, 'items'> = {
    number,
    state: 'matched',
    transactionId: payment.transactionId,
    attemptId: kind === 'refund' ? reversal.attemptId : (charge?.attemptId ?? null),
    expected: null,
    counts: inCurrency,
    isFinding: false,
    posts: kind === 'sale' || !inCurrency ? null : posts,
  };
  // What is settled may be an installment.
  const isWhole = kind === 'sale' || kind === 'refund';
  const problem = !inCurrency
    ? 'currency_differs'
    : isWhole && amountCents !== reversal.amountCents
      ? 'amount_differs'
      : null;
  const items = problem === null ? [] : [itemOf(line, problem, result, reversal.amountCents, amountCents)];
  return { ...result, items };
}

/** A line that is about no payment. */
function matchedAlone({ number }: NumberedLine, posts: SettlementLine): MatchedLine {
  const none = { transactionId: null, attemptId: null, expected: null };
  return { number, state: 'matched', ...none, counts: true, items: [], isFinding: false, posts };
}

function unmatched(
  line: NumberedLine,
  kind: SettlementItemKind,
  subject: LineSubject | null,
  expectedCents: number | null,
): MatchedLine {
  const result = {
    number: line.number,
    state: 'unmatched',
    transactionId: subject?.payment.transactionId ?? null,
    attemptId: subject?.charge?.attemptId ?? null,
    expected: null,
    counts: false,
    isFinding: false,
    posts: null,
  } as const;
  return { ...result, items: [itemOf(line, kind, result, expectedCents, line.amountCents)] };
}

function itemOf(
  { number: lineNumber, currency }: NumberedLine,
  kind: SettlementItemKind,
  { transactionId, expected }: Pick<MatchedLine, 'transactionId' | 'expected'>,
  expectedCents: number | null,
  actualCents: number,
): SettlementItem {
  return { kind, lineNumber, expected, transactionId, currency, expectedCents, actualCents };
}

function differs(
  line: NumberedLine,
  kind: SettlementItemKind,
  { payment: { transactionId } }: LineSubject,
  expected: ExpectedRef,
  expectedCents: number,
): SettlementItem {
  return itemOf(line, kind, { transactionId, expected }, Math.abs(expectedCents), line.amountCents);
}
