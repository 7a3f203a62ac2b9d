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
  const before = dashboard.previous.totals.find((item) => item.currency === currency);
  const { approval_rate: rate } = totals;
  const approved = totals.approved.count + totals.refunded.count + totals.authorized.count;
  return (
    <div className={classes.cards}>
      <Figure
        label={messages.captured}
        value={money(captured, currency)}
        hint={messages.ofRequested(money(totals.payments.amount, currency))}
        before={money(before?.captured_amount ?? 0, currency)}
      />
      <Figure
        label={messages.approval}
        value={shownRate(rate)}
        hint={messages.approvalHint(count(approved), count(totals.failed.count))}
        before={shownRate(before?.approval_rate ?? null)}
      />
      <Figure
        label={messages.payments}
        value={count(totals.payments.count)}
        hint={currency}
        before={count(before?.payments.count ?? 0)}
      />
      <Figure
        label={messages.refunded}
        value={money(refunded, currency)}
        hint={messages.refundedHint(percent(captured === 0 ? 0 : refunded / captured))}
        before={money(before?.refunded_amount ?? 0, currency)}
      />
      <Figure
        label={messages.recurring}
        value={money(recurring?.monthly_amount ?? 0, currency)}
        hint={messages.subscriptions(recurring?.subscriptions ?? 0, count(recurring?.subscriptions ?? 0))}
      />
    </div>
  );
}

function shownRate(rate: number | null): string {
  return rate === null ? '–' : percent(rate);
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  /** The same figure in the period before; left out for what is current. */
  readonly before?: string;
}

function Figure({ label, value, hint, before }: FigureProps) {
  return (
    <Paper withBorder radius="md" className={classes.card}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <p className={classes.value}>{value}</p>
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
      {before !== undefined && (
        <Text size="xs" c="dimmed">
          {messages.before(before)}
        </Text>
      )}
    </Paper>
  );
}
