import { Group, Stack, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import { abilitiesOf } from './capabilities';
import { messages } from './messages';
import type { Gateway } from './queries';

/** Those the company brought no credentials for, and the platform's own. */
export function OtherGateways({ gateways }: { readonly gateways: readonly Gateway[] }) {
  return (
    <Panel title={messages.others} about={messages.othersAbout}>
      <Stack gap="sm">
        {gateways.map((gateway) => (
          <Group key={gateway.gateway_slug} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={550}>
                {gateway.gateway_slug}
              </Text>
              {gateway.capabilities !== null && (
                <Text size="sm" c="dimmed">
                  {abilitiesOf(gateway.capabilities).join(', ')}
                </Text>
              )}
            </div>
            <Standing gateway={gateway} />
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

function Standing({ gateway: { active, platform, configured } }: { readonly gateway: Gateway }) {
  if (!active) return <Badge tone="neutral">{messages.inactive}</Badge>;
  return platform ? <Badge tone={configured ? 'good' : 'neutral'}>{messages.platform}</Badge> : null;
}
