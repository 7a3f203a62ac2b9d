import { Group, Table, Text } from '@mantine/core';
import { money } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import classes from '../shared/list.module.css';
import { periodLabel } from '../plans/period-labels';
import { useDates } from '../shared/use-dates';
import { customerName } from '../shared/customer-name';
import { messages } from './messages';
import type { Subscription } from '../subscription/queries';
import { SubscriptionBadges } from './status-badge';

interface SubscriptionTableProps {
  readonly subscriptions: readonly Subscription[];
  readonly outdated: boolean;
}

export function SubscriptionTable({ subscriptions, outdated }: SubscriptionTableProps) {
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.customer}</Table.Th>
          <Table.Th scope="col">{messages.status}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.next}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.price}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {subscriptions.map((subscription) => (
          <Row key={subscription.id} subscription={subscription} />
        ))}
      </Table.Tbody>
    </ListTable>
  );
}

function Row({ subscription }: { readonly subscription: Subscription }) {
  const dates = useDates();
  const { id, customer, plan, amount, currency, next_billing_at: next } = subscription;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.name}>
        <TextLink to="/subscriptions/$id" params={{ id }} fw={550} lineClamp={2} className={classes.rowLink}>
          {customerName(customer)}
        </TextLink>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {plan.name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          <SubscriptionBadges subscription={subscription} />
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        {next === null ? (
          <Text c="dimmed" size="sm">
            {messages.noNext}
          </Text>
        ) : (
          <time dateTime={next}>{dates.minute(next)}</time>
        )}
      </Table.Td>
      <Table.Td ta="right" fw={550} className={classes.amount}>
        {money(amount, currency)}
        <Text size="xs" c="dimmed" visibleFrom="xs">
          {periodLabel(subscription)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
