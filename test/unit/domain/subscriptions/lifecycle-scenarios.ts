import * as fc from 'fast-check';
import type { SubscriptionState, Transition } from '../../../../src/domain/subscriptions/subscription';
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

/** Any subscription, and what happens to it. */
export const scenarios = fc.record({
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
export function runScenario({
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
