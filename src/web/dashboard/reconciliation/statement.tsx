import { Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { count, day, money } from '../../ui/formats';
import { DetailContent } from '../../ui/layout/detail-content';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { EmptyMessage, QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { DifferenceTable } from './difference-table';
import { lineLabels } from './labels';
import { messages } from './messages';
import { problemText } from './problems';
import { differencesQuery, statementQuery, type Statement as StatementBody } from './queries';
import { StatementBadge } from './statement-badge';

const route = getRouteApi('/signed-in/reconciliation/statements/$id');

export function Statement() {
  const { id } = route.useParams();
  const statement = useQuery(statementQuery(id));
  return <DetailContent query={statement}>{(data) => <StatementPage statement={data} />}</DetailContent>;
}

interface StatementProps {
  readonly statement: StatementBody;
}

function StatementPage({ statement }: StatementProps) {
  const { gateway, totals } = statement;
  return (
    <Page
      title={messages.statementOf(gateway, day(statement.day, 'long'))}
      subtitle={
        <Group gap="xs">
          <TextLink to="/reconciliation" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.statements}
          </TextLink>
          <StatementBadge statement={statement} />
        </Group>
      }
    >
      <div className={classes.columns}>
        <div className={classes.main}>
          <StatementDifferences statement={statement} />
          {totals.length > 0 && <Totals totals={totals} />}
        </div>
        <Facts statement={statement} />
      </div>
    </Page>
  );
}

/** The newest differences of the statement, and a link to all. */
function StatementDifferences({ statement }: StatementProps) {
  const { id, status, open_items: open } = statement;
  const search = { settlement_id: id };
  const differences = useQuery(differencesQuery(search, `${status} ${open}`));
  return (
    <Panel
      title={messages.differences}
      flush
      actions={
        <TextLink to="/reconciliation/differences" search={search} fz="sm">
          {messages.seeAll}
        </TextLink>
      }
    >
      <QueryContent query={differences}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyMessage title={messages.noDifferences} />
          ) : (
            <DifferenceTable differences={data} outdated={differences.isPlaceholderData} compact />
          )
        }
      </QueryContent>
    </Panel>
  );
}

function Totals({ totals }: Pick<StatementBody, 'totals'>) {
  return (
    <Panel title={messages.totals} flush>
      <Table verticalSpacing="sm" horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{messages.kind}</Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="sm">
              {messages.amount}
            </Table.Th>
            <Table.Th scope="col" ta="right" visibleFrom="sm">
              {messages.fee}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {messages.net}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {totals.map(({ kind, currency, lines, amount, fee, net }) => (
            <Table.Tr key={`${kind} ${currency}`}>
              <Table.Td>
                {lineLabels[kind]}
                <Text size="xs" c="dimmed">
                  {messages.lines}: {count(lines)}
                </Text>
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                {money(amount, currency)}
              </Table.Td>
              <Table.Td ta="right" visibleFrom="sm">
                {money(fee, currency)}
              </Table.Td>
              <Table.Td ta="right">{money(net, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function Facts({ statement }: StatementProps) {
  const dates = useDates();
  const { gateway, account_id: account, source, lines, open_items: open, problem } = statement;
  const instant = (at: string | null) => at && <time dateTime={at}>{dates.second(at)}</time>;
  return (
    <Panel title={messages.summary}>
      <FactList
        facts={[
          [messages.gateway, gateway],
          [messages.account, account ?? messages.platform],
          [messages.source, messages.sources[source]],
          [messages.lines, count(lines)],
          [messages.open, count(open)],
          [messages.problem, problem === null ? null : problemText(problem)],
          [messages.begun, instant(statement.created_at)],
          [messages.completed, instant(statement.completed_at)],
        ]}
      />
    </Panel>
  );
}
