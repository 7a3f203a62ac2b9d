import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { CentsInput } from '../../ui/forms/cents-input';
import { money } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import type { OperationForm } from './operation-dialog';
import { messages } from './operation-messages';

interface OperationFieldProps {
  readonly form: UseFormReturnType<OperationForm>;
}

interface AmountChoiceProps extends OperationFieldProps {
  /** In cents. */
  readonly max: number;
  readonly currency: string;
}

/** Full or partial amount. */
export function AmountChoice({ form, max, currency }: AmountChoiceProps) {
  const [isPartial, setPartial] = useState(false);
  const choose = (value: string) => {
    setPartial(value === 'partial');
    form.setFieldValue('amount', value === 'partial' ? max : null);
  };
  return (
    <Radio.Group label={messages.howMuch} value={isPartial ? 'partial' : 'full'} onChange={choose}>
      <Stack gap="xs" mt="xs">
        <Radio value="full" label={messages.full(money(max, currency))} />
        <Radio value="partial" label={messages.partial} />
        {isPartial && (
          <CentsInput
            label={messages.amount}
            description={messages.max(money(max, currency))}
            currency={currency}
            value={form.values.amount}
            onChange={(cents) => form.setFieldValue('amount', cents ?? 0)}
            error={form.errors['amount']}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

export function ReasonField({ form }: OperationFieldProps) {
  return (
    <TextInput
      {...form.getInputProps('reason')}
      label={`${messages.reason} (${shared.optional})`}
      description={messages.reasonHint}
      maxLength={255}
    />
  );
}
