import * as fc from 'fast-check';
import type {
  ClosedCycle,
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
} from '../../../../src/domain/subscriptions/subscription-lifecycle';
import { upcoming } from '../../../../src/domain/subscriptions/upcoming-charges';
import { BEGINNING, CARD, GOLD, PAID, REFUSED, STOLEN, terms } from './subscription-scenario';

const PLANS = [
  GOLD,
  { ...GOLD, planId: 'silver', amountCents: 4_000 },
  { ...GOLD, planId: 'daily', amountCents: 150, interval: 'daily' },
  { ...GOLD, planId: 'yearly', amountCents: 99_000, interval: 'yearly' },
] as const;

type Step = { readonly afterMs: number } & (
  | { readonly kind: 'wait' }
  | { readonly kind: 'settle'; readonly result: typeof PAID }
  | { readonly kind: 'command'; readonly command: SubscriptionCommand }
);

const commands: fc.Arbitrary<SubscriptionCommand> = fc.oneof(
  fc.constant({ kind: 'pause', until: null } as const),
  fc.constantFrom({ kind: 'resume' } as const, { kind: 'uncancel' } as const, { kind: 'retry' } as const),
  fc.boolean().map((atPeriodEnd) => ({ kind: 'cancel', atPeriodEnd }) as const),
  fc.constant({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } } as const),
  fc
    .tuple(fc.constantFrom(...PLANS), fc.option(fc.boolean()))
    .map(([to, immediately]) => ({ kind: 'change_plan', to, immediately }) as const),
);
const steps: fc.Arbitrary<Step> = fc
  .tuple(
    fc.integer({ min: 0, max: 40 * 86_400_000 }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({ kind: 'wait' } as const) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(PAID, PAID, REFUSED, STOLEN)
          .map((result) => ({ kind: 'settle', result }) as const),
      },
      { weight: 2, arbitrary: commands.map((command) => ({ kind: 'command', command }) as const) },
    ),
  )
  .map(([afterMs, step]) => ({ afterMs, ...step }));

const lives = fc.record({
  plan: fc.constantFrom(...PLANS),
  trialDays: fc.constantFrom(0, 2, 14),
  billingDay: fc.option(fc.integer({ min: 1, max: 31 })),
  coupon: fc.option(
    fc.record({
      discountType: fc.constantFrom('percentage' as const, 'fixed' as const),
      discountValue: fc.integer({ min: 1, max: 100 }),
      maxCycles: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
  ),
  steps: fc.array(steps, { maxLength: 40 }),
});

/** Lives through it, and returns everything that happened in order. */
function liveThroughAll({
  coupon,
  steps: all,
  ...asked
}: typeof lives extends fc.Arbitrary<infer T> ? T : never) {
  const happened: Transition[] = [];
  const history = { dunningDays: [1, 4, 9, 16], refusedAt: [] };
  const take = (moved: Transition): SubscriptionState => {
    happened.push(moved);
    return moved.state;
  };
  let state = take(
    createSubscription(terms({ ...asked, coupon: coupon && { discount: coupon, cyclesUsed: 0 } }), BEGINNING),
  );
  let now = +BEGINNING;
  for (const step of all) {
    now = Math.max(now + step.afterMs, +state.lastTransitionAt);
    for (let due = nextDue(state); due !== null && +due.at <= now; due = nextDue(state)) {
      state = take(applyDueEvent(state, due, history));
    }
    if (state.openCharge !== null) {
      if (step.kind === 'settle') state = take(settleCharge(state, step.result, new Date(now), history));
      continue;
    }
    if (step.kind !== 'command') continue;
    const obeyed = applyCommand(state, step.command, new Date(now), history);
    if (obeyed.obeyed) state = take(obeyed.moved);
  }
  return happened;
}

describe('whatever happens to a subscription, in any order', () => {
  it('no cycle is paid twice, each is closed before the next is opened, and only one charge is open', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const happened = liveThroughAll(life);
        const closed: ClosedCycle[] = happened.flatMap((moved) => moved.closed);
        const numbers = closed.map(({ cycle }) => cycle.number);
        expect(new Set(numbers).size).toBe(numbers.length);
        const states = happened.map(({ state }) => state);
        for (const { openCharge, openCycle, cyclesOpened, cyclesPaid } of states) {
          if (openCharge?.kind === 'cycle') expect(openCycle?.chargeCents).toBeGreaterThanOrEqual(100);
          if (openCharge?.kind === 'plan_change') expect(openCharge.chargeCents).toBeGreaterThanOrEqual(100);
          expect(cyclesPaid).toBeLessThanOrEqual(cyclesOpened);
          if (openCycle !== null) expect(openCycle.number).toBe(cyclesOpened);
        }
        const last = states.at(-1);
        expect(numbers.length + (last?.openCycle ? 1 : 0)).toBe(last?.cyclesOpened);
      }),
      { numRuns: 50 },
    );
  });

  it('time never goes back, nothing follows its end, and a coupon counts as often as it may', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const happened = liveThroughAll(life);
        const instants = happened.map(({ state }) => +state.lastTransitionAt);
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
        const ends = happened.findIndex(({ state }) => state.status === 'canceled');
        expect(ends === -1 || ends === happened.length - 1).toBe(true);
        const { coupon } = happened.at(-1)?.state ?? {};
        expect(coupon?.cyclesUsed ?? 0).toBeLessThanOrEqual(coupon?.discount.maxCycles ?? Infinity);
      }),
      { numRuns: 50 },
    );
  });

  it('what is told of money says what the state says: one success for each paid cycle, past due once until it is paid', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const happened = liveThroughAll(life);
        const news = happened.flatMap((moved) => moved.events);
        const count = (event: string): number => news.filter((told) => told.event === event).length;
        const cyclesPaid = happened.at(-1)?.state.cyclesPaid ?? 0;
        // A change of plan that was paid before any cycle was stands in for the first.
        const byChange = happened.filter(({ events: told }) =>
          ['subscription.plan_changed', 'subscription.activated'].every((event) =>
            told.some((piece) => piece.event === event),
          ),
        ).length;
        expect(count('subscription.payment.success')).toBe(cyclesPaid - byChange);
        expect(count('subscription.activated')).toBe(Math.min(cyclesPaid, 1));
        expect(count('subscription.canceled')).toBe(happened.at(-1)?.state.status === 'canceled' ? 1 : 0);
      }),
      { numRuns: 50 },
    );
  });

  it('what is upcoming is found in bounded steps, in order', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const state = liveThroughAll(life).at(-1)?.state;
        const foreseen = state === undefined ? [] : upcoming(state, 6);
        const instants = foreseen.map(({ dueAt }) => +dueAt);
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
      }),
      { numRuns: 25 },
    );
  });
});
