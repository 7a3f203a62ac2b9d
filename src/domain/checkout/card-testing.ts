import { assertNever } from '../shared/assert-never';

/**
 * What declined cards of public checkouts are counted by, within one company. Whoever tests stolen cards changes some of
 * them: the address, the card, the session, but hardly all at once.
 */
export const DECLINE_COUNTS = ['link', 'address', 'card', 'bin'] as const;
export type DeclineCount = (typeof DECLINE_COUNTS)[number];

/** Declined cards within `DECLINE_WINDOW_MS` after which no further card is tried. */
export type DeclineLimits = Readonly<Record<DeclineCount, number>>;

export const DECLINE_WINDOW_MS = 60 * 60 * 1000;

/** Tries of one link, address, card or BIN within the window. */
export interface CardTries {
  readonly declined: number;
  readonly approved: number;
  /** Tries without a result yet. */
  readonly pending: number;
}

/**
 * Whether no further card may be tried. The same card is tried once at a time and whatever else succeeds; a link, an address
 * or a BIN may belong to many honest buyers, so it is blocked only if most of its cards are declined.
 */
export function isBlocked(
  count: DeclineCount,
  { declined, approved, pending }: CardTries,
  limit: number,
): boolean {
  switch (count) {
    case 'card':
      return declined + pending >= limit;
    case 'link':
    case 'address':
    case 'bin':
      return declined >= limit && declined > approved;
    default:
      return assertNever(count);
  }
}
