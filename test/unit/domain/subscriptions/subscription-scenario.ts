import type {
  SubscriptionCard,
  CardHistory,
  Transition,
  SubscriptionState,
} from '../../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  createSubscription,
  applyDueEvent,
  settleCharge,
  type ChargeResult,
  type SubscriptionTerms,
} from '../../../../src/domain/subscriptions/subscription-lifecycle';

export const BEGINNING = new Date('2026-01-31T15:00:00Z');
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
export const PAID: ChargeResult = { kind: 'paid' };
export const REFUSED: ChargeResult = {
  kind: 'refused',
  refusal: { declineClass: 'soft', adviceCode: null },
};
export const STOLEN: ChargeResult = {
  kind: 'refused',
  refusal: { declineClass: 'hard', adviceCode: null },
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

/** A subscription that is lived through; `log` has what it told, with the day in UTC. */
export class Life {
  readonly log: string[] = [];
  readonly history: CardHistory = { dunningDays: [1, 4, 9, 16], refusedAt: [] };
  state: SubscriptionState;

  constructor(change: Partial<SubscriptionTerms> = {}) {
    this.state = this.take(createSubscription(terms(change), BEGINNING), BEGINNING);
  }

  /** The open charge ends like this, at once. */
  charge(...results: readonly ChargeResult[]): this {
    for (const result of results) {
      if (this.state.openCharge === null) this.next();
      const at = this.state.lastTransitionAt;
      const refusedAt = result.kind === 'refused' ? [...this.history.refusedAt, at] : this.history.refusedAt;
      this.take(settleCharge(this.state, result, at, { ...this.history, refusedAt }), at);
    }
    return this;
  }

  /** Lives on to what happens next; until a charge is open when nothing else is said. */
  next(what?: string): this {
    for (let steps = 0; steps < 50; steps += 1) {
      const due = nextDue(this.state);
      if (due === null) throw new Error(`nothing is due: ${this.state.status}`);
      this.take(applyDueEvent(this.state, due, this.history), due.at);
      if (due.what === what || (what === undefined && this.state.openCharge !== null)) return this;
    }
    throw new Error(`it never comes to ${what ?? 'a charge'}`);
  }

  obey(command: SubscriptionCommand, at: Date = this.state.lastTransitionAt): this {
    const obeyed = applyCommand(this.state, command, at, this.history);
    if (!obeyed.obeyed) throw new Error(obeyed.why);
    this.take(obeyed.moved, at);
    return this;
  }

  refusal(command: SubscriptionCommand): string {
    const obeyed = applyCommand(this.state, command, this.state.lastTransitionAt, this.history);
    return obeyed.obeyed ? 'obeyed' : obeyed.why;
  }

  private take(moved: Transition, at: Date): SubscriptionState {
    const day = at.toISOString().slice(0, 10);
    this.log.push(...moved.events.map(({ event }) => `${day} ${event.replace('subscription.', '')}`));
    this.state = moved.state;
    return moved.state;
  }
}
