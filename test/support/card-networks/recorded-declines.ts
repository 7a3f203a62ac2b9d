/** What a network's list says about retries after a decline code. `contradicted`: its sources say both. */
export type Reading = 'reversible' | 'irreversible' | 'contradicted';
export type DeclineRow = readonly [code: string, brand: string, reading: Reading];

/** A sample of the networks' lists, used if ORACLES does not name the folder that has all of them. */
export const RECORDED_DECLINES: readonly DeclineRow[] = [
  ['04', 'visa', 'irreversible'],
  ['04', 'elo', 'reversible'],
  ['05', 'visa', 'reversible'],
  ['07', 'visa', 'irreversible'],
  ['12', 'elo', 'irreversible'],
  ['13', 'visa', 'contradicted'],
  ['13', 'elo', 'irreversible'],
  ['15', 'visa', 'irreversible'],
  ['30', 'hipercard', 'irreversible'],
  ['41', 'mastercard', 'irreversible'],
  ['51', 'mastercard', 'reversible'],
  ['54', 'visa', 'contradicted'],
  ['57', 'mastercard', 'reversible'],
  ['57', 'visa', 'irreversible'],
  ['58', 'elo', 'irreversible'],
  ['62', 'elo', 'contradicted'],
  ['63', 'elo', 'irreversible'],
  ['64', 'elo', 'irreversible'],
  ['78', 'elo', 'reversible'],
  ['78', 'visa', 'reversible'],
  ['92', 'mastercard', 'irreversible'],
  ['93', 'visa', 'contradicted'],
  ['N7', 'visa', 'contradicted'],
  ['110', 'amex', 'irreversible'],
  ['116', 'amex', 'reversible'],
  ['8', 'amex', 'irreversible'],
  ['FD', 'amex', 'contradicted'],
];

/** Mastercard's Merchant Advice Codes, with the seconds to wait. */
export type AdviceRow = readonly [
  code: string,
  retry: 'never' | 'after a wait' | 'after a correction' | 'not stated',
  waitS: number | null,
];

export const RECORDED_ADVICE: readonly AdviceRow[] = [
  ['01', 'after a correction', 0],
  ['02', 'after a wait', 259_200],
  ['03', 'never', null],
  ['21', 'never', null],
  ['22', 'not stated', null],
  ['24', 'after a wait', 3_600],
  ['30', 'after a wait', 864_000],
  ['40', 'never', null],
  ['43', 'not stated', null],
];
