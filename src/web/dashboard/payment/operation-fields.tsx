import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { CentsInput } from '../../ui/forms/cents-input';
import { money } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import type { AmountLimits } from './operations';
import type { OperationForm } from './operation-dialog';
import { messages } from './operation-messages';

interface OperationFieldProps {
  readonly form: UseFormReturnType<OperationForm>;
}

interface AmountChoiceProps extends OperationFieldProps {
  readonly limits: AmountLimits;
  readonly currency: string;
}

/** Why an amount cannot be sent; null if it can. `cents`: null for the full amount. */
export function amountProblem(cents: number | null, { max }: AmountLimits, currency: string): string | null {
  if (cents === null) return null;
  if (cents <= 0) return messages.tooLittle(money(1, currency));
  return cents > max ? messages.tooMuch(money(max, currency)) : null;
}

/** Full or partial amount. */
export function AmountChoice({ form, limits, currency }: AmountChoiceProps) {
  const [isPartial, setPartial] = useState(false);
  const { max, total, done } = limits;
  const choose = (value: string) => {
    setPartial(value === 'partial');
    form.setFieldValue('amount', value === 'partial' ? max : null);
  };
  return (
    <Radio.Group
      label={messages.howMuch}
      description={done > 0 ? messages.alreadyDone(money(done, currency), money(total, currency)) : undefined}
      value={isPartial ? 'partial' : 'full'}
      onChange={choose}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="full" label={messages.full(money(max, currency))} />
        <Radio value="partial" label={messages.partial} />
        {isPartial && (
          <CentsInput
            label={messages.amount}
            description={messages.max(money(max, currency))}
            currency={currency}
            value={form.values.amount}
            onChange={(cents) => {
              form.setFieldValue('amount', cents ?? 0);
              form.clearFieldError('amount');
            }}
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
