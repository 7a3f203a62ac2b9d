import { isRunLong } from '../../../workflows/subscriptions/run-length';

const DAY_MS = 86_400_000;

describe('a run of a subscription’s workflow', () => {
  it('continues as new after its cycles, at most six', () => {
    expect([0, 1, 5, 6, 7].map((closed) => isRunLong(closed, 6, DAY_MS))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('continues as new after its first cycle if it began in an older version', () => {
    expect([0, 1].map((closed) => isRunLong(closed, 1, DAY_MS))).toEqual([false, true]);
  });

  it('continues as new with the cycle that ends after three months, so that a yearly one closes one cycle', () => {
    expect(isRunLong(2, 6, 89 * DAY_MS)).toBe(false);
    expect(isRunLong(1, 6, 90 * DAY_MS)).toBe(true);
    expect(isRunLong(0, 6, 365 * DAY_MS)).toBe(false);
  });
});
