import type { DeclineClass } from '../../../../src/domain/payments/decline';
import type { CardDecline } from '../../../../src/domain/subscriptions/charge-guard';
import { chargeResultOf } from '../../../../src/domain/subscriptions/charge-result';
import type {
  CardHistory,
  SubscriptionState,
  Transition,
} from '../../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  createUnlessForbidden,
  type CommandResult,
  type SubscriptionCommand,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  applyDueEvent,
  settleCharge,
  type SubscriptionTerms,
} from '../../../../src/domain/subscriptions/subscription-lifecycle';

/** What the issuer answers a charge; null if it approves. */
export type IssuerAnswer = {
  readonly code: string | null;
  readonly adviceCode: string | null;
  readonly declineType: DeclineClass | null;
} | null;

/** A charge that was sent, and its answer. */
export interface SentCharge {
  readonly subscription: number;
  /** The cycle that it pays for. */
  readonly cycle: string;
  readonly at: Date;
  readonly amountCents: number;
  readonly initiator: 'schedule' | 'person';
  readonly answer: IssuerAnswer;
}

/** When a charge is really sent, and for whom. */
interface Begun {
  readonly at: Date;
  readonly by: SentCharge['initiator'];
}

const MAX_EVENTS = 1_000;

/** Several subscriptions of one company with the same card, whose charges are answered at once. */
export class SharedCard {
  readonly charges: SentCharge[] = [];
  /** Charges that the guard did not allow. */
  withheld = 0;
  private readonly declines: CardDecline[] = [];
  private readonly states = new Map<number, SubscriptionState>();
  private events = 0;

  constructor(private readonly answers: Iterator<IssuerAnswer>) {}

  private get history(): CardHistory {
    return { dunningDays: [1, 4, 9, 16], declines: this.declines };
  }

  /** Processes everything that is due, in order of time: when it is due, or all of it only now. */
  advance(now: Date, isLate = false): void {
    for (let next = this.nextDue(now); next !== null; next = this.nextDue(now)) {
      const { subscription, state, due } = next;
      const at = isLate ? now : due.at;
      this.save(subscription, state, applyDueEvent(state, due, this.history, at), { at, by: 'schedule' });
      this.events += 1;
      if (this.events > MAX_EVENTS) return;
    }
  }

  create(subscription: number, terms: SubscriptionTerms, at: Date): void {
    if (this.states.has(subscription)) return;
    this.saveResult(subscription, null, createUnlessForbidden(terms, at, this.history), { at, by: 'person' });
  }

  apply(subscription: number, command: SubscriptionCommand, now: Date): void {
    const state = this.states.get(subscription);
    if (state === undefined) return;
    const at = now < state.lastTransitionAt ? state.lastTransitionAt : now;
    const by = command.kind === 'resume' ? 'schedule' : 'person';
    this.saveResult(subscription, state, applyCommand(state, command, at, this.history), { at, by });
  }

  private nextDue(now: Date) {
    const all = [...this.states].flatMap(([subscription, state]) => {
      const due = nextDue(state);
      return due === null || due.at > now ? [] : [{ subscription, state, due }];
    });
    return all.sort((a, b) => +a.due.at - +b.due.at)[0] ?? null;
  }

  private saveResult(
    subscription: number,
    before: SubscriptionState | null,
    result: CommandResult,
    begun: Begun,
  ): void {
    if (result.applied) this.save(subscription, before, result.transition, begun);
    else if (/declined too often|must not be charged/.test(result.reason)) this.withheld += 1;
  }

  private save(
    subscription: number,
    before: SubscriptionState | null,
    { state, events }: Transition,
    { at, by: initiator }: Begun,
  ): void {
    this.states.set(subscription, state);
    const { openCharge, openCycle } = state;
    if (openCharge === null) {
      if (events.some(({ type }) => type === 'subscription.payment.retry')) this.withheld += 1;
      return;
    }
    if (before?.openCharge) throw new Error('a charge was open already');
    const charged = openCharge.kind === 'cycle' ? openCycle : openCharge.cycle;
    if (charged === null) throw new Error('the charged cycle is not open');
    const answer = this.answers.next().value as IssuerAnswer;
    const { kind, number, chargeCents: amountCents } = charged;
    this.charges.push({ subscription, cycle: `${kind} ${number}`, at, amountCents, initiator, answer });
    this.states.set(subscription, this.settle(state, amountCents, answer));
  }

  private settle(state: SubscriptionState, amountCents: number, answer: IssuerAnswer): SubscriptionState {
    const { lastTransitionAt: at, card } = state;
    if (answer === null) return settleCharge(state, { kind: 'paid' }, at, this.history).state;
    this.declines.push({ at, amountCents, ...answer });
    const attempt = { ...answer, status: 'declined', responseCode: answer.code, errorFamily: null } as const;
    const result = chargeResultOf('failed', [attempt], card.brand);
    if (result.kind === 'unanswered') throw new Error('a decline is an answer');
    return settleCharge(state, result, at, this.history).state;
  }
}
