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
  /** Cents. */
  readonly most: number;
  readonly currency: string;
}

/** Everything, or a part of it. */
export function AmountChoice({ form, most, currency }: AmountChoiceProps) {
  const [isPart, setPart] = useState(false);
  const choose = (value: string) => {
    setPart(value === 'part');
    form.setFieldValue('amount', value === 'part' ? most : null);
  };
  return (
    <Radio.Group label={messages.howMuch} value={isPart ? 'part' : 'whole'} onChange={choose}>
      <Stack gap="xs" mt="xs">
        <Radio value="whole" label={messages.everything(money(most, currency))} />
        <Radio value="part" label={messages.part} />
        {isPart && (
          <CentsInput
            label={messages.amount}
            description={messages.atMost(money(most, currency))}
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
      description={messages.reasonAbout}
      maxLength={255}
    />
  );
}
