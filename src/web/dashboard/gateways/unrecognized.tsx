import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../../ui/formats';
import { QueryContent } from '../../ui/layout/page-states';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import { unrecognizedQuery, type Gateway, type Unrecognized } from './queries';

interface UnrecognizedOfGatewayProps {
  readonly gateway: Gateway;
}

/** How much the gateway sent that was not recognized, and a button that shows it; nothing without any. */
export function UnrecognizedOfGateway({ gateway }: UnrecognizedOfGatewayProps) {
  const [shown, setShown] = useState(false);
  const dates = useDates();
  const { gateway_slug: slug, unrecognized } = gateway;
  const { answers, callbacks, last_seen_at: lastSeenAt } = unrecognized;
  if (lastSeenAt === null) return null;
  const close = () => setShown(false);
  return (
    <Group gap="xs">
      <Text size="sm">{messages.unrecognizedCounts(answers, callbacks, dates.second(lastSeenAt))}</Text>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={messages.showUnrecognizedOf(slug)}
        onClick={() => setShown(true)}
      >
        {messages.showUnrecognized}
      </Button>
      <Modal opened={shown} onClose={close} size="lg" title={messages.unrecognizedOf(slug)}>
        <List slug={slug} />
      </Modal>
    </Group>
  );
}

function List({ slug }: { readonly slug: Gateway['gateway_slug'] }) {
  const found = useQuery(unrecognizedQuery(slug));
  return (
    <QueryContent query={found}>
      {({ answers, callbacks }) => (
        <Stack>
          <Text size="sm">{messages.unrecognizedHint}</Text>
          {answers.map((answer) => (
            <Answer key={`${answer.operation} ${answer.fingerprint}`} answer={answer} />
          ))}
          {callbacks.map((callback) => (
            <Callback key={callback.kind} callback={callback} />
          ))}
        </Stack>
      )}
    </QueryContent>
  );
}

function Answer({ answer }: { readonly answer: Unrecognized['answers'][number] }) {
  const dates = useDates();
  const { vendor, operation, http_status: status, content_type: type, shape } = answer;
  const facts = [vendor, operation, status, type].filter((fact) => fact !== null).join(' · ');
  return (
    <div>
      <Text size="sm" fw={550}>
        {facts}
      </Text>
      <Text size="sm" c="dimmed">
        {messages.seen(
          count(answer.count),
          dates.second(answer.first_seen_at),
          dates.second(answer.last_seen_at),
        )}
        {answer.last_transaction_id !== null && ` ${messages.lastPayment(answer.last_transaction_id)}`}
      </Text>
      <Code block>{shape}</Code>
    </div>
  );
}

function Callback({ callback }: { readonly callback: Unrecognized['callbacks'][number] }) {
  const dates = useDates();
  const { kind, count: times, first_seen_at: first, last_seen_at: last } = callback;
  return (
    <div>
      <Text size="sm" fw={550}>
        {messages.unmatchedCallbacks[kind]}
      </Text>
      <Text size="sm" c="dimmed">
        {messages.seen(count(times), dates.second(first), dates.second(last))}
      </Text>
    </div>
  );
}
