import { Table } from '@mantine/core';
import { count, percent } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { TextLink } from '../shared/links';
import classes from './figures.module.css';
import { messages } from './messages';
import type { Dashboard } from './queries';
import { ShareBar } from './share-bar';

export function ApprovalByGateway({ dashboard }: { readonly dashboard: Dashboard }) {
  return (
    <Panel title={messages.byGateway} subtitle={messages.byGatewayHint} flush>
      <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{messages.gateway}</Table.Th>
            <Table.Th scope="col" ta="right">
              {messages.charges}
            </Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="xs">
              {messages.declined}
            </Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="xs">
              {messages.errors}
            </Table.Th>
            <Table.Th scope="col" colSpan={2}>
              {messages.rate}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {dashboard.approval_by_gateway.map(({ gateway, charges, declined, errors, rate }) => (
            <Table.Tr key={gateway}>
              <Table.Td className={classes.gateway}>
                <TextLink
                  to="/payments"
                  search={{ gateway, start_date: dashboard.from, end_date: dashboard.to }}
                >
                  {gateway}
                </TextLink>
              </Table.Td>
              <Table.Td ta="right">{count(charges)}</Table.Td>
              <Table.Td ta="right" visibleFrom="xs">
                {count(declined)}
              </Table.Td>
              <Table.Td ta="right" visibleFrom="xs">
                {count(errors)}
              </Table.Td>
              <Table.Td className={classes.rate}>
                <ShareBar share={rate ?? 0} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                {rate === null ? '–' : percent(rate)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}
