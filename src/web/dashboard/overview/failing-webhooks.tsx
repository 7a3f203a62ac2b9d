import { Group, Stack, Text } from '@mantine/core';
import CircleCheck from 'lucide-react/icons/circle-check';
import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Dashboard } from './queries';

export function FailingWebhooks({ dashboard }: { readonly dashboard: Dashboard }) {
  const endpoints = dashboard.failing_webhooks;
  return (
    <Panel title={messages.webhooks}>
      {endpoints.length === 0 ? (
        <EmptyMessage icon={<CircleCheck size={28} aria-hidden />} title={messages.webhooksFine} />
      ) : (
        <Stack gap="md">
          {endpoints.map((endpoint) => (
            <Endpoint key={endpoint.endpoint_id} endpoint={endpoint} />
          ))}
        </Stack>
      )}
    </Panel>
  );
}

function Endpoint({ endpoint }: { readonly endpoint: Schema<'DashboardWebhook'> }) {
  const dates = useDates();
  const { endpoint_id: id, url, enabled, failing_since: since, retrying, failed } = endpoint;
  return (
    <div>
      <TextLink to="/webhooks/$id" params={{ id: String(id) }} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </TextLink>
      {since !== null && (
        <Text size="xs" c="dimmed">
          {messages.failingSince(dates.minute(since))}
        </Text>
      )}
      <Group gap={6} mt={4}>
        {!enabled && <Badge tone="bad">{messages.disabled}</Badge>}
        {retrying > 0 && <Badge tone="waiting">{messages.retrying(retrying)}</Badge>}
        {failed > 0 && <Badge tone="bad">{messages.failed(failed)}</Badge>}
      </Group>
    </div>
  );
}
