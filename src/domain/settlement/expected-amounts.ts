import type { KnownPayment, KnownRecords, KnownRefund, Receivable, Received } from './known-records';
import type { ExpectedRef } from './settlement-item';
import { isWithin, possibleDays, settlementDays, type BankDays } from './settlement-days';
import { takesMoney, type StatementLine } from './statement-line';

interface Taken<Value> {
  readonly ref: ExpectedRef;
  readonly value: Value;
}

/** What the records expect, and how much of it lines have taken. */
export class ExpectedAmounts {
  private readonly takenCents = new Map<string, number>();
  private readonly takenRefunds = new Set<string>();

  constructor(
    { payments }: KnownRecords,
    private readonly nextBankDay: BankDays,
  ) {
    for (const payment of payments) {
      for (const one of payment.received) this.start(one, null);
      for (const one of payment.receivables) this.start(one, one.posting);
      for (const { attemptId, isMatched } of payment.refunds) if (isMatched) this.takenRefunds.add(attemptId);
    }
  }

  /** What was received and has no sale yet; null if all of it has. */
  takeReceived(line: StatementLine, { received }: KnownPayment): Taken<Received> | null {
    const open = received.filter((one) => this.leftCents(one, null) > 0);
    const value = best(open, (one) => [
      this.leftCents(one, null) === line.amountCents,
      isWithin(line.day, possibleDays(one.postedAt)),
    ]);
    return value === null ? null : this.take(value, null, line.amountCents);
  }

  /** A refund of the line's reference, else one of its amount. */
  takeRefund(line: StatementLine, { refunds }: KnownPayment): KnownRefund | null {
    const free = refunds.filter(({ attemptId }) => !this.takenRefunds.has(attemptId));
    const refund =
      free.find(({ reference }) => reference === line.reference) ??
      free.find(({ amountCents }) => amountCents === line.amountCents);
    if (refund === undefined) return null;
    this.takenRefunds.add(refund.attemptId);
    return refund;
  }

  /** A receivable that is not settled; `settled` if the line's is; null if there is none. */
  takeReceivable(line: StatementLine, { receivables }: KnownPayment): Taken<Receivable> | 'settled' | null {
    const sign = takesMoney(line.kind) ? -1 : 1;
    const sameSide = receivables.filter(({ amountCents }) => Math.sign(amountCents) === sign);
    const open = sameSide.filter((one) => this.leftCents(one, one.posting) > 0);
    const value = best(
      open.filter((one) => this.isPossible(line, one)),
      (one) => [
        one.installment === line.installment,
        this.leftCents(one, one.posting) === line.amountCents,
        isWithin(line.day, settlementDays(one, this.nextBankDay)),
      ],
    );
    if (value !== null) return this.take(value, value.posting, line.amountCents);
    const isSettled = sameSide.some((one) => !open.includes(one) && one.installment === line.installment);
    return isSettled ? 'settled' : null;
  }

  /** The same installment, or else the same amount on its day. */
  private isPossible(line: StatementLine, one: Receivable): boolean {
    if (one.installment === line.installment) return true;
    const isSameAmount = this.leftCents(one, one.posting) === line.amountCents;
    return isSameAmount && isWithin(line.day, settlementDays(one, this.nextBankDay));
  }

  private start({ entryId, amountCents, matchedCents, isMatched }: Received, posting: number | null): void {
    const unclear = isMatched && matchedCents === 0;
    this.takenCents.set(keyOf(entryId, posting), unclear ? Math.abs(amountCents) : matchedCents);
  }

  private leftCents({ entryId, amountCents }: Received, posting: number | null): number {
    return Math.abs(amountCents) - (this.takenCents.get(keyOf(entryId, posting)) ?? 0);
  }

  private take<Value extends Received>(
    value: Value,
    posting: number | null,
    amountCents: number,
  ): Taken<Value> {
    const key = keyOf(value.entryId, posting);
    this.takenCents.set(key, (this.takenCents.get(key) ?? 0) + amountCents);
    return { ref: { entryId: value.entryId, posting }, value };
  }
}

function keyOf(entryId: string, posting: number | null): string {
  return `${entryId} ${posting ?? ''}`;
}

/** The first of those that fulfil most; a criterion counts more than all after it. */
function best<Value>(values: readonly Value[], criteria: (value: Value) => readonly boolean[]): Value | null {
  let found: Value | null = null;
  let foundRank = -1;
  for (const value of values) {
    const rank = criteria(value).reduce((sum, holds) => sum * 2 + (holds ? 1 : 0), 0);
    if (rank > foundRank) [found, foundRank] = [value, rank];
  }
  return found;
}
