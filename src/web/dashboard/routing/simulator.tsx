import { Button, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { CentsInput } from '../../ui/forms/cents-input';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { Panel } from '../../ui/layout/panel';
import { methodLabels, PAYMENT_METHODS } from '../payments/status-labels';
import { CARD_BRANDS } from './card-brands';
import type { Rule } from './rule-form';
import { messages } from './simulator-messages';
import { unsupportedLabels } from './unsupported-labels';

interface SimulatedForm {
  payment_method: Schema<'PaymentMethod'>;
  amount: number | null;
  currency: string;
  card_brand: Schema<'RoutedCardBrand'>;
  bin: string;
  installments: number | string;
}

const EXAMPLE: SimulatedForm = {
  payment_method: 'card',
  amount: 10_000,
  currency: 'BRL',
  card_brand: 'visa',
  bin: '',
  installments: 1,
};

/** Tries a payment on the rules as they are in the editor. */
export function Simulator({ rules }: { readonly rules: readonly Rule[] }) {
  const form = useForm<SimulatedForm>({ initialValues: EXAMPLE });
  const trying = useMutation({
    mutationFn: async (values: SimulatedForm) => {
      const body = { ...requestOf(values), routing_rules: [...rules] };
      return (await unwrapBody(api.POST('/user/routing/simulate', { body }))).data;
    },
    onError: (error) => setFieldErrors(form, error),
  });
  const isCard = form.values.payment_method === 'card';
  return (
    <Panel title={messages.title} subtitle={messages.hint}>
      <form onSubmit={form.onSubmit((values) => trying.mutate(values))} noValidate>
        <Stack>
          <FormError error={trying.error} fields={Object.keys(form.values)} />
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
            <NativeSelect
              {...form.getInputProps('payment_method')}
              label={messages.method}
              data={PAYMENT_METHODS.map((value) => ({ value, label: methodLabels[value] }))}
            />
            <CentsInput
              label={messages.amount}
              value={form.values.amount}
              onChange={(cents) => form.setFieldValue('amount', cents)}
              error={form.errors['amount']}
            />
            <TextInput {...form.getInputProps('currency')} label={messages.currency} maxLength={3} />
            {isCard && (
              <>
                <NativeSelect
                  {...form.getInputProps('card_brand')}
                  label={messages.brand}
                  data={[...CARD_BRANDS]}
                />
                <TextInput
                  {...form.getInputProps('bin')}
                  label={messages.bin}
                  inputMode="numeric"
                  maxLength={6}
                />
                <NumberInput
                  {...form.getInputProps('installments')}
                  label={messages.installments}
                  min={1}
                  allowDecimal={false}
                  hideControls
                />
              </>
            )}
          </SimpleGrid>
          <Button type="submit" variant="default" loading={trying.isPending} style={{ alignSelf: 'start' }}>
            {messages.try}
          </Button>
          <div aria-live="polite">{trying.data !== undefined && <Result simulation={trying.data} />}</div>
        </Stack>
      </form>
    </Panel>
  );
}

function requestOf({ payment_method: method, amount, currency, ...card }: SimulatedForm) {
  const common = { payment_method: method, amount: amount ?? 0, currency: currency.toUpperCase() };
  if (method !== 'card') return common;
  const { card_brand: brand, bin, installments } = card;
  return {
    ...common,
    card_brand: brand,
    installments: Number(installments),
    ...(bin !== '' && { bin }),
  };
}

function Result({ simulation }: { readonly simulation: Schema<'RoutingSimulation'> }) {
  const { rule, routes, passed_over: passedOver } = simulation;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={550}>
        {rule === null ? messages.byOrder : messages.byRule(rule.number, rule.name)}
      </Text>
      {routes.length === 0 && <Text size="sm">{messages.none}</Text>}
      <ol style={{ margin: 0, paddingInlineStart: '1.4rem' }}>
        {routes.map((route) => (
          <Text key={route.gateway} component="li" size="sm">
            <b>{route.gateway}</b>: {reasonText(route)}
            {route.failing && ` (${messages.failing})`}
          </Text>
        ))}
      </ol>
      {passedOver.length > 0 && (
        <Text size="sm" c="dimmed">
          {messages.notTried}:{' '}
          {passedOver.map(({ gateway, reason }) => `${gateway} ${unsupportedLabels[reason]}`).join('; ')}.
        </Text>
      )}
    </Stack>
  );
}

function reasonText({ reason, percent, order }: Schema<'SimulatedRoute'>): string {
  if (reason === 'share') return messages.reasons.share(percent ?? 0);
  if (reason === 'order') return messages.reasons.order(order ?? 0);
  return messages.reasons[reason];
}
