import { count, day, percent } from '../../ui/formats';
import { ChartPanel } from '../../ui/layout/chart-panel';
import { ApprovalChart } from './charts/lazy-charts';
import { messages } from './messages';
import type { Dashboard } from './queries';

export function ApprovalPerDay({ dashboard: { volume } }: { readonly dashboard: Dashboard }) {
  const days = volume.map(({ approval_rate: rate, ...rest }) => ({ ...rest, rate }));
  return (
    <ChartPanel
      title={messages.approvalPerDay}
      subtitle={messages.approvalPerDayHint}
      columns={[messages.date, messages.payments, messages.approved, messages.rate]}
      rows={days.map(({ date, payments, approved, rate }) => [
        day(date, 'long'),
        count(payments),
        count(approved),
        rate === null ? '–' : percent(rate),
      ])}
    >
      <ApprovalChart data={days.map(({ date, rate }) => ({ date: day(date), rate }))} />
    </ChartPanel>
  );
}
