import { count, money, percent } from '../../ui/formats';
import { messages } from './messages';
import type { Coupon } from './queries';

/** What it takes off. An amount is of the plan's currency, whichever that is. */
export function discountWords({
  discount_type: type,
  discount_value: value,
}: Pick<Coupon, 'discount_type' | 'discount_value'>): string {
  return messages.off(type === 'percentage' ? percent(value / 100) : money(value, null));
}

export function usesWords({ redemptions_count: used, max_redemptions: most }: Coupon): string {
  return messages.usesOf(count(used), most === null ? messages.unlimited : count(most));
}
