import {
  initiationOfPayment,
  initiationOfSeries,
  type ChargedMethod,
} from '../../../src/domain/shared/charge-initiation';

const networkIds = { transactionId: '1', transactionLinkId: null, eloReference: null };
const savedCard = { kind: 'saved_card', networkIds } as const;

describe('a one-off payment', () => {
  it.each<[ChargedMethod, object]>([
    [{ kind: 'paid_later' }, { initiator: 'customer', reason: 'one_off' }],
    [
      { kind: 'raw_card', isSaved: false },
      { initiator: 'customer', reason: 'one_off' },
    ],
    [
      { kind: 'raw_card', isSaved: true },
      { initiator: 'customer', reason: 'first_saved' },
    ],
    [
      { ...savedCard, initiator: 'customer' },
      { initiator: 'customer', reason: 'saved_card' },
    ],
    [
      { ...savedCard, initiator: 'merchant' },
      { initiator: 'merchant', reason: 'unscheduled', networkIds },
    ],
  ])('charged to %j is initiated as %j', (method, initiation) => {
    expect(initiationOfPayment(method)).toEqual(initiation);
  });
});

describe('a charge of a series', () => {
  it('is initiated by the customer until a transaction of its card was approved, whatever ids are known', () => {
    const first = { initiator: 'customer', reason: 'first_recurring' };
    expect(initiationOfSeries({ isEstablished: false, networkIds })).toEqual(first);
  });

  it('is initiated by the merchant afterwards, with the network ids if there are any', () => {
    const later = { initiator: 'merchant', reason: 'recurring' };
    expect(initiationOfSeries({ isEstablished: true, networkIds })).toEqual({ ...later, networkIds });
    expect(initiationOfSeries({ isEstablished: true, networkIds: null })).toEqual({
      ...later,
      networkIds: null,
    });
  });
});
