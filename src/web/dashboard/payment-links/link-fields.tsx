import { NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { money } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import { WRAPPER_ORDER } from '../../ui/layout/wrapper-order';
import { GATEWAYS } from '../payments/status-labels';
import { periodLabel } from '../plans/period-labels';
import { planChoicesQuery } from '../plans/queries';
import { AmountInput, CurrencyInput } from '../shared/price-inputs';
import { acceptsPix, METHODS, type LinkForm } from './link-form';
import { messages } from './messages';

interface FieldsProps {
  readonly form: UseFormReturnType<LinkForm>;
}

const optional = (label: string) => `${label} (${shared.optional})`;

/** Amount and payment methods of a one-time payment. */
export function MoneyFields({ form, isNew }: FieldsProps & { readonly isNew: boolean }) {
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        <AmountInput form={form} label={messages.amount} />
        {isNew && <CurrencyInput form={form} label={messages.currency} />}
      </SimpleGrid>
      {acceptsPix(form.values) && (
        <NativeSelect
          {...form.getInputProps('payment_methods')}
          label={messages.methods}
          data={Object.keys(METHODS).map((value) => ({
            value,
            label: messages.methodChoices[value as keyof typeof METHODS],
          }))}
        />
      )}
    </>
  );
}

export function PlanField({ form }: FieldsProps) {
  const { data } = useQuery(planChoicesQuery);
  const plans = (data ?? []).filter((plan) => plan.is_active);
  return (
    <NativeSelect
      {...form.getInputProps('plan_id')}
      label={messages.plan}
      description={data !== undefined && plans.length === 0 ? messages.noPlans : undefined}
      required
      data={[
        { value: '', label: messages.choosePlan },
        ...plans.map((plan) => ({
          value: plan.id,
          label: `${plan.name} · ${money(plan.amount, plan.currency)}, ${periodLabel(plan)}`,
        })),
      ]}
    />
  );
}

export function LimitFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        {...form.getInputProps('slug')}
        label={optional(messages.slug)}
        description={messages.slugHint}
        inputWrapperOrder={WRAPPER_ORDER}
        maxLength={80}
      />
      <NumberInput
        {...form.getInputProps('max_uses')}
        label={optional(messages.maxUses)}
        description={messages.emptyUses}
        inputWrapperOrder={WRAPPER_ORDER}
        allowDecimal={false}
        allowNegative={false}
      />
      <TextInput
        {...form.getInputProps('expires_at')}
        type="date"
        label={optional(messages.lastDay)}
        description={messages.emptyDay}
        inputWrapperOrder={WRAPPER_ORDER}
      />
      <NativeSelect
        {...form.getInputProps('gateway_first_try')}
        label={optional(messages.gateway)}
        data={[{ value: '', label: messages.gatewayNone }, ...GATEWAYS]}
      />
    </SimpleGrid>
  );
}

export function RedirectFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        {...form.getInputProps('success_url')}
        type="url"
        label={optional(messages.successUrl)}
        description={messages.successHint}
        inputWrapperOrder={WRAPPER_ORDER}
        maxLength={2048}
      />
      <TextInput
        {...form.getInputProps('cancel_url')}
        type="url"
        label={optional(messages.cancelUrl)}
        description={messages.cancelHint}
        inputWrapperOrder={WRAPPER_ORDER}
        maxLength={2048}
      />
    </SimpleGrid>
  );
}
