import {
  deliveryViolations,
  type RecordedDelivery,
  type ReceivedRequests,
} from '../../bench/webhooks/webhook-reconciliation';

const DELIVERED = { status: 'delivered', attempts: 1 } as const;

function recorded(id: string, change: Partial<RecordedDelivery> = {}): RecordedDelivery {
  return { id, status: 'delivered', retryCount: 1, ...change };
}

const ONCE: ReceivedRequests = { requests: 1, invalidSignatures: 0 };

describe('the reconciliation of webhook deliveries', () => {
  it('accepts deliveries that reached their final status and were received as often as they were attempted', () => {
    const received = { msg_a: ONCE, msg_b: ONCE };
    expect(deliveryViolations(['a', 'b'], [recorded('a'), recorded('b')], received, DELIVERED)).toEqual([]);
  });

  it.each([
    [
      'a delivery that is still pending',
      [recorded('a', { status: 'pending' })],
      { msg_a: ONCE },
      'are not delivered',
    ],
    ['a missing delivery', [], { msg_a: ONCE }, 'are not delivered'],
    [
      'a delivery with too many attempts',
      [recorded('a', { retryCount: 2 })],
      { msg_a: { ...ONCE, requests: 2 } },
      '1 attempts',
    ],
    ['a delivery that was not received', [recorded('a')], {}, 'were not received'],
    [
      'a delivery that was sent twice',
      [recorded('a')],
      { msg_a: { ...ONCE, requests: 2 } },
      'were not received',
    ],
    [
      'a received message without a delivery',
      [recorded('a')],
      { msg_a: ONCE, msg_x: ONCE },
      'were not created',
    ],
    [
      'an invalid signature',
      [recorded('a')],
      { msg_a: { requests: 1, invalidSignatures: 1 } },
      'no valid signature',
    ],
  ])('reports %s', (_name, deliveries, received, violation) => {
    const violations = deliveryViolations(['a'], deliveries, received, DELIVERED);
    expect(violations.join('\n')).toContain(violation);
  });
});
