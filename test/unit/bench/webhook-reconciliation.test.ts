import {
  deliveryViolations,
  type BookedDelivery,
  type ResolveStatus,
} from '../../bench/webhooks/webhook-reconciliation';

const DELIVERED = { status: 'delivered', attempts: 1 } as const;

function booked(id: string, change: Partial<BookedDelivery> = {}): BookedDelivery {
  return { id, status: 'delivered', retryCount: 1, ...change };
}

const once: ResolveStatus = { requests: 1, forged: 0 };

describe('the books of a drain', () => {
  it('are in order when what was born has ended as it must and was heard of as often as it was tried', () => {
    const heard = { msg_a: once, msg_b: once };
    expect(deliveryViolations(['a', 'b'], [booked('a'), booked('b')], heard, DELIVERED)).toEqual([]);
  });

  it.each([
    ['one that is still pending', [booked('a', { status: 'pending' })], { msg_a: once }, 'are not delivered'],
    ['one that is gone', [], { msg_a: once }, 'are not delivered'],
    [
      'one that was tried too often',
      [booked('a', { retryCount: 2 })],
      { msg_a: { ...once, requests: 2 } },
      '1 attempts',
    ],
    ['one that nobody heard of', [booked('a')], {}, 'were not heard of'],
    ['one that was sent twice', [booked('a')], { msg_a: { ...once, requests: 2 } }, 'were not heard of'],
    ['an id that was never born', [booked('a')], { msg_a: once, msg_x: once }, 'never born'],
    ['a wrong signature', [booked('a')], { msg_a: { requests: 1, forged: 1 } }, 'were not signed'],
  ])('tell of %s', (_name, books, heard, problem) => {
    const violations = deliveryViolations(['a'], books, heard, DELIVERED);
    expect(violations.join('\n')).toContain(problem);
  });
});
