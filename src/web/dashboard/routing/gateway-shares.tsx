import { ActionIcon, Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import X from 'lucide-react/icons/x';
import { GATEWAYS } from '../payments/status-labels';
import { messages } from './messages';
import type { RoutingForm } from './routing';

interface GatewaySharesProps {
  readonly form: UseFormReturnType<RoutingForm>;
  readonly index: number;
}

/** Gateways with their share of the payments. */
export function GatewayShares({ form, index }: GatewaySharesProps) {
  const path = `routing_rules.${index}.split` as const;
  const shares = form.values.routing_rules[index]?.split ?? [];
  const sum = shares.reduce((total, { percent }) => total + Number(percent), 0);
  const free = GATEWAYS.find((slug) => !shares.some(({ gateway }) => gateway === slug));
  return (
    <Stack gap="xs" align="flex-start">
      {shares.map(({ gateway }, place) => (
        <Group key={gateway} gap="xs" wrap="nowrap" align="flex-start">
          <NativeSelect
            {...form.getInputProps(`${path}.${place}.gateway`)}
            aria-label={messages.gateway(place + 1)}
            data={GATEWAYS.filter(
              (slug) => slug === gateway || !shares.some((share) => share.gateway === slug),
            )}
          />
          <NumberInput
            {...form.getInputProps(`${path}.${place}.percent`)}
            aria-label={messages.percentOf(gateway)}
            suffix=" %"
            w={110}
            allowDecimal={false}
            allowNegative={false}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mt={4}
            onClick={() => form.removeListItem(path, place)}
            aria-label={messages.removeGateway(gateway)}
          >
            <X size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Text size="sm" c={sum === 100 || shares.length === 0 ? 'dimmed' : 'var(--mantine-color-error)'}>
        {messages.sum(sum)}
        {form.errors[path] !== undefined && <> · {form.errors[path]}</>}
      </Text>
      {free !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => form.insertListItem(path, { gateway: free, percent: Math.max(100 - sum, 0) })}
        >
          {messages.addGateway}
        </Button>
      )}
    </Stack>
  );
}
