import { Group, Stack, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import { capabilityLabels } from './capabilities';
import { Connect } from './credentials';
import { messages } from './messages';
import type { Gateway } from './queries';
import { UnrecognizedOfGateway } from './unrecognized';
import { gatewayTitle } from './vendors';

/** Gateways without credentials of the company, and the platform's gateways. */
export function OtherGateways({ gateways }: { readonly gateways: readonly Gateway[] }) {
  return (
    <Panel title={messages.others} subtitle={messages.setUp}>
      <Stack gap="sm">
        {gateways.map((gateway) => (
          <Group key={gateway.gateway_slug} justify="space-between" gap="xs">
            <div>
              <Text size="sm" fw={550}>
                {gatewayTitle(gateway)}
              </Text>
              {gateway.capabilities !== null && (
                <Text size="sm" c="dimmed">
                  {capabilityLabels(gateway.capabilities).supported.join(', ')}
                </Text>
              )}
              <UnrecognizedOfGateway gateway={gateway} />
            </div>
            <GatewayStatus gateway={gateway} />
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}

function GatewayStatus({ gateway }: { readonly gateway: Gateway }) {
  const { active, platform, configured } = gateway;
  if (!active) return <Badge tone="neutral">{messages.inactive}</Badge>;
  if (!platform) return <Connect gateway={gateway} />;
  return <Badge tone={configured ? 'good' : 'neutral'}>{messages.platform}</Badge>;
}
