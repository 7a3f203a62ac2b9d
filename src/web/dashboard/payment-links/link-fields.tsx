import { NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { CentsInput } from '../../ui/forms/cents-input';
import { money } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import { WRAPPER_ORDER } from '../../ui/layout/wrapper-order';
import { GATEWAYS } from '../payments/status-labels';
import { periodWords } from '../plans/period-labels';
import { planChoicesQuery } from '../plans/queries';
import { canBePix, METHODS, type LinkForm } from './link-form';
import { messages } from './messages';

interface FieldsProps {
  readonly form: UseFormReturnType<LinkForm>;
}

const optional = (label: string) => `${label} (${shared.optional})`;

/** What is paid once, and how. */
export function MoneyFields({ form, isNew }: FieldsProps & { readonly isNew: boolean }) {
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        <CentsInput
          label={messages.amount}
          required
          value={form.values.amount}
          onChange={(cents) => form.setFieldValue('amount', cents)}
          error={form.errors['amount']}
        />
        {isNew && (
          <TextInput {...form.getInputProps('currency')} label={messages.currency} required maxLength={3} />
        )}
      </SimpleGrid>
      {canBePix(form.values) && (
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

/** What buyers subscribe to. */
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
          label: `${plan.name} · ${money(plan.amount, plan.currency)}, ${periodWords(plan)}`,
        })),
      ]}
    />
  );
}

/** Where it is, how often and how long. */
export function LimitFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        {...form.getInputProps('slug')}
        label={optional(messages.slug)}
        description={messages.slugAbout}
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

/** Where buyers go from its page. */
export function RouteFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        {...form.getInputProps('success_url')}
        type="url"
        label={optional(messages.success)}
        description={messages.successAbout}
        inputWrapperOrder={WRAPPER_ORDER}
        maxLength={2048}
      />
      <TextInput
        {...form.getInputProps('cancel_url')}
        type="url"
        label={optional(messages.cancel)}
        description={messages.cancelAbout}
        inputWrapperOrder={WRAPPER_ORDER}
        maxLength={2048}
      />
    </SimpleGrid>
  );
}
