import Stripe from 'stripe';
import type { RawCallback } from '../../../../src/gateways/callback';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { charge, intent, REFERENCE, refund } from './stripe-stub';

const driver = new StripeDriver();
const event = (type: string, object: object, id = 'evt_1'): RawCallback => ({
  body: Buffer.from(JSON.stringify({ id, object: 'event', type, data: { object } })),
  headers: {},
  query: '',
});
const read = (type: string, object: object) => {
  const reading = driver.readCallback(event(type, object));
  return reading.kind === 'hints' ? reading.hints[0] : reading.kind;
};
/** What an event says about a dispute. */
function readDispute(change: object) {
  const dispute = {
    ...{
      object: 'dispute',
      id: 'dp_1',
      payment_intent: 'pi_1',
      amount: 1_000,
      currency: 'brl',
      reason: 'fraudulent',
    },
    ...{ status: 'needs_response', evidence_details: { due_by: Date.parse('2026-06-20T12:00:00Z') / 1_000 } },
    ...change,
  };
  const created = Date.parse('2026-06-10T12:00:00Z') / 1_000;
  const type = 'charge.dispute.updated';
  const body = Buffer.from(
    JSON.stringify({ id: 'evt_1', object: 'event', created, type, data: { object: dispute } }),
  );
  const reading = driver.readCallback({ body, headers: {}, query: '' });
  return reading.kind === 'hints' ? reading.hints[0]?.dispute : reading.kind;
}
const NO_MONEY = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
const unpaid = (status: string, type = 'card') =>
  intent({ status, amount_received: 0, payment_method_types: [type], latest_charge: null });

describe('an event of Stripe', () => {
  it.each([
    ['succeeded', intent(), { ...NO_MONEY, status: 'approved', capturedCents: 12_990 }],
    [
      'succeeded',
      intent({ payment_method_types: ['pix'] }),
      { ...NO_MONEY, status: 'approved', capturedCents: 12_990, paidCents: 12_990 },
    ],
    ['amount_capturable_updated', unpaid('requires_capture'), { ...NO_MONEY, status: 'authorized' }],
    ['requires_action', unpaid('requires_action', 'pix'), { ...NO_MONEY, status: 'pending' }],
    ['requires_action', unpaid('requires_action'), null],
    ['canceled', unpaid('canceled'), { ...NO_MONEY, status: 'canceled' }],
    ['payment_failed', unpaid('requires_payment_method'), null],
    ['processing', unpaid('processing', 'boleto'), null],
  ])(
    'payment_intent.%s names the charge by both ids and tells what it says',
    (type, object, reportedState) => {
      expect(read(`payment_intent.${type}`, object)).toEqual({
        eventId: 'evt_1',
        kind: 'status',
        subject: { reference: REFERENCE, gatewayTransactionId: 'pi_1' },
        reportedState,
      });
    },
  );

  it.each([
    ['a pix', unpaid('canceled', 'pix')],
    ['an authorization', { ...unpaid('canceled'), latest_charge: 'ch_1' }],
  ])('about %s that the company abandoned in the dashboard is a cancel', (_, object) => {
    expect(read('payment_intent.canceled', { ...object, cancellation_reason: 'abandoned' })).toMatchObject({
      reportedState: { status: 'canceled' },
    });
  });

  it('about a refund names the charge, also if the refund was made in the dashboard', () => {
    const subject = { reference: REFERENCE, gatewayTransactionId: 'pi_1' };
    for (const type of ['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated']) {
      expect(read(type, refund())).toMatchObject({ kind: 'status', subject, reportedState: null });
      expect(read(type, refund({ metadata: {} }))).toMatchObject({
        subject: { reference: null, gatewayTransactionId: 'pi_1' },
      });
    }
    expect(read('charge.refunded', charge({ amount_refunded: 990 }))).toMatchObject({
      subject,
      reportedState: { status: 'approved', capturedCents: 12_990, refundedCents: 990 },
    });
    // The rest of a partial capture counts as refunded, so the event does not tell what was refunded.
    expect(read('charge.refunded', charge({ amount_captured: 9_000, amount_refunded: 4_980 }))).toMatchObject(
      {
        reportedState: null,
      },
    );
  });

  it('about a dispute is a chargeback', () => {
    const dispute = { object: 'dispute', payment_intent: 'pi_1' };
    for (const type of ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated']) {
      expect(read(`charge.dispute.${type}`, dispute)).toMatchObject({
        kind: 'chargeback',
        subject: { reference: null, gatewayTransactionId: 'pi_1' },
      });
    }
  });

  it.each([
    ['needs_response', 'chargeback', 'opened'],
    ['under_review', 'chargeback', 'submitted'],
    ['won', 'chargeback', 'won'],
    ['lost', 'chargeback', 'lost'],
    ['prevented', 'retrieval', 'won'],
    ['warning_needs_response', 'retrieval', 'opened'],
    ['warning_under_review', 'retrieval', 'submitted'],
    ['warning_closed', 'retrieval', 'won'],
  ])('about a dispute that is %s reports a %s that is %s', (status, kind, meaning) => {
    expect(readDispute({ status })).toEqual({
      ...{ gatewayDisputeId: 'dp_1', kind, status: meaning, amountCents: 1_000, currency: 'BRL' },
      reasonCode: 'fraudulent',
      evidenceDueAt: new Date('2026-06-20T12:00:00Z'),
      at: new Date('2026-06-10T12:00:00Z'),
    });
  });

  it('about a dispute names the network’s reason if there is one, and no deadline that Stripe does not tell', () => {
    const told = readDispute({ network_reason_code: '10.4', evidence_details: { due_by: null } });
    expect(told).toMatchObject({ reasonCode: '10.4', evidenceDueAt: null });
  });

  it.each([{ status: 'new_status' }, { amount: 0 }, { currency: undefined }])(
    'about a dispute with %j is only a notice',
    (change) => {
      expect(readDispute(change)).toBeUndefined();
    },
  );

  it.each([
    ['payout.paid', { object: 'payout' }],
    ['customer.created', { object: 'customer' }],
    ['charge.succeeded', charge()],
    ['payment_intent.created', unpaid('requires_payment_method')],
    ['payment_intent.succeeded', intent({ metadata: {} })],
    ['payment_intent.succeeded', intent({ metadata: { reference: 'order 12' } })],
    ['payment_intent.succeeded', { object: 'payment_intent' }],
    // The driver's own cancel of a payment that needed authentication.
    ['payment_intent.canceled', { ...unpaid('canceled'), cancellation_reason: 'abandoned' }],
    ['refund.updated', refund({ payment_intent: null })],
    ['charge.dispute.created', { object: 'dispute', payment_intent: null }],
  ])('%s is foreign if it is about no charge of ours', (type, object) => {
    expect(read(type, object)).toBe('foreign');
  });

  it.each(['', '{}', '{"object":"event"}', '{"id":"evt_1","object":"list","type":"a","data":{"object":{}}}'])(
    'is unreadable if it is %j',
    (text) => {
      expect(driver.readCallback({ body: Buffer.from(text), headers: {}, query: '' })).toEqual({
        kind: 'unreadable',
      });
    },
  );
});

