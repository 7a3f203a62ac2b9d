import { NumberInput, type NumberInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { currencyDecimals, isCurrency, majorUnits } from '../../../domain/shared/currency';
import { currencySymbol, numberMarks } from '../formats';

interface CentsInputProps {
  readonly label: string;
  /** Sets the symbol and the decimals; without it the amount is in any currency, with two decimals. */
  readonly currency?: string;
  /** Null when empty. */
  readonly value: number | null;
  readonly onChange: (cents: number | null) => void;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly size?: string;
  readonly inputWrapperOrder?: NumberInputProps['inputWrapperOrder'];
}

/** The amount in minor units that reads the same in another currency: 1990 in BRL is 19.9, in KWD 19900. */
export function sameNumber(cents: number | null, from: string, to: string): number | null {
  return cents === null ? null : Math.round(cents * 10 ** (currencyDecimals(to) - currencyDecimals(from)));
}

/** Money input in the user's locale; the value is in the currency's minor unit. */
export function CentsInput({ currency = '', value, onChange, ...others }: CentsInputProps) {
  const decimals = currencyDecimals(currency);
  const toCents = (entered: number | string) => Math.round(Number(entered) * 10 ** decimals);
  return (
    <NumberInput
      {...others}
      value={value === null ? '' : majorUnits(value, currency)}
      onChange={(entered) => onChange(entered === '' ? null : toCents(entered))}
      min={0}
      decimalScale={decimals}
      fixedDecimalScale
      decimalSeparator={numberMarks.decimal ?? '.'}
      thousandSeparator={numberMarks.group ?? ','}
      prefix={isCurrency(currency) ? `${currencySymbol(currency)} ` : undefined}
      hideControls
      inputMode="decimal"
    />
  );
}
