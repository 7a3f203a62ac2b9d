import { Paper, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { count, money, percent } from '../../ui/formats';
import classes from './figures.module.css';
import { messages } from './messages';
import type { Dashboard } from './queries';

interface KeyFiguresProps {
  readonly dashboard: Dashboard;
  readonly totals: Schema<'DashboardTotals'>;
}

export function KeyFigures({ dashboard, totals }: KeyFiguresProps) {
  const { currency, captured_amount: captured, refunded_amount: refunded } = totals;
  const recurring = dashboard.recurring_revenue.find((item) => item.currency === currency);
  const { approvedCount, failed, rate } = approvalOf(totals);
  return (
    <div className={classes.cards}>
      <Figure
        label={messages.captured}
        value={money(captured, currency)}
        hint={messages.ofRequested(money(totals.payments.amount, currency))}
      />
      <Figure
        label={messages.approval}
        value={rate === null ? '–' : percent(rate)}
        hint={messages.approvalHint(count(approvedCount), count(failed))}
      />
      <Figure label={messages.payments} value={count(totals.payments.count)} hint={currency} />
      <Figure
        label={messages.refunded}
        value={money(refunded, currency)}
        hint={messages.refundedHint(percent(captured === 0 ? 0 : refunded / captured))}
      />
      <Figure
        label={messages.recurring}
        value={money(recurring?.monthly_amount ?? 0, currency)}
        hint={messages.subscriptions(recurring?.subscriptions ?? 0, count(recurring?.subscriptions ?? 0))}
      />
    </div>
  );
}

/** Among payments with a final result; a refunded payment counts as approved. */
function approvalOf({ approved, refunded, authorized, failed }: Schema<'DashboardTotals'>) {
  const approvedCount = approved.count + refunded.count + authorized.count;
  const finished = approvedCount + failed.count;
  return { approvedCount, failed: failed.count, rate: finished === 0 ? null : approvedCount / finished };
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

function Figure({ label, value, hint }: FigureProps) {
  return (
    <Paper withBorder radius="md" className={classes.card}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <p className={classes.value}>{value}</p>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    </Paper>
  );
}
