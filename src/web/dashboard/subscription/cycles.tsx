import { Group, Table, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import classes from '../shared/list.module.css';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';

type Cycle = Schema<'Cycle'>;

const TONES: Readonly<Record<Cycle['status'], Tone>> = {
  open: 'waiting',
  paid: 'good',
  failed: 'bad',
  waived: 'neutral',
};

interface CyclesProps {
  readonly cycles: readonly Cycle[];
  readonly currency: string;
}

/** Billing cycles, each with its payments. */
export function Cycles({ cycles, currency }: CyclesProps) {
  return (
    <Panel title={messages.cycles} flush={cycles.length > 0}>
      {cycles.length === 0 ? (
        <EmptyMessage title={messages.noCycles} />
      ) : (
        <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="lg">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{messages.cycle}</Table.Th>
              <Table.Th scope="col">{messages.status}</Table.Th>
              <Table.Th scope="col" ta="right">
                {messages.amount}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cycles.map((cycle) => (
              <Row key={cycle.id} cycle={cycle} currency={currency} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly cycle: Cycle;
  readonly currency: string;
}

function Row({ cycle, currency }: RowProps) {
  const dates = useDates();
  const { status, period, retry_count: retries, next_retry_at: next } = cycle;
  return (
    <Table.Tr>
      <Table.Td>
        {cycleName(cycle)}
        <Text size="xs" c="dimmed">
          {messages.span(dates.day(period.start), dates.day(period.end))}
        </Text>
        <CyclePayments cycle={cycle} />
      </Table.Td>
      <Table.Td>
        <Badge tone={TONES[status]}>{messages.cycleStatuses[status]}</Badge>
        {retries > 0 && (
          <Text size="xs" c="dimmed" mt={4}>
            {messages.retries(retries)}
          </Text>
        )}
        {next !== null && status === 'open' && (
          <Text size="xs" c="dimmed">
            {messages.nextRetry(dates.short(next))}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right" fw={550}>
        {money(cycle.amount_charged, currency)}
        {cycle.discount_amount > 0 && (
          <Text size="xs" c="dimmed">
            {messages.discounted(money(cycle.discount_amount, currency))}
          </Text>
        )}
        {cycle.credit_applied > 0 && (
          <Text size="xs" c="dimmed">
            {messages.credited(money(cycle.credit_applied, currency))}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function cycleName({ kind, number }: Cycle): string {
  return kind === 'regular' ? messages.cycleNumber(number) : messages.cycleKinds[kind];
}

/** Names a payment and its cycle, for screen readers. */
function paymentName({ kind, number: cycle }: Cycle, number: number): string {
  return kind === 'regular'
    ? messages.paymentOf(number, cycle)
    : `${messages.payment(number)}, ${messages.cycleKinds[kind]}`;
}

/** The first charge and its retries. */
function CyclePayments({ cycle }: Pick<RowProps, 'cycle'>) {
  return (
    <Group gap="0 var(--mantine-spacing-sm)">
      {cycle.payments.map((id, index) => (
        <TextLink
          key={id}
          to="/payments/$id"
          params={{ id }}
          fz="xs"
          aria-label={paymentName(cycle, index + 1)}
        >
          {messages.payment(index + 1)}
        </TextLink>
      ))}
    </Group>
  );
}
