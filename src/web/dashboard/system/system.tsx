import { Alert, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { count } from '../../ui/formats';
import { FactList } from '../../ui/layout/fact-list';
import { Page } from '../../ui/layout/page';
import { EmptyMessage, QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { messages as shared } from '../../ui/messages';
import { useMe } from '../session';
import { useDates } from '../shared/use-dates';
import { ageText } from './age';
import { messages, openFor, type WorkKind } from './messages';
import { systemStatusQuery } from './queries';
import { TaskQueues } from './task-queues';

type Status = Schema<'SystemStatus'>;

/** For the operators of the deployment; the API shows it to nobody else. */
export function System() {
  const { operator: isOperator } = useMe();
  return isOperator ? <StatusPage /> : <NotFound />;
}

function NotFound() {
  return (
    <Page title={shared.notFound}>
      <EmptyMessage title={shared.errors.notFound} />
    </Page>
  );
}

function StatusPage() {
  const status = useQuery(systemStatusQuery);
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <QueryContent query={status}>{(data) => <Figures status={data} />}</QueryContent>
    </Page>
  );
}

const isOverdue = (kind: WorkKind): boolean => kind.endsWith('_overdue');

function Figures({ status }: { readonly status: Status }) {
  const dates = useDates();
  const { backlog, circuits, task_queues: queues } = status;
  const silent = <Alert color="red" role="alert" m="md" title={messages.databaseSilent} />;
  return (
    <>
      <Text size="sm" c="dimmed">
        {messages.checked(dates.second(status.checked_at))}
      </Text>
      <Panel title={messages.backlog} subtitle={messages.allFromDatabase} flush>
        {backlog === null ? silent : <Work rows={backlog.filter(({ kind }) => !isOverdue(kind))} />}
      </Panel>
      <Panel title={messages.overdue} subtitle={messages.overdueHint} flush>
        {backlog === null ? silent : <Work rows={backlog.filter(({ kind }) => isOverdue(kind))} />}
      </Panel>
      <Panel title={messages.circuits} subtitle={messages.allFromDatabase}>
        {circuits === null ? silent : <Circuits circuits={circuits} />}
      </Panel>
      <Panel title={messages.queues} subtitle={messages.queuesHint} flush>
        {queues === null ? (
          <Alert color="red" role="alert" m="md" title={messages.temporalSilent} />
        ) : (
          <TaskQueues queues={queues} />
        )}
      </Panel>
      <Process process={status.process} />
    </>
  );
}

/** What nobody needs to see to on a good day. */
const ATTENTION: readonly WorkKind[] = [
  'payment_review',
  'renewal_held',
  'webhook_overdue',
  'payment_overdue',
  'subscription_overdue',
  'sub_account_overdue',
];

function Work({ rows }: { readonly rows: NonNullable<Status['backlog']> }) {
  return (
    <Table verticalSpacing="xs" horizontalSpacing="lg">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.kind}</Table.Th>
          <Table.Th scope="col" ta="right" w="22%">
            {messages.waiting}
          </Table.Th>
          <Table.Th scope="col" ta="right" w="22%">
            {messages.oldest}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ kind, count: waiting, oldest_age_seconds: age }) => (
          <Table.Tr key={kind}>
            <Table.Td>{messages.kinds[kind]}</Table.Td>
            <Table.Td ta="right">
              {waiting > 0 && ATTENTION.includes(kind) ? (
                <Badge tone="attention">{count(waiting)}</Badge>
              ) : (
                count(waiting)
              )}
            </Table.Td>
            <Table.Td ta="right">{waiting === 0 ? '–' : ageText(age)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Circuits({ circuits }: { readonly circuits: NonNullable<Status['circuits']> }): ReactNode {
  const open = circuits.filter((gateway) => gateway.open > 0);
  if (open.length === 0) return <Badge tone="good">{messages.closed}</Badge>;
  return open.map(({ gateway, open: companies }) => (
    <Group key={gateway} gap="sm">
      <Text size="sm" fw={550}>
        {gateway}
      </Text>
      <Badge tone="bad">{openFor(count(companies))}</Badge>
    </Group>
  ));
}

function Process({ process }: { readonly process: Status['process'] }) {
  const dates = useDates();
  const { host, pid, build_id: release, started_at: started, connections, connection_waits: waits } = process;
  const { used, max, waiting } = connections;
  const average = `${count(Math.round(waits.average_seconds * 1000))} ms`;
  return (
    <Panel title={messages.process} subtitle={messages.processHint}>
      <FactList
        facts={[
          [messages.host, `${host}, ${pid}`],
          [messages.release, release],
          [messages.started, dates.second(started)],
          [messages.connections, messages.connectionsOf(count(used), count(max), count(waiting))],
          [messages.waits, messages.waitsOf(count(waits.count), average, count(waits.slow))],
        ]}
      />
    </Panel>
  );
}
