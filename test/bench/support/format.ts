import type { Spread } from './statistics';

export function showSpread({ median, min, max }: Spread): string {
  return `${showNumber(median)} (${showNumber(min)} to ${showNumber(max)})`;
}

/** Three significant digits: results on a shared machine are less precise than that. */
export function showNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
