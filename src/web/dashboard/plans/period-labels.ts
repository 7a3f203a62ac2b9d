import { messages } from './messages';
import type { Plan } from './queries';

/** `every month, on day 10` */
export function periodLabel({
  interval,
  interval_count: count,
  billing_day: day,
}: Pick<Plan, 'interval' | 'interval_count' | 'billing_day'>): string {
  const every =
    count === 1 ? messages.everyOne[interval] : messages.everyMany(count, messages.intervals[interval]);
  return day === null ? every : `${every}, ${messages.onDay(day)}`;
}
