import { Group } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Endpoint } from './queries';

export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const dates = useDates();
  const { enabled, disabled_reason: reason, failing_since: since } = endpoint;
  return (
    <Group gap={6} mt={6}>
      {enabled && <Badge tone="good">{messages.enabled}</Badge>}
      {!enabled && (
        <Badge tone={reason === null ? 'neutral' : 'bad'}>
          {reason === null ? messages.disabled : messages[reason]}
        </Badge>
      )}
      {since !== null && <Badge tone="waiting">{messages.failingSince(dates.minute(since))}</Badge>}
    </Group>
  );
}
