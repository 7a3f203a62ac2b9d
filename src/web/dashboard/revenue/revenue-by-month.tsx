import { Table } from '@mantine/core';
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
  return (
    <Panel title={messages.title} subtitle={messages.hint} flush>
      <Table.ScrollContainer
        minWidth={720}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': messages.title } }}
      >
        <Table verticalSpacing="sm" horizontalSpacing="lg">
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
            {[...all.slice(first)].reverse().map((month) => (
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
      </Table.ScrollContainer>
    </Panel>
  );
}
