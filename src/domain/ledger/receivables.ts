import { DateTime } from 'luxon';
import { assertNever } from '../shared/assert-never';
import type { GatewaySlug } from '../shared/gateway-slug';
import { BRASILIA } from '../time/timezone';
import type { PaymentMethod } from '../payments/payment';
import { posting, type LedgerPosting } from './journal';

/** Days between installments, and until the first one. */
const CARD_DAYS = 30;
const BILLET_DAYS = 1;
const PIX_DAYS = 0;
/** A refund is deducted from what the gateway settles on the next day. */
const DEDUCTION_DAYS = 1;

interface Receivable {
  readonly amountCents: number;
  readonly paymentMethod: PaymentMethod;
  readonly installments: number;
  readonly gateway: GatewaySlug | null;
  readonly at: Date;
}

/** What a gateway owes from a moment on, by the days on which it is expected to settle it. */
export function receivables({ amountCents, paymentMethod, installments, gateway, at }: Receivable) {
  const day = dayInBrasilia(at);
  if (paymentMethod !== 'card' || installments <= 1) {
    const expectedOn = after(day, daysUntilSettled(paymentMethod));
    return [posting('gateway_receivable', amountCents, { gateway, expectedOn })];
  }
  return installmentsOf(amountCents, installments).map((cents, index) =>
    posting('gateway_receivable', cents, {
      gateway,
      expectedOn: after(day, CARD_DAYS * (index + 1)),
      installment: index + 1,
    }),
  );
}

/** What a gateway takes back: a refund, or money under dispute. */
export function deduction(amountCents: number, gateway: GatewaySlug | null, at: Date): LedgerPosting {
  const expectedOn = after(dayInBrasilia(at), DEDUCTION_DAYS);
  return posting('gateway_receivable', -amountCents, { gateway, expectedOn });
}

/** The first installment takes the remainder. */
function installmentsOf(amountCents: number, count: number): number[] {
  const each = Math.floor(amountCents / count);
  return Array.from({ length: count }, (_, index) => (index === 0 ? amountCents - each * (count - 1) : each));
}

function daysUntilSettled(method: PaymentMethod): number {
  switch (method) {
    case 'card':
      return CARD_DAYS;
    case 'pix':
      return PIX_DAYS;
    case 'billet':
      return BILLET_DAYS;
    default:
      return assertNever(method);
  }
}

function dayInBrasilia(at: Date): DateTime {
  return DateTime.fromJSDate(at, { zone: BRASILIA });
}

function after(day: DateTime, days: number): string {
  return day.plus({ days }).toFormat('yyyy-MM-dd');
}
