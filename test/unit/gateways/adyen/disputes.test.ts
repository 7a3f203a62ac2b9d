import type { CallbackHint, RawCallback } from '../../../../src/gateways/callback';
import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { chargeReference } from '../../../../src/gateways/adyen/references';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { REFERENCE } from './adyen-stub';

const driver = new AdyenDriver();

function read(changes: object): CallbackHint | undefined {
  const item = {
    pspReference: 'DISPUTE1',
    originalReference: 'PSP1',
    merchantAccountCode: 'StubMerchant',
    merchantReference: chargeReference(REFERENCE, 'sale'),
    amount: { value: 12_990, currency: 'BRL' },
    eventCode: 'CHARGEBACK',
    eventDate: '2026-05-04T14:00:00+02:00',
    success: 'true',
    additionalData: {},
    ...changes,
  };
  const notification = { live: 'false', notificationItems: [{ NotificationRequestItem: item }] };
  const raw: RawCallback = { body: Buffer.from(JSON.stringify(notification)), headers: {}, query: '' };
  const reading = driver.readCallback(raw);
  return reading.kind === 'hints' ? reading.hints[0] : undefined;
}
const disputeIn = (changes: object) => read(changes)?.dispute;

describe('an event about a dispute', () => {
  it('tells its id, amount, currency, reason, deadline and instant', () => {
    const additionalData = {
      chargebackReasonCode: ' 10.4',
      defensePeriodEndsAt: '2026-05-22T14:00:00+02:00',
      disputeStatus: 'Undefended',
      defendable: 'true',
    };
    expect(read({ additionalData })).toEqual({
      eventId: 'DISPUTE1:CHARGEBACK:true',
      kind: 'chargeback',
      subject: { reference: REFERENCE, gatewayTransactionId: 'PSP1' },
      reportedState: null,
      dispute: {
        gatewayDisputeId: 'DISPUTE1',
        currency: 'BRL',
        kind: 'chargeback',
        status: 'opened',
        amountCents: 12_990,
        reasonCode: '10.4',
        evidenceDueAt: new Date('2026-05-22T12:00:00Z'),
        at: new Date('2026-05-04T12:00:00Z'),
      },
    });
  });

  it.each([
    ['REQUEST_FOR_INFORMATION', 'retrieval', 'opened'],
    ['NOTIFICATION_OF_CHARGEBACK', 'chargeback', 'opened'],
    ['CHARGEBACK', 'chargeback', 'opened'],
    ['INFORMATION_SUPPLIED', 'chargeback', 'submitted'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'chargeback', 'lost'],
    ['CHARGEBACK_REVERSED', 'chargeback', 'won'],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'chargeback', 'won'],
    ['SECOND_CHARGEBACK', 'chargeback', 'lost'],
    ['PREARBITRATION_OPEN', 'chargeback', 'opened'],
    ['PREARBITRATION_DECLINED', 'chargeback', 'submitted'],
    ['PREARBITRATION_ISSUER_WITHDRAWN', 'chargeback', 'won'],
    ['PREARBITRATION_WON', 'chargeback', 'won'],
    ['PREARBITRATION_LOST', 'chargeback', 'lost'],
    ['SCHEME_ARBITRATION', 'chargeback', 'submitted'],
    ['SCHEME_ARBITRATION_WON', 'chargeback', 'won'],
    ['SCHEME_ARBITRATION_LOST', 'chargeback', 'lost'],
  ])('%s makes it a %s that is %s', (eventCode, kind, status) => {
    expect(disputeIn({ eventCode })).toMatchObject({ kind, status });
  });

  it.each(['NOTIFICATION_OF_FRAUD', 'ISSUER_COMMENTS', 'PREARBITRATION_ACCEPTED'])(
    '%s changes no dispute, and is a notice',
    (eventCode) => {
      expect(read({ eventCode })).toMatchObject({ kind: 'chargeback' });
      expect(disputeIn({ eventCode })).toBeUndefined();
    },
  );

  it.each([
    ['that failed', { success: 'false' }],
    ['without an instant', { eventDate: undefined }],
    ['with an instant that is none', { eventDate: 'yesterday' }],
    ['without an amount', { amount: undefined }],
    ['of nothing', { amount: { value: 0, currency: 'BRL' } }],
  ])('%s is only a notice', (_name, changes) => {
    expect(read(changes)).toMatchObject({ kind: 'chargeback' });
    expect(disputeIn(changes)).toBeUndefined();
  });

  it('cannot decide a dispute by a field that is not signed', () => {
    for (const disputeStatus of ['Lost', 'Won', 'Accepted', 'Expired', 'Undefended', 'Anything']) {
      expect(disputeIn({ additionalData: { disputeStatus } })).toMatchObject({ status: 'opened' });
    }
    for (const eventCode of ['CHARGEBACK', 'NOTIFICATION_OF_CHARGEBACK']) {
      const defended = [{ disputeStatus: 'Pending' }, { autoDefended: 'true' }];
      for (const additionalData of defended)
        expect(disputeIn({ eventCode, additionalData })).toMatchObject({
          status: 'submitted',
          evidenceDueAt: null,
        });
    }
  });

  it('about a request for information stays one that moves no money', () => {
    const additionalData = { rfiReasonCode: '30', disputeStatus: 'Responded' };
    for (const eventCode of ['INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED'])
      expect(disputeIn({ eventCode, additionalData })).toMatchObject({ kind: 'retrieval', reasonCode: '30' });
  });

  it('has no deadline if it cannot be defended, and no reason or deadline that cannot be read', () => {
    const defensePeriodEndsAt = '2026-05-22T14:00:00+02:00';
    const nothing = { reasonCode: null, evidenceDueAt: null };
    expect(disputeIn({ additionalData: { defendable: 'false', defensePeriodEndsAt } })).toMatchObject(
      nothing,
    );
    const unreadable = { defensePeriodEndsAt: 'soon', chargebackReasonCode: 'x'.repeat(65), autoDefended: 1 };
    expect(disputeIn({ additionalData: unreadable })).toMatchObject(nothing);
  });
});

