import { Fieldset, NativeSelect, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CentsInput } from '../../ui/forms/cents-input';
import { methodLabels, PAYMENT_METHODS } from '../payments/status-labels';
import { CARD_BRANDS } from './card-brands';
import { messages } from './messages';
import type { RoutingForm } from './routing';

interface ConditionFieldsProps {
  readonly form: UseFormReturnType<RoutingForm>;
  readonly index: number;
}

export function ConditionFields({ form, index }: ConditionFieldsProps) {
  const path = `routing_rules.${index}.when` as const;
  const any = { value: '', label: messages.any };
  return (
    <Fieldset legend={messages.when}>
      <Text size="sm" c="dimmed" mb="sm">
        {messages.whenHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <NativeSelect
          {...form.getInputProps(`${path}.payment_method`)}
          label={messages.method}
          data={[any, ...PAYMENT_METHODS.map((method) => ({ value: method, label: methodLabels[method] }))]}
        />
        <Amount form={form} index={index} name="amount_from" label={messages.amountFrom} />
        <Amount form={form} index={index} name="amount_to" label={messages.amountTo} />
        <TextInput
          {...form.getInputProps(`${path}.currency`)}
          label={messages.currency}
          placeholder={messages.any}
          maxLength={3}
        />
        <NativeSelect
          {...form.getInputProps(`${path}.card_brand`)}
          label={messages.brand}
          data={[any, ...CARD_BRANDS]}
        />
        <TextInput
          {...form.getInputProps(`${path}.bin_prefix`)}
          label={messages.bin}
          placeholder={messages.any}
          inputMode="numeric"
          maxLength={6}
        />
        <NumberInput
          {...form.getInputProps(`${path}.installments_from`)}
          label={messages.installments}
          placeholder={messages.any}
          allowDecimal={false}
          allowNegative={false}
          hideControls
        />
      </SimpleGrid>
    </Fieldset>
  );
}

interface AmountProps extends ConditionFieldsProps {
  readonly name: 'amount_from' | 'amount_to';
  readonly label: string;
}

function Amount({ form, index, name, label }: AmountProps) {
  const path = `routing_rules.${index}.when.${name}` as const;
  return (
    <CentsInput
      label={label}
      value={form.values.routing_rules[index]?.when[name] ?? null}
      onChange={(cents) => form.setFieldValue(path, cents)}
      error={form.errors[path]}
    />
  );
}
