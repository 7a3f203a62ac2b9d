import { dashboardDays, previousPeriod } from '../../domain/time/dashboard-period';
import { monthsUntil, type CalendarMonth } from '../../domain/time/months';
import type { DashboardReader } from '../../persistence/read-models/dashboard';
import type { RevenueHistory } from '../../persistence/read-models/recurring-revenue';
import { presentDashboard } from '../../presenters/dashboard';
import { presentRecurringRevenue } from '../../presenters/subscriptions/recurring-revenue';
import type { RouteHandlers } from '../server/route';

export interface DashboardRouteDeps {
  readonly dashboard: DashboardReader;
  readonly loadRevenueHistory: (
    companyId: number,
    months: readonly CalendarMonth[],
  ) => Promise<RevenueHistory>;
}

const DEFAULT_MONTHS = 12;

export function dashboardRoutes({
  dashboard,
  loadRevenueHistory,
}: DashboardRouteDeps): Pick<RouteHandlers, 'getDashboard' | 'getRecurringRevenue'> {
  return {
    getDashboard: async ({ company, query, receivedAt }) => {
      const days = dashboardDays(query, company.timezone, receivedAt);
      const previous = previousPeriod(days, company.timezone);
      const figures = await dashboard.load(company.id, days, previous);
      const dates = days.map(({ date }) => date);
      const data = presentDashboard({ dates, previous, timezone: company.timezone }, figures);
      return { status: 200, body: { data } };
    },

    getRecurringRevenue: async ({ company, query, receivedAt }) => {
      const { timezone } = company;
      const months = monthsUntil(timezone, receivedAt, query.months ?? DEFAULT_MONTHS);
      const history = await loadRevenueHistory(company.id, months);
      return { status: 200, body: { data: presentRecurringRevenue(timezone, months, history) } };
    },
  };
}
