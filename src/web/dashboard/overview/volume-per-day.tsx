import { count, day, money } from '../../ui/formats';
import { ChartPanel } from '../../ui/layout/chart-panel';
import { VolumeChart } from './charts/lazy-charts';
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
  const data = days.map(({ date, requested, captured }) => ({
    date: day(date),
    captured,
    notCaptured: Math.max(requested - captured, 0),
  }));
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
      <VolumeChart data={data} currency={currency} />
    </ChartPanel>
  );
}
