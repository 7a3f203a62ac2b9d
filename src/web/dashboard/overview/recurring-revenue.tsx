import { Table, Text } from '@mantine/core';
import Repeat from 'lucide-react/icons/repeat';
import { count, money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import classes from './figures.module.css';
import { messages } from './messages';
import type { Dashboard } from './queries';
import { ShareBar } from './share-bar';

interface RecurringRevenueProps {
  readonly dashboard: Dashboard;
  readonly currency: string;
}

export function RecurringRevenue({ dashboard, currency }: RecurringRevenueProps) {
  const revenue = dashboard.recurring_revenue.find((item) => item.currency === currency);
  const plans = revenue?.plans ?? [];
  const maxAmount = Math.max(...plans.map((plan) => plan.monthly_amount), 1);
  return (
    <Panel title={messages.recurringByPlan} subtitle={messages.recurringHint} flush={plans.length > 0}>
      {plans.length === 0 ? (
        <EmptyMessage icon={<Repeat size={28} aria-hidden />} title={messages.noRecurring} />
      ) : (
        <Table verticalSpacing="xs" horizontalSpacing="lg" className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{messages.plan}</Table.Th>
              <Table.Th scope="col" ta="right" colSpan={2}>
                {messages.perMonth}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {plans.map(({ plan_id: plan, name, subscriptions, monthly_amount: monthly }) => (
              <Table.Tr key={plan}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  <TextLink to="/subscriptions" search={{ plan_id: plan, status: 'active' }} fz="sm">
                    {name}
                  </TextLink>
                  <Text size="xs" c="dimmed">
                    {messages.subscriptions(subscriptions, count(subscriptions))}
                  </Text>
                </Table.Td>
                <Table.Td className={classes.rate}>
                  <ShareBar share={monthly / maxAmount} />
                </Table.Td>
                <Table.Td ta="right" fw={600}>
                  {money(monthly, currency)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}
