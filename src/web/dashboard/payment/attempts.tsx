import { Group, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { DetailsList } from '../../ui/layout/details-list';
import { Facts } from '../../ui/layout/fact-list';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { Nothing } from '../../ui/layout/page-states';
import { useDates } from '../shared/use-dates';
import { attemptStatusWords, attemptTones, operationWords } from './attempt-labels';
import { messages } from './messages';

type Attempt = Schema<'UserPaymentAttempt'>;

interface AttemptsProps {
  readonly attempts: readonly Attempt[];
  readonly currency: string;
}

/** Every operation at a gateway; what is noted of it opens at a click. */
export function Attempts({ attempts, currency }: AttemptsProps) {
  return (
    <Panel title={messages.attempts} flush={attempts.length > 0}>
      {attempts.length === 0 ? (
        <Nothing title={messages.noAttempts} />
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
        {operationWords[attempt.operation]} · {attempt.gateway}
      </Text>
      <Group gap="sm" component="span">
        <Text component="span" size="sm">
          {money(attempt.amount, currency)}
        </Text>
        <Badge tone={attemptTones[attempt.status]}>{attemptStatusWords[attempt.status]}</Badge>
      </Group>
    </Group>
  );
}

function Details({ attempt }: { readonly attempt: Attempt }) {
  const dates = useDates();
  const result = [attempt.response_code, attempt.response_message].filter((part) => part !== null).join(' ');
  const { sent_at: sentAt, tries, request_time: took } = attempt;
  return (
    <Facts
      facts={[
        [messages.result, result],
        [messages.routing, attempt.routing_reason],
        [messages.askedBecause, attempt.reason],
        [messages.gatewayId, attempt.gateway_transaction_id],
        [messages.authorization, attempt.authorization_code],
        [messages.reference, attempt.reference],
        [messages.key, attempt.idempotency_key],
        [messages.sent, sentAt === null ? null : `${dates.second(sentAt)} (${messages.tries(tries)})`],
        [messages.took, took],
      ]}
    />
  );
}
