import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { Behavior } from '../../../src/simulator/scripts';
import { ledgerOf } from '../../support/scenarios/pay';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import { untilStatus } from '../support/payment-scenario';
import { CheckoutVisit, errorOf, newLink, type PaymentLinkBody } from './checkout-buyer';

/* A pix gives way to a card, and is paid after all or is replaced by two requests at once. */

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  ({ api, client } = await startWithTwoCompanies({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }));
  const secret = `sk_test_${randomUUID()}`;
  const gateways = [{ gateway_slug: 'gateway_1', secret_key: secret }];
  expectStatus(await client('saveGateways', { body: { gateways } }), 200);
  await api.engine.simulator.setUpAccount(secret, { callback_url: `${api.baseUrl}/api/v1` });
}, 60_000);
afterAll(() => api.stop());

interface Visited {
  readonly link: PaymentLinkBody;
  readonly visit: CheckoutVisit;
  readonly pix: PaymentBody;
}

async function visitWithPix(): Promise<Visited> {
  const link = await newLink(client, { max_uses: 1 });
  const visit = await CheckoutVisit.atLink(api, link);
  return { link, visit, pix: expectStatus(await visit.payByPix(), 200).body };
}

/** Pays by card instead; the customer pays the canceled pix while the gateway still works on the card. */
async function payPixWhileCardIsUnderWay(
  { visit, link, pix }: Visited,
  result: Behavior,
): Promise<PaymentBody> {
  const { simulator, context } = api.engine;
  await simulator.script({ amount: link.amount ?? 0, operation: 'charge' }, { delay_ms: 2_500, ...result });
  const answer = visit.payByCard(APPROVED_CARD);
  const order = [visit.session.merchant_order_id];
  await waitFor(
    async () => {
      const rows = await context.db.query(
        `SELECT 1 FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
          WHERE p.merchant_order_id = $1 AND p.payment_method = 'card' AND a.status = 'sent'`,
        order,
      );
      return rows.length === 1;
    },
    { what: 'the card to be under way' },
  );
  await simulator.pay(pix.transaction_id);
  await untilStatus(client, pix, 'approved');
  return expectStatus(await answer, 200).body;
}

async function usesOf({ token }: PaymentLinkBody): Promise<number> {
  return expectStatus(await client('getPaymentLink', { params: { token } }), 200).body.data.uses_count;
}

/** The session is sold by this payment and cannot be paid again. */
async function expectSoldBy({ link, visit }: Visited, payment: PaymentBody): Promise<void> {
  const shown = expectStatus(await visit.getSession(), 200).body.payment;
  expect(shown).toMatchObject({ transaction_id: payment.transaction_id, status: 'approved' });
  expect(errorOf(await visit.payByCard(APPROVED_CARD))).toEqual([410, 'session_used']);
  expect(await usesOf(link)).toBe(1);
}

describe('a pix that is paid after it gave way to a card', () => {
  it('holds the session while the card is under way, so that a declined card does not open it again', async () => {
    const visited = await visitWithPix();
    const card = await payPixWhileCardIsUnderWay(visited, { decline: '51' });
    expect(card.status).toBe('failed');
    await expectSoldBy(visited, visited.pix);
  });

  it('holds the session while the card is under way, and the card that comes through is refunded', async () => {
    const visited = await visitWithPix();
    const card = await payPixWhileCardIsUnderWay(visited, {});
    const refunded = await untilStatus(client, card, 'refunded');
    expect(await ledgerOf(api.engine, refunded)).toMatchObject({
      captured: card.amount,
      refunded: card.amount,
    });
    await expectSoldBy(visited, visited.pix);
  });

  it('is refunded when the card has paid the session', async () => {
    const visited = await visitWithPix();
    const { visit, pix } = visited;
    const { body: card } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    expect(card.status).toBe('approved');
    await api.engine.simulator.pay(pix.transaction_id);
    const refunded = await untilStatus(client, pix, 'refunded');
    expect(refunded).toMatchObject({ captured_amount: pix.amount, refunded_amount: pix.amount });
    expect(await ledgerOf(api.engine, pix)).toMatchObject({ captured: pix.amount, refunded: pix.amount });
    await expectSoldBy(visited, card);
  });

  it('holds the session when the card that had paid it was refunded', async () => {
    const visited = await visitWithPix();
    const { visit, pix } = visited;
    const { body: card } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    expectStatus(await client('refundPayment', { params: { id: card.transaction_id }, body: {} }), 200);
    await api.engine.simulator.pay(pix.transaction_id);
    await untilStatus(client, pix, 'approved');
    await expectSoldBy(visited, pix);
  });
});

describe('a card that replaces a pix and is sent twice at once with one key', () => {
  it('is answered with its payment both times, also if the session was read before the other request used it', async () => {
    const { visit } = await visitWithPix();
    const key = randomUUID();
    const { idempotency } = api.engine.context;
    const find = idempotency.find.bind(idempotency);
    let other: PaymentBody | undefined;
    const spy = jest.spyOn(idempotency, 'find').mockImplementationOnce(async (...scoped) => {
      const record = await find(...scoped);
      other = expectStatus(await visit.payByCard(APPROVED_CARD, key), 200).body;
      return record;
    });
    const { body } = expectStatus(await visit.payByCard(APPROVED_CARD, key), 200);
    spy.mockRestore();
    expect(other?.status).toBe('approved');
    expect(body).toEqual(other);
  });
});
