import { Group, Switch, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorMessage } from '../../ui/forms/error-messages';
import { ReorderButtons } from '../../ui/forms/reorder-buttons';
import { Panel } from '../../ui/layout/panel';
import { capabilityLabels } from './capabilities';
import { useDates } from '../shared/use-dates';
import { CallbackProof } from './callback-secret';
import { Credentials } from './credentials';
import { HealthBadge, LastHour } from './health';
import { messages } from './messages';
import { useChangeGateways, type Gateway } from './queries';
import { UnrecognizedOfGateway } from './unrecognized';
import { gatewayTitle } from './vendors';
import { Allowed, useMay } from '../shared/allowed';

interface GatewayCardProps {
  readonly gateway: Gateway;
  readonly moveUp: (() => void) | null;
  readonly moveDown: (() => void) | null;
  readonly busy: boolean;
}

export function GatewayCard({ gateway, moveUp, moveDown, busy }: GatewayCardProps) {
  const { gateway_slug: slug, capabilities, sub_account_status: subAccount } = gateway;
  return (
    <Panel>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Allowed to="gateways:write">
            <ReorderButtons name={slug} up={moveUp} down={moveDown} busy={busy} />
          </Allowed>
          <Title order={2} size="h5">
            {gatewayTitle(gateway)}
          </Title>
          <HealthBadge gateway={gateway} />
        </Group>
        <EnabledSwitch gateway={gateway} />
      </Group>
      <LastHour figures={gateway.health.last_hour} />
      {capabilities !== null && <Abilities capabilities={capabilities} />}
      {subAccount !== null && (
        <Text size="sm">
          {messages.subAccount}: {messages.subAccountStatuses[subAccount]}
        </Text>
      )}
      <LearnedLimits limits={gateway.learned_limits} />
      <UnrecognizedOfGateway gateway={gateway} />
      <CallbackProof gateway={gateway} />
      <Credentials gateway={gateway} />
    </Panel>
  );
}

function Abilities({ capabilities }: { readonly capabilities: NonNullable<Gateway['capabilities']> }) {
  const { supported, missing } = capabilityLabels(capabilities);
  const lines = [
    [messages.supports, supported],
    [messages.lacks, missing],
  ] as const;
  return lines
    .filter(([, labels]) => labels.length > 0)
    .map(([title, labels]) => (
      <Text key={title} size="sm">
        <Text component="span" c="dimmed">
          {title}:
        </Text>{' '}
        {labels.join(', ')}
      </Text>
    ));
}

function LearnedLimits({ limits }: { readonly limits: Gateway['learned_limits'] }) {
  const dates = useDates();
  return limits.map(({ feature, since, until, message }) => (
    <Text key={feature} size="sm" c="var(--mantine-color-error)">
      {messages.learnedLimits[feature]} {messages.gatewaySaid(dates.second(since), message)}{' '}
      {messages.askedAgain(dates.second(until))}
    </Text>
  ));
}

function EnabledSwitch({ gateway: { gateway_slug: slug, enabled } }: { readonly gateway: Gateway }) {
  const changing = useChangeGateways();
  const mayChange = useMay('gateways:write');
  const change = (isEnabled: boolean) =>
    changing.mutate([{ slug, change: { enabled: isEnabled } }], {
      onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    });
  return (
    <Switch
      checked={enabled}
      disabled={changing.isPending || !mayChange}
      onChange={({ currentTarget: { checked } }) => change(checked)}
      label={messages.on}
      aria-label={messages.switchOf(slug)}
    />
  );
}
