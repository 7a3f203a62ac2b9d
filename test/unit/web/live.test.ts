import fc from 'fast-check';
import { intervalAfter, liveInterval, SETTLED, WAITING } from '../../../src/web/dashboard/shared/live';

describe('how often a page refreshes', () => {
  it('the interval stays within its bounds and never shrinks while nothing changes', () => {
    fc.assert(
      fc.property(fc.nat(3_600_000), fc.nat(3_600_000), (a, b) => {
        const [shorter, longer] = [Math.min(a, b), Math.max(a, b)].map((ms) => intervalAfter(WAITING, ms));
        expect(shorter).toBeGreaterThanOrEqual(WAITING.fromMs);
        expect(longer).toBeLessThanOrEqual(WAITING.toMs);
        expect(shorter).toBeLessThanOrEqual(longer ?? 0);
      }),
    );
  });

  it('nothing is refreshed before the first answer, nor once the state is final', () => {
    const settled = liveInterval<string>(() => SETTLED);
    const waiting = liveInterval<string>(() => WAITING);
    expect(waiting({ state: { data: undefined, status: 'pending' } })).toBe(false);
    expect(settled({ state: { data: 'paid', status: 'success' } })).toBe(false);
    expect(waiting({ state: { data: 'pending', status: 'success' } })).toBe(WAITING.fromMs);
  });

  it('a service that does not answer is asked at the slowest pace', () => {
    const interval = liveInterval<string>(() => WAITING);
    expect(interval({ state: { data: 'pending', status: 'error' } })).toBe(WAITING.toMs);
  });
});
