import { NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { currencySymbol, numberMarks } from '../formats';

interface CentsInputProps {
  readonly label: string;
  /** Whose sign stands before the number; without one it is money of any currency. */
  readonly currency?: string;
  /** Null: nothing is entered. */
  readonly value: number | null;
  readonly onChange: (cents: number | null) => void;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly size?: string;
}

/** Money as people write it in their country, in cents towards the program. */
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
