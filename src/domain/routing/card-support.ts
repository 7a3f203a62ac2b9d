import type { PaymentMethod } from '../payments/payment';
import { assertNever } from '../shared/assert-never';
import type { ChargeInitiation } from '../shared/charge-initiation';

export interface CardSupport {
  /** Whether it charges a card without its security code, which nobody may store; true if omitted. */
  readonly chargesWithoutCvv?: boolean;
  /** The most installments of a card payment; any number if omitted. */
  readonly maxInstallments?: number;
}

/** What a card payment needs; for a pix or boleto it means nothing. */
export interface CardNeeds {
  readonly paymentMethod: PaymentMethod;
  readonly installments: number;
  /** Whether the customer has entered the security code for this payment. */
  readonly hasCvv: boolean;
}

/** What a card payment asks for that a gateway cannot do. */
export type CardLimit = 'no_cvv' | 'installments';

/** Null if the gateway can charge the card so. */
export function cardLimit(
  { chargesWithoutCvv = true, maxInstallments = Infinity }: CardSupport,
  { paymentMethod, installments, hasCvv }: CardNeeds,
): CardLimit | null {
  if (paymentMethod !== 'card') return null;
  if (!hasCvv && !chargesWithoutCvv) return 'no_cvv';
  return installments > maxInstallments ? 'installments' : null;
}

/**
 * Whether a charge with this initiation has a security code, and the charges that follow from it too: a series begins at a gateway that can
 * go on with it, and that returns the network ids which the renewals need.
 */
export function hasCvv({ reason }: ChargeInitiation): boolean {
  switch (reason) {
    case 'one_off':
    case 'first_saved':
      return true;
    case 'first_recurring':
    case 'saved_card':
    case 'recurring':
    case 'unscheduled':
      return false;
    default:
      return assertNever(reason);
  }
}

/** Why a gateway cannot charge a card so, after its name. */
export function describeCardLimit(limit: CardLimit, { maxInstallments }: CardSupport): string {
  switch (limit) {
    case 'no_cvv':
      return 'charges no card without its security code, so no saved card and no renewal';
    case 'installments':
      return maxInstallments === 1
        ? 'does not support installments'
        : `supports ${maxInstallments} installments at most`;
    default:
      return assertNever(limit);
  }
}
