import { ChargeSlots } from '../../../activities/subscriptions/charge-slots';

const LIMITS = { atOnce: 3, slowAtOnce: 1, slowMs: 3_000, waitMs: 2_000 };
const COMPANY = 1;
const OTHER = 2;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

async function take(slots: ChargeSlots, companyId: number) {
  const release = await slots.acquire(companyId);
  if (release === null) throw new Error('there is no slot');
  return release;
}

describe('the charges that a process makes in steps of subscriptions', () => {
  it('are at most as many as there are slots, whose companies have to wait for the next one', async () => {
    const slots = new ChargeSlots(LIMITS);
    const first = await take(slots, COMPANY);
    await take(slots, COMPANY);
    await take(slots, OTHER);
    const waiting = [slots.acquire(OTHER), slots.acquire(COMPANY)];
    first();
    expect(await waiting[0]).not.toBeNull();
    await jest.advanceTimersByTimeAsync(LIMITS.waitMs);
    expect(await waiting[1]).toBeNull();
  });

  it('do not wait if as many others do', async () => {
    const slots = new ChargeSlots(LIMITS);
    for (let taken = 0; taken < LIMITS.atOnce; taken += 1) await take(slots, COMPANY);
    for (let waiting = 0; waiting < LIMITS.atOnce; waiting += 1) void slots.acquire(OTHER);
    expect(await slots.acquire(OTHER)).toBeNull();
    await jest.advanceTimersByTimeAsync(LIMITS.waitMs);
  });

  it('are few of a company whose gateway is slow, and others are not kept from theirs', async () => {
    const slots = new ChargeSlots(LIMITS);
    const slow = await take(slots, COMPANY);
    await jest.advanceTimersByTimeAsync(LIMITS.slowMs + 1);
    expect(await slots.acquire(COMPANY)).toBeNull();
    await take(slots, OTHER);
    slow();
    await take(slots, COMPANY);
  });

  it('of a company that became slow while it waited give their turn to the next', async () => {
    const slots = new ChargeSlots({ ...LIMITS, waitMs: 60_000 });
    await take(slots, COMPANY);
    const others = [await take(slots, OTHER), await take(slots, OTHER)];
    const [slow, next] = [slots.acquire(COMPANY), slots.acquire(3)];
    await jest.advanceTimersByTimeAsync(LIMITS.slowMs + 1);
    others[0]?.();
    expect(await slow).toBeNull();
    expect(await next).not.toBeNull();
  });
});
