import type { KnownCharge, KnownPayment, KnownRecords } from './known-records';
import type { TimeRange } from '../time/counter-range';
import { daysIn } from '../time/day-range';
import { BRASILIA } from '../time/timezone';
import { MIDNIGHT_TOLERANCE_MS } from './settlement-days';
import type { StatementLine } from './statement-line';

/** The longest time between the gateway's instant of a payment and ours, if nothing else tells which payment it is. */
const SAME_PAYMENT_MS = 10 * 60 * 1000;

/** The payment of a line, and the charge if the line tells which one. */
export interface LineSubject {
  readonly payment: KnownPayment;
  readonly charge: KnownCharge | null;
}

/** Finds payments by our reference, by the gateway's id, or by amount and time. */
export class SubjectFinder {
  private readonly byReference = new Map<string, LineSubject>();
  private readonly byGatewayId = new Map<string, LineSubject>();
  /** Made only if a line has no id. */
  private byAmount: ReadonlyMap<string, readonly KnownPayment[]> | null = null;

  constructor(private readonly known: KnownRecords) {
    for (const payment of known.payments) {
      for (const charge of payment.charges) {
        for (const reference of [charge.reference, ...charge.captureReferences])
          this.byReference.set(reference, { payment, charge });
        if (charge.gatewayTransactionId !== null)
          this.byGatewayId.set(charge.gatewayTransactionId, { payment, charge });
      }
      for (const { reference } of payment.refunds) this.byReference.set(reference, { payment, charge: null });
    }
  }

  /** Null if the records have no such payment, or several that it could be. */
  find(line: StatementLine): LineSubject | null {
    const { reference, gatewayTransactionId: id } = line;
    const named = reference === null ? undefined : this.byReference.get(reference);
    if (named !== undefined) return named;
    // A refund that was made on the gateway's own pages has a reference of the gateway, and the id of its charge.
    const identified = id === null ? undefined : this.byGatewayId.get(id);
    if (identified !== undefined) return identified;
    return reference === null && id === null ? this.findByAmount(line) : null;
  }

  private findByAmount(line: StatementLine): LineSubject | null {
    const times = timesOf(line);
    if (times === null) return null;
    const found = this.ofAmount(line).filter(({ received }) =>
      received.some(
        ({ amountCents, isMatched, postedAt }) =>
          amountCents === line.amountCents &&
          !(line.kind === 'sale' && isMatched) &&
          postedAt >= times.from &&
          postedAt < times.to,
      ),
    );
    const [only] = found;
    return only === undefined || found.length > 1 ? null : { payment: only, charge: null };
  }

  /** Payments in the line's currency that received its amount. */
  private ofAmount({ amountCents, currency }: StatementLine): readonly KnownPayment[] {
    this.byAmount ??= groupByAmount(this.known.payments);
    return this.byAmount.get(amountKey(amountCents, currency)) ?? [];
  }
}

/** When a payment was received that a line without any id may be about; null if no time tells. */
export function timesOf({ occurredAt, day, kind }: StatementLine): TimeRange | null {
  if (occurredAt !== null) {
    const at = occurredAt.getTime();
    return { from: new Date(at - SAME_PAYMENT_MS), to: new Date(at + SAME_PAYMENT_MS + 1) };
  }
  if (kind !== 'sale') return null;
  const { from, to } = daysIn(BRASILIA, day, day);
  return {
    from: new Date(from.getTime() - MIDNIGHT_TOLERANCE_MS),
    to: new Date(to.getTime() + MIDNIGHT_TOLERANCE_MS),
  };
}

function groupByAmount(payments: readonly KnownPayment[]): ReadonlyMap<string, readonly KnownPayment[]> {
  const groups = new Map<string, KnownPayment[]>();
  for (const payment of payments) {
    for (const amountCents of new Set(payment.received.map((one) => one.amountCents))) {
      const key = amountKey(amountCents, payment.currency);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [payment]);
      else group.push(payment);
    }
  }
  return groups;
}

function amountKey(amountCents: number, currency: string): string {
  return `${amountCents} ${currency}`;
}
