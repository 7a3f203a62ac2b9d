import * as fc from 'fast-check';
import { DeliveryLimiter, type Permit } from '../../../activities/webhooks/delivery-limiter';

const LIMITS = { perEndpoint: 3, perCompany: { activity: 5, local: 2 }, waitMs: 0 };

function releaseOf(permit: Permit): (attemptMs: number | null) => void {
  if (permit.kind === 'denied') throw new Error('the permit was denied');
  return permit.release;
}

/** Acquires a permit and releases it with the given duration. */
async function attempt(
  limiter: DeliveryLimiter,
  company: number,
  endpoint: number,
  ms: number,
): Promise<void> {
  releaseOf(await limiter.acquire(company, endpoint, 'activity'))(ms);
}

async function acquireMany(limiter: DeliveryLimiter, company: number, endpoint: number, count: number) {
  return Promise.all(Array.from({ length: count }, () => limiter.acquire(company, endpoint, 'activity')));
}

describe('the delivery limiter', () => {
  it('never exceeds the limit of an endpoint or a company, and frees every released slot', async () => {
    const step = fc.record({ company: fc.nat(2), endpoint: fc.nat(2), free: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const limiter = new DeliveryLimiter(LIMITS);
        const held: Array<{ company: number; endpoint: number; release: () => void }> = [];
        for (const { company, endpoint: nth, free } of steps) {
          if (free) held.pop()?.release();
          const endpoint = company * 10 + nth;
          const ofCompany = held.filter((other) => other.company === company);
          const ofEndpoint = held.filter((other) => other.endpoint === endpoint);
          const fits =
            ofCompany.length < LIMITS.perCompany.activity && ofEndpoint.length < LIMITS.perEndpoint;
          const permit = await limiter.acquire(company, endpoint, 'activity');
          expect(permit.kind === 'granted').toBe(fits);
          if (permit.kind === 'granted')
            held.push({ company, endpoint, release: () => permit.release(null) });
        }
      }),
      { numRuns: 50 },
    );
  });

  it('admits waiting deliveries in order', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 4, local: 1 },
      waitMs: 5_000,
    });
    const order: number[] = [];
    const release = releaseOf(await limiter.acquire(1, 1, 'activity'));
    const waiting = [1, 2, 3].map(async (number) => {
      const releaseNext = releaseOf(await limiter.acquire(1, 1, 'activity'));
      order.push(number);
      releaseNext(null);
    });
    expect(await limiter.acquire(1, 1, 'activity')).toMatchObject({ kind: 'denied' });
    release(null);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
    expect(await limiter.acquire(1, 1, 'activity')).toMatchObject({ kind: 'granted' });
  });

  it('limits the local lane of a company separately, and an endpoint in both lanes together', async () => {
    const limiter = new DeliveryLimiter({ ...LIMITS, perEndpoint: 4 });
    const local = await Promise.all([1, 2, 3].map((endpoint) => limiter.acquire(1, endpoint, 'local')));
    expect(local.map(({ kind }) => kind)).toEqual(['granted', 'granted', 'denied']);
    const permits = await acquireMany(limiter, 1, 1, 4);
    expect(permits.filter(({ kind }) => kind === 'granted')).toHaveLength(3);
  });

  it('gives a slot freed in one lane to a delivery that waits in the other', async () => {
    const limits = { perEndpoint: 1, perCompany: { activity: 2, local: 2 }, waitMs: 5_000 };
    const limiter = new DeliveryLimiter(limits);
    const release = releaseOf(await limiter.acquire(1, 1, 'activity'));
    const waiting = limiter.acquire(1, 1, 'local');
    release(null);
    releaseOf(await waiting)(null);
  });

  it('admits the first waiting delivery whose endpoint has room', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 2, local: 1 },
      waitMs: 5_000,
    });
    for (const endpoint of [1, 2, 3]) await attempt(limiter, 1, endpoint, 1);
    const releases = [
      releaseOf(await limiter.acquire(1, 1, 'activity')),
      releaseOf(await limiter.acquire(1, 2, 'activity')),
    ];
    const order: number[] = [];
    const waiting = [1, 3].map(async (endpoint) => {
      const release = releaseOf(await limiter.acquire(1, endpoint, 'activity'));
      order.push(endpoint);
      release(null);
    });
    releases[1]?.(1);
    releases[0]?.(1);
    await Promise.all(waiting);
    expect(order).toEqual([3, 1]);
  });

  it('lets a burst of any size to a fast receiver wait', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 2, local: 1 },
      waitMs: 1_000,
    });
    await attempt(limiter, 1, 1, 1);
    let attempts = 0;
    await Promise.all(
      Array.from({ length: 200 }, async () => {
        releaseOf(await limiter.acquire(1, 1, 'activity'))(1);
        attempts += 1;
      }),
    );
    expect(attempts).toBe(200);
  });

  it('denies deliveries to a slow receiver immediately, with increasing backoffs', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 2,
      perCompany: { activity: 10, local: 1 },
      waitMs: 1_000,
    });
    await attempt(limiter, 1, 1, 10_000);
    const permits = await acquireMany(limiter, 1, 1, 10);
    const backoffs = permits.flatMap((permit) => (permit.kind === 'denied' ? [permit.backoffMs] : []));
    expect(backoffs).toHaveLength(8);
    // Two concurrent attempts of 10 s each free a slot every 5 s.
    for (const [index, backoff] of backoffs.entries()) expect(backoff).toBeCloseTo((index + 1) * 5_000, -2);
  });

  it('never returns a backoff of more than a minute', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 10, local: 1 },
      waitMs: 1_000,
    });
    await attempt(limiter, 1, 1, 10_000);
    const permits = await acquireMany(limiter, 1, 1, 100);
    const backoffs = permits.flatMap((permit) => (permit.kind === 'denied' ? [permit.backoffMs] : []));
    expect(Math.max(...backoffs)).toBeLessThanOrEqual(60_000);
  });

  it('treats a receiver as slow after one slow attempt, and as fast again after a series of fast ones', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 2,
      perCompany: { activity: 4, local: 1 },
      waitMs: 1_000,
    });
    expect(limiter.isSlow(1)).toBe(false);
    await attempt(limiter, 1, 1, 20);
    expect(limiter.isSlow(1)).toBe(false);
    await attempt(limiter, 1, 1, 10_000);
    expect(limiter.isSlow(1)).toBe(true);
    for (let count = 0; count < 10; count += 1) await attempt(limiter, 1, 1, 20);
    expect(limiter.isSlow(1)).toBe(false);
  });

  it('treats a silent receiver as slow before any attempt has ended', async () => {
    const limiter = new DeliveryLimiter({
      perEndpoint: 1,
      perCompany: { activity: 4, local: 1 },
      waitMs: 20,
    });
    const release = releaseOf(await limiter.acquire(1, 1, 'activity'));
    // Waits for the maximum time and is then denied.
    expect(await limiter.acquire(1, 1, 'activity')).toMatchObject({ kind: 'denied' });
    for (
      let permit = await limiter.acquire(1, 1, 'activity');
      !limiter.isSlow(1);
      permit = await limiter.acquire(1, 1, 'activity')
    ) {
      expect(permit.kind).toBe('denied');
    }
    release(null);
    expect(limiter.isSlow(1)).toBe(false);
  });
});
