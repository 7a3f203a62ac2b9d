import { Code, Group, Stack, Text } from '@mantine/core';
import { Badge, type Tone } from '../../ui/badge';
import { count } from '../../ui/formats';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { ReceivedWebhook } from './queries';

const SIGNATURE_TONES: Readonly<Record<ReceivedWebhook['signature'], Tone>> = {
  valid: 'good',
  invalid: 'bad',
  expired: 'bad',
  missing: 'bad',
};

type Shown = Pick<ReceivedWebhook, 'received_at' | 'headers' | 'body' | 'body_bytes' | 'signature'>;

/** A received message in one line. */
export function Headline({ message }: { readonly message: Shown }) {
  const dates = useDates();
  const { received_at: at, signature, body } = message;
  return (
    <Group justify="space-between" gap="xs" pr="sm">
      <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {eventOf(body)}
      </Text>
      <Group gap="xs">
        <Badge tone={SIGNATURE_TONES[signature]}>{messages.signatures[signature]}</Badge>
        <Text size="xs" c="dimmed">
          <time dateTime={at}>{dates.second(at)}</time>
        </Text>
      </Group>
    </Group>
  );
}

/** Its headers and body. */
export function Content({ message }: { readonly message: Shown }) {
  const { headers, body, body_bytes: bytes, signature } = message;
  const missing = signature === 'valid' ? messages.deleted : messages.notKept;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {messages.headers}
      </Text>
      <Text size="xs" ff="monospace" component="div" style={{ overflowWrap: 'anywhere' }}>
        {headers.map(({ name, value }) => (
          <div key={name}>
            {name}: {value}
          </div>
        ))}
      </Text>
      <Text size="sm" fw={550}>
        {messages.body}{' '}
        <Text span size="xs" c="dimmed">
          {messages.bytes(count(bytes))}
        </Text>
      </Text>
      {body === null ? (
        <Text size="sm" c="dimmed">
          {missing}
        </Text>
      ) : (
        <Code block tabIndex={0} aria-label={messages.body} mah={320} style={{ overflow: 'auto' }}>
          {JSON.stringify(JSON.parse(body), null, 2)}
        </Code>
      )}
    </Stack>
  );
}

/** The bodies that are shown are this service's own events. */
function eventOf(body: string | null): string {
  if (body === null) return messages.unknownEvent;
  const { event } = JSON.parse(body) as { event?: unknown };
  return typeof event === 'string' ? event : messages.unknownEvent;
}