const HINT = {
  eventId: 'evt_1',
  kind: 'status',
  subject: { reference: REFERENCE, gatewayTransactionId: null },
  reportedState: null,
} as const;
const verify = (callback: RawCallback, secrets: readonly string[], now: Date) =>
  driver.verifyCallback(callback, HINT, secrets, now);

describe('a signature of Stripe’s SDK', () => {
  const NOW = new Date('2026-05-04T12:00:00Z');
  const timestamp = NOW.getTime() / 1000;
  const signed = (secret: string): RawCallback => {
    const callback = event('payment_intent.succeeded', intent());
    const payload = callback.body.toString();
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return { ...callback, headers: { 'stripe-signature': header } };
  };

  it('is valid with any of several secrets, for five minutes', () => {
    const callback = signed('whsec_new');
    expect(verify(callback, ['whsec_old', 'whsec_new'], NOW)).toBe('valid');
    expect(verify(callback, ['whsec_old'], NOW)).toBe('invalid');
    for (const [seconds, expected] of [
      [300, 'valid'],
      [301, 'invalid'],
      [-300, 'valid'],
      [-301, 'invalid'],
    ] as const) {
      expect(verify(callback, ['whsec_new'], new Date(NOW.getTime() + seconds * 1000))).toBe(expected);
    }
  });

  it('is unsigned without a header or a secret, and invalid if the header is malformed', () => {
    const callback = signed('whsec_new');
    expect(verify({ ...callback, headers: {} }, ['whsec_new'], NOW)).toBe('unsigned');
    expect(verify(callback, [], NOW)).toBe('unsigned');
    for (const header of ['', 't=', `t=${timestamp}`, `t=${timestamp},v1=00`, 'v1=00', 'nonsense']) {
      const malformed = { ...callback, headers: { 'stripe-signature': header } };
      expect(verify(malformed, ['whsec_new'], NOW)).toBe('invalid');
    }
  });
});

interface Vectors {
  readonly secret: string;
  readonly cases: readonly { case: string; body: string; header: string; now: number; expected: string }[];
}

describeWithOracle(
  'webhook-vectors/stripe.json',
  'the verdict of Stripe’s SDK on signed webhooks',
  (content) => {
    const { secret, cases } = content as Vectors;
    it.each([...cases])('is ours too: $case', ({ body, header, now, expected }) => {
      const headers = { 'stripe-signature': header };
      const verdict = verify({ body: Buffer.from(body), headers, query: '' }, [secret], new Date(now * 1000));
      expect(verdict).toBe(expected === 'valid' ? 'valid' : 'invalid');
    });
  },
);

describeWithOracle('stripe/webhook-payload.json', 'recorded webhooks', (content) => {
  it('are about charges of others, because they have no reference of ours', () => {
    const samples = content as Record<string, { grpc_req?: { request_details: { body: object } } }>;
    const bodies = Object.values(samples).flatMap(({ grpc_req: request }) =>
      request === undefined ? [] : [Buffer.from(JSON.stringify(request.request_details.body))],
    );
    expect(bodies.map((body) => driver.readCallback({ body, headers: {}, query: '' }).kind)).toEqual(
      bodies.map(() => 'foreign'),
    );
  });
});
