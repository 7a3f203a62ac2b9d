import { LRUCache } from 'lru-cache';
import {
  DECLINE_COUNTS,
  DECLINE_WINDOW_MS,
  isBlocked,
  type DeclineLimits,
} from '../../domain/checkout/card-testing';
import { ApiError } from '../../domain/shared/errors';

/** A card that somebody without an account wants to pay with. */
export interface CardTry {
  readonly companyId: number;
  /** Null in a session that the company opened. */
  readonly linkId: number | null;
  /** The network address of the buyer. */
  readonly address: string;
  /** Recognizes the card within the company. */
  readonly fingerprint: string;
  /** The first six digits. */
  readonly bin: string;
}

/** The result of a try: `other` if the card was not charged, or the result is not known yet. */
export type TryOutcome = 'approved' | 'declined' | 'other';

interface Counter {
  declined: number;
  approved: number;
  pending: number;
  readonly endsAt: number;
}

/** The most links, addresses, cards and BINs that are remembered; the least recently used are forgotten. */
const MAX_COUNTERS = 100_000;

/**
 * Stops card testing at public checkouts. Counts in this process only, like the other rate limits: with n API processes
 * up to n times the limits are tried.
 */
export class CardTestingGuard {
  private readonly counters = new LRUCache<string, Counter>({ max: MAX_COUNTERS });

  constructor(
    private readonly limits: DeclineLimits,
    private readonly now: () => Date,
  ) {}

  /**
   * Runs one try and counts its result. A throw counts as `other`, unless the issuer declined the card.
   *
   * @throws ApiError `rate_limited` before the try. It does not say what was counted.
   */
  async run<Answer>(
    cardTry: CardTry,
    pay: () => Promise<Answer>,
    outcomeOf: (answer: Answer) => TryOutcome,
  ): Promise<Answer> {
    const counters = this.countersOf(cardTry);
    this.assertAllowed(counters);
    for (const { counter } of counters) counter.pending += 1;
    let outcome: TryOutcome = 'other';
    try {
      const answer = await pay();
      outcome = outcomeOf(answer);
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'card_declined') outcome = 'declined';
      throw error;
    } finally {
      for (const { counter } of counters) {
        counter.pending -= 1;
        if (outcome !== 'other') counter[outcome] += 1;
      }
    }
  }

  private assertAllowed(counters: ReturnType<CardTestingGuard['countersOf']>): void {
    const blocked = counters.filter(({ count, counter }) => isBlocked(count, counter, this.limits[count]));
    if (blocked.length === 0) return;
    const endsAt = Math.max(...blocked.map(({ counter }) => counter.endsAt));
    const seconds = Math.max(1, Math.ceil((endsAt - this.now().getTime()) / 1_000));
    throw new ApiError('rate_limited', 'Too many attempts. Try again later.', undefined, seconds);
  }

  private countersOf({ companyId, linkId, address, fingerprint, bin }: CardTry) {
    const values = { link: linkId, address, card: fingerprint, bin };
    return DECLINE_COUNTS.filter((count) => values[count] !== null).map((count) => ({
      count,
      counter: this.counterOf(`${companyId}:${count}:${values[count]}`),
    }));
  }

  private counterOf(key: string): Counter {
    const now = this.now().getTime();
    const known = this.counters.get(key);
    if (known !== undefined && known.endsAt > now) return known;
    const counter = { declined: 0, approved: 0, pending: 0, endsAt: now + DECLINE_WINDOW_MS };
    this.counters.set(key, counter);
    return counter;
  }
}
