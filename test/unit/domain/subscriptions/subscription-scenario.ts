import type {
  SubscriptionCard,
  SubscriptionEvent,
  CardHistory,
  ClosedCycle,
  Transition,
  SubscriptionState,
} from '../../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import type { SubscriptionChargeResult } from '../../../../src/domain/subscriptions/charge-result';
import {
  createSubscription,
  applyDueEvent,
  settleCharge,
  type SubscriptionTerms,
} from '../../../../src/domain/subscriptions/subscription-lifecycle';

export const CREATED_AT = new Date('2026-01-31T15:00:00Z');
export const GOLD = {
  planId: 'gold',
  currency: 'BRL',
  amountCents: 10_000,
  interval: 'monthly',
  intervalCount: 1,
} as const;
export const CARD: SubscriptionCard = {
  fingerprint: 'first',
  brand: 'visa',
  last4Digits: '1111',
  expireMonth: 12,
  expireYear: 2040,
};
export const PAID: SubscriptionChargeResult = { kind: 'paid' };
export const SOFT_DECLINE: SubscriptionChargeResult = {
  kind: 'declined',
  decline: { retry: 'automatic', waitMs: 0 },
};
export const HARD_DECLINE: SubscriptionChargeResult = {
  kind: 'declined',
  decline: { retry: 'never', waitMs: 0 },
};

export function terms(change: Partial<SubscriptionTerms> = {}): SubscriptionTerms {
  return {
    plan: GOLD,
    billingDay: null,
    trialDays: 0,
    timezone: 'America/Sao_Paulo',
    card: CARD,
    coupon: null,
    ...change,
  };
}

export const UNANSWERED: SubscriptionChargeResult = { kind: 'unanswered', reason: 'gateway_unavailable' };

/** Runs a subscription through the domain. `log` has its events with their UTC day. */
export class SubscriptionScenario {
  readonly log: string[] = [];
  readonly events: SubscriptionEvent[] = [];
  readonly closed: ClosedCycle[] = [];
  releasedCoupons = 0;
  history: CardHistory = { dunningDays: [1, 4, 9, 16], declines: [] };
  state: SubscriptionState;

  constructor(change: Partial<SubscriptionTerms> = {}) {
    this.state = this.record(createSubscription(terms(change), CREATED_AT), CREATED_AT);
  }

  /** Settles the open charge with each result in turn, first advancing to a charge if none is open. */
  charge(...results: readonly SubscriptionChargeResult[]): this {
    for (const result of results) {
      if (this.state.openCharge === null) this.advanceTo();
      const at = this.state.lastTransitionAt;
      this.record(settleCharge(this.state, result, at, this.history), at);
    }
    return this;
  }

  /** Settles the open charge at an instant. */
  settle(result: SubscriptionChargeResult, at: Date): this {
    this.record(settleCharge(this.state, result, at, this.history), at);
    return this;
  }

  /** Applies the next due event when it is overdue, at `now`. */
  processLate(now: Date): this {
    const due = nextDue(this.state);
    if (due === null || due.at > now) throw new Error('nothing is overdue');
    this.record(applyDueEvent(this.state, due, this.history, now), now);
    return this;
  }

  /** What all paid cycles took from the card. */
  get chargedCents(): number {
    const paid = this.closed.filter(({ status }) => status === 'paid');
    return paid.reduce((sum, { cycle }) => sum + cycle.chargeCents, 0);
  }

  /** Applies due events through the first of that kind, or until a charge is open. */
  advanceTo(kind?: string): this {
    for (let steps = 0; steps < 50; steps += 1) {
      const due = nextDue(this.state);
      if (due === null) throw new Error(`nothing is due: ${this.state.status}`);
      this.record(applyDueEvent(this.state, due, this.history), due.at);
      if (due.kind === kind || (kind === undefined && this.state.openCharge !== null)) return this;
    }
    throw new Error(`${kind ?? 'a charge'} never becomes due`);
  }

  /** Executes a command at an instant. Its charge begins at `now`. */
  apply(command: SubscriptionCommand, at: Date = this.state.lastTransitionAt, now: Date = at): this {
    const result = applyCommand(this.state, command, at, this.history, now);
    if (!result.applied) throw new Error(result.reason);
    this.record(result.transition, at);
    return this;
  }

  refusalReason(command: SubscriptionCommand, at: Date = this.state.lastTransitionAt): string {
    const result = applyCommand(this.state, command, at, this.history);
    return result.applied ? 'applied' : result.reason;
  }

  private record({ state, events, closed, releasesCoupon }: Transition, at: Date): SubscriptionState {
    this.releasedCoupons += releasesCoupon ? 1 : 0;
    this.events.push(...events);
    this.closed.push(...closed);
    const day = at.toISOString().slice(0, 10);
    this.log.push(...events.map(({ type }) => `${day} ${type.replace('subscription.', '')}`));
    this.state = state;
    return state;
  }
}
