import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { day, money } from '../../../ui/formats';
import { EmptyMessage, QueryContent } from '../../../ui/layout/page-states';
import { Panel } from '../../../ui/layout/panel';
import { ListTable } from '../../shared/list-table';
import { useDates } from '../../shared/use-dates';
import type { UserPayment } from '../queries';
import { messages } from './messages';
import { paymentLedgerQuery, type LedgerEntry } from './queries';

/** The ledger's postings of a payment, newest first. */
export function Postings({ payment }: Pick<UserPayment, 'payment'>) {
  const { transaction_id: id, updated_at: updatedAt } = payment;
  const ledger = useQuery(paymentLedgerQuery(id, updatedAt));
  return (
    <Panel title={messages.title} flush={(ledger.data?.entries.length ?? 0) > 0}>
      <QueryContent query={ledger}>
        {({ entries, complete }) =>
          entries.length === 0 ? (
            <EmptyMessage title={messages.none} />
          ) : (
            <>
              <PostingTable entries={entries} />
              {!complete && (
                <Text size="xs" c="dimmed">
                  {messages.cut}
                </Text>
              )}
            </>
          )
        }
      </QueryContent>
    </Panel>
  );
}

function PostingTable({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  return (
    <ListTable outdated={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.account}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.expected}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.debit}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.credit}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      {entries.map((entry) => (
        <EntryRows key={entry.id} entry={entry} />
      ))}
    </ListTable>
  );
}

function EntryRows({ entry }: { readonly entry: LedgerEntry }) {
  const dates = useDates();
  const { kind, posted_at: postedAt, postings, currency } = entry;
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th scope="rowgroup" colSpan={4} fw={550}>
          {messages.kinds[kind]} · <time dateTime={postedAt}>{dates.second(postedAt)}</time>
        </Table.Th>
      </Table.Tr>
      {postings.map((posting, index) => (
        <PostingRow key={index} posting={posting} currency={currency} />
      ))}
    </Table.Tbody>
  );
}

interface PostingRowProps {
  readonly posting: LedgerEntry['postings'][number];
  readonly currency: string;
}

function PostingRow({ posting, currency }: PostingRowProps) {
  const { account, amount, gateway, recipient_id: recipient, expected_on: expected, installment } = posting;
  const detail = [gateway, recipient, installment === null ? null : messages.installment(installment)];
  return (
    <Table.Tr>
      <Table.Td>
        {messages.accounts[account]}
        <Text size="xs" c="dimmed">
          {detail.filter((part) => part !== null).join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">{expected !== null && day(expected, 'long')}</Table.Td>
      <Table.Td ta="right">{amount > 0 && money(amount, currency)}</Table.Td>
      <Table.Td ta="right">{amount < 0 && money(-amount, currency)}</Table.Td>
    </Table.Tr>
  );
}
