import { randomUUID } from 'node:crypto';
import { ImportCharges } from '../../../src/application/restore/import-charges';
import type { GatewayCharge } from '../../../src/persistence/restore/restored-charge-repository';
import { RestoreRepository } from '../../../src/persistence/restore/restore-repository';
import type { PaymentBody } from '../../../src/presenters/payment';
import { chargePartOf, newTransactionId, type SubscriptionId } from '../../../src/domain/shared/ids';
import { readStack } from '../../support/stack/stack';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../../workflows/subscriptions/subscription-merchant';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { uniqueAmount } from '../../support/scenarios/pay';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { found, pendingPix, sale, untilStatus } from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
let restores: RestoreRepository;
beforeAll(async () => {
  api = await startEngineApi({ PAYMENT_SYNC_TIMEOUT: '10' }, { workers: 'payments' });
  client = await registerWithGateways(api);
  restores = new RestoreRepository(api.engine.context.db);
});
afterAll(() => api.stop());

const request = (change: object = {}) => paymentRequest({ amount: uniqueAmount(), ...change });
const withKey = (body: object, key: string) => ({ body, headers: { 'Idempotency-Key': key } });

/** Begins a restore, imports these charges and finishes it, settling what waits. Returns what was found. */
async function restore(reported: readonly GatewayCharge[]): Promise<string[]> {
  const { context } = api.engine;
  const begun = await restores.begin(new Date(Date.now() - 60_000), new Date());
  if (begun === null) throw new Error('a restore is in progress');
  await context.restoreState.refresh();
  const importCharges = new ImportCharges(context);
  const states: string[] = [];
  for (const charge of reported) states.push((await importCharges.execute(begun.id, charge)).state);
  await context.restoredCharges.settle(begun.id, null, 'the merchant sends its request again', new Date());
  await restores.finish(begun.id, new Date());
  await context.restoreState.refresh();
  return states;
}

/** The charge of a payment as its gateway reports it. */
async function reportOf(
  { transaction_id: id }: PaymentBody,
  change: Partial<GatewayCharge> = {},
): Promise<GatewayCharge> {
  const { entries, totals } = await api.engine.simulator.ledger(id);
  const charge = entries.find(({ reference }) => reference === `${id}-1`);
  if (charge === undefined) throw new Error('the gateway has no such charge');
  return {
    gateway: charge.gateway,
    gatewayTransactionId: charge.charge_id,
    reference: charge.reference,
    status: totals.refunded === totals.captured ? 'refunded' : 'approved',
    amountCents: charge.amount,
    capturedCents: totals.captured,
    refundedCents: totals.refunded,
    changedAt: new Date(),
    operations: null,
    ...change,
  };
}

/** Charges a card at the gateway as the service did before the restore. */
async function chargeAtGateway(reference: string, amount: number): Promise<GatewayCharge> {
  const card = {
    number: '4111111111111111',
    cvv: null,
    holder_name: 'MARIA',
    expire_month: 12,
    expire_year: 2032,
    brand: 'visa',
  };
  const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
  const response = await fetch(`${readStack().simulatorUrl}/gateway_1/charges`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk_test_gateway_1',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ reference, amount, currency: 'BRL', method: 'card', customer, card }),
  });
  const { id } = (await response.json()) as { readonly id: string };
  return {
    gateway: 'gateway_1',
    gatewayTransactionId: id,
    reference,
    status: 'approved',
    amountCents: amount,
    capturedCents: amount,
    refundedCents: 0,
    changedAt: new Date(),
    operations: null,
  };
}

/** Deletes what the database has of a payment, as if it was made after the moment of the restore. */
async function lose({ transaction_id: id }: PaymentBody): Promise<void> {
  const { db } = api.engine.context;
  const sql = `SELECT id FROM payments WHERE transaction_id = $1`;
  const row = await db.queryOne<{ id: number }>(sql, [id]);
  await db.query(`UPDATE payments SET recover_after = NULL WHERE transaction_id = $1`, [id]);
  await db.query(
    `DELETE FROM idempotency_keys WHERE transaction_id = $1
        OR attempt_id IN (SELECT id FROM gateway_attempts WHERE payment_id = $2)`,
    [id, row?.id],
  );
  await db.inTransaction(async (tx) => {
    await db.query(`SET LOCAL session_replication_role = replica`, [], tx);
    await db.query('DELETE FROM events WHERE subject_id = $1', [id], tx);
    await db.query('DELETE FROM ledger_entries WHERE transaction_id = $1', [id], tx);
    await db.query('DELETE FROM gateway_attempts WHERE payment_id = $1', [row?.id], tx);
    await db.query('DELETE FROM payments WHERE id = $1', [row?.id], tx);
  });
}

const totalsOf = async ({ transaction_id: id }: PaymentBody) =>
  (await api.engine.simulator.ledger(id)).totals;

