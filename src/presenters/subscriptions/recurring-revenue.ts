import {
  revenueByMonth,
  type MonthlyMovement,
  type RevenueMonth,
} from '../../domain/subscriptions/recurring-revenue';
import type { CalendarMonth } from '../../domain/time/months';
import type { components } from '../../http/generated/openapi';

type Schemas = components['schemas'];

interface PresentableHistory {
  readonly since: Date;
  readonly movements: ReadonlyArray<MonthlyMovement & { readonly currency: string }>;
  readonly current: ReadonlyArray<{ readonly currency: string; readonly monthlyCents: number }>;
}

/** Shown with zeros if nothing recurs yet. */
const HOME_CURRENCY = 'BRL';

/** Months that ended before movements were recorded are left out. */
export function presentRecurringRevenue(
  timezone: string,
  months: readonly CalendarMonth[],
  { since, movements, current }: PresentableHistory,
): Schemas['RecurringRevenue'] {
  const shown = months.filter(({ to }) => to > since).map(({ month }) => month);
  const known = [...movements, ...current].map(({ currency }) => currency);
  const currencies = [...new Set([HOME_CURRENCY, ...known])].sort().map((currency) => {
    const moved = movements.filter((movement) => movement.currency === currency);
    const now = current.find((revenue) => revenue.currency === currency)?.monthlyCents ?? 0;
    return { currency, months: revenueByMonth(shown, moved, now).map(presentMonth) };
  });
  return { timezone, recorded_since: since.toISOString(), currencies };
}

function presentMonth({ startCents, endCents, ...moved }: RevenueMonth): Schemas['RecurringRevenueMonth'] {
  return { ...moved, start_amount: startCents, end_amount: endCents };
}
