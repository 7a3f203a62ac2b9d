import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { currencySymbol, numberMarks } from '../formats';

interface CentsInputProps {
  readonly label: string;
  /** Shows the currency symbol; without it the amount is in any currency. */
  readonly currency?: string;
  /** Null when empty. */
  readonly value: number | null;
  readonly onChange: (cents: number | null) => void;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly size?: string;
}

/** Money input in the user's locale; the value is in cents. */
export function CentsInput({ currency, value, onChange, ...others }: CentsInputProps) {
  return (
    <NumberInput
      {...others}
      value={value === null ? '' : value / 100}
      onChange={(entered) => onChange(entered === '' ? null : Math.round(Number(entered) * 100))}
      min={0}
      decimalScale={2}
      fixedDecimalScale
      decimalSeparator={numberMarks.decimal ?? '.'}
      thousandSeparator={numberMarks.group ?? ','}
      prefix={currency === undefined ? undefined : `${currencySymbol(currency)} `}
      hideControls
      inputMode="decimal"
    />
  );
}
