import type { Spread } from './statistics';

export function showSpread({ median, min, max }: Spread): string {
  return `${showNumber(median)} (${showNumber(min)} to ${showNumber(max)})`;
}

/** Three figures are more than a shared machine can tell. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
