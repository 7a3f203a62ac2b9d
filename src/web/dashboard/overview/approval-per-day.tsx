import { LineChart } from '@mantine/charts';
import { count, day, percent } from '../../ui/formats';
import { ChartPanel } from '../../ui/layout/chart-panel';
import { CHART_HEIGHT, NO_ACCESSIBILITY_LAYER } from './charts';
import { messages } from './messages';
import type { Dashboard } from './queries';

export function ApprovalPerDay({ dashboard: { volume } }: { readonly dashboard: Dashboard }) {
  const days = volume.map(({ date, payments, approved }) => ({
    date,
    payments,
    approved,
    rate: payments === 0 ? null : approved / payments,
  }));
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
      <LineChart
        h={CHART_HEIGHT}
        data={days.map(({ date, rate }) => ({ date: day(date), rate }))}
        dataKey="date"
        series={[{ name: 'rate', label: messages.approval, color: 'teal.7' }]}
        valueFormatter={percent}
        yAxisProps={{ domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], width: 52 }}
        xAxisProps={{ minTickGap: 24 }}
        curveType="monotone"
        connectNulls={false}
        dotProps={{ r: 2.5 }}
        lineChartProps={NO_ACCESSIBILITY_LAYER}
        lineProps={{ isAnimationActive: false }}
      />
    </ChartPanel>
  );
}