interface WebhookExample {
  readonly value: {
    readonly notificationItems?: ReadonlyArray<{
      readonly NotificationRequestItem: { readonly eventCode: string };
    }>;
  };
}

describeWithOracle('adyen/Webhooks-v1.json', 'an example of Adyen’s webhooks', (content) => {
  const { examples } = (content as { components: { examples: Record<string, WebhookExample> } }).components;
  const MEANT: Readonly<Record<string, object>> = {
    REQUEST_FOR_INFORMATION: { kind: 'retrieval', status: 'opened', reasonCode: null },
    // "automatically defended"
    NOTIFICATION_OF_CHARGEBACK: { status: 'submitted', reasonCode: '4853' },
    CHARGEBACK: {
      ...{ status: 'opened', reasonCode: '4853', amountCents: 1_000 },
      evidenceDueAt: new Date('2021-07-31T01:03:07Z'),
    },
    INFORMATION_SUPPLIED: { status: 'submitted', reasonCode: '13.3', amountCents: 10_000, currency: 'USD' },
    DISPUTE_DEFENSE_PERIOD_ENDED: { status: 'lost', reasonCode: '10.4' },
    CHARGEBACK_REVERSED: { status: 'won' },
    ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { status: 'won', reasonCode: '13.1' },
    SECOND_CHARGEBACK: { status: 'lost', reasonCode: '502' },
    PREARBITRATION_WON: { status: 'won' },
    PREARBITRATION_LOST: { status: 'lost' },
  };
  // Answers are examples, too.
  const items = Object.values(examples).flatMap(({ value }) =>
    (value.notificationItems ?? []).map((each) => each.NotificationRequestItem),
  );

  it.each(Object.entries(MEANT))('of %s is read', (eventCode, meant) => {
    const item = items.find((each) => each.eventCode === eventCode);
    expect(item).toBeDefined();
    expect(disputeIn({ ...item, merchantReference: chargeReference(REFERENCE, 'sale') })).toMatchObject(
      meant,
    );
  });
});
