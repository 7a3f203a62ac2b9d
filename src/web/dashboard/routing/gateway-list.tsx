import { ActionIcon, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import X from 'lucide-react/icons/x';
import { ReorderButtons } from '../../ui/forms/reorder-buttons';
import { GATEWAYS } from '../payments/status-labels';
import { messages } from './messages';
import type { RoutingForm } from './routing';

interface GatewayListProps {
  readonly form: UseFormReturnType<RoutingForm>;
  readonly index: number;
}

/** Gateways in the order in which they are tried. */
export function GatewayList({ form, index }: GatewayListProps) {
  const path = `routing_rules.${index}.gateways` as const;
  const chosen = form.values.routing_rules[index]?.gateways ?? [];
  const free = GATEWAYS.find((slug) => !chosen.includes(slug));
  const move = (from: number, to: number) => () => form.reorderListItem(path, { from, to });
  return (
    <Stack gap="xs" align="flex-start">
      {chosen.map((gateway, place) => (
        <Group key={gateway} gap="xs" wrap="nowrap">
          <NativeSelect
            {...form.getInputProps(`${path}.${place}`)}
            aria-label={messages.gateway(place + 1)}
            data={GATEWAYS.filter((slug) => slug === gateway || !chosen.includes(slug))}
          />
          <ReorderButtons
            name={gateway}
            up={place === 0 ? null : move(place, place - 1)}
            down={place === chosen.length - 1 ? null : move(place, place + 1)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => form.removeListItem(path, place)}
            aria-label={messages.removeGateway(gateway)}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {form.errors[path] !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {form.errors[path]}
        </Text>
      )}
      {free !== undefined && (
        <Button size="xs" variant="subtle" onClick={() => form.insertListItem(path, free)}>
          {messages.addGateway}
        </Button>
      )}
    </Stack>
  );
}
