import { dashboardDays, previousPeriod } from '../../domain/time/dashboard-period';
import type { DashboardReader } from '../../persistence/read-models/dashboard';
import { presentDashboard } from '../../presenters/dashboard';
import type { RouteHandlers } from '../server/route';

export interface DashboardRouteDeps {
  readonly dashboard: DashboardReader;
}

export function dashboardRoutes({ dashboard }: DashboardRouteDeps): Pick<RouteHandlers, 'getDashboard'> {
  return {
    getDashboard: async ({ company, query, receivedAt }) => {
      const days = dashboardDays(query, company.timezone, receivedAt);
      const previous = previousPeriod(days, company.timezone);
      const figures = await dashboard.load(company.id, days, previous);
      const dates = days.map(({ date }) => date);
      const data = presentDashboard({ dates, previous, timezone: company.timezone }, figures);
      return { status: 200, body: { data } };
    },
  };
}
