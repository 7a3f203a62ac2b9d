import { Table, Text } from '@mantine/core';
import { money } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Dispute } from './queries';
import { DisputeStatusBadge } from './status-badge';

interface DisputeTableProps {
  readonly disputes: readonly Dispute[];
  readonly outdated?: boolean;
}

export function DisputeTable({ disputes, outdated = false }: DisputeTableProps) {
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.one}</Table.Th>
          <Table.Th scope="col">{messages.status}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.due}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.amount}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {disputes.map((dispute) => (
          <Row key={dispute.id} dispute={dispute} />
        ))}
      </Table.Tbody>
    </ListTable>
  );
}

function Row({ dispute }: { readonly dispute: Dispute }) {
  const dates = useDates();
  const { id, kind, status, amount, currency, merchant_order_id: order } = dispute;
  const due = status === 'opened' ? dispute.evidence_due_at : null;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/disputes/$id" params={{ id }} fz="sm" fw={550}>
          {messages.kinds[kind]}
        </TextLink>
        <Text size="sm" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
          {order}
        </Text>
      </Table.Td>
      <Table.Td>
        <DisputeStatusBadge dispute={dispute} />
        {due !== null && (
          <Text component="div" size="xs" c="dimmed" mt={4} hiddenFrom="sm">
            {messages.due} <time dateTime={due}>{dates.short(due)}</time>
          </Text>
        )}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {due === null ? '–' : <time dateTime={due}>{dates.second(due)}</time>}
      </Table.Td>
      <Table.Td ta="right">{money(amount, currency)}</Table.Td>
    </Table.Tr>
  );
}
