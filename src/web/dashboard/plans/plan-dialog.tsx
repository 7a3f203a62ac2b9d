import { NativeSelect, NumberInput, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages as shared } from '../../ui/messages';
import { AmountInput, CurrencyInput } from '../shared/price-inputs';
import { messages } from './messages';
import { formOf, NEW_PLAN, savePlan, type PlanForm } from './plan-form';
import type { Plan } from './queries';

const INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const satisfies readonly Plan['interval'][];

interface PlanDialogProps {
  /** The plan to edit; undefined to create one. */
  readonly plan?: Plan;
  readonly close: () => void;
}

export function PlanDialog({ plan, close }: PlanDialogProps) {
  const form = useForm<PlanForm>({ initialValues: plan === undefined ? NEW_PLAN : formOf(plan) });
  return (
    <FormDialog
      title={plan === undefined ? messages.add : messages.editTitle}
      action={plan === undefined ? shared.create : shared.save}
      form={form}
      save={(values) => savePlan(plan, values)}
      success={shared.saved}
      reloads={['plans']}
      close={close}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={messages.name}
        required
        maxLength={255}
        data-autofocus
      />
      <Textarea
        {...form.getInputProps('description')}
        label={`${messages.description} (${shared.optional})`}
        autosize
        maxLength={1000}
      />
      <PriceFields form={form} />
      {plan !== undefined && (
        <Text size="xs" c="dimmed">
          {messages.priceNote}
        </Text>
      )}
      <TermFields form={form} />
      <Switch {...form.getInputProps('is_active', { type: 'checkbox' })} label={messages.isActive} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<PlanForm>;
}

function PriceFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={2} spacing="sm">
      <AmountInput form={form} label={messages.price} />
      <CurrencyInput form={form} label={messages.currency} />
      <WholeNumberInput form={form} name="interval_count" label={messages.every} />
      <NativeSelect
        {...form.getInputProps('interval')}
        label={messages.interval}
        data={INTERVALS.map((value) => ({ value, label: messages.intervals[value] }))}
      />
    </SimpleGrid>
  );
}

function TermFields({ form }: FieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <WholeNumberInput form={form} name="trial_period_days" label={messages.trial} />
      <WholeNumberInput form={form} name="min_card_months" label={messages.cardMonths} />
      <WholeNumberInput
        form={form}
        name="billing_day"
        label={`${messages.billingDay} (${shared.optional})`}
        description={messages.billingDayHint}
      />
    </SimpleGrid>
  );
}

interface WholeNumberInputProps extends FieldsProps {
  readonly name: keyof PlanForm;
  readonly label: string;
  readonly description?: string;
}

function WholeNumberInput({ form, name, label, description }: WholeNumberInputProps) {
  return (
    <NumberInput
      {...form.getInputProps(name)}
      label={label}
      description={description}
      allowDecimal={false}
      allowNegative={false}
    />
  );
}
