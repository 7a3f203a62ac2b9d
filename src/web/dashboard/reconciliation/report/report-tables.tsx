import { Box, Stack, Table, Text } from '@mantine/core';
import type { Schema } from '../../../api/client';
import { money } from '../../../ui/formats';
import { FactList } from '../../../ui/layout/fact-list';
import { Panel } from '../../../ui/layout/panel';
import { messages as reconciliation } from '../messages';
import { messages } from './messages';

type GatewayRow = Schema<'MonthlyGatewayReport'>;
type RecipientRow = Schema<'MonthlyRecipientReport'>;

interface ReportRow {
  readonly key: string;
  readonly name: string;
  /** In the order of the columns. */
  readonly amounts: ReadonlyArray<readonly [label: string, shown: string]>;
}

export function GatewayReport({ rows }: { readonly rows: readonly GatewayRow[] }) {
  const shown = rows.map(({ gateway, currency, ...row }): ReportRow => {
    const amount = (cents: number) => money(cents, currency);
    return {
      key: `${gateway} ${currency}`,
      name: gateway,
      amounts: [
        [messages.captured, amount(row.gross)],
        [messages.refunds, amount(row.refunds)],
        [messages.disputes, amount(row.disputes)],
        [messages.fees, amount(row.fees)],
        [reconciliation.net, amount(row.net)],
        [messages.settledAmount, amount(row.settled)],
        [messages.paidOut, amount(row.paid_out)],
      ],
    };
  });
  return (
    <ReportPanel
      title={messages.byGateway}
      subtitle={messages.byGatewayHint}
      name={reconciliation.gateway}
      rows={shown}
    />
  );
}

export function RecipientReport({ rows }: { readonly rows: readonly RecipientRow[] }) {
  const shown = rows.map(({ recipient_id: recipient, currency, ...row }): ReportRow => {
    const amount = (cents: number) => money(cents, currency);
    return {
      key: `${recipient} ${currency}`,
      name: recipient,
      amounts: [
        [messages.captured, amount(row.gross)],
        [messages.refunds, amount(row.refunds)],
        [messages.disputes, amount(row.disputes)],
        [reconciliation.net, amount(row.net)],
      ],
    };
  });
  return <ReportPanel title={messages.byRecipient} name={messages.recipient} rows={shown} />;
}

interface ReportPanelProps {
  readonly title: string;
  readonly subtitle?: string;
  /** What the rows are. */
  readonly name: string;
  readonly rows: readonly ReportRow[];
}

/** A table, or on a phone, where it has too many columns, a list for each row. */
function ReportPanel({ title, subtitle, name, rows }: ReportPanelProps) {
  const [first] = rows;
  if (first === undefined) return null;
  return (
    <Panel title={title} subtitle={subtitle} flush>
      <Stack hiddenFrom="lg" px={{ base: 'md', xs: 'lg' }} pb="lg">
        {rows.map(({ key, name: value, amounts }) => (
          <div key={key}>
            <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
            <FactList facts={amounts} />
          </div>
        ))}
      </Stack>
      <Box visibleFrom="lg">
        <Table verticalSpacing="sm" horizontalSpacing="xs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{name}</Table.Th>
              {first.amounts.map(([label]) => (
                <Table.Th key={label} scope="col" ta="right">
                  {label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, name: value, amounts }) => (
              <Table.Tr key={key}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
                {amounts.map(([label, amount]) => (
                  <Table.Td key={label} ta="right">
                    {amount}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </Panel>
  );
}
