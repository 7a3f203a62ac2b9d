import { newSubscriptionId } from '../../../src/domain/shared/ids';
import { createSubscriptionActivities } from '../../../activities/subscriptions/subscriptions';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { MONEY_ROUTES } from '../../../src/http/server/restore-guard';
import { RestoreRepository } from '../../../src/persistence/restore/restore-repository';
import { reloadPayment, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { callbackBody } from '../callbacks/callback-api';
import { expectStatus } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { newKey, pendingPix, sale, to, untilStatus } from '../support/payment-scenario';
import { contract } from '../support/contract';
import { openApiOperation, resolveResponse } from '../support/contract-schemas';

let api: EngineApi;
let restores: RestoreRepository;
beforeAll(async () => {
  api = await startEngineApi({ PAYMENT_SYNC_TIMEOUT: '3' }, { workers: 'payments' });
  restores = new RestoreRepository(api.engine.context.db);
});
afterAll(() => api.stop());
afterEach(finish);

async function begin(): Promise<void> {
  await restores.begin(new Date(Date.now() - 60_000), new Date());
  await api.engine.context.restoreState.refresh();
}

async function finish(): Promise<void> {
  const restore = await restores.findInProgress();
  if (restore !== null) await restores.finish(restore.id, new Date());
  await api.engine.context.restoreState.refresh();
}

describe('while the database is being restored', () => {
  it('a refund is refused with 503 and Retry-After, reads go on, and afterwards the same request succeeds', async () => {
    const client = await registerWithGateways(api);
    const payment = await sale(client, { amount: uniqueAmount() });
    await begin();
    const request = to(payment, { headers: newKey() });
    const refused = expectStatus(await client('refundPayment', request), 503);
    expect(refused.body).toMatchObject({ code: 'restore_in_progress' });
    expect(refused.headers.get('retry-after')).toBe('30');
    expectStatus(await client('getPayment', to(payment)), 200);
    await finish();
    expect(expectStatus(await client('refundPayment', request), 200).body).toMatchObject({
      status: 'refunded',
    });
  });

  it('a callback is recorded and the paid pix becomes approved', async () => {
    const client = await registerWithGateways(api);
    const pix = await pendingPix(client, { amount: uniqueAmount() });
    await begin();
    await api.engine.simulator.pay(pix.transaction_id);
    const body = callbackBody(`${pix.transaction_id}-1`);
    expectStatus(await api.anonymous('receiveCallback', { params: { gateway: 'gateway_1' }, body }), 200);
    expect((await untilStatus(client, pix, 'approved')).paid_amount).toBe(pix.amount);
  });

  it('a payment that had no attempt is neither charged nor failed, and can be charged afterwards', async () => {
    const { engine } = api;
    const company = await newCompany(engine);
    const idle = { ...engine, payments: engine.idlePayments };
    const { body } = await pay(idle, company, { amount: uniqueAmount() });
    const claim = () =>
      claimAttempt(engine.deps, { companyId: company.id, transactionId: body.transaction_id });
    await begin();
    await engine.context.db.query(
      `UPDATE payments SET created_at = created_at - interval '16 minutes', recover_after = now() - interval '1 minute'
        WHERE transaction_id = $1`,
      [body.transaction_id],
    );
    await engine.sweeper.sweepOnce();
    expect((await reloadPayment(engine, company, body)).status).toBe('processing');
    expect(await engine.simulator.requests(body.transaction_id)).toEqual([]);
    await expect(claim()).rejects.toMatchObject({ type: 'RestoreInProgress', nonRetryable: false });
    await engine.context.db.query('UPDATE payments SET created_at = now() WHERE transaction_id = $1', [
      body.transaction_id,
    ]);
    await finish();
    expect((await claim()).kind).toBe('charge');
  });

  it('the step of a subscription waits, so that no renewal begins', async () => {
    const { advanceSubscription } = createSubscriptionActivities(api.engine.deps);
    await begin();
    const input = { companyId: 1, subscriptionId: newSubscriptionId(), now: Date.now(), offsetMs: 0 };
    await expect(advanceSubscription(input)).rejects.toMatchObject({ type: 'RestoreInProgress' });
  });

  it('only one restore is in progress at a time', async () => {
    await begin();
    expect(await restores.begin(new Date(), new Date())).toBeNull();
  });
});

it('the contract declares the refusal for each route that may move money', () => {
  const undeclared = MONEY_ROUTES.filter((id) => {
    const route = contract.routes.find((known) => known.id === id);
    const answer = route && openApiOperation(route).responses['503'];
    return !answer || !JSON.stringify(resolveResponse(answer)).includes('restore_in_progress');
  });
  expect(undeclared).toEqual([]);
});
