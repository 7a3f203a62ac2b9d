import { Group, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { DetailsList } from '../../ui/layout/details-list';
import { FactList } from '../../ui/layout/fact-list';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { useDates } from '../shared/use-dates';
import {
  attemptStatusLabels,
  attemptTones,
  gatewayWords,
  operationLabels,
  responseText,
  type Attempt,
} from './attempt-labels';
import { messages } from './messages';
import { routingText } from './story/routing-reason';

interface AttemptsProps {
  readonly attempts: readonly Attempt[];
  readonly currency: string;
}

export function Attempts({ attempts, currency }: AttemptsProps) {
  return (
    <Panel title={messages.attempts} flush={attempts.length > 0}>
      {attempts.length === 0 ? (
        <EmptyMessage title={messages.noAttempts} />
      ) : (
        <DetailsList
          items={attempts}
          headline={(attempt) => <Headline attempt={attempt} currency={currency} />}
          details={(attempt) => <Details attempt={attempt} />}
        />
      )}
    </Panel>
  );
}

function Headline({ attempt, currency }: { readonly attempt: Attempt; readonly currency: string }) {
  return (
    <Group justify="space-between" gap="xs" pr="sm">
      <Text component="span" size="sm" fw={550}>
        {operationLabels[attempt.operation]} · {attempt.gateway}
      </Text>
      <Group gap="sm" component="span">
        <Text component="span" size="sm">
          {money(attempt.amount, currency)}
        </Text>
        <Badge tone={attemptTones[attempt.status]}>{attemptStatusLabels[attempt.status]}</Badge>
      </Group>
    </Group>
  );
}

function Details({ attempt }: { readonly attempt: Attempt }) {
  const dates = useDates();
  const result = [attempt.response_code, responseText(attempt)].filter((part) => part !== null).join(' ');
  const words = gatewayWords(attempt);
  const { sent_at: sentAt, tries: sendCount, request_time: duration } = attempt;
  return (
    <FactList
      facts={[
        [messages.result, result],
        [messages.words, words && <code>{words}</code>],
        [messages.routing, routingText(attempt)],
        [messages.reason, attempt.reason],
        [messages.gatewayId, attempt.gateway_transaction_id],
        [messages.authorization, attempt.authorization_code],
        [messages.reference, attempt.reference],
        [messages.key, attempt.idempotency_key],
        [
          messages.sent,
          sentAt === null ? null : `${dates.second(sentAt)} (${messages.sendCount(sendCount)})`,
        ],
        [messages.duration, duration],
      ]}
    />
  );
}
