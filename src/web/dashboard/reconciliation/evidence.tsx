import { Group, Stack, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { count, day, money } from '../../ui/formats';
import { FactList } from '../../ui/layout/fact-list';
import { Panel } from '../../ui/layout/panel';
import { attemptStatusLabels, attemptTones, operationLabels } from '../payment/attempt-labels';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { lineLabels } from './labels';
import { messages } from './messages';
import type { DifferenceDetail, StatementLine } from './queries';

interface EvidenceProps {
  readonly difference: DifferenceDetail;
}

/** What the statement says, and what was recorded, one under the other. */
export function Evidence({ difference: { evidence, transaction_id: payment, currency } }: EvidenceProps) {
  const { line, same_lines: sameLines, expected, attempts } = evidence;
  return (
    <>
      <Panel title={messages.lineTitle}>
        {line === null ? <Text size="sm">{messages.noLine}</Text> : <LineFacts line={line} />}
        {sameLines.length > 0 && <SameLines lines={sameLines} />}
      </Panel>
      {expected !== null && (
        <Panel title={messages.expectedTitle}>
          <Expected expected={expected} />
        </Panel>
      )}
      {payment !== null && (
        <Panel title={messages.recordsTitle}>
          {attempts.length === 0 && <Text size="sm">{messages.noRecords}</Text>}
          <Stack>
            {attempts.map((attempt) => (
              <Attempt key={attempt.reference} attempt={attempt} currency={currency} />
            ))}
          </Stack>
        </Panel>
      )}
    </>
  );
}

function LineFacts({ line }: { readonly line: StatementLine }) {
  const dates = useDates();
  const { amount, fee, net, currency, installment, occurred_at: at } = line;
  return (
    <FactList
      facts={[
        [messages.kind, lineLabels[line.kind]],
        [messages.day, day(line.day, 'long')],
        [messages.amount, money(amount, currency)],
        [messages.fee, money(fee, currency)],
        [messages.net, money(net, currency)],
        [messages.installment, installment],
        [messages.gatewayId, line.gateway_transaction_id],
        [messages.reference, line.reference],
        [messages.dispute, line.dispute_id],
        [messages.lineId, line.line_id],
        [messages.paidAt, at && <time dateTime={at}>{dates.second(at)}</time>],
      ]}
    />
  );
}

function SameLines({ lines }: { readonly lines: DifferenceDetail['evidence']['same_lines'] }) {
  return (
    <Stack gap={4} mt="md">
      <Text size="sm" fw={550}>
        {messages.sameLines}
      </Text>
      {lines.map(({ settlement_id: id, day: date, number }) => (
        <div key={`${id} ${number}`}>
          <TextLink to="/reconciliation/statements/$id" params={{ id }} fz="sm">
            {messages.sameLine(day(date, 'long'), count(number))}
          </TextLink>
        </div>
      ))}
    </Stack>
  );
}

interface ExpectedProps {
  readonly expected: NonNullable<DifferenceDetail['evidence']['expected']>;
}

function Expected({ expected: { posted_at: at, expected_on: on, installment } }: ExpectedProps) {
  const dates = useDates();
  return (
    <FactList
      facts={[
        [messages.kind, on === null && messages.expectedSale],
        [messages.expectedOn, on && day(on, 'long')],
        [messages.installment, installment],
        [
          messages.postedAt,
          <time key="at" dateTime={at}>
            {dates.second(at)}
          </time>,
        ],
      ]}
    />
  );
}

interface AttemptProps {
  readonly attempt: DifferenceDetail['evidence']['attempts'][number];
  readonly currency: string;
}

function Attempt({ attempt, currency }: AttemptProps) {
  const dates = useDates();
  const { operation, status, amount, created_at: at } = attempt;
  return (
    <div>
      <Group gap="xs">
        <Text size="sm" fw={550}>
          {operationLabels[operation]}
        </Text>
        <Badge tone={attemptTones[status]}>{attemptStatusLabels[status]}</Badge>
      </Group>
      <FactList
        facts={[
          [messages.amount, money(amount, currency)],
          [messages.gatewayId, attempt.gateway_transaction_id],
          [messages.reference, attempt.reference],
          [
            messages.postedAt,
            <time key="at" dateTime={at}>
              {dates.second(at)}
            </time>,
          ],
        ]}
      />
    </div>
  );
}
