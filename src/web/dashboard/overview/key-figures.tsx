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

/** The few numbers that people look at first. */
export function KeyFigures({ dashboard, totals }: KeyFiguresProps) {
  const { currency, captured_amount: captured, refunded_amount: refunded } = totals;
  const recurring = dashboard.recurring_revenue.find((known) => known.currency === currency);
  const { good, failed, rate } = approvalOf(totals);
  return (
    <div className={classes.cards}>
      <Figure
        label={messages.captured}
        value={money(captured, currency)}
        about={messages.ofPayments(money(totals.payments.amount, currency))}
      />
      <Figure
        label={messages.approval}
        value={rate === null ? '–' : percent(rate)}
        about={messages.approvalAbout(count(good), count(failed))}
      />
      <Figure label={messages.payments} value={count(totals.payments.count)} about={currency} />
      <Figure
        label={messages.refunded}
        value={money(refunded, currency)}
        about={messages.refundedAbout(percent(captured === 0 ? 0 : refunded / captured))}
      />
      <Figure
        label={messages.recurring}
        value={money(recurring?.monthly_amount ?? 0, currency)}
        about={messages.subscriptions(recurring?.subscriptions ?? 0, count(recurring?.subscriptions ?? 0))}
      />
    </div>
  );
}

/** Of the payments whose outcome is known; a refunded one was approved. */
function approvalOf({ approved, refunded, authorized, failed }: Schema<'DashboardTotals'>) {
  const good = approved.count + refunded.count + authorized.count;
  const known = good + failed.count;
  return { good, failed: failed.count, rate: known === 0 ? null : good / known };
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly about: string;
}

function Figure({ label, value, about }: FigureProps) {
  return (
    <Paper withBorder radius="md" className={classes.card}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <p className={classes.value}>{value}</p>
      <Text size="xs" c="dimmed">
        {about}
      </Text>
    </Paper>
  );
}
