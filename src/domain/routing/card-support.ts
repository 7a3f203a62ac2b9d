import type { PaymentMethod } from '../payments/payment';
import { assertNever } from '../shared/assert-never';

export interface CardSupport {
  /**
   * How it charges a card without its security code, which nobody may store: by its number, or only by the token that it returned for the
   * card with an earlier charge. `number` if omitted.
   */
  readonly savedCards?: 'number' | 'token';
  /** The most installments of a card payment; any number if omitted. */
  readonly maxInstallments?: number;
}

/** What a card payment needs; for a pix or boleto it means nothing. */
export interface CardNeeds {
  readonly paymentMethod: PaymentMethod;
  readonly installments: number;
  /** Whether the card's security code is at hand, because the customer has just entered it. */
  readonly hasCvv: boolean;
}

/** What a card payment asks for that a gateway cannot do. */
export type CardLimit = 'no_cvv' | 'installments';

/** Null if the gateway can charge the card so. `hasToken`: the company's account there has returned a token for it. */
export function cardLimit(
  { savedCards = 'number', maxInstallments = Infinity }: CardSupport,
  { paymentMethod, installments, hasCvv }: CardNeeds,
  hasToken = false,
): CardLimit | null {
  if (paymentMethod !== 'card') return null;
  if (savedCards === 'token' && !hasCvv && !hasToken) return 'no_cvv';
  return installments > maxInstallments ? 'installments' : null;
}

/** Why a gateway cannot charge a card so, after its name. */
export function describeCardLimit(limit: CardLimit, { maxInstallments }: CardSupport): string {
  switch (limit) {
    case 'no_cvv':
      return 'charges a card without its security code only by its own token, and has given none for this card';
    case 'installments':
      return maxInstallments === 1
        ? 'does not support installments'
        : `supports ${maxInstallments} installments at most`;
    default:
      return assertNever(limit);
  }
}
