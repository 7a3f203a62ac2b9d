import { count, money, percent } from '../../ui/formats';
import { messages } from './messages';
import type { Coupon } from './queries';

/** The discount. A fixed amount has no currency of its own: it is in the plan's. */
export function discountLabel({
  discount_type: type,
  discount_value: value,
}: Pick<Coupon, 'discount_type' | 'discount_value'>): string {
  return messages.off(type === 'percentage' ? percent(value / 100) : money(value, null));
}

export function usesLabel({ redemptions_count: used, max_redemptions: max }: Coupon): string {
  return messages.usesOf(count(used), max === null ? messages.unlimited : count(max));
}
