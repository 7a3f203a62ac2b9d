import * as fc from 'fast-check';
import type { ClosedCycle } from '../../../../src/domain/subscriptions/subscription';
import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import { runScenario, scenarios } from './lifecycle-scenarios';

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
