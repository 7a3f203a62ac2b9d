import { locale } from '../../ui/language';
import { money, percent } from '../../ui/formats';
import type { Offer } from '../pay/billing-address';
import { messages } from '../messages';
import type { Session } from '../session/session-api';

/** `R$ 99,90 por mês`; of something that is paid once the amount alone. */
export function priceWords({ plan, currency }: Offer, cents: number): string {
  const amount = money(cents, currency);
  return plan === null ? amount : `${amount} ${messages.every(plan.interval, plan.interval_count)}`;
}

/** `25% off`, `R$ 10,00 off`. */
export function discountWords({ coupon, currency }: Session): string | null {
  if (coupon === null) return null;
  const { discount_type: type, discount_value: value } = coupon;
  return messages.off(type === 'percentage' ? percent(value / 100) : money(value, currency));
}

const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
export const dayWords = (instant: string): string => days.format(new Date(instant));

const instants = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
export const instantWords = (instant: string): string => instants.format(new Date(instant));

/** A charge below this is waived. */
const LEAST_CHARGE_CENTS = 100;

/** Whether the first charge is for less than a whole period: it is not what the price and the coupon come to, to a cent. */
export function isProRata({ amount }: Offer, { coupon, first_charge_amount: first }: Session): boolean {
  const { discount_type: type = 'fixed', discount_value: value = 0 } = coupon ?? {};
  const whole = type === 'percentage' ? amount * (1 - value / 100) : amount - value;
  return Math.abs(first - (whole < LEAST_CHARGE_CENTS ? 0 : whole)) > 1;
}

interface Charge {
  readonly when: string;
  readonly amount: string;
  /** What it would be without the coupon; null when that is the same. */
  readonly instead: string | null;
}

/** What a subscription will cost and when, as far as it changes. */
export function chargesOf(offer: Offer, session: Session): readonly Charge[] {
  const { currency, coupon, recurring_amount: recurring } = session;
  const { first_charge_amount: first, first_charge_at: firstAt } = session;
  const charge = (when: string, amount: string): Charge => ({ when, amount, instead: null });
  const charges = [
    {
      when: firstAt === null ? messages.today : messages.onDay(dayWords(firstAt)),
      amount: money(first, currency),
      instead: coupon === null || isProRata(offer, session) ? null : money(offer.amount, currency),
    },
  ];
  if (firstAt !== null) charges.unshift(charge(messages.today, money(0, currency)));
  if (recurring !== null) charges.push(charge(messages.afterThat, priceWords(offer, recurring)));
  const cycles = coupon?.max_cycles ?? null;
  if (cycles !== null && cycles > 1) {
    charges.push(charge(messages.fromCharge(cycles + 1), priceWords(offer, offer.amount)));
  }
  return charges;
}

const MOST_PARTS = 12;
/** What shops commonly ask of a part, and below which fees eat it up. */
const LEAST_PART_CENTS = 500;

/** In how many parts it can be paid, each with what a part comes to; alone in full where there is no choice. */
export function partsOf({ type, currency, amount }: Offer): ReadonlyArray<{ parts: number; words: string }> {
  const most = type === 'one_time' && currency === 'BRL' ? Math.floor(amount / LEAST_PART_CENTS) : 1;
  const numbers = Array.from({ length: Math.max(1, Math.min(MOST_PARTS, most)) }, (_, index) => index + 1);
  return numbers.map((parts) => {
    const each = money(Math.round(amount / parts), currency);
    const words =
      parts === 1 ? messages.inFull(each) : `${messages.part(parts, each)} ${messages.withoutInterest}`;
    return { parts, words };
  });
}
