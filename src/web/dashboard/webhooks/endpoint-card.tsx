import { Group, Text } from '@mantine/core';
import { Panel } from '../../ui/layout/panel';
import { TextLink } from '../shared/links';
import { EndpointMenu } from './endpoint-menu';
import { EndpointState } from './endpoint-state';
import { messages } from './messages';
import type { Endpoint } from './queries';

interface EndpointCardProps {
  readonly endpoint: Endpoint;
  readonly showSecret: (secret: string) => void;
}

export function EndpointCard({ endpoint, showSecret }: EndpointCardProps) {
  const { id, url, events } = endpoint;
  return (
    <Panel>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <TextLink
            to="/webhooks/$id"
            params={{ id: String(id) }}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {url}
          </TextLink>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {messages.eventCount(events.length)}: {events.join(', ')}
          </Text>
          <EndpointState endpoint={endpoint} />
        </div>
        <EndpointMenu endpoint={endpoint} showSecret={showSecret} />
      </Group>
    </Panel>
  );
}
