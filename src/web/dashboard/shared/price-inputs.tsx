import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { CentsInput, sameNumber } from '../../ui/forms/cents-input';

interface Price {
  /** Null when empty. */
  readonly amount: number | null;
  readonly currency: string;
}

/** What a Mantine form with an amount and a currency offers. */
interface PriceForm {
  readonly values: Price;
  readonly errors: Readonly<Record<string, ReactNode>>;
  getInputProps(field: 'currency'): object;
  setFieldValue(field: 'amount', cents: number | null): void;
  setValues(values: Price): void;
}

interface PriceInputProps {
  readonly form: PriceForm;
  readonly label: string;
}

export function AmountInput({ form, label }: PriceInputProps) {
  return (
    <CentsInput
      label={label}
      required
      currency={form.values.currency}
      value={form.values.amount}
      onChange={(cents) => form.setFieldValue('amount', cents)}
      error={form.errors['amount']}
    />
  );
}

/** Another currency keeps the number that is shown. */
export function CurrencyInput({ form, label }: PriceInputProps) {
  return (
    <TextInput
      {...form.getInputProps('currency')}
      onChange={({ currentTarget: { value: currency } }) => {
        const { amount, currency: before } = form.values;
        form.setValues({ currency, amount: sameNumber(amount, before, currency) });
      }}
      label={label}
      required
      maxLength={3}
    />
  );
}
