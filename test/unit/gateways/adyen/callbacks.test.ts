import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import type { CallbackHint, RawCallback } from '../../../../src/gateways/callback';
import { EVENT_CODES } from '../../../../src/gateways/adyen/callback';
import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import {
  chargeReference,
  operationReference,
  type ChargeKind,
} from '../../../../src/gateways/adyen/references';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { REFERENCE } from './adyen-stub';

const driver = new AdyenDriver();
const KEY = '07E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B29';

function item(changes: object = {}) {
  return {
    pspReference: 'PSP2',
    originalReference: 'PSP1',
    merchantAccountCode: 'StubMerchant',
    merchantReference: chargeReference(REFERENCE, 'sale'),
    amount: { value: 12_990, currency: 'BRL' },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-05-04T12:00:00+00:00',
    paymentMethod: 'visa',
    reason: '',
    success: 'true',
    additionalData: {},
    ...changes,
  };
}
const callback = (...items: readonly object[]): RawCallback => ({
  body: Buffer.from(
    JSON.stringify({
      live: 'false',
      notificationItems: items.map((each) => ({ NotificationRequestItem: each })),
    }),
  ),
  headers: {},
  query: '',
});
const hintsIn = (...items: readonly object[]): readonly CallbackHint[] => {
  const reading = driver.readCallback(callback(...items));
  return reading.kind === 'hints' ? reading.hints : [];
};
const read = (changes: object) => hintsIn(item(changes))[0];

const NONE = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
const PAID = { ...NONE, status: 'approved', capturedCents: 12_990 };
const DECLINED = { ...NONE, status: 'declined' };
const CANCELED = { ...NONE, status: 'canceled' };
const EXPIRED = { ...NONE, status: 'expired' };

describe('an event about a charge', () => {
  it.each<[string, string, ChargeKind, object | null]>([
    ['AUTHORISATION', 'true', 'sale', PAID],
    ['AUTHORISATION', 'true', 'authorization', { ...NONE, status: 'authorized', authorizedCents: 12_990 }],
    ['AUTHORISATION', 'true', 'pix', { ...PAID, paidCents: 12_990 }],
    ['AUTHORISATION', 'true', 'billet', { ...PAID, paidCents: 12_990 }],
    ['AUTHORISATION', 'false', 'sale', DECLINED],
    ['OFFER_CLOSED', 'true', 'pix', EXPIRED],
    ['EXPIRE', 'true', 'authorization', EXPIRED],
    ['CAPTURE', 'true', 'authorization', PAID],
    ['CAPTURE_FAILED', 'true', 'sale', DECLINED],
    ['CANCELLATION', 'true', 'authorization', CANCELED],
    ['TECHNICAL_CANCEL', 'true', 'authorization', CANCELED],
    ['CANCEL_OR_REFUND', 'true', 'sale', CANCELED],
  ])('%s with success %s of a charge by %s tells its state', (eventCode, success, kind, reportedState) => {
    expect(read({ eventCode, success, merchantReference: chargeReference(REFERENCE, kind) })).toEqual({
      eventId: `PSP2:${eventCode}:${success}`,
      kind: 'status',
      subject: { reference: REFERENCE, gatewayTransactionId: 'PSP1' },
      reportedState,
    });
  });

  it.each([
    ['REFUND', 12_990],
    ['REFUND_FAILED', -12_990],
    ['REFUNDED_REVERSED', -12_990],
  ])('%s of the Customer Area tells one refund, and not the sum of all', (eventCode, refundCents) => {
    expect(read({ eventCode })).toMatchObject({ kind: 'status', reportedState: null, refundCents });
  });

  it('has the id of the payment, also if it is no modification', () => {
    expect(read({ originalReference: '' })?.subject).toEqual({
      reference: REFERENCE,
      gatewayTransactionId: 'PSP2',
    });
  });

  it('about an expiry names the charge by our reference alone, because its own id may be another one', () => {
    const merchantReference = chargeReference(REFERENCE, 'authorization');
    expect(read({ eventCode: 'EXPIRE', originalReference: '', merchantReference })?.subject).toEqual({
      reference: REFERENCE,
      gatewayTransactionId: null,
    });
  });

  it.each(['CAPTURE', 'CANCELLATION', 'REFUND', 'CANCEL_OR_REFUND'])(
    '%s that was refused in the Customer Area changes nothing',
    (eventCode) => {
      expect(driver.readCallback(callback(item({ eventCode, success: 'false' })))).toMatchObject({
        kind: 'foreign',
      });
    },
  );
});

