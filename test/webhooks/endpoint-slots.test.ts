import * as fc from 'fast-check';
import { EndpointSlots } from '../../activities/endpoint-slots';

const LIMITS = { perEndpoint: 3, perCompany: 5, waitMs: 0 };

describe('the slots of a worker', () => {
  it('never give an endpoint or a company more than its share, and take every slot back', async () => {
    const step = fc.record({ company: fc.nat(2), endpoint: fc.nat(2), free: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const slots = new EndpointSlots(LIMITS);
        const held: Array<{ company: number; endpoint: number; release: () => void }> = [];
        for (const { company, endpoint: nth, free } of steps) {
          if (free) held.pop()?.release();
          const endpoint = company * 10 + nth;
          const ofCompany = held.filter((other) => other.company === company);
          const ofEndpoint = held.filter((other) => other.endpoint === endpoint);
          const fits = ofCompany.length < LIMITS.perCompany && ofEndpoint.length < LIMITS.perEndpoint;
          const release = await slots.take(company, endpoint);
          expect(release !== null).toBe(fits);
          if (release !== null) held.push({ company, endpoint, release });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('are given in turn to those who wait for them', async () => {
    const slots = new EndpointSlots({ perEndpoint: 1, perCompany: 4, waitMs: 5_000 });
    const order: number[] = [];
    const first = await slots.take(1, 1);
    const waiting = [1, 2, 3].map(async (number) => {
      const release = await slots.take(1, 1);
      order.push(number);
      release?.();
    });
    expect(await slots.take(1, 1)).toBeNull();
    first?.();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(await slots.take(1, 1)).not.toBeNull();
  });
});
