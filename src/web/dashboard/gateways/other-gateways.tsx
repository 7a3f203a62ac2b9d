import { Group, Stack, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import { capabilityLabels } from './capabilities';
import { messages } from './messages';
import type { Gateway } from './queries';

/** Gateways without credentials of the company, and the platform's gateways. */
export function OtherGateways({ gateways }: { readonly gateways: readonly Gateway[] }) {
  return (
    <Panel title={messages.others} subtitle={messages.setUp}>
      <Stack gap="sm">
        {gateways.map((gateway) => (
          <Group key={gateway.gateway_slug} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={550}>
                {gateway.gateway_slug}
              </Text>
              {gateway.capabilities !== null && (
                <Text size="sm" c="dimmed">
                  {capabilityLabels(gateway.capabilities).join(', ')}
                </Text>
              )}
            </div>
            <GatewayStatus gateway={gateway} />
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

function GatewayStatus({ gateway: { active, platform, configured } }: { readonly gateway: Gateway }) {
  if (!active) return <Badge tone="neutral">{messages.inactive}</Badge>;
  return platform ? <Badge tone={configured ? 'good' : 'neutral'}>{messages.platform}</Badge> : null;
}