describe('after the gateways’ charges were imported', () => {
  it('a repeated request whose payment was lost gets the payment that the gateway has, and nothing is charged', async () => {
    const [body, key] = [request(), randomUUID()];
    const first = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    const reported = await reportOf(first);
    await lose(first);
    expect(await restore([reported])).toEqual(['waiting']);
    const again = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    expect(again.transaction_id).toBe(first.transaction_id);
    expect(await untilStatus(client, again, 'approved')).toMatchObject({ amount: first.amount });
    expect(await totalsOf(first)).toMatchObject({ captured: first.amount });
    const charges = await api.engine.simulator.requests(first.transaction_id);
    expect(charges.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
  });

  it('a repeated request with another key is a new payment', async () => {
    const body = request();
    const first = expectStatus(await client('createCardPayment', withKey(body, randomUUID())), 200).body;
    const reported = await reportOf(first);
    await lose(first);
    await restore([reported]);
    const other = expectStatus(await client('createCardPayment', withKey(body, randomUUID())), 200).body;
    expect(other.transaction_id).not.toBe(first.transaction_id);
  });

  it('a renewal that was charged after the moment is not charged again', async () => {
    const plan = await newPlan(client, { amount: uniqueAmount() });
    const subscription = await TestSubscription.create(client, subscriptionBody(plan.id));
    const id = subscription.id as SubscriptionId;
    const lost = newTransactionId(chargePartOf(id, `sub_${id}_2`));
    const charge = await chargeAtGateway(`${lost}-1`, plan.amount);
    expect(await restore([charge])).toEqual(['waiting']);
    expect((await subscription.advanceDays(7)).status).toBe('active');
    const renewal = expectStatus(await client('getPayment', { params: { id: lost } }), 200).body;
    expect(renewal).toMatchObject({ status: 'approved', captured_amount: plan.amount });
    expect(await totalsOf(renewal)).toMatchObject({ captured: plan.amount });
  });

  it('a charge that the database has is matched', async () => {
    expect(await restore([await reportOf(await sale(client, { amount: uniqueAmount() }))])).toEqual([
      'matched',
    ]);
  });

  it('a charge with another system’s reference waits for a person', async () => {
    const reported = await reportOf(await sale(client, { amount: uniqueAmount() }));
    const foreign = { ...reported, reference: 'invoice-17', gatewayTransactionId: randomUUID() };
    expect(await restore([foreign])).toEqual(['waiting']);
  });

  it('a pix that was paid after the moment becomes approved', async () => {
    const pix = await pendingPix(client, { amount: uniqueAmount() });
    await api.engine.simulator.pay(pix.transaction_id);
    expect(await restore([await reportOf(pix)])).toEqual(['waiting']);
    await sweep();
    expect((await untilStatus(client, pix, 'approved')).paid_amount).toBe(pix.amount);
  });

  it('a refund that was made after the moment is recorded, once', async () => {
    const payment = await sale(client, { amount: uniqueAmount() });
    await api.engine.simulator.refund(payment.transaction_id, payment.amount);
    expect(await restore([await reportOf(payment)])).toEqual(['waiting']);
    await sweep();
    expect((await untilStatus(client, payment, 'refunded')).refunded_amount).toBe(payment.amount);
    expect(await restore([await reportOf(await found(client, payment))])).toEqual(['matched']);
  });
});

describe('a refund that was made in the lost time', () => {
  const PART = 1_000;
  const refund = (payment: PaymentBody, key: string) =>
    client('refundPayment', { params: { id: payment.transaction_id }, ...withKey({ amount: PART }, key) });

  /** A payment with one refund, restored from its gateway's report and sent again; and the key of the refund. */
  async function restoredRefund(change: Partial<GatewayCharge> = {}) {
    const [body, key, refundKey] = [request(), randomUUID(), randomUUID()];
    const first = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    const refunded = expectStatus(await refund(first, refundKey), 200).body;
    const made = refunded.transactions.find(({ operation }) => operation === 'refund');
    const attempt = await api.engine.context.attempts.find(made?.id ?? '');
    const operations = [
      { reference: attempt?.reference ?? '', operation: 'refund', amountCents: PART } as const,
    ];
    const reported = await reportOf(first, { operations, ...change });
    await lose(first);
    await restore([reported]);
    const payment = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    expectStatus(await refund(payment, refundKey), 503);
    await sweep();
    await waitFor(async () => (await found(client, payment)).refunded_amount === PART);
    return { payment, refundKey };
  }

  it('is not made again when its request is repeated, and another one is', async () => {
    const { payment, refundKey } = await restoredRefund();
    for (let times = 0; times < 2; times += 1)
      expect(expectStatus(await refund(payment, refundKey), 200).body).toMatchObject({
        refunded_amount: PART,
      });
    expect(await totalsOf(payment)).toMatchObject({ refunded: PART });
    expect(expectStatus(await refund(payment, randomUUID()), 200).body).toMatchObject({
      refunded_amount: 2 * PART,
    });
    expect(await totalsOf(payment)).toMatchObject({ refunded: 2 * PART });
  });

  it('holds further refunds until a person has reviewed it, if the report does not tell its reference', async () => {
    const { payment, refundKey } = await restoredRefund({ operations: null });
    for (const key of [refundKey, randomUUID()])
      expect(expectStatus(await refund(payment, key), 409).body).toMatchObject({ code: 'invalid_state' });
    expect(await totalsOf(payment)).toMatchObject({ refunded: PART });
  });

  it('of the whole payment is found again, and the payment is not charged anew', async () => {
    const [body, key] = [request(), randomUUID()];
    const first = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    await api.engine.simulator.refund(first.transaction_id);
    const reported = await reportOf(first);
    await lose(first);
    expect(await restore([reported])).toEqual(['settled']);
    const again = expectStatus(await client('createCardPayment', withKey(body, key)), 200).body;
    expect(again.transaction_id).toBe(first.transaction_id);
    await sweep();
    await untilStatus(client, again, 'refunded');
    expect(await totalsOf(first)).toMatchObject({ captured: first.amount, refunded: first.amount });
  });
});

/** Has the sweeper wake the workflows of the imported charges. */
async function sweep(): Promise<void> {
  const { db } = api.engine.context;
  await db.execute(
    `UPDATE gateway_callbacks SET recover_after = now() WHERE event_id LIKE 'restore-%' AND processed_at IS NULL`,
    [],
  );
  await api.engine.sweeper.sweepOnce();
}
