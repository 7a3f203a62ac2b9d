import type { InquiredRefund } from '../inquired-refund';

/** What the sum of all refunds says about one of them. `unclear`: others may explain it. */
export type RefundInSum = 'done' | 'absent' | 'unclear';

/** Cielo shows no single refund, but only the sum of those that it has carried out. */
export function refundInSum({ amountCents, others }: InquiredRefund, refundedCents: number): RefundInSum {
  const sumOf = (...wanted: readonly string[]): number =>
    others.filter(({ status }) => wanted.includes(status)).reduce((sum, other) => sum + other.amountCents, 0);
  // What the refunds that are recorded as done do not explain.
  const free = refundedCents - sumOf('refunded');
  const open = sumOf('accepted', 'unknown');
  if (free === 0) return 'absent';
  if (free === amountCents + open) return 'done';
  return 'unclear';
}
