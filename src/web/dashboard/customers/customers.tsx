import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Contact from 'lucide-react/icons/contact';
import type { Schema } from '../../api/client';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import classes from '../shared/list.module.css';
import { PagedList } from '../shared/paged-list';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import { customersQuery } from './queries';

const route = getRouteApi('/signed-in/customers');

export function Customers() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const customers = useQuery(customersQuery(search));
  const empty = (
    <EmptyMessage icon={<Contact size={32} aria-hidden />} title={messages.none} hint={messages.noneHint} />
  );
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <PagedList
        query={customers}
        lines={10}
        empty={empty}
        table={(rows) => <CustomerTable customers={rows} outdated={customers.isPlaceholderData} />}
        total={messages.total}
        goTo={(page) => void navigate({ to: '/customers', search: { page } })}
      />
    </Page>
  );
}

interface CustomerTableProps {
  readonly customers: ReadonlyArray<Schema<'Customer'>>;
  readonly outdated: boolean;
}

function CustomerTable({ customers, outdated }: CustomerTableProps) {
  const dates = useDates();
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.customer}</Table.Th>
          <Table.Th scope="col">{messages.document}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.since}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {customers.map(({ token, name, email, document, created_at: since }) => (
          <Table.Tr key={token} className={classes.row}>
            <Table.Td className={classes.name}>
              <TextLink
                to="/customers/$token"
                params={{ token: token ?? '' }}
                fw={550}
                lineClamp={2}
                className={classes.rowLink}
              >
                {name}
              </TextLink>
              <Text size="xs" c="dimmed" lineClamp={1}>
                {email}
              </Text>
            </Table.Td>
            <Table.Td className={classes.amount}>{document}</Table.Td>
            <Table.Td visibleFrom="md">{since !== null && dates.day(since)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ListTable>
  );
}