describe('an event about a capture, cancel or refund', () => {
  it.each<[string, string, string, object]>([
    ['CAPTURE', 'true', 'capture', PAID],
    ['CAPTURE', 'false', 'capture', DECLINED],
    ['CAPTURE_FAILED', 'true', 'capture', DECLINED],
    ['CANCELLATION', 'true', 'cancel', CANCELED],
    ['CANCELLATION', 'false', 'cancel', DECLINED],
    ['REFUND', 'true', 'refund-2', { ...NONE, status: 'refunded', refundedCents: 12_990 }],
    ['REFUND', 'false', 'refund-2', DECLINED],
    ['REFUND_FAILED', 'true', 'refund', DECLINED],
    ['REFUNDED_REVERSED', 'true', 'refund', DECLINED],
  ])('%s with success %s names the %s and its result', (eventCode, success, operation, reportedState) => {
    const reference = `${REFERENCE}-${operation}`;
    expect(read({ eventCode, success, merchantReference: operationReference(reference) })).toMatchObject({
      kind: 'status',
      subject: { reference, gatewayTransactionId: 'PSP1' },
      reportedState,
    });
  });

  it('of another kind than its reference is not ours', () => {
    const merchantReference = operationReference(`${REFERENCE}-capture`);
    for (const eventCode of ['REFUND', 'AUTHORISATION', 'EXPIRE']) {
      expect(read({ eventCode, merchantReference })).toBeUndefined();
    }
  });
});

describe('an event code', () => {
  const disputes = Object.entries(EVENT_CODES).flatMap(([code, { kind }]) =>
    kind === 'dispute' ? [code] : [],
  );
  it.each(disputes)('%s is a chargeback notice about the charge', (eventCode) => {
    for (const merchantReference of [
      chargeReference(REFERENCE, 'sale'),
      operationReference(`${REFERENCE}-capture`),
    ]) {
      expect(read({ eventCode, merchantReference })).toMatchObject({
        kind: 'chargeback',
        subject: { reference: REFERENCE, gatewayTransactionId: 'PSP1' },
        reportedState: null,
      });
    }
  });

  const others = Object.entries(EVENT_CODES).flatMap(([code, { kind }]) => (kind === 'other' ? [code] : []));
  it.each([...others, 'A_NEW_EVENT'])('%s is not for this service', (eventCode) => {
    expect(driver.readCallback(callback(item({ eventCode })))).toMatchObject({ kind: 'foreign' });
  });

  describeWithOracle('adyen/Webhooks-v1.json', 'of the description of Adyen’s webhooks', (content) => {
    const { webhooks, components } = content as {
      webhooks: Record<string, unknown>;
      components: { schemas: { NotificationRequestItem: { properties: { eventCode: { enum: string[] } } } } };
    };

    it('has a meaning here', () => {
      const { enum: listed } = components.schemas.NotificationRequestItem.properties.eventCode;
      const codes = [...listed, ...Object.keys(webhooks).map((path) => path.slice(1))];
      expect([...new Set(codes)].filter((code) => !(code in EVENT_CODES))).toEqual([]);
    });
  });
});

describe('a notification', () => {
  it('of several items gives a hint for each of ours', () => {
    const refund = operationReference(`${REFERENCE}-refund`);
    const hints = hintsIn(
      item(),
      item({ merchantReference: 'order 12' }),
      item({ eventCode: 'REFUND', merchantReference: refund, pspReference: 'PSP3' }),
    );
    expect(hints.map(({ eventId }) => eventId)).toEqual(['PSP2:AUTHORISATION:true', 'PSP3:REFUND:true']);
  });

  it.each([
    'order 12',
    '',
    null,
    's',
    `x_${'0'.repeat(26)}`,
    `s_${'z'.repeat(26)}`,
    `${chargeReference(REFERENCE, 'sale')}_1`,
    operationReference(`${REFERENCE}-refund`).replace('o', 's'),
  ])('with the reference %j is not for this service', (merchantReference) => {
    expect(driver.readCallback(callback(item({ merchantReference })))).toMatchObject({ kind: 'foreign' });
  });

  it.each([
    '',
    '[]',
    '{"live":"false"}',
    '{"live":"false","notificationItems":[]}',
    '{"live":"false","notificationItems":[{"NotificationRequestItem":{"pspReference":"1"}}]}',
  ])('is unreadable if it is %j', (text) => {
    expect(driver.readCallback({ body: Buffer.from(text), headers: {}, query: '' })).toEqual({
      kind: 'unreadable',
    });
  });
});

const sdk = new HmacValidator();
type SdkItem = Parameters<typeof sdk.validateHMAC>[0];
const signed = (changes: object = {}, key = KEY) => {
  const unsigned = item(changes);
  const hmacSignature = sdk.calculateHmac(unsigned as unknown as SdkItem, key);
  return { ...unsigned, additionalData: { hmacSignature } };
};
const verify = (raw: RawCallback, secrets: readonly string[], hint = driver.readCallback(raw)) => {
  if (hint.kind !== 'hints') throw new Error('the callback has no hint');
  return hint.hints.map((each) => driver.verifyCallback(raw, each, secrets));
};

