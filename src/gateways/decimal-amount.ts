/** Amounts as decimal numbers with two places, as some vendors write them in JSON. Never computed with as such. */
const DECIMAL = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** 12990 cents are 129.9. The number whose shortest text is the exact amount. */
export function decimalAmount(cents: number): number {
  return Number(`${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`);
}

/** 129.9 is 12990 cents. Null if the number has more than two decimals or is negative. */
export function centsOfDecimal(amount: number): number | null {
  const [, units, decimals = ''] = DECIMAL.exec(String(amount)) ?? [];
  return units === undefined ? null : Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}
