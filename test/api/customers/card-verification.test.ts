import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { paymentRequest } from '../../support/fixtures/payments';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { CheckoutVisit, errorOf, newLink } from '../checkout/checkout-buyer';
import { expectStatus, type ApiClient } from '../support/api-client';
import { cardBody, CUSTOMER } from '../support/company-api';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

/* Cards that are saved or begin a trial are verified without money. */

const APPROVED = '5555555555554444';
const APPROVED_VISA = '4111111111111111';
const DECLINED = '4000000000009995';
/** Answered with 503, so that the outcome is unknown. */
const OUTAGE = '4000000000000119';

/** Declined for reasons that forbid nothing. */
const OTHERS_DECLINED = ['4000000000000002', '4000000000000044', '4000000000000051', '5100000000000024'];
/** Declined as lost, as stolen, and with advice that forbids the card. */
const FORBIDDEN = ['4000000000009987', '4000000000009979', '5100000000000503'];
const AMEX = '378282246310005';

let simulator: OwnSimulator;
let api: EngineApi;
let client: ApiClient;
let token: string;
beforeAll(async () => {
  // Of its own, because scripts of verifications match by the operation alone.
  simulator = await startOwnSimulator();
  const settings = { SIMULATOR_PORT: String(simulator.port), RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' };
  api = await startEngineApi(settings, { workers: 'payments' });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});
afterEach(() => simulator.control.clearScripts());
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

/** The id of a new plan. */
async function newPlan(trialDays = 7): Promise<string> {
  const terms = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly' };
  const body = { ...terms, trial_period_days: trialDays };
  return expectStatus(await client('createPlan', { body }), 201).body.data.id;
}

async function subscribe(number: string, plan?: string, key: string = randomUUID()) {
  const body = { plan_id: plan ?? (await newPlan()), customer: { token }, card: cardBody(number) };
  return client('createSubscription', { body, headers: { 'Idempotency-Key': key } });
}

const script = (behavior: Parameters<OwnSimulator['control']['script']>[1]) =>
  simulator.control.script({ operation: 'verify' }, behavior);

/** What the subscription keeps of its card's verification. */
async function keptBy(id: string) {
  const [row] = await api.engine.context.db.query(
    'SELECT card_approved AS approved, network_ids AS ids FROM subscriptions WHERE uuid = $1',
    [id],
  );
  return row;
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
    expect(await simulator.control.requests(verification?.id ?? '')).toMatchObject([
      { operation: 'verify', initiation: { initiator: 'customer', reason: 'first_saved' } },
    ]);
    expect((await simulator.control.ledger(verification?.id ?? '')).entries).toEqual([]);

    const body = paymentRequest({
      ...{ customer: { token }, card: { token: card.token }, initiator: 'merchant' },
      gateway_first_try: 'gateway_2',
    });
    const payment = expectStatus(await client('createCardPayment', { body }), 200).body;
    expect(payment).toMatchObject({ status: 'approved', charge_reason: 'unscheduled' });
    const [charge] = await simulator.control.requests(payment.transaction_id);
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

  it('is tried again after a decline that is not about the card itself', async () => {
    await script({ decline: '15' });
    expectStatus(await save(APPROVED_VISA), 422);
    expectStatus(await save(APPROVED_VISA), 201);
  });

  it('is used unverified if its issuer declines every authorization of zero, and the issuer is asked once', async () => {
    await script({ decline: '115' });
    expectStatus(await save(AMEX), 201);
    expectStatus(await save(AMEX), 201);
    const { id } = expectStatus(await subscribe(AMEX), 201).body.data;
    expect(await keptBy(id)).toEqual({ approved: false, ids: null });
    expect(await verifications()).toMatchObject([{ gateway: 'gateway_1', status: 'declined' }]);
    expect(expectStatus(await subscribe(AMEX, await newPlan(0)), 201).body.data.status).toBe('active');
  });

  it('is verified again if the answer to an earlier verification was lost', async () => {
    expectStatus(await save(APPROVED), 201);
    await api.engine.context.db.query(
      `UPDATE card_verifications SET status = 'sent', answered_at = NULL, network_ids = NULL,
         sent_at = sent_at - interval '1 minute' WHERE company_id = (SELECT company_id FROM customers WHERE token = $1)`,
      [token],
    );
    expectStatus(await save(APPROVED), 201);
    expect(await verifications()).toMatchObject([{ status: 'sent' }, { status: 'verified' }]);
  });
});

describe('old verifications', () => {
  it('are deleted once no network counts them, except those that forbid their card', async () => {
    const [forbidden = ''] = FORBIDDEN;
    expectStatus(await save(APPROVED), 201);
    expectStatus(await save(forbidden), 422);
    await api.engine.context.db.query(
      `UPDATE card_verifications SET sent_at = sent_at - interval '33 days'
        WHERE company_id = (SELECT company_id FROM customers WHERE token = $1)`,
      [token],
    );
    expectStatus(await save(DECLINED), 422);
    await api.engine.sweeper.sweepOnce();
    expect(await verifications()).toMatchObject([{ status: 'declined' }, { status: 'declined' }]);
    expect(expectStatus(await save(forbidden), 422).body.message).toContain('must not be charged again');
  });
});

