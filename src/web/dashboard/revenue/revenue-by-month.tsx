import { Box, Group, Stack, Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapBody, type Schema } from '../../api/client';
import { money, monthOf } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { BROWSING, liveInterval } from '../shared/live';
import { messages } from './messages';

type Month = Schema<'RecurringRevenueMonth'>;

const revenueQuery = queryOptions({
  queryKey: ['recurring-revenue'],
  queryFn: async () => {
    const params = { query: { months: 6 } };
    return (await unwrapBody(api.GET('/user/reports/recurring-revenue', { params }))).data;
  },
  refetchInterval: liveInterval(() => BROWSING),
});

const COLUMNS = [
  ['start_amount', messages.start],
  ['new', messages.new],
  ['expansion', messages.expansion],
  ['contraction', messages.contraction],
  ['churned', messages.churned],
  ['reactivated', messages.reactivated],
  ['end_amount', messages.end],
] as const satisfies ReadonlyArray<readonly [keyof Month, string]>;

/** What changed recurring revenue month by month; nothing without any. It is not worth a skeleton or an error of its own. */
export function RevenueByMonth({ currency }: { readonly currency: string }) {
  const revenue = useQuery(revenueQuery);
  const all = revenue.data?.currencies.find((item) => item.currency === currency)?.months ?? [];
  const first = all.findIndex((month) => COLUMNS.some(([column]) => month[column] !== 0));
  if (first === -1) return null;
  const months = all.slice(first).toReversed();
  return (
    <Panel title={messages.title} subtitle={messages.hint} flush>
      <Box visibleFrom="md">
        <MonthTable months={months} currency={currency} />
      </Box>
      <Stack hiddenFrom="md" gap="lg" p="lg">
        {months.map((month) => (
          <MonthList key={month.month} month={month} currency={currency} />
        ))}
      </Stack>
    </Panel>
  );
}

interface MonthTableProps {
  readonly months: readonly Month[];
  readonly currency: string;
}

function MonthTable({ months, currency }: MonthTableProps) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.month}</Table.Th>
          {COLUMNS.map(([column, label]) => (
            <Table.Th key={column} scope="col" ta="right">
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {months.map((month) => (
          <Table.Tr key={month.month}>
            <Table.Th scope="row" fw={400}>
              {monthOf(month.month)}
            </Table.Th>
            {COLUMNS.map(([column]) => (
              <Table.Td key={column} ta="right" {...(column === 'end_amount' && { fw: 600 })}>
                {money(month[column], currency)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface MonthListProps {
  readonly month: Month;
  readonly currency: string;
}

/** For narrow screens: the start, the end, and the movements that there were. */
function MonthList({ month, currency }: MonthListProps) {
  const shown = COLUMNS.filter(([column]) => column.endsWith('_amount') || month[column] !== 0);
  return (
    <div>
      <Text size="sm" fw={600}>
        {monthOf(month.month)}
      </Text>
      {shown.map(([column, label]) => (
        <Group key={column} justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text size="sm">{money(month[column], currency)}</Text>
        </Group>
      ))}
    </div>
  );
}
