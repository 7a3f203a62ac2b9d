import '@mantine/charts/styles.css';
import { BarChart, DonutChart } from '@mantine/charts';
import { count, money, percent, shortMoney } from '../../../ui/formats';
import { messages } from '../messages';
import type { ApprovalChartProps, OutcomeChartProps, VolumeChartProps } from './chart-props';

/** Keyboards and screen readers use the table next to a chart. */
const NO_ACCESSIBILITY_LAYER = { accessibilityLayer: false } as const;
const NOT_ANIMATED = { isAnimationActive: false, maxBarSize: 28 } as const;

/** Bars: a line between two days would show amounts that no day had. */
export function VolumeChart({ data, currency }: VolumeChartProps) {
  return (
    <BarChart
      h="100%"
      data={[...data]}
      dataKey="date"
      type="stacked"
      series={[
        { name: 'captured', label: messages.captured, color: 'brand.6' },
        { name: 'notCaptured', label: messages.notCaptured, color: 'gray.4' },
      ]}
      valueFormatter={(cents) => money(cents, currency)}
      yAxisProps={{ width: 74, tickFormatter: (cents: number) => shortMoney(cents, currency) }}
      xAxisProps={{ minTickGap: 24 }}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      barChartProps={NO_ACCESSIBILITY_LAYER}
      barProps={NOT_ANIMATED}
    />
  );
}

/** A day without a result has no bar. */
export function ApprovalChart({ data }: ApprovalChartProps) {
  return (
    <BarChart
      h="100%"
      data={[...data]}
      dataKey="date"
      series={[{ name: 'rate', label: messages.approval, color: 'teal.7' }]}
      valueFormatter={percent}
      yAxisProps={{ domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], width: 52 }}
      xAxisProps={{ minTickGap: 24 }}
      barChartProps={NO_ACCESSIBILITY_LAYER}
      barProps={NOT_ANIMATED}
    />
  );
}

export function OutcomeChart({ data, total }: OutcomeChartProps) {
  return (
    <DonutChart
      data={[...data]}
      size={150}
      thickness={22}
      paddingAngle={data.length > 1 ? 2 : 0}
      withTooltip={false}
      chartLabel={count(total)}
      pieChartProps={NO_ACCESSIBILITY_LAYER}
      pieProps={{ isAnimationActive: false, rootTabIndex: -1 }}
    />
  );
}
