import fc from 'fast-check';
import { SharedLimit, shareOf } from '../../../src/http/server/shared-limit';

const LIMIT = 100;
const COMPANY = 7;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Processes that exchange their demand as by a table with one row for each. */
function processes(count: number): SharedLimit[] {
  const reported = Array.from({ length: count }, () => new Map<number, number>());
  return reported.map(
    (_, self) =>
      new SharedLimit(LIMIT, async (own) => {
        reported[self] = new Map(own);
        const others = reported.filter((_other, index) => index !== self);
        return new Map(
          [...own.keys()].map((key) => [key, others.reduce((sum, other) => sum + (other.get(key) ?? 0), 0)]),
        );
      }),
  );
}

/** The requests that a process admits in one second. */
function admitted(limit: SharedLimit, requests: number): number {
  let count = 0;
  for (let index = 1; index <= requests; index += 1) if (index <= limit.count(COMPANY)) count += 1;
  return count;
}

async function nextSecond(): Promise<void> {
  await jest.advanceTimersByTimeAsync(1_000);
}

describe('the limit of a company', () => {
  it('is that of all processes together from the third second of a burst, and of each one before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 5 }),
        async (loads) => {
          const all = processes(loads.length);
          const second = () => all.map((limit, index) => admitted(limit, loads[index] ?? 0));
          for (const count of second()) expect(count).toBeLessThanOrEqual(LIMIT);
          await nextSecond();
          second();
          await nextSecond();
          const total = second().reduce((sum, count) => sum + count, 0);
          expect(total).toBeLessThanOrEqual(LIMIT * (1 + (loads.length - 1) / 20));
          const demand = loads.reduce((sum, count) => sum + count, 0);
          // Rounding down costs at most one request of each process.
          expect(total).toBeGreaterThanOrEqual(Math.min(demand, LIMIT) - loads.length);
        },
      ),
    );
  });

  it('is all for one process again once the others have no requests', async () => {
    const [first, second] = processes(2);
    if (first === undefined || second === undefined) throw new Error('there are two processes');
    for (let round = 0; round < 3; round += 1) {
      admitted(first, 200);
      admitted(second, 200);
      await nextSecond();
    }
    expect(admitted(first, 200)).toBe(50);
    expect(shareOf(LIMIT, 200, 0)).toBe(LIMIT);
  });

  it('is that of each process if the exchange fails, so that a database in trouble refuses no payment', async () => {
    const limit = new SharedLimit(LIMIT, () => Promise.reject(new Error('no database')));
    admitted(limit, 200);
    await nextSecond();
    expect(admitted(limit, 200)).toBe(LIMIT);
  });

  it('costs no statement while no company has many requests', async () => {
    const exchange = jest.fn(() => Promise.resolve(new Map<number, number>()));
    const limit = new SharedLimit(LIMIT, exchange);
    for (let second = 0; second < 5; second += 1) {
      admitted(limit, 4);
      await nextSecond();
    }
    expect(exchange).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });
});
