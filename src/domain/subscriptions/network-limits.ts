import type { CardNetwork } from '../payments/card-network';

const DAY_MS = 24 * 3_600_000;

/** What declines must have in common to count together: the card, or the card and the amount. The company always. */
export type CountedBy = 'card' | 'card_and_amount';

/** The network fines a company that has `fewerThan` or more declines within `windowMs`. */
export interface NetworkLimit {
  readonly fewerThan: number;
  readonly windowMs: number;
}

export interface RetryProgramme {
  readonly countedBy: CountedBy;
  readonly limits: readonly NetworkLimit[];
  /** What a response code that forbids every retry forbids. A Merchant Advice Code always forbids the card. */
  readonly forbids: CountedBy;
}

/**
 * The networks' programmes against excessive retries. Sources: Cielo, "Programas de retentativa das bandeiras" (2023 to 2024);
 * Visa also Payway, Elavon and Evolve; Mastercard also click2pay; Hipercard in Cielo's text of 2022 only. Where they differ,
 * the smaller number holds. Networks without a published programme: no further charge of a card after an irreversible decline.
 */
export const RETRY_PROGRAMMES: Readonly<Record<CardNetwork, RetryProgramme>> = {
  visa: {
    countedBy: 'card_and_amount',
    limits: [{ fewerThan: 15, windowMs: 30 * DAY_MS }],
    forbids: 'card_and_amount',
  },
  mastercard: {
    countedBy: 'card',
    limits: [
      { fewerThan: 7, windowMs: DAY_MS },
      { fewerThan: 35, windowMs: 30 * DAY_MS },
    ],
    forbids: 'card_and_amount',
  },
  elo: {
    countedBy: 'card_and_amount',
    limits: [{ fewerThan: 15, windowMs: 30 * DAY_MS }],
    forbids: 'card_and_amount',
  },
  hipercard: {
    countedBy: 'card_and_amount',
    // Counted by calendar month, the longest of which has 31 days.
    limits: [{ fewerThan: 9, windowMs: 31 * DAY_MS }],
    forbids: 'card_and_amount',
  },
  amex: { countedBy: 'card', limits: [], forbids: 'card' },
  other: { countedBy: 'card', limits: [], forbids: 'card' },
};

/** The longest window of a limit: older declines count no more. */
export const LONGEST_WINDOW_MS = Math.max(
  ...Object.values(RETRY_PROGRAMMES).flatMap(({ limits }) => limits.map(({ windowMs }) => windowMs)),
);
