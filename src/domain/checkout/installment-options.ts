import type { InstallmentTerms } from '../companies/installment-terms';
import type { Offer } from './payment-link';

/** One way to pay by card. The first installment and the others add up to the total. Amounts are in cents. */
export interface InstallmentOption {
  readonly installments: number;
  /** Each installment after the first one. */
  readonly amountCents: number;
  /** Includes what is left over by the division. */
  readonly firstCents: number;
  /** What is charged. */
  readonly totalCents: number;
  /** The part of the total that is interest. */
  readonly interestCents: number;
}

/** The most that the API charges at once, in cents. */
const MAX_CHARGE_CENTS = 999_999_999_999;

/**
 * How a card can pay for an offer, by ascending number of installments. One payment is always possible, at the price. Empty
 * if no card is accepted, and for a subscription, which has no installments. Only cards in BRL pay in installments.
 */
export function installmentOptions(
  { type, amountCents, currency, paymentMethods }: Offer,
  terms: InstallmentTerms,
): InstallmentOption[] {
  if (type === 'subscription' || amountCents === null || !paymentMethods.includes('card')) return [];
  const max = currency === 'BRL' ? terms.maxInstallments : 1;
  const counts = Array.from({ length: max }, (_, index) => index + 1);
  return counts.flatMap((installments) => {
    const basisPoints = basisPointsOf(installments, terms);
    if (basisPoints === null) return [];
    const option = optionOf(amountCents, installments, basisPoints);
    const isOffered =
      option.amountCents >= terms.minInstallmentCents && option.totalCents <= MAX_CHARGE_CENTS;
    return installments === 1 || isOffered ? [option] : [];
  });
}

/** The option that a buyer chose; null if it is not offered. */
export function findOption(
  options: readonly InstallmentOption[],
  installments: number,
): InstallmentOption | null {
  return options.find((option) => option.installments === installments) ?? null;
}

/** Null if the buyer would have to pay interest and no rate says how much. */
function basisPointsOf(
  installments: number,
  { interest, interestRates }: Pick<InstallmentTerms, 'interest' | 'interestRates'>,
): number | null {
  if (installments === 1 || interest === 'merchant') return 0;
  return interestRates.find((rate) => rate.installments === installments)?.basisPoints ?? null;
}

/** The interest is rounded down, so that no buyer pays more than the rate. */
function optionOf(priceCents: number, installments: number, basisPoints: number): InstallmentOption {
  // The product exceeds the integers that a number represents exactly.
  const interestCents = Number((BigInt(priceCents) * BigInt(basisPoints)) / 10_000n);
  const totalCents = priceCents + interestCents;
  const amountCents = Math.floor(totalCents / installments);
  const firstCents = totalCents - amountCents * (installments - 1);
  return { installments, amountCents, firstCents, totalCents, interestCents };
}
