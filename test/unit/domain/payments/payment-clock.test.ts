import { clockTargetProblem, paymentNow } from '../../../../src/domain/payments/payment-clock';

const NOON = new Date('2028-02-29T12:00:00.000Z');

describe('the clock of a payment', () => {
  it('the clock equals the wall clock plus its offset', () => {
    expect(paymentNow({ clockOffsetMs: 0 }, NOON)).toEqual(NOON);
    expect(paymentNow({ clockOffsetMs: 60_000 }, NOON).toISOString()).toBe('2028-02-29T12:01:00.000Z');
  });

  it.each([
    ['2028-02-29T12:00:00.000Z', 'must be after 2028-02-29T12:00:00.000Z, where the clock stands'],
    ['2028-02-29T11:59:59.999Z', 'must be after 2028-02-29T12:00:00.000Z, where the clock stands'],
    ['2028-02-29T12:00:00.001Z', null],
    ['2030-03-01T12:00:00.000Z', null],
    ['2030-03-01T12:00:00.001Z', 'must be at most 2 years ahead'],
  ])('a target of %s has the problem: %s', (target, problem) => {
    expect(clockTargetProblem(new Date(target), NOON)).toBe(problem);
  });
});
