/** What a network's list says about retries after a decline code. `contradicted`: its sources say both. */
export type Reading = 'reversible' | 'irreversible' | 'contradicted';
export type DeclineRow = readonly [code: string, brand: string, reading: Reading];

const MASTERCARD: Partial<Record<Reading, string>> = {
  irreversible: '01 03 04 12 13 14 15 30 41 43 54 58 62 88 92 94',
  reversible: '05 51 55 57 61 63 65 75 91 96',
};

/** The codes of each network's list, by what it says. Recorded from the sources that `DECLINE_CODES` names. */
const CODES: Readonly<Record<string, Partial<Record<Reading, string>>>> = {
  visa: {
    irreversible: '04 07 12 14 15 41 43 46 57 R0 R1 R3',
    contradicted: '03 06 13 19 54 58 64 6P 74 76 81 82 92 93 94 N3 N7 N8 R2',
    reversible: '05 1A 39 51 52 53 55 59 61 62 65 70 75 78 86 91 96 B1 B2 N0 N4 Z5',
  },
  mastercard: MASTERCARD,
  hipercard: MASTERCARD,
  elo: {
    irreversible: '12 13 14 19 23 30 41 43 46 54 56 57 58 63 64 76 77 82 83 FM P5',
    contradicted: '62 AB AC',
    reversible: '04 05 06 38 51 55 59 61 65 75 78 91 96 P6',
  },
  amex: {
    irreversible: '101 109 110 115 122 180 181 200 8 DA A2 A3 JB BV A7',
    contradicted: 'FD',
    reversible: '100 106 116 117 121 911 912 FA A5 A6 A4 A1 AE',
  },
};

export const RECORDED_DECLINES: readonly DeclineRow[] = Object.entries(CODES).flatMap(([brand, readings]) =>
  Object.entries(readings).flatMap(([reading, codes]) =>
    codes.split(' ').map((code): DeclineRow => [code, brand, reading as Reading]),
  ),
);

/** The network fines the decline with this number in this time, and each further one. */
export type LimitRow = readonly [brand: string, firstFined: number, days: number];

export const RECORDED_LIMITS: readonly LimitRow[] = [
  ['visa', 15, 30],
  ['elo', 15, 30],
  ['hipercard', 9, 31],
  ['mastercard', 7, 1],
  ['mastercard', 35, 30],
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
  ['04', 'after a correction', 0],
  ['05', 'not stated', null],
  ['21', 'never', null],
  ['22', 'not stated', null],
  ['24', 'after a wait', 3_600],
  ['25', 'after a wait', 86_400],
  ['26', 'after a wait', 172_800],
  ['27', 'after a wait', 345_600],
  ['28', 'after a wait', 518_400],
  ['29', 'after a wait', 691_200],
  ['30', 'after a wait', 864_000],
  ['40', 'never', null],
  ['41', 'never', null],
  ['42', 'not stated', null],
  ['43', 'not stated', null],
];
