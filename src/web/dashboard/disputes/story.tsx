import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Tone } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import timeline from '../payment/timeline.module.css';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { messages, TONES } from './messages';
import type { DisputeDetail } from './queries';

interface Entry {
  readonly at: string;
  readonly label: string;
  readonly tone: Tone;
  readonly texts: readonly ReactNode[];
}

/** What happened to a dispute, oldest first. */
export function Story({ dispute }: { readonly dispute: DisputeDetail }) {
  const dates = useDates();
  return (
    <Panel title={messages.story}>
      <ol className={timeline.timeline}>
        {entriesOf(dispute).map(({ at, label, tone, texts }) => (
          <li key={label} className={timeline.entry} data-tone={tone}>
            <Text size="sm" fw={550}>
              {label}
            </Text>
            {texts.map((text, index) => (
              <Text key={index} size="sm">
                {text}
              </Text>
            ))}
            <Text size="xs" c="dimmed">
              <time dateTime={at}>{dates.second(at)}</time>
            </Text>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function entriesOf(dispute: DisputeDetail): Entry[] {
  const { kind, status, opened_at: openedAt, closed_at: closedAt, last_request: request } = dispute;
  const entries: Entry[] = [{ at: openedAt, label: messages.begun[kind], tone: 'attention', texts: [] }];
  if (request !== null) {
    const { message } = request;
    const texts = [messages.answers[request.status], ...(message === null ? [] : [message])];
    entries.push({ at: request.requested_at, label: messages.asked[request.kind], tone: 'neutral', texts });
  }
  // Its status is what the company asked for.
  if (closedAt !== null && status !== 'accepted')
    entries.push({ at: closedAt, label: messages.decided[status], tone: TONES[status], texts: [] });
  const pausedAt = dispute.subscription?.paused_at ?? null;
  if (dispute.subscription !== null && pausedAt !== null)
    entries.push({
      at: pausedAt,
      label: messages.pausedIt,
      tone: 'waiting',
      texts: [<SubscriptionLink key="subscription" id={dispute.subscription.id} />],
    });
  return entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

export function SubscriptionLink({ id }: { readonly id: string }) {
  return (
    <TextLink to="/subscriptions/$id" params={{ id }} fz="sm">
      {messages.toSubscription}
    </TextLink>
  );
}
