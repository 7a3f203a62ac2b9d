import { Table, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { day, money } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import { differenceLabels, differenceStatusLabels } from './labels';
import { messages } from './messages';
import type { Difference } from './queries';

interface DifferenceTableProps {
  readonly differences: readonly Difference[];
  readonly outdated: boolean;
  /** Without the payments, where there is little room. */
  readonly compact?: boolean;
}

export function DifferenceTable({ differences, outdated, compact = false }: DifferenceTableProps) {
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.kind}</Table.Th>
          <Table.Th scope="col">{messages.status}</Table.Th>
          {!compact && (
            <Table.Th scope="col" visibleFrom="md">
              {messages.payment}
            </Table.Th>
          )}
          <Table.Th scope="col" ta="right" visibleFrom="sm">
            {messages.expected}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.actual}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map((difference) => (
          <Row key={difference.id} difference={difference} compact={compact} />
        ))}
      </Table.Tbody>
    </ListTable>
  );
}

interface RowProps {
  readonly difference: Difference;
  readonly compact: boolean;
}

function Row({ difference, compact }: RowProps) {
  const { id, kind, status, gateway, line, transaction_id: payment, currency } = difference;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/reconciliation/differences/$id" params={{ id }} fz="sm" fw={550}>
          {differenceLabels[kind]}
        </TextLink>
        <Text size="xs" c="dimmed">
          {gateway}, {day(difference.day)}
          {line !== null && ` · ${messages.line} ${line}`}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge tone={status === 'open' ? 'attention' : 'good'}>{differenceStatusLabels[status]}</Badge>
      </Table.Td>
      {!compact && (
        <Table.Td visibleFrom="md">
          <PaymentLink id={payment} />
        </Table.Td>
      )}
      <Table.Td ta="right" visibleFrom="sm">
        {amountText(difference.expected_amount, currency)}
      </Table.Td>
      <Table.Td ta="right">{amountText(difference.actual_amount, currency)}</Table.Td>
    </Table.Tr>
  );
}

function PaymentLink({ id }: { readonly id: string | null }) {
  if (id === null) return '–';
  return (
    <TextLink to="/payments/$id" params={{ id }} fz="xs" aria-label={`${messages.payment} ${id}`}>
      {id.slice(0, 13)}…
    </TextLink>
  );
}

function amountText(cents: number | null, currency: string): string {
  return cents === null ? '–' : money(cents, currency);
}
