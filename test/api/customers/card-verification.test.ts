import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { paymentRequest } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { cardBody, CUSTOMER } from '../support/company-api';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

/* Cards that are saved or begin a trial are verified without money. */

const APPROVED = '5555555555554444';
const DECLINED = '4000000000009995';
/** Answered with 503, so that the outcome is unknown. */
const OUTAGE = '4000000000000119';

let api: EngineApi;
let client: ApiClient;
let token: string;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());
beforeEach(() => useGateways(['gateway_1', 'gateway_2']));

async function useGateways(slugs: readonly GatewaySlug[]): Promise<void> {
  client = await registerWithGateways(api, slugs);
  token = expectStatus(await client('createCustomer', { body: CUSTOMER }), 201).body.data.token;
}

const save = (number: string, key = randomUUID()) =>
  client('createCustomerCard', {
    params: { token },
    body: cardBody(number),
    headers: { 'Idempotency-Key': key },
  });

async function subscribe(number: string) {
  const plan = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly', trial_period_days: 7 };
  const { id } = expectStatus(await client('createPlan', { body: plan }), 201).body.data;
  const body = { plan_id: id, customer: { token }, card: cardBody(number) };
  return client('createSubscription', { body, headers: { 'Idempotency-Key': randomUUID() } });
}

const listCards = async () =>
  expectStatus(await client('listCustomerCards', { params: { token } }), 200).body.data;

/** Of the company, oldest first. */
async function verifications() {
  const { db } = api.engine.context;
  return db.query<{ id: string; gateway: string; status: string; reason: string; networkIds: object | null }>(
    `SELECT v.id, v.gateway_slug AS gateway, v.status, v.reason, v.network_ids AS "networkIds" FROM card_verifications v
       JOIN customers c ON c.company_id = v.company_id WHERE c.token = $1 ORDER BY v.sent_at, v.id`,
    [token],
  );
}

describe('a card that is saved', () => {
  it('is verified without money, and its network ids are sent when it is charged without the customer', async () => {
    const card = expectStatus(await save(APPROVED), 201).body.data;
    const [verification, ...more] = await verifications();
    expect(more).toEqual([]);
    expect(verification).toMatchObject({ gateway: 'gateway_1', status: 'verified', reason: 'first_saved' });
    const { simulator } = api.engine;
    expect(await simulator.requests(verification?.id ?? '')).toMatchObject([
      { operation: 'verify', initiation: { initiator: 'customer', reason: 'first_saved' } },
    ]);
    expect((await simulator.ledger(verification?.id ?? '')).entries).toEqual([]);

    const body = paymentRequest({
      ...{ customer: { token }, card: { token: card.token }, initiator: 'merchant' },
      gateway_first_try: 'gateway_2',
    });
    const payment = expectStatus(await client('createCardPayment', { body }), 200).body;
    expect(payment).toMatchObject({ status: 'approved', charge_reason: 'unscheduled' });
    const [charge] = await simulator.requests(payment.transaction_id);
    const { transactionId, transactionLinkId } = verification?.networkIds as Record<string, string>;
    expect(charge?.initiation).toMatchObject({
      network_ids: { network_transaction_id: transactionId, transaction_link_id: transactionLinkId },
    });
  });

  it('and that the issuer declines is not saved', async () => {
    const { body } = expectStatus(await save(DECLINED), 422);
    expect(body).toMatchObject({
      code: 'card_declined',
      message: 'The card was declined: insufficient funds.',
    });
    expect(await listCards()).toEqual([]);
    expect(await verifications()).toMatchObject([{ gateway: 'gateway_1', status: 'declined' }]);
  });

  it('is verified once if the request is repeated, and if it is saved again within minutes', async () => {
    const key = randomUUID();
    const first = expectStatus(await save(APPROVED, key), 201).body;
    expect(expectStatus(await save(APPROVED, key), 201).body).toEqual(first);
    expect(expectStatus(await save(APPROVED), 201).body).toEqual(first);
    expect(await verifications()).toHaveLength(1);
  });

  it('is saved unverified after two gateways of unknown outcome', async () => {
    const { token: card } = expectStatus(await save(OUTAGE), 201).body.data;
    expect(await verifications()).toMatchObject([
      { gateway: 'gateway_1', status: 'unknown' },
      { gateway: 'gateway_2', status: 'unknown' },
    ]);
    expect(await listCards()).toMatchObject([{ token: card }]);
  });

  it('is not verified if no gateway of the company can', async () => {
    await useGateways(['gateway_5']);
    expectStatus(await save(DECLINED), 201);
    expect(await verifications()).toEqual([]);
  });

  it('is tried no more once its network forbids it, and begins no subscription then', async () => {
    const forbidden = '5100000000000503';
    expect(expectStatus(await save(forbidden), 422).body.message).toContain('declined');
    expect(expectStatus(await save(forbidden), 422).body.message).toContain('must not be charged again');
    expect(expectStatus(await subscribe(forbidden), 422).body.code).toBe('card_declined');
    expect(await verifications()).toHaveLength(1);
  });
});

describe('a trial', () => {
  it('begins with a verified card, whose network ids the subscription keeps', async () => {
    const { id, status } = expectStatus(await subscribe(APPROVED), 201).body.data;
    expect(status).toBe('trialing');
    const [verification] = await verifications();
    expect(verification).toMatchObject({ status: 'verified', reason: 'first_recurring' });
    const [row] = await api.engine.context.db.query(
      'SELECT card_approved AS approved, network_ids AS ids FROM subscriptions WHERE uuid = $1',
      [id],
    );
    expect(row).toEqual({ approved: true, ids: verification?.networkIds });
  });

  it('does not begin with a card that the issuer declines', async () => {
    expect(expectStatus(await subscribe(DECLINED), 422).body.code).toBe('card_declined');
    const list = expectStatus(await client('listSubscriptions', {}), 200).body;
    expect(list.data).toEqual([]);
  });

  it('begins unverified if the outcome is unknown, and its first charge establishes the series', async () => {
    const { id } = expectStatus(await subscribe(OUTAGE), 201).body.data;
    const [row] = await api.engine.context.db.query(
      'SELECT card_approved AS approved, network_ids AS ids FROM subscriptions WHERE uuid = $1',
      [id],
    );
    expect(row).toEqual({ approved: false, ids: null });
  });
});
