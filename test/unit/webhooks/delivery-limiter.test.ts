import * as fc from 'fast-check';
import { DeliveryLimiter, type Permit } from '../../../activities/webhooks/delivery-limiter';

const LIMITS = { perEndpoint: 3, perCompany: { activity: 5, at_once: 2 }, waitMs: 0 };

function leaveOf(turn: Permit): (attemptMs: number | null) => void {
  if (turn.kind === 'turned_away') throw new Error('turned away');
  return turn.leave;
}

/** Makes one attempt that takes so long, as far as is told. */
async function attempt(slots: DeliveryLimiter, company: number, endpoint: number, ms: number): Promise<void> {
  leaveOf(await slots.take(company, endpoint, 'activity'))(ms);
}

async function takeMany(slots: DeliveryLimiter, company: number, endpoint: number, count: number) {
  return Promise.all(Array.from({ length: count }, () => slots.take(company, endpoint, 'activity')));
}

describe('the slots of a worker', () => {
  it('never give an endpoint or a company more than its share, and take every slot back', async () => {
    const step = fc.record({ company: fc.nat(2), endpoint: fc.nat(2), free: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const slots = new DeliveryLimiter(LIMITS);
        const held: Array<{ company: number; endpoint: number; leave: () => void }> = [];
        for (const { company, endpoint: nth, free } of steps) {
          if (free) held.pop()?.leave();
          const endpoint = company * 10 + nth;
          const ofCompany = held.filter((other) => other.company === company);
          const ofEndpoint = held.filter((other) => other.endpoint === endpoint);
          const fits =
            ofCompany.length < LIMITS.perCompany.activity && ofEndpoint.length < LIMITS.perEndpoint;
          const turn = await slots.take(company, endpoint, 'activity');
          expect(turn.kind === 'taken').toBe(fits);
          if (turn.kind === 'taken') held.push({ company, endpoint, leave: () => turn.leave(null) });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are given in turn to those who wait for them', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 4, at_once: 1 },
      waitMs: 5_000,
    });
    const order: number[] = [];
    const leave = leaveOf(await slots.take(1, 1, 'activity'));
    const waiting = [1, 2, 3].map(async (number) => {
      const leaveNext = leaveOf(await slots.take(1, 1, 'activity'));
      order.push(number);
      leaveNext(null);
    });
    expect(await slots.take(1, 1, 'activity')).toMatchObject({ kind: 'turned_away' });
    leave(null);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(await slots.take(1, 1, 'activity')).toMatchObject({ kind: 'taken' });
  });

  it('within workflow tasks are a small share of their own, and an endpoint’s slots are the same in both lanes', async () => {
    const slots = new DeliveryLimiter({ ...LIMITS, perEndpoint: 4 });
    const atOnce = await Promise.all([1, 2, 3].map((endpoint) => slots.take(1, endpoint, 'at_once')));
    expect(atOnce.map(({ kind }) => kind)).toEqual(['taken', 'taken', 'turned_away']);
    const turns = await takeMany(slots, 1, 1, 4);
    expect(turns.filter(({ kind }) => kind === 'taken')).toHaveLength(3);
  });

  it('that become free in one lane are given to those who wait in the other', async () => {
    const limits = { perEndpoint: 1, perCompany: { activity: 2, at_once: 2 }, waitMs: 5_000 };
    const slots = new DeliveryLimiter(limits);
    const leave = leaveOf(await slots.take(1, 1, 'activity'));
    const waiting = slots.take(1, 1, 'at_once');
    leave(null);
    leaveOf(await waiting)(null);
  });

  it('of a company that is full are given to the first in line whose endpoint has room', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 2, at_once: 1 },
      waitMs: 5_000,
    });
    for (const endpoint of [1, 2, 3]) await attempt(slots, 1, endpoint, 1);
    const leaves = [leaveOf(await slots.take(1, 1, 'activity')), leaveOf(await slots.take(1, 2, 'activity'))];
    const order: number[] = [];
    const waiting = [1, 3].map(async (endpoint) => {
      const leave = leaveOf(await slots.take(1, endpoint, 'activity'));
      order.push(endpoint);
      leave(null);
    });
    leaves[1]?.(1);
    leaves[0]?.(1);
    await Promise.all(waiting);
    expect(order).toEqual([3, 1]);
  });

  it('let a burst to a quick receiver wait in line, however long it is', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 2, at_once: 1 },
      waitMs: 1_000,
    });
    await attempt(slots, 1, 1, 1);
    let made = 0;
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        leaveOf(await slots.take(1, 1, 'activity'))(1);
        made += 1;
      }),
    );
    expect(made).toBe(200);
  });

  it('turn away at once those whose turn at a slow receiver is far off, each to come back later than the one before', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 2,
      perCompany: { activity: 10, at_once: 1 },
      waitMs: 1_000,
    });
    await attempt(slots, 1, 1, 10_000);
    const turns = await takeMany(slots, 1, 1, 10);
    const pauses = turns.flatMap((turn) => (turn.kind === 'turned_away' ? [turn.pauseMs] : []));
    expect(pauses).toHaveLength(8);
    // At 10 s each, two at once: another one every 5 s.
    for (const [index, pause] of pauses.entries()) expect(pause).toBeCloseTo((index + 1) * 5_000, -2);
  });

  it('make nobody wait for more than a minute before asking again', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 10, at_once: 1 },
      waitMs: 1_000,
    });
    await attempt(slots, 1, 1, 10_000);
    const turns = await takeMany(slots, 1, 1, 100);
    const pauses = turns.flatMap((turn) => (turn.kind === 'turned_away' ? [turn.pauseMs] : []));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
  });

  it('tell a slow receiver by one attempt, and believe again in one that has answered quickly for a while', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 2,
      perCompany: { activity: 4, at_once: 1 },
      waitMs: 1_000,
    });
    expect(slots.isSlow(1)).toBe(false);
    await attempt(slots, 1, 1, 20);
    expect(slots.isSlow(1)).toBe(false);
    await attempt(slots, 1, 1, 10_000);
    expect(slots.isSlow(1)).toBe(true);
    for (let count = 0; count < 10; count += 1) await attempt(slots, 1, 1, 20);
    expect(slots.isSlow(1)).toBe(false);
  });

  it('tell a slow receiver by its silence, before any attempt has ended', async () => {
    const slots = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 4, at_once: 1 },
      waitMs: 20,
    });
    const leave = leaveOf(await slots.take(1, 1, 'activity'));
    // Waits in line for as long as may be, and that was too long.
    expect(await slots.take(1, 1, 'activity')).toMatchObject({ kind: 'turned_away' });
    for (
      let turn = await slots.take(1, 1, 'activity');
      !slots.isSlow(1);
      turn = await slots.take(1, 1, 'activity')
    ) {
      expect(turn.kind).toBe('turned_away');
    }
    leave(null);
    expect(slots.isSlow(1)).toBe(false);
  });
});
