import { AreaChart } from '@mantine/charts';
import { count, day, money, shortMoney } from '../../ui/formats';
import { ChartPanel } from '../../ui/layout/chart-panel';
import { NO_ACCESSIBILITY_LAYER } from './charts';
import classes from './figures.module.css';
import { messages } from './messages';
import type { Dashboard } from './queries';

interface VolumePerDayProps {
  readonly dashboard: Dashboard;
  readonly currency: string;
}

export function VolumePerDay({ dashboard: { volume }, currency }: VolumePerDayProps) {
  const days = volume.map(({ date, payments, amounts }) => {
    const amount = amounts.find((item) => item.currency === currency);
    return { date, payments, requested: amount?.amount ?? 0, captured: amount?.captured_amount ?? 0 };
  });
  const data = days.map(({ date, requested, captured }) => ({ date: day(date), requested, captured }));
  const rows = days.map(({ date, payments, requested, captured }) => [
    day(date, 'long'),
    count(payments),
    money(requested, currency),
    money(captured, currency),
  ]);
  return (
    <ChartPanel
      title={messages.volume}
      subtitle={messages.volumeHint}
      columns={[messages.date, messages.payments, messages.requested, messages.captured]}
      rows={rows}
    >
      <AreaChart
        className={classes.tall}
        data={data}
        dataKey="date"
        series={[
          { name: 'requested', label: messages.requested, color: 'gray.5' },
          { name: 'captured', label: messages.captured, color: 'brand.6' },
        ]}
        valueFormatter={(cents) => money(cents, currency)}
        yAxisProps={{ width: 74, tickFormatter: (cents: number) => shortMoney(cents, currency) }}
        xAxisProps={{ minTickGap: 24 }}
        curveType="monotone"
        withDots={days.length === 1}
        withLegend
        legendProps={{ verticalAlign: 'bottom' }}
        fillOpacity={0.18}
        areaChartProps={NO_ACCESSIBILITY_LAYER}
        areaProps={{ isAnimationActive: false }}
      />
    </ChartPanel>
  );
}
