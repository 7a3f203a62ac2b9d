import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import {
  DISPUTE_EVENTS,
  SUBSCRIPTION_EVENTS,
  TRANSACTION_EVENTS,
} from '../../../domain/webhooks/webhook-event';
import type { Schema } from '../../api/client';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';

type Name = Schema<'WebhookEventName'>;

interface EventChoiceProps {
  readonly chosen: readonly Name[];
  readonly onChange: (events: Name[]) => void;
  readonly error?: ReactNode;
}

export function EventChoice({ chosen, onChange, error }: EventChoiceProps) {
  return (
    <Checkbox.Group
      label={messages.events}
      required
      error={error}
      value={[...chosen]}
      onChange={(events) => onChange(events)}
    >
      <Stack gap="sm" mt="xs">
        <EventGroup
          name={messages.transactions}
          events={[...TRANSACTION_EVENTS, ...DISPUTE_EVENTS]}
          chosen={chosen}
          onChange={onChange}
        />
        <EventGroup
          name={messages.subscriptions}
          events={SUBSCRIPTION_EVENTS}
          chosen={chosen}
          onChange={onChange}
        />
      </Stack>
    </Checkbox.Group>
  );
}

interface EventGroupProps extends Omit<EventChoiceProps, 'error'> {
  readonly name: string;
  readonly events: readonly Name[];
}

function EventGroup({ name, events, chosen, onChange }: EventGroupProps) {
  const allChosen = events.every((event) => chosen.includes(event));
  const others = chosen.filter((event) => !events.some((item) => item === event));
  return (
    <div role="group" aria-label={name}>
      <Group gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Button
          size="compact-xs"
          variant="subtle"
          aria-pressed={allChosen}
          onClick={() => onChange(allChosen ? others : [...others, ...events])}
        >
          {shared.all}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={8}>
        {events.map((event) => (
          <Checkbox key={event} value={event} label={event} size="xs" />
        ))}
      </SimpleGrid>
    </div>
  );
}
