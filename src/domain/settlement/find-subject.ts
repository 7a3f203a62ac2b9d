import type { KnownCharge, KnownPayment, KnownRecords } from './known-records';
import { isWithin, possibleDays } from './settlement-days';
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

  constructor(private readonly known: KnownRecords) {
    for (const payment of known.payments) {
      for (const charge of payment.charges) {
        this.byReference.set(charge.reference, { payment, charge });
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
    const found = this.known.payments.filter(
      (payment) =>
        payment.currency === line.currency &&
        payment.received.some(
          (received) =>
            received.amountCents === line.amountCents &&
            !(line.kind === 'sale' && received.isMatched) &&
            isSameTime(line, received.postedAt),
        ),
    );
    const [only] = found;
    return only === undefined || found.length > 1 ? null : { payment: only, charge: null };
  }
}

function isSameTime({ occurredAt, day, kind }: StatementLine, postedAt: Date): boolean {
  if (occurredAt !== null) return Math.abs(occurredAt.getTime() - postedAt.getTime()) <= SAME_PAYMENT_MS;
  return kind === 'sale' && isWithin(day, possibleDays(postedAt));
}
