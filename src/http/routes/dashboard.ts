import { dashboardDays } from '../../domain/time/dashboard-period';
import type { DashboardReader } from '../../persistence/read-models/dashboard';
import { presentDashboard } from '../../presenters/dashboard';
import type { OperationHandlers } from '../server/operation';

export interface DashboardOperationsDeps {
  readonly dashboard: DashboardReader;
}

export function dashboardOperations({
  dashboard,
}: DashboardOperationsDeps): Pick<OperationHandlers, 'getDashboard'> {
  return {
    getDashboard: async ({ company, query, receivedAt }) => {
      const days = dashboardDays(query, company.timezone, receivedAt);
      const figures = await dashboard.load(company.id, days);
      const dates = days.map(({ date }) => date);
      return { status: 200, body: { data: presentDashboard(dates, company.timezone, figures) } };
    },
  };
}
