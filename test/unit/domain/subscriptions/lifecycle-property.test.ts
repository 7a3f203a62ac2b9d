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
import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import {
  CREATED_AT,
  CARD,
  GOLD,
  PAID,
  SOFT_DECLINE,
  HARD_DECLINE,
  terms,
  UNANSWERED,
} from './subscription-scenario';

const PLANS = [
  GOLD,
  { ...GOLD, planId: 'silver', amountCents: 4_000 },
  { ...GOLD, planId: 'daily', amountCents: 150, interval: 'daily' },
  { ...GOLD, planId: 'yearly', amountCents: 99_000, interval: 'yearly' },
] as const;

type ScenarioStep = { readonly afterMs: number } & (
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
const steps: fc.Arbitrary<ScenarioStep> = fc
  .tuple(
    fc.integer({ min: 0, max: 40 * 86_400_000 }),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({ kind: 'wait' } as const) },
      {
        weight: 4,
        arbitrary: fc
          .constantFrom(PAID, PAID, SOFT_DECLINE, HARD_DECLINE, UNANSWERED)
          .map((result) => ({ kind: 'settle', result }) as const),
      },
      { weight: 2, arbitrary: commands.map((command) => ({ kind: 'command', command }) as const) },
    ),
  )
  .map(([afterMs, step]) => ({ afterMs, ...step }));

const scenarios = fc.record({
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

/** Returns all transitions of a scenario, in order. */
function runScenario({
  coupon,
  steps: all,
  ...newTerms
}: typeof scenarios extends fc.Arbitrary<infer T> ? T : never) {
  const transitions: Transition[] = [];
  const history = { dunningDays: [1, 4, 9, 16], declines: [] };
  const apply = (transition: Transition): SubscriptionState => {
    transitions.push(transition);
    return transition.state;
  };
  let state = apply(
    createSubscription(
      terms({ ...newTerms, coupon: coupon && { discount: coupon, cyclesUsed: 0 } }),
      CREATED_AT,
    ),
  );
  let now = +CREATED_AT;
  for (const step of all) {
    now = Math.max(now + step.afterMs, +state.lastTransitionAt);
    for (let due = nextDue(state); due !== null && +due.at <= now; due = nextDue(state)) {
      state = apply(applyDueEvent(state, due, history));
    }
    if (state.openCharge !== null) {
      if (step.kind === 'settle') state = apply(settleCharge(state, step.result, new Date(now), history));
      continue;
    }
    if (step.kind !== 'command') continue;
    const result = applyCommand(state, step.command, new Date(now), history);
    if (result.applied) state = apply(result.transition);
  }
  return transitions;
}

describe('any sequence of commands, charge results and time', () => {
  it('no cycle is paid twice, and each is closed before the next one is opened', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const transitions = runScenario(scenario);
        const closed: ClosedCycle[] = transitions.flatMap((transition) => transition.closed);
        const regular = closed.filter(({ cycle }) => cycle.kind === 'regular');
        const numbers = regular.map(({ cycle }) => cycle.number);
        expect(new Set(numbers).size).toBe(numbers.length);
        const states = transitions.map(({ state }) => state);
        for (const { openCharge, openCycle, cyclesOpened, cyclesPaid } of states) {
          if (openCharge?.kind === 'cycle') expect(openCycle?.chargeCents).toBeGreaterThanOrEqual(100);
          if (openCharge?.kind === 'plan_change') {
            expect(openCharge.cycle.chargeCents).toBeGreaterThanOrEqual(100);
          }
          expect(cyclesPaid).toBeLessThanOrEqual(cyclesOpened);
          if (openCycle !== null) expect(openCycle.number).toBe(cyclesOpened);
        }
        const last = states.at(-1);
        expect(numbers.length + (last?.openCycle ? 1 : 0)).toBe(last?.cyclesOpened);
      }),
      { numRuns: 50 },
    );
  });

  it('time never goes back, nothing follows a cancellation, and a coupon never exceeds max_cycles', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const transitions = runScenario(scenario);
        const instants = transitions.map(({ state }) => +state.lastTransitionAt);
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
        const ends = transitions.findIndex(({ state }) => state.status === 'canceled');
        expect(ends === -1 || ends === transitions.length - 1).toBe(true);
        const { coupon } = transitions.at(-1)?.state ?? {};
        expect(coupon?.cyclesUsed ?? 0).toBeLessThanOrEqual(coupon?.discount.maxCycles ?? Infinity);
      }),
      { numRuns: 50 },
    );
  });

  it('events match the state: one success per paid cycle, one activation, and one cancellation', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const transitions = runScenario(scenario);
        const events = transitions.flatMap((transition) => transition.events);
        const count = (type: string): number => events.filter((event) => event.type === type).length;
        const cyclesPaid = transitions.at(-1)?.state.cyclesPaid ?? 0;
        const closed = transitions.flatMap((transition) => transition.closed);
        const paid = closed.filter(({ status }) => status !== 'failed');
        expect(count('subscription.payment.success')).toBe(paid.length);
        expect(count('subscription.activated')).toBe(Math.min(cyclesPaid, 1));
        expect(count('subscription.canceled')).toBe(transitions.at(-1)?.state.status === 'canceled' ? 1 : 0);
      }),
      { numRuns: 50 },
    );
  });

  it('upcoming charges are found in a bounded number of steps and are in order', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const state = runScenario(scenario).at(-1)?.state;
        const charges = state === undefined ? [] : upcomingCharges(state, 6);
        const instants = charges.map(({ dueAt }) => +dueAt);
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
      }),
      { numRuns: 25 },
    );
  });
});
