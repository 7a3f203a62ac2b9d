import { blocksCard, isForFraud, pausesSubscription } from '../../../../src/domain/disputes/dispute-fraud';
import { permissionFor } from '../../../../src/domain/subscriptions/charge-guard';
import { describeWithOracle } from '../../../support/vendors/oracles';

describe('a dispute for fraud', () => {
  it('is told by the reason of the network, and only of a chargeback', () => {
    const chargeback = (reasonCode: string | null) => isForFraud({ kind: 'chargeback', reasonCode });
    for (const reason of [
      '10.4',
      '10.5',
      '4837',
      '4863',
      'F29',
      'UA02',
      '83',
      'fraudulent',
      'fraud',
      'CARD_FRAUD',
    ])
      expect([reason, chargeback(reason)]).toEqual([reason, true]);
    for (const reason of ['13.1', '10.40', '4853', '4855', 'C08', 'product_not_received', '', null])
      expect([reason, chargeback(reason)]).toEqual([reason, false]);
    expect(isForFraud({ kind: 'retrieval', reasonCode: '10.4' })).toBe(false);
  });

  it('blocks its card until the company wins it, or a user releases the card', () => {
    const dispute = { fraudCard: 'a card', cardReleasedAt: null, status: 'opened' } as const;
    expect(blocksCard(dispute)).toBe(true);
    for (const status of ['submitted', 'lost', 'accepted'] as const)
      expect(blocksCard({ ...dispute, status })).toBe(true);
    expect(blocksCard({ ...dispute, status: 'won' })).toBe(false);
    expect(blocksCard({ ...dispute, status: 'lost', cardReleasedAt: new Date(0) })).toBe(false);
    expect(blocksCard({ ...dispute, fraudCard: null })).toBe(false);
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

interface StripeSpec {
  readonly components: {
    readonly schemas: {
      readonly dispute: { readonly properties: { readonly reason: { description: string } } };
    };
  };
}

describeWithOracle('stripe/spec3.subset.json', 'the reasons that Stripe’s document lists', (content) => {
  it('tell fraud by one word', () => {
    const { reason } = (content as StripeSpec).components.schemas.dispute.properties;
    const [listed = ''] = reason.description.split('Learn more');
    const words = [...listed.matchAll(/`(\w+)`/g)].flatMap(([, word]) => word ?? []);
    expect(words.length).toBeGreaterThan(10);
    const fraud = words.filter((reasonCode) => isForFraud({ kind: 'chargeback', reasonCode }));
    expect(fraud).toEqual(['fraudulent']);
  });
});

interface AdyenItem {
  readonly reason: string;
  readonly additionalData?: { readonly chargebackReasonCode?: string };
}
interface AdyenWebhooks {
  readonly components: {
    readonly examples: Record<
      string,
      { value: { notificationItems?: ReadonlyArray<{ NotificationRequestItem: AdyenItem }> } }
    >;
  };
}

describeWithOracle('adyen/Webhooks-v1.json', 'the codes of the examples of Adyen’s webhooks', (content) => {
  it('tell fraud where their words do', () => {
    const items = Object.values((content as AdyenWebhooks).components.examples).flatMap(({ value }) =>
      (value.notificationItems ?? []).map((each) => each.NotificationRequestItem),
    );
    const known = items.flatMap(({ reason, additionalData }) => {
      const code = additionalData?.chargebackReasonCode?.trim();
      return code === undefined ? [] : [{ code, isFraud: /fraud/i.test(reason) }];
    });
    expect(known.map(({ isFraud }) => isFraud)).toContain(true);
    const ours = known.map(({ code }) => isForFraud({ kind: 'chargeback', reasonCode: code }));
    expect(ours).toEqual(known.map(({ isFraud }) => isFraud));
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
