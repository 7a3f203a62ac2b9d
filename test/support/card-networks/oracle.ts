import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  RECORDED_ADVICE,
  RECORDED_DECLINES,
  type AdviceRow,
  type DeclineRow,
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

export interface CardNetworkOracle {
  readonly declines: readonly DeclineRow[];
  readonly advice: readonly AdviceRow[];
  /** Whether these are all rows, and not the recorded sample. */
  readonly isComplete: boolean;
}

/** The networks' lists in the folder that ORACLES names, or else a recorded sample of them. */
export function loadOracle(): CardNetworkOracle {
  const folder = process.env.ORACLES;
  if (!folder) return { declines: RECORDED_DECLINES, advice: RECORDED_ADVICE, isComplete: false };
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'card-networks', name), 'utf8'));
  const abecs = read('abecs.json') as {
    readonly codes: Record<string, Record<string, ListedCode>>;
    readonly amex_codes_as_cielo_sends_them: Record<string, ListedCode>;
  };
  const rules = read('network-retry-rules.json') as {
    readonly mastercard: { readonly mac: Record<string, ListedAdvice> };
  };
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
  return { declines: [...byNetwork, ...aliases], advice, isComplete: true };
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
