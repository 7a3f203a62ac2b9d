import * as fc from 'fast-check';
import { timeBeforeDue } from '../../../../src/domain/subscriptions/command-time';
import type {
  ClosedCycle,
  PlanTerms,
  SubscriptionState,
  Transition,
} from '../../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { cancellationAt, nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  applyDueEvent,
  createSubscription,
  settleCharge,
  type SubscriptionTerms,
} from '../../../../src/domain/subscriptions/subscription-lifecycle';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  terms,
  UNANSWERED,
} from './subscription-scenario';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HISTORY = { dunningDays: [1, 4, 9, 16], declines: [] };

const PLANS: readonly PlanTerms[] = [
  { ...GOLD, planId: 'silver', amountCents: 4_013 },
  GOLD,
  { ...GOLD, planId: 'weekly', amountCents: 2_503, interval: 'weekly' },
  { ...GOLD, planId: 'daily', amountCents: 500, interval: 'daily' },
  { ...GOLD, planId: 'yearly', amountCents: 99_989, interval: 'yearly' },
];
const plans = fc.constantFrom(...PLANS);
const commands: fc.Arbitrary<SubscriptionCommand> = fc.oneof(
  fc.constantFrom<SubscriptionCommand>(
    { kind: 'resume' },
    { kind: 'uncancel' },
    { kind: 'retry' },
    { kind: 'pause', until: null },
    { kind: 'cancel', atPeriodEnd: true },
    { kind: 'cancel', atPeriodEnd: true },
    { kind: 'change_card', card: { ...CARD, fingerprint: 'second' } },
  ),
  fc
    .tuple(plans, fc.option(fc.boolean()))
    .map(([to, immediately]) => ({ kind: 'change_plan', to, immediately }) as const),
);
const absences = fc.array(
  fc.record({
    /** When the command is stored, and how much later workers are back. */
    storedMs: fc.oneof(fc.nat(40 * DAY_MS), fc.constantFrom(0, HOUR_MS, DAY_MS, 7 * DAY_MS)),
    awayMs: fc.constantFrom(0, 60_000, HOUR_MS, 2 * DAY_MS, 9 * DAY_MS, 40 * DAY_MS),
    command: fc.option(commands, { freq: 4 }),
    results: fc.array(fc.constantFrom(PAID, SOFT_DECLINE, HARD_DECLINE, UNANSWERED), { maxLength: 5 }),
    settleMs: fc.constantFrom(0, 1_000, 3 * DAY_MS),
  }),
  { maxLength: 15 },
);
const firsts = fc.record({
  plan: plans,
  billingDay: fc.option(fc.integer({ min: 1, max: 31 })),
  trialDays: fc.constantFrom(0, 0, 3),
});

interface Step {
  readonly before: SubscriptionState;
  readonly after: Transition;
  /** When workers made it. */
  readonly at: Date;
}

/** Decides as the worker does what comes next: the command or the due event. */
class AwayRun {
  readonly steps: Step[] = [];
  private state: SubscriptionState;
  private now = +CREATED_AT;

  constructor(first: Partial<SubscriptionTerms>) {
    this.state = createSubscription(terms(first), CREATED_AT).state;
  }

  /** Workers come back after the command was stored and process all there is. Charges end in these results, later ones are paid. */
  process({ storedMs, awayMs, command, results, settleMs }: Absence): void {
    const requestedAt = new Date(this.now + storedMs);
    this.now = +requestedAt + awayMs;
    const left = [...results];
    let open = command;
    for (let steps = 0; steps < 200; steps += 1) {
      if (this.state.openCharge !== null) {
        if (left.length > 0) this.now += settleMs;
        this.save(settleCharge(this.state, left.shift() ?? PAID, this.at, HISTORY));
        continue;
      }
      const next = nextDue(this.state);
      const due = next !== null && next.at <= this.at ? next : null;
      const commandAt = due === null ? this.at : timeBeforeDue(this.state, due, requestedAt);
      const result = open && commandAt && applyCommand(this.state, open, commandAt, HISTORY, this.at);
      if (result?.applied === true || due === null) open = null;
      if (result?.applied === true) this.save(result.transition);
      else if (due !== null) this.save(applyDueEvent(this.state, due, HISTORY, this.at));
      else return;
    }
    throw new Error('there is no end');
  }

  private get at(): Date {
    return new Date(Math.max(this.now, +this.state.lastTransitionAt));
  }

  private save(after: Transition): void {
    this.steps.push({ before: this.state, after, at: this.at });
    this.state = after.state;
  }
}

type Absence = typeof absences extends fc.Arbitrary<(infer T)[]> ? T : never;

function expectOfEachRun(expectation: (steps: readonly Step[]) => void): void {
  fc.assert(
    fc.property(firsts, absences, (first, all) => {
      const run = new AwayRun(first);
      for (const absence of all) run.process(absence);
      expectation(run.steps);
    }),
    { numRuns: 200 },
  );
}

describe('however long workers are away and whatever is requested meanwhile', () => {
  it('a charge begins when it is sent, for a period that is not over, and never after a requested end', () => {
    expectOfEachRun((steps) => {
      for (const { before, after, at } of steps) {
        const { openCharge, openCycle, lastTransitionAt } = after.state;
        if (openCharge === null) continue;
        expect(lastTransitionAt).toEqual(at);
        const cycle = openCharge.kind === 'plan_change' ? openCharge.cycle : openCycle;
        expect(+(cycle?.period.end ?? 0)).toBeGreaterThan(+at);
        const end = openCharge.kind === 'cycle' ? cancellationAt(before) : null;
        expect(+(end ?? Infinity)).toBeGreaterThan(+at);
      }
    });
  });

  it('time never goes back, no period is paid twice, and none runs without a paid cycle', () => {
    expectOfEachRun((steps) => {
      let period: ClosedCycle['cycle']['period'] | null = null;
      for (const { before, after } of steps) {
        const { state, closed } = after;
        expect(+state.lastTransitionAt).toBeGreaterThanOrEqual(+before.lastTransitionAt);
        for (const { status, cycle } of closed) {
          if (status === 'failed' || cycle.kind === 'proration') continue;
          if (cycle.kind === 'regular' && period !== null) {
            expect(+cycle.period.start).toBeGreaterThanOrEqual(+period.end);
          }
          period = cycle.period;
        }
        if (state.status === 'active' && state.openCycle === null && closed.length > 0) {
          expect(state.period).toEqual(period);
        }
      }
    });
  });
});
