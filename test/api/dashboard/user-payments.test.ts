import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, newKey, pendingPix, sale, to } from '../support/payment-scenario';
import {
  detailOf,
  startLostCharge,
  registerDashboardCompany,
  SLOW_MACHINE_TIMES,
  type DashboardCompany,
} from './dashboard-company';

let api: EngineApi;
let receiver: WebhookReceiver;
let company: DashboardCompany;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(SLOW_MACHINE_TIMES), startWebhookReceiver()]);
  company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2', 'gateway_4']);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

describe('GET /user/payments', () => {
  let busy: DashboardCompany;
  let payments: Record<
    'approved' | 'failed' | 'pending' | 'authorized' | 'refunded' | 'canceled',
    PaymentBody
  >;
  const refundKey = newKey();
  const cancelKey = newKey();
  const saleKey = randomUUID();
  beforeAll(async () => {
    busy = await registerDashboardCompany(api, ['gateway_1', 'gateway_4']);
    const { byKey } = busy;
    const declined = paymentRequest({ card: rawCard('4000000000009995') });
    payments = {
      approved: await sale(byKey, { merchant_order_id: 'A', gateway_first_try: 'gateway_4' }),
      failed: expectStatus(await byKey('createCardPayment', { body: declined }), 200).body,
      pending: await pendingPix(byKey),
      authorized: await authorization(byKey),
      refunded: expectStatus(
        await byKey('createCardPayment', {
          body: paymentRequest({ amount: 5_000 }),
          headers: { 'Idempotency-Key': saleKey },
        }),
        200,
      ).body,
      canceled: await authorization(byKey),
    };
    expectStatus(await byKey('refundPayment', to(payments.refunded, { body: {}, headers: refundKey })), 200);
    const canceling = to(payments.canceled, { headers: cancelKey });
    expectStatus(await busy.byToken('cancelUserPayment', canceling), 200);
  });

  const list = async (query: Record<string, string | number>) =>
    expectStatus(await busy.byToken('listUserPayments', { query }), 200).body;
  const ids = async (query: Record<string, string | number>) =>
    (await list(query)).data.map(({ transaction_id: id }) => id);

  it('returns the same payments as the list by API key, with more fields', async () => {
    const [byKey, byToken] = [expectStatus(await busy.byKey('listPayments'), 200).body, await list({})];
    expect(byToken.meta).toEqual(byKey.meta);
    expect(byToken.data).toEqual(byKey.data.map((item): unknown => expect.objectContaining(item)));
    expect(byToken.data.find(({ status }) => status === 'refunded')).toMatchObject({
      code: null,
      captured_amount: 5_000,
      refunded_amount: 5_000,
      gateway: 'gateway_1',
      customer: { name: 'Maria Souza', document: '***.533.447-**' },
      stuck_since: null,
    });
  });

  it.each(['approved', 'failed', 'pending', 'authorized', 'refunded', 'canceled'] as const)(
    'filters by the status %s',
    async (status) => {
      expect(await ids({ status })).toEqual([payments[status].transaction_id]);
    },
  );

  it('filters by gateways that the list by API key does not accept', async () => {
    expect(await ids({ gateway: 'gateway_4' })).toEqual([payments.approved.transaction_id]);
    expect(await ids({ gateway: 'gateway_7' })).toEqual([]);
  });

  it('finds a payment by each of its identifiers', async () => {
    const { approved, refunded } = payments;
    expect(await ids({ q: approved.transaction_id.toUpperCase() })).toEqual([approved.transaction_id]);
    expect(await ids({ q: 'A' })).toEqual([approved.transaction_id]);
    expect(await ids({ q: saleKey })).toEqual([refunded.transaction_id]);
    expect(await ids({ q: refundKey['Idempotency-Key'] })).toEqual([refunded.transaction_id]);
    expect(await ids({ q: cancelKey['Idempotency-Key'] })).toEqual([payments.canceled.transaction_id]);
    expect(await ids({ q: 'a' })).toEqual([]);
    expect(await ids({ q: 'A', status: 'failed' })).toEqual([]);
  });

  it('finds the payments that need a manual resolution', async () => {
    const stranded = await registerDashboardCompany(api, ['gateway_3']);
    const fine = await sale(stranded.byKey);
    const id = await startLostCharge(api, stranded, uniqueAmount());
    const waiting = async (stuck: string) =>
      expectStatus(await stranded.byToken('listUserPayments', { query: { stuck } }), 200).body;
    const { data } = await waitFor(async () => {
      const page = await waiting('true');
      // Rows and total are read one after the other.
      return page.data.length === 1 && page.meta.total === 1 && page;
    });
    const { desk } = await detailOf(stranded, { transaction_id: id });
    expect(data).toMatchObject([{ transaction_id: id, stuck_since: desk?.since }]);
    expect((await waiting('false')).data).toMatchObject([{ transaction_id: fine.transaction_id }]);
  });

  it.each([
    [{ status: 'paid' }, 'status'],
    [{ gateway: 'gateway_8' }, 'gateway'],
    [{ stuck: 'maybe' }, 'stuck'],
    [{ q: '' }, 'q'],
    [{ q: 'x'.repeat(256) }, 'q'],
    [{ per_page: 101 }, 'per_page'],
  ])('answers 422 with the filter for %j', async (query, field) => {
    const { body } = expectStatus(await busy.byToken('listUserPayments', { query }), 422);
    expect(body).toMatchObject({ code: 'validation_error', errors: { [field]: expect.any(Array) } });
  });
});

