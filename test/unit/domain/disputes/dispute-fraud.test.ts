import { isForFraud, pausesSubscription } from '../../../../src/domain/disputes/dispute-fraud';
import { permissionFor } from '../../../../src/domain/subscriptions/charge-guard';

describe('a dispute for fraud', () => {
  it('is told by the reason of the network, and only of a chargeback', () => {
    const chargeback = (reasonCode: string | null) => isForFraud({ kind: 'chargeback', reasonCode });
    for (const reason of ['10.4', '10.5', '4837', '4863', 'F29', 'UA02', '83', 'fraudulent'])
      expect([reason, chargeback(reason)]).toEqual([reason, true]);
    for (const reason of ['13.1', '10.40', '4853', '4855', 'C08', 'product_not_received', '', null])
      expect([reason, chargeback(reason)]).toEqual([reason, false]);
    expect(isForFraud({ kind: 'retrieval', reasonCode: '10.4' })).toBe(false);
  });

  it('forbids every charge of the card for a subscription, whatever its amount, its network and who asks', () => {
    const disputed = { at: new Date(0), amountCents: 0, code: null, adviceCode: null, isFraud: true };
    for (const brand of ['visa', 'mastercard', 'elo', 'other'])
      for (const initiator of ['schedule', 'person'] as const) {
        const charge = { brand, amountCents: 990, at: new Date(1e12), initiator };
        expect(permissionFor(charge, [disputed])).toEqual({ kind: 'never' });
      }
  });
});

describe('a dispute of a subscription’s charge', () => {
  it('pauses the subscription from when the company says, and a retrieval request never does', () => {
    const from = (status: 'opened' | 'submitted' | 'won' | 'lost' | 'accepted') =>
      (['never', 'opened', 'lost'] as const).filter((when) =>
        pausesSubscription({ kind: 'chargeback', status }, when),
      );
    expect(from('opened')).toEqual(['opened']);
    expect(from('submitted')).toEqual(['opened']);
    expect(from('lost')).toEqual(['opened', 'lost']);
    expect(from('accepted')).toEqual(['opened', 'lost']);
    expect(from('won')).toEqual([]);
    expect(pausesSubscription({ kind: 'retrieval', status: 'lost' }, 'opened')).toBe(false);
  });
});
