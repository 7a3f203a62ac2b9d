import { Table, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import classes from '../shared/list.module.css';
import { useDates } from '../shared/use-dates';
import { failureCodeLabels, statusLabels } from '../payments/status-labels';
import { messages } from './messages';

type Cycle = Schema<'Cycle'>;
type Charge = Schema<'CycleCharge'>;

const TONES: Readonly<Record<Cycle['status'], Tone>> = {
  open: 'waiting',
  paid: 'good',
  failed: 'bad',
  waived: 'neutral',
};

interface CyclesProps {
  readonly cycles: readonly Cycle[];
  readonly charges: readonly Charge[];
  readonly currency: string;
}

/** Billing cycles, each with its payments. */
export function Cycles({ cycles, charges, currency }: CyclesProps) {
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
              <Row
                key={cycle.id}
                cycle={cycle}
                charges={charges.filter(({ cycle_id: id }) => id === cycle.id)}
                currency={currency}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}

interface RowProps {
  readonly cycle: Cycle;
  readonly charges: readonly Charge[];
  readonly currency: string;
}

function Row({ cycle, charges, currency }: RowProps) {
  const dates = useDates();
  const { status, period, retry_count: retries, next_retry_at: next } = cycle;
  return (
    <Table.Tr>
      <Table.Td>
        {cycleName(cycle)}
        <Text size="xs" c="dimmed">
          {messages.span(dates.day(period.start), dates.day(period.end))}
        </Text>
        <CycleCharges cycle={cycle} charges={charges} />
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

/** The first charge and its retries, by the subscription's clock: when, what came of it, and why. */
function CycleCharges({ cycle, charges }: Omit<RowProps, 'currency'>) {
  const dates = useDates();
  return (
    <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {charges.map((charge, index) => (
        <Text key={charge.transaction_id} component="li" size="xs" mt={4}>
          <TextLink
            to="/payments/$id"
            params={{ id: charge.transaction_id }}
            fz="xs"
            underline="always"
            aria-label={paymentName(cycle, index + 1)}
          >
            {messages.payment(index + 1)}
          </TextLink>{' '}
          {dates.short(charge.charged_at)} · {statusLabels[charge.status]}
          {reasonOf(charge) !== '' && (
            <Text component="span" size="xs" c="dimmed">
              {' '}
              · {reasonOf(charge)}
            </Text>
          )}
        </Text>
      ))}
    </ol>
  );
}

/** Why a charge failed, and the gateway's own words. */
function reasonOf({ status, code, response_code: answer, response_message: words }: Charge): string {
  if (status !== 'failed') return '';
  const reason = code === null ? null : failureCodeLabels[code];
  return [reason, [answer, words].filter(Boolean).join(' ')].filter(Boolean).join(': ');
}
