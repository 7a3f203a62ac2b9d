import { Center, Table } from '@mantine/core';
import type { Schema } from '../../api/client';
import { count, money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { statusLabels } from '../payments/status-labels';
import { OutcomeChart } from './charts/lazy-charts';
import classes from './figures.module.css';
import { messages } from './messages';

/** In display order, each with its color. */
const STATUSES = [
  ['approved', '#12a066'],
  ['authorized', '#5f6edf'],
  ['pending', '#e0a100'],
  ['processing', '#f0692a'],
  ['refunded', '#8b95a5'],
  ['canceled', '#b8c0cb'],
  ['failed', '#dc3545'],
] as const;

export function Outcomes({ totals }: { readonly totals: Schema<'DashboardTotals'> }) {
  const seen = STATUSES.filter(([status]) => totals[status].count > 0);
  const data = seen.map(([status, color]) => ({
    name: statusLabels[status],
    value: totals[status].count,
    color,
  }));
  return (
    <Panel title={messages.outcome}>
      <Center aria-hidden mb="sm">
        <OutcomeChart data={data} total={totals.payments.count} />
      </Center>
      <Table verticalSpacing={5} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{messages.status}</Table.Th>
            <Table.Th scope="col" ta="right">
              {messages.payments}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {messages.amount}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {seen.map(([status, color]) => (
            <Table.Tr key={status}>
              <Table.Td>
                <span className={classes.legend} style={{ background: color }} aria-hidden />
                {statusLabels[status]}
              </Table.Td>
              <Table.Td ta="right">{count(totals[status].count)}</Table.Td>
              <Table.Td ta="right">{money(totals[status].amount, totals.currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
