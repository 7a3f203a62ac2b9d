import { Table, Text } from '@mantine/core';
import { count, day } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import { messages } from './messages';
import type { Statement } from './queries';
import { reconciled } from './reconciled-messages';
import { StatementBadge } from './statement-badge';

interface StatementTableProps {
  readonly statements: readonly Statement[];
  readonly outdated: boolean;
}

export function StatementTable({ statements, outdated }: StatementTableProps) {
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.day}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.account}
          </Table.Th>
          <Table.Th scope="col">{messages.status}</Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm">
            {messages.lines}
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="xs">
            {messages.open}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {statements.map((statement) => (
          <Row key={statement.id} statement={statement} />
        ))}
      </Table.Tbody>
    </ListTable>
  );
}

function Row({ statement }: { readonly statement: Statement }) {
  const { id, gateway, account_id: account, lines, open_items: open } = statement;
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/reconciliation/statements/$id" params={{ id }} fz="sm" fw={550}>
          {day(statement.day, 'long')}
        </TextLink>
        <Text size="xs" c="dimmed">
          {gateway}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        {account === null ? (
          messages.platform
        ) : (
          <TextLink
            to="/reconciliation"
            search={{ gateway, account_id: account }}
            fz="xs"
            aria-label={`${messages.accountOnly}: ${account}`}
          >
            {account.slice(0, 13)}…
          </TextLink>
        )}
      </Table.Td>
      <Table.Td>
        <StatementBadge statement={statement} />
      </Table.Td>
      <Table.Td ta="right" visibleFrom="sm">
        {count(lines)}
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs">
        {open === 0 ? (
          '–'
        ) : (
          <TextLink
            to="/reconciliation/differences"
            search={{ settlement_id: id, status: 'open' }}
            fz="sm"
            aria-label={reconciled.openCount(open, count(open))}
          >
            {count(open)}
          </TextLink>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
