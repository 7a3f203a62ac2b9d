import { Table, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { money } from '../../ui/formats';
import { messages } from './messages';
import { periodLabel } from './period-labels';
import { PlanMenu } from './plan-menu';
import type { Plan } from './queries';

export function PlanTable({ plans }: { readonly plans: readonly Plan[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.name}</Table.Th>
          <Table.Th scope="col">{messages.price}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.status}
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {plans.map((plan) => (
          <Row key={plan.id} plan={plan} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ plan }: { readonly plan: Plan }) {
  const { name, description, amount, currency, trial_period_days: trial } = plan;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={550} lineClamp={2}>
          {name}
        </Text>
        {description !== null && (
          <Text size="xs" c="dimmed" lineClamp={1}>
            {description}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550}>
          {money(amount, currency)}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {periodLabel(plan)}
          {trial > 0 && <> · {messages.trialDays(trial)}</>}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge tone={plan.is_active ? 'good' : 'neutral'}>
          {plan.is_active ? messages.active : messages.inactive}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">
        <PlanMenu plan={plan} />
      </Table.Td>
    </Table.Tr>
  );
}
