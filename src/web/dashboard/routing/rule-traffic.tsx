import { Table, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrapBody, type Schema } from '../../api/client';
import { count, percent } from '../../ui/formats';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { messages } from './traffic-messages';

type Traffic = Schema<'RoutingTraffic'>;

const trafficQuery = queryOptions({
  queryKey: ['routing-traffic'],
  queryFn: async () => (await unwrapBody(api.GET('/user/routing/traffic'))).data,
});

/** What each rule did in the last 30 days. `names`: of the saved rules, in their order. */
export function RuleTraffic({ names }: { readonly names: readonly string[] }) {
  const traffic = useQuery(trafficQuery);
  return (
    <Panel title={messages.title} subtitle={messages.hint} flush={(traffic.data?.charges ?? 0) > 0}>
      <QueryContent query={traffic}>
        {(data) =>
          data.charges === 0 ? (
            <Text size="sm" c="dimmed">
              {messages.none}
            </Text>
          ) : (
            <TrafficTable rows={rowsOf(data, names)} />
          )
        }
      </QueryContent>
    </Panel>
  );
}

interface TrafficRow {
  readonly name: string;
  /** A saved rule, a name that no saved rule has, or the charges without a rule. */
  readonly kind: 'saved' | 'former' | 'none';
  readonly charges: number;
  readonly share: number;
  readonly rate: number | null;
}

function rowsOf({ charges, rules }: Traffic, names: readonly string[]): TrafficRow[] {
  const saved = [...new Set(names)].map((name): TrafficRow => {
    const found = rules.find((rule) => rule.name === name);
    return { name, kind: 'saved', charges: 0, share: 0, rate: null, ...found };
  });
  const former = rules
    .filter(({ name }) => !names.includes(name))
    .map((rule): TrafficRow => ({ ...rule, kind: 'former' }));
  const matched = rules.reduce((sum, rule) => sum + rule.charges, 0);
  const rest = Math.max(charges - matched, 0);
  const none: TrafficRow = {
    name: messages.noRule,
    kind: 'none',
    charges: rest,
    share: rest / charges,
    rate: null,
  };
  return [...saved, ...former, none];
}

function TrafficTable({ rows }: { readonly rows: readonly TrafficRow[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.rule}</Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.charges}
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="xs">
            {messages.share}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.rate}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, kind, charges, share, rate }) => (
          <Table.Tr key={`${kind} ${name}`}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {name}
              {kind === 'former' && (
                <Text size="xs" c="dimmed">
                  {messages.former}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right">
              {count(charges)}
              <Text size="xs" c="dimmed" hiddenFrom="xs">
                {percent(share)}
              </Text>
            </Table.Td>
            <Table.Td ta="right" visibleFrom="xs">
              {percent(share)}
            </Table.Td>
            <Table.Td ta="right" fw={600}>
              {rate === null ? '–' : percent(rate)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