describe('GET /user/payments/{id}', () => {
  it('returns the same payment as by API key', async () => {
    const payment = await sale(company.byKey);
    expect((await detailOf(company, payment)).payment).toEqual(await found(company.byKey, payment));
  });

  it('returns every attempt with the reason for its gateway and its send count', async () => {
    const payment = await sale(company.byKey, { gateway_first_try: 'gateway_2' });
    const { attempts } = await detailOf(company, payment);
    expect(attempts).toMatchObject([
      {
        id: payment.transactions[0]?.id,
        operation: 'charge',
        purpose: 'charge',
        gateway: 'gateway_2',
        status: 'approved',
        routing_reason: 'gateway_first_try',
        reference: `${payment.transaction_id}-1`,
        error_family: null,
        tries: 1,
        sent_at: expect.any(String),
      },
    ]);
  });

  it('returns the reasons for each gateway as codes, so that a page can tell them in any language', async () => {
    const amount = uniqueAmount();
    const match = { gateway: 'gateway_1', amount, operation: 'charge' } as const;
    await api.engine.simulator.script(match, { decline: '91' });
    const payment = await sale(company.byKey, { amount, gateway_first_try: 'gateway_5' });
    const { attempts } = await detailOf(company, payment);
    const none = { gateway: null, gateways: null, order: null, percent: null, reason: null, rule: null };
    expect(attempts.map(({ routing_reasons: reasons }) => reasons)).toEqual([
      [
        { ...none, code: 'order', order: 1 },
        { ...none, code: 'first_try_ignored', gateway: 'gateway_5', reason: 'no_credentials' },
      ],
      [
        { ...none, code: 'after_declined', gateway: 'gateway_1' },
        { ...none, code: 'order', order: 2 },
      ],
    ]);
  });

  it('returns an attempt without an answer, and the inquiry that found its result', async () => {
    const amount = uniqueAmount();
    const match = { gateway: 'gateway_2', amount, operation: 'charge' } as const;
    await api.engine.simulator.script(match, { hang: 'after' });
    const payment = await sale(company.byKey, { amount, gateway_first_try: 'gateway_2' });
    const { attempts } = await detailOf(company, payment);
    expect(attempts).toMatchObject([
      { operation: 'charge', status: 'approved', target_attempt_id: null },
      { operation: 'inquiry', status: 'approved', target_attempt_id: attempts[0]?.id, routing_reasons: null },
    ]);
  });

  it('returns the receivers’ responses and their events', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const body = { url: receiver.url, events: ['transaction.approved'] };
    const endpoint = expectStatus(await company.byToken('createWebhookEndpoint', { body }), 201).body;
    receiver.behave(answer(503, {}, 'try again'));
    const payment = await sale(company.byKey);
    const { deliveries, events, timeline } = await waitFor(async () => {
      const detail = await detailOf(company, payment);
      return (detail.deliveries[0]?.attempts.length ?? 0) > 0 && detail;
    });
    receiver.behave(answer(200));
    expect(events).toMatchObject([{ event: 'transaction.approved', sequence: 1 }]);
    expect(deliveries).toMatchObject([
      {
        event: 'transaction.approved',
        status: 'pending',
        transaction_id: payment.transaction_id,
        endpoint: { id: endpoint.id, url: receiver.url },
        attempts: [{ number: 1, status_code: 503, response_excerpt: 'try again' }],
      },
    ]);
    expect(timeline.at(-1)).toMatchObject({
      kind: 'webhook_failed',
      title: `transaction.approved not delivered to endpoint ${endpoint.id}`,
      detail: expect.stringMatching(/^answered 503 in \d+ ms$/),
    });
  });

  it('links to the payment’s workflow', async () => {
    const payment = await sale(company.byKey);
    const { workflow } = await detailOf(company, payment);
    const id = `payment/${payment.transaction_id}`;
    expect(workflow.id).toBe(id);
    const { namespace } = api.engine.config.temporal;
    expect(new URL(workflow.url ?? '').pathname).toBe(
      `/namespaces/${namespace}/workflows/${encodeURIComponent(id)}`,
    );
  });

  it('returns the newest entries of a long timeline and marks it as incomplete', async () => {
    const payment = await sale(company.byKey);
    await api.engine.context.db.query(
      `INSERT INTO gateway_callbacks (gateway_slug, company_id, payment_id, attempt_id, event_id, kind, body_hash, raw_body,
         headers, trusted, received_at, processed_at)
       SELECT a.gateway_slug, a.company_id, a.payment_id, a.id, 'evt_' || n, 'status', '', '', '{}', true,
         now() + n * interval '1 second', now()
       FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id, generate_series(1, 700) AS n
       WHERE p.transaction_id = $1`,
      [payment.transaction_id],
    );
    const { timeline, timeline_complete: complete } = await detailOf(company, payment);
    expect(complete).toBe(false);
    expect(timeline).toHaveLength(500);
    const [first, last] = [timeline[0]?.at ?? '', timeline.at(-1)?.at ?? ''];
    expect(Date.parse(last) - Date.parse(first)).toBe(499_000);
  });
});
