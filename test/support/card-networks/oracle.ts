import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RECORDED_ADVICE,
  RECORDED_DECLINES,
  RECORDED_LIMITS,
  type AdviceRow,
  type DeclineRow,
  type LimitRow,
  type Reading,
} from './recorded-declines';

interface ListedCode {
  /** Null: the list has both kinds, or has no such code. */
  readonly reversible: boolean | null;
  readonly retry: string;
  /** The network's own list. */
  readonly network?: { readonly reversible: boolean };
}

interface ListedAdvice {
  readonly retry: string;
  readonly wait_s: number | null;
}

interface RetryRules {
  readonly visa: { readonly categories: Record<string, { retries: number; window_days?: number }> };
  readonly elo: { readonly retries: number };
  readonly hipercard: { readonly refusals: number };
  readonly mastercard: {
    readonly mac: Record<string, ListedAdvice>;
    readonly excessive_attempts: ReadonlyArray<{
      readonly refusals: number;
      readonly window_hours?: number;
      readonly window_days?: number;
    }>;
  };
}

export interface CardNetworkOracle {
  readonly declines: readonly DeclineRow[];
  readonly advice: readonly AdviceRow[];
  readonly limits: readonly LimitRow[];
}

/** The networks' lists in the folder that ORACLES names, or else as they were recorded. */
export function loadOracle(): CardNetworkOracle {
  const folder = process.env.ORACLES;
  if (!folder) return { declines: RECORDED_DECLINES, advice: RECORDED_ADVICE, limits: RECORDED_LIMITS };
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'card-networks', name), 'utf8'));
  const abecs = read('abecs.json') as {
    readonly codes: Record<string, Record<string, ListedCode>>;
    readonly amex_codes_as_cielo_sends_them: Record<string, ListedCode>;
  };
  const rules = read('network-retry-rules.json') as RetryRules;
  const byNetwork = Object.entries(abecs.codes).flatMap(([code, networks]) =>
    Object.entries(networks).map(([brand, listed]): DeclineRow => [code, brand, readingOf(listed)]),
  );
  const aliases = Object.entries(abecs.amex_codes_as_cielo_sends_them).map(([code, listed]): DeclineRow => [
    code,
    'amex',
    readingOf(listed),
  ]);
  const advice = Object.entries(rules.mastercard.mac).map(([code, { retry, wait_s }]): AdviceRow => [
    code,
    adviceReading(retry),
    wait_s,
  ]);
  return { declines: [...byNetwork, ...aliases], advice, limits: limitsOf(rules) };
}

/** Sources count tries or retries, and the smaller number holds. Hipercard and Elo count by month. */
function limitsOf({ visa, elo, hipercard, mastercard }: RetryRules): LimitRow[] {
  const limited = Object.values(visa.categories).filter(({ retries }) => retries > 0);
  return [
    ...limited.map(({ retries, window_days }): LimitRow => ['visa', retries, window_days ?? NaN]),
    ['elo', elo.retries, 30],
    ['hipercard', hipercard.refusals + 1, 31],
    ...mastercard.excessive_attempts.map(({ refusals, window_hours, window_days }): LimitRow => {
      return ['mastercard', refusals, window_days ?? (window_hours ?? NaN) / 24];
    }),
  ];
}

function readingOf({ reversible, retry, network }: ListedCode): Reading {
  const own = retry === 'ambiguous' ? [true, false] : [reversible];
  const readings = new Set([...own, network?.reversible].filter((one) => typeof one === 'boolean'));
  if (readings.size === 0) throw new Error('no source says whether the code is reversible');
  if (readings.size > 1) return 'contradicted';
  return readings.has(true) ? 'reversible' : 'irreversible';
}

function adviceReading(retry: string): AdviceRow[1] {
  if (retry === 'never' || retry === 'after a wait') return retry;
  if (retry === 'not_stated') return 'not stated';
  if (/ (was|were) (corrected|renewed)/.test(retry)) return 'after a correction';
  throw new Error(`unknown rule: ${retry}`);
}
