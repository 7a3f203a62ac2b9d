import { retryAdvice } from '../payments/advice-code';
import { networkOf } from '../payments/card-network';
import { declineRule, type DeclineRule } from '../payments/decline';
import { RETRY_PROGRAMMES, type CountedBy } from './network-limits';

/** A declined charge of a card by any subscription of the company, at any gateway. */
export interface CardDecline {
  /** By the clock of its subscription. */
  readonly at: Date;
  readonly amountCents: number;
  /**
   * Null if it is not known whether the charge was declined, or why, or if the gateway sent no code. The class of such a
   * decline does not matter here, because no class forbids a card: only advice does.
   */
  readonly code: string | null;
  /** Mastercard's Merchant Advice Code. */
  readonly adviceCode: string | null;
  /** Not a decline, but a dispute for fraud that the company has not won. */
  readonly isFraud?: boolean;
}

/** Somebody asks for a `person`'s charge now; the others are renewals and automatic retries. */
export type ChargeInitiator = 'schedule' | 'person';

/** A charge that is about to be made. */
export interface GuardedCharge {
  readonly brand: string;
  readonly amountCents: number;
  readonly at: Date;
  readonly initiator: ChargeInitiator;
}

export type ChargePermission =
  | { readonly kind: 'allowed' }
  /** The network allows it from then on. */
  | { readonly kind: 'later'; readonly at: Date }
  /** The card must not be charged again. */
  | { readonly kind: 'never' };

/**
 * Whether the card's network allows a charge, given all declines of the card: the guard in front of every charge of a
 * subscription. One-off payments are neither guarded nor counted (docs/decisions/subscription-charges.md).
 */
export function permissionFor(charge: GuardedCharge, declines: readonly CardDecline[]): ChargePermission {
  if (declines.some((decline) => forbids(decline, charge))) return { kind: 'never' };
  const at = earliestAllowedAt(charge, declines);
  return at > charge.at ? { kind: 'later', at } : { kind: 'allowed' };
}

/** Clocks of machines differ, so the time of an earlier decline may be a little later. */
const SPREAD_MS = 3_600_000;

/** The first instant at or after the charge at which no limit and, for a scheduled charge, no advice forbids it. */
export function earliestAllowedAt(charge: GuardedCharge, declines: readonly CardDecline[]): Date {
  const waits = charge.initiator === 'schedule' ? declines.map((decline) => waitsUntil(decline, charge)) : [];
  return new Date(Math.max(+charge.at, limitedUntil(charge, declines), ...waits));
}

function limitedUntil(charge: GuardedCharge, declines: readonly CardDecline[]): number {
  const { countedBy, limits } = RETRY_PROGRAMMES[networkOf(charge.brand)];
  const newestFirst = declines
    .filter((decline) => +decline.at <= +charge.at + SPREAD_MS && isSame(countedBy, decline, charge))
    .map(({ at }) => +at)
    .sort((a, b) => b - a);
  // With n = fewerThan, the (n-1)th newest decline must leave the window before another one is allowed.
  const free = limits.map(({ fewerThan, windowMs }) => (newestFirst[fewerThan - 2] ?? -Infinity) + windowMs);
  return Math.max(-Infinity, ...free);
}

/** Advice to wait is about the same transaction. */
function waitsUntil(decline: CardDecline, charge: GuardedCharge): number {
  if (!isSame('card_and_amount', decline, charge)) return -Infinity;
  return +decline.at + ruleOf(decline, charge).waitMs;
}

function forbids(decline: CardDecline, charge: GuardedCharge): boolean {
  if (decline.isFraud === true) return true;
  if (ruleOf(decline, charge).retry !== 'never') return false;
  const isByAdvice = retryAdvice(decline.adviceCode).retry === 'never';
  const scope = isByAdvice ? 'card' : RETRY_PROGRAMMES[networkOf(charge.brand)].forbids;
  return isSame(scope, decline, charge);
}

function ruleOf({ code, adviceCode }: CardDecline, { brand }: GuardedCharge): DeclineRule {
  return declineRule({ code, brand, adviceCode });
}

function isSame(countedBy: CountedBy, decline: CardDecline, charge: GuardedCharge): boolean {
  return countedBy === 'card' || decline.amountCents === charge.amountCents;
}

/** What identifies a card when its declines are counted. A renewed card keeps its number, and is another card. */
export function cardIdentity(card: {
  readonly fingerprint: string;
  readonly expireMonth: number;
  readonly expireYear: number;
}): string {
  return `${card.fingerprint} ${card.expireYear}-${card.expireMonth}`;
}
