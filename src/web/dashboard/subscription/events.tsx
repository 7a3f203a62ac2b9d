import { Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Panel } from '../../ui/layout/panel';
import timeline from '../payment/timeline.module.css';
import { useDates } from '../shared/use-dates';
import { eventTone, eventLabel } from './event-labels';
import { messages } from './messages';

interface EventsProps {
  readonly events: ReadonlyArray<Schema<'SubscriptionEvent'>>;
}

/** Webhook events of the subscription, newest first. */
export function Events({ events }: EventsProps) {
  const dates = useDates();
  return (
    <Panel title={messages.events} subtitle={messages.eventsHint}>
      <ol className={timeline.timeline}>
        {events.map(({ sequence, type, created_at: at }) => (
          <li key={sequence} className={timeline.entry} data-tone={eventTone(type)}>
            <Text size="sm" fw={550}>
              {eventLabel(type)}
            </Text>
            <Text size="xs" c="dimmed">
              <time dateTime={at}>{dates.second(at)}</time> · {type}
            </Text>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