describe('a signature of Adyen’s SDK', () => {
  it('is valid with any of several keys, whatever the case of their digits, at any time', () => {
    const raw = callback(signed());
    expect(verify(raw, ['00'.repeat(32), KEY])).toEqual(['valid']);
    expect(verify(raw, [KEY.toLowerCase()])).toEqual(['valid']);
    expect(verify(raw, ['00'.repeat(32)])).toEqual(['invalid']);
    expect(driver.callbackProof).toMatchObject({ kind: 'signature', coversBody: true, coversTime: false });
  });

  it('is of each item alone', () => {
    const raw = callback(
      signed(),
      { ...signed({ pspReference: 'PSP3' }), success: 'false' },
      item({ pspReference: 'PSP4' }),
    );
    expect(verify(raw, [KEY])).toEqual(['valid', 'invalid', 'unsigned']);
    // The same event twice, of which one is forged.
    const forged = { ...signed(), amount: { value: 1, currency: 'BRL' } };
    expect(verify(callback(signed(), forged), [KEY])).toEqual(['invalid', 'invalid']);
  });

  it.each(['pspReference', 'originalReference', 'merchantAccountCode', 'eventCode', 'success'])(
    'does not fit another %s',
    (name) => {
      const changed = { eventCode: 'CAPTURE_FAILED', success: 'false' };
      const value = name in changed ? changed[name as keyof typeof changed] : 'X';
      expect(verify(callback({ ...signed(), [name]: value }), [KEY])).toEqual(['invalid']);
    },
  );

  it('is not taken from a text that could be read as other fields, because Adyen does not escape the colons', () => {
    const foreign = signed({ merchantAccountCode: 'Stub:Merchant' });
    expect(driver.readCallback(callback(foreign))).toMatchObject({ kind: 'foreign' });
  });

  it('is verified of an event about something else, too, so that it can be counted', () => {
    const raw = callback(signed({ eventCode: 'REPORT_AVAILABLE' }));
    const reading = driver.readCallback(raw);
    if (reading.kind !== 'foreign' || reading.verifiedBy === undefined) throw new Error('not foreign');
    const hint = { ...reading.verifiedBy, kind: 'status', reportedState: null } as const;
    const verdicts = [KEY, 'ab'.repeat(32)].map((key) => driver.verifyCallback(raw, hint, [key]));
    expect(verdicts).toEqual(['valid', 'invalid']);
  });

  it('is unsigned without a signature or a secret, and no text makes an empty key', () => {
    expect(verify(callback(item()), [KEY])).toEqual(['unsigned']);
    expect(verify(callback(signed()), [])).toEqual(['unsigned']);
    const withEmptyKey = signed({}, '');
    for (const secret of ['not hex', 'zz'.repeat(32), `${KEY}x`]) {
      expect(verify(callback(withEmptyKey), [secret])).toEqual(['invalid']);
    }
  });

  it('is accepted by the SDK if the driver accepts it, for every field', () => {
    const changes = [
      {},
      { originalReference: '' },
      { amount: { value: 0, currency: 'BRL' } },
      { success: 'false' },
    ];
    for (const each of changes) {
      const item = signed(each);
      expect(verify(callback(item), [KEY])).toEqual(['valid']);
      expect(sdk.validateHMAC(item as unknown as SdkItem, KEY)).toBe(true);
    }
  });
});

interface Vectors {
  readonly key_hex: string;
  readonly cases: readonly { readonly case: string; readonly item: object; readonly expected: string }[];
}

describeWithOracle('webhook-vectors/adyen.json', 'the verdicts of Adyen’s SDK', (content) => {
  const { key_hex: key, cases } = content as Vectors;
  /** What the driver refuses though the SDK accepts it. */
  const STRICTER: Readonly<Record<string, string>> = { 'reference with a colon': 'invalid' };

  it.each(cases)('are ours: $case', ({ case: name, item: given, expected }) => {
    const raw = callback(given);
    const { pspReference, eventCode, success } = given as Record<string, string>;
    const hint: CallbackHint = {
      eventId: `${pspReference}:${eventCode}:${success}`,
      kind: 'status',
      subject: { reference: REFERENCE, gatewayTransactionId: null },
      reportedState: null,
    };
    const ours = expected.includes('Missing') ? 'unsigned' : (STRICTER[name] ?? expected);
    expect(driver.verifyCallback(raw, hint, [key])).toBe(ours);
  });
});
