import { locale } from '../../ui/language';
import { money, percent } from '../../ui/formats';
import type { CheckoutOffer } from '../page-data';
import { messages } from '../messages';
import type { Session } from '../session/session-api';

/** `R$ 99,90 por mês`, or only the amount for a one-time payment. */
export function priceLabel({ plan, currency }: CheckoutOffer, cents: number): string {
  const amount = money(cents, currency);
  return plan === null ? amount : `${amount} ${messages.every(plan.interval, plan.interval_count)}`;
}

/** `25% off`, `R$ 10,00 off`. */
export function discountLabel({ coupon, currency }: Session): string | null {
  if (coupon === null) return null;
  const { discount_type: type, discount_value: value } = coupon;
  return messages.off(type === 'percentage' ? percent(value / 100) : money(value, currency));
}

const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
export const formatDay = (instant: string): string => days.format(new Date(instant));

const instants = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
export const formatInstant = (instant: string): string => instants.format(new Date(instant));

/** The API waives charges below this amount. */
const MIN_CHARGE_CENTS = 100;

/** True when the first charge is prorated: it differs by more than one cent from the price after the coupon. */
export function isProrated(
  { amount }: CheckoutOffer,
  { coupon, first_charge_amount: first }: Session,
): boolean {
  const { discount_type: type = 'fixed', discount_value: value = 0 } = coupon ?? {};
  const price = type === 'percentage' ? amount * (1 - value / 100) : amount - value;
  return Math.abs(first - (price < MIN_CHARGE_CENTS ? 0 : price)) > 1;
}

interface PriceLine {
  readonly when: string;
  readonly amount: string;
  /** Amount without the coupon; null when it is the same. */
  readonly fullAmount: string | null;
}

/** The charges of a subscription, as far as the amount changes. */
export function priceLines(offer: CheckoutOffer, session: Session): readonly PriceLine[] {
  const { currency, coupon, recurring_amount: recurring } = session;
  const { first_charge_amount: first, first_charge_at: firstAt } = session;
  const line = (when: string, amount: string): PriceLine => ({ when, amount, fullAmount: null });
  const lines = [
    {
      when: firstAt === null ? messages.today : messages.onDay(formatDay(firstAt)),
      amount: money(first, currency),
      fullAmount: coupon === null || isProrated(offer, session) ? null : money(offer.amount, currency),
    },
  ];
  if (firstAt !== null) lines.unshift(line(messages.today, money(0, currency)));
  if (recurring !== null) lines.push(line(messages.afterThat, priceLabel(offer, recurring)));
  const cycles = coupon?.max_cycles ?? null;
  if (cycles !== null && cycles > 1) {
    lines.push(line(messages.fromCharge(cycles + 1), priceLabel(offer, offer.amount)));
  }
  return lines;
}

/** What the buyer of a subscription agrees to pay, each price once, in the order in which they apply. */
export function agreedPrices(offer: CheckoutOffer, session: Session): readonly string[] {
  const { currency, coupon, first_charge_amount: first } = session;
  const recurring = session.recurring_amount ?? offer.amount;
  const cycles = coupon?.max_cycles ?? null;
  const isDiscountEnding = cycles !== null && cycles > 1;
  const prices: string[] = [];
  if (first !== recurring) prices.push(messages.forFirstCharges(money(first, currency), 1));
  if (isDiscountEnding) {
    const price = priceLabel(offer, recurring);
    prices.push(
      first === recurring ? messages.forFirstCharges(price, cycles) : messages.untilCharge(price, cycles),
    );
  }
  return [...prices, priceLabel(offer, isDiscountEnding ? offer.amount : recurring)];
}