describe('a trial', () => {
  it('begins with a verified card, whose network ids the subscription keeps', async () => {
    const { id, status } = expectStatus(await subscribe(APPROVED), 201).body.data;
    expect(status).toBe('trialing');
    const [verification] = await verifications();
    expect(verification).toMatchObject({ status: 'verified', reason: 'first_recurring' });
    expect(await keptBy(id)).toEqual({ approved: true, ids: verification?.networkIds });
  });

  it('does not begin with a card that the issuer declines', async () => {
    expect(expectStatus(await subscribe(DECLINED), 422).body.code).toBe('card_declined');
    const list = expectStatus(await client('listSubscriptions', {}), 200).body;
    expect(list.data).toEqual([]);
  });

  it('begins unverified if the outcome is unknown, and its first charge establishes the series', async () => {
    const { id } = expectStatus(await subscribe(OUTAGE), 201).body.data;
    expect(await keptBy(id)).toEqual({ approved: false, ids: null });
  });

  it('is verified for the series although the card was verified just now to be saved', async () => {
    expectStatus(await save(APPROVED), 201);
    expectStatus(await subscribe(APPROVED), 201);
    const reasons = (await verifications()).map(({ reason }) => reason);
    expect(reasons).toEqual(['first_saved', 'first_recurring']);
  });

  it('is not refused to a repeated request while the issuer is asked for the first one', async () => {
    const [plan, key] = [await newPlan(), randomUUID()];
    await script({ delay_ms: 400 });
    await script({ decline: '05' });
    const first = subscribe(APPROVED, plan, key);
    await waitFor(async () => (await verifications()).length === 1);
    const repeated = expectStatus(await subscribe(APPROVED, plan, key), 201).body;
    expect(expectStatus(await first, 201).body).toEqual(repeated);
    expect(await verifications()).toHaveLength(1);
  });
});

describe('the new card of a subscription', () => {
  const change = (uuid: string, number: string, key: string = randomUUID()) =>
    client('changeSubscriptionCard', {
      params: { uuid },
      body: { card: cardBody(number) },
      headers: { 'Idempotency-Key': key },
    });
  const subscriptionWith = async (card: string, trialDays?: number) =>
    expectStatus(await subscribe(card, await newPlan(trialDays)), 201).body.data.id;

  it('is verified if it is not charged at once, and its network ids are kept', async () => {
    const [id, key] = [await subscriptionWith(OUTAGE), randomUUID()];
    const changed = expectStatus(await change(id, APPROVED, key), 200).body;
    expect(expectStatus(await change(id, APPROVED, key), 200).body).toEqual(changed);
    const [, , verification, ...more] = await verifications();
    expect(more).toEqual([]);
    expect(verification).toMatchObject({ status: 'verified', reason: 'first_recurring' });
    expect(await keptBy(id)).toEqual({ approved: true, ids: verification?.networkIds });
  });

  it('replaces nothing if its issuer declines it', async () => {
    const id = await subscriptionWith(APPROVED, 0);
    expect(expectStatus(await change(id, DECLINED), 422).body.code).toBe('card_declined');
    const { card } = expectStatus(await client('getSubscription', { params: { uuid: id } }), 200).body.data;
    expect(card.last_4_digits).toBe(APPROVED.slice(-4));
    expect(await keptBy(id)).toMatchObject({ approved: true });
  });

  it('is not verified for a subscription that accepts no card any more', async () => {
    const id = await subscriptionWith(APPROVED, 0);
    expectStatus(await client('cancelSubscription', { params: { uuid: id }, body: {} }), 200);
    expectStatus(await change(id, DECLINED), 409);
    expect(await verifications()).toEqual([]);
  });
});

describe('a trial at a checkout', () => {
  const openSession = async () => {
    const link = await newLink(client, { type: 'subscription', amount: null, plan_id: await newPlan() });
    return CheckoutVisit.atLink(api, link);
  };

  it('does not tell a good card from a declined one to a buyer who saw another amount', async () => {
    const visit = await openSession();
    for (const card of [APPROVED, DECLINED]) {
      const answer = await visit.payByCard(card, randomUUID(), { first_charge_amount: 1 });
      expect(errorOf(answer)).toEqual([409, 'offer_changed']);
    }
    expect(await verifications()).toEqual([]);
    expect(expectStatus(await visit.getSession(), 200).body.tries_left).toBe(5);
  });

  it('asks about five cards, however many are sent at the same moment', async () => {
    const visit = await openSession();
    const cards = [DECLINED, ...OTHERS_DECLINED, ...FORBIDDEN];
    const answers = await Promise.all(cards.map((card) => visit.payByCard(card)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([410, 410, 410, 422, 422, 422, 422, 422]);
    expect(await verifications()).toHaveLength(5);
  });

  it('begins with the fifth card, and each card is one try', async () => {
    const visit = await openSession();
    for (const card of OTHERS_DECLINED) expectStatus(await visit.payByCard(card), 422);
    expect(expectStatus(await visit.getSession(), 200).body.tries_left).toBe(1);
    expect(expectStatus(await visit.payByCard(APPROVED), 201).body.data.status).toBe('trialing');
  });
});
