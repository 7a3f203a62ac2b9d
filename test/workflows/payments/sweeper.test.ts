import { CHARGE_WINDOW_MS } from '../../../src/domain/payments/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import type { PaymentBody } from '../../../src/presenters/payment';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

async function paymentWithoutWorkflow(key: string | null = null) {
  const company = await newCompany(engine);
  const { body } = await pay(
    { ...engine, payments: engine.idlePayments },
    company,
    { amount: uniqueAmount() },
    key,
  );
  expect(body.status).toBe('processing');
  return { company, body };
}

async function age(body: PaymentBody, ms: number): Promise<void> {
  await engine.context.db.query(
    `UPDATE payments SET created_at = created_at - make_interval(secs => $2::float8), recover_after = now()
     WHERE transaction_id = $1`,
    [body.transaction_id, ms / 1000],
  );
}

describe('a payment whose process crashed between commit and workflow start', () => {
  it('the sweeper starts it, and it is charged once', async () => {
    const { company, body } = await paymentWithoutWorkflow();
    await age(body, 5_000);
    await engine.sweeper.sweepOnce();
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await reloadPayment(engine, company, body)).status === 'approved');
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
    expect(await engine.simulator.requests(body.transaction_id)).toHaveLength(1);
  });

  it('the sweeper does not start it while its own process may still do so', async () => {
    const { company, body } = await paymentWithoutWorkflow();
    await engine.sweeper.sweepOnce();
    expect((await reloadPayment(engine, company, body)).status).toBe('processing');
    expect(await engine.simulator.requests(body.transaction_id)).toEqual([]);
  });

  it('the sweeper fails it after 15 minutes without a charge', async () => {
    const { company, body } = await paymentWithoutWorkflow('key-swept');
    await age(body, CHARGE_WINDOW_MS);
    await engine.sweeper.sweepOnce();
    expect(await reloadPayment(engine, company, body)).toMatchObject({
      status: 'failed',
      code: 'not_attempted',
      attempts: 0,
    });
    const again = await pay(engine, company, { amount: body.amount }, 'key-swept');
    expect(again).toMatchObject({ replayed: true, body: { status: 'failed', code: 'not_attempted' } });
    expect(await engine.simulator.requests(body.transaction_id)).toEqual([]);
  });

  it('a workflow that starts after 15 minutes fails it without a charge', async () => {
    const { company, body } = await paymentWithoutWorkflow('key-late');
    await age(body, CHARGE_WINDOW_MS);
    const again = await pay(engine, company, { amount: body.amount }, 'key-late');
    expect(again.body).toMatchObject({ status: 'failed', code: 'not_attempted' });
  });
});

describe('a settled payment', () => {
  it('the sweeper never claims a settled payment', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company);
    const row = await engine.context.payments.find(company.id, body.transaction_id);
    expect(row?.recoverAfter).toBeNull();
  });

  it('a restarted workflow of a settled payment changes nothing and ends at once', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company);
    await engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`).result();
    await engine.context.db.query('UPDATE payments SET recover_after = now() WHERE transaction_id = $1', [
      body.transaction_id,
    ]);
    await engine.sweeper.sweepOnce();
    await waitFor(
      async () =>
        (await engine.context.payments.find(company.id, body.transaction_id))?.recoverAfter === null,
    );
    expect(await reloadPayment(engine, company, body)).toEqual(body);
    expect(await engine.simulator.requests(body.transaction_id)).toHaveLength(1);
  });
});

describe('a CVV', () => {
  it('the sweeper erases it after an hour, whatever the state of the payment', async () => {
    const { company } = await paymentWithoutWorkflow();
    const cvvs = () =>
      engine.context.db.query('SELECT 1 FROM vault_cards WHERE company_id = $1 AND sealed_cvv IS NOT NULL', [
        company.id,
      ]);
    await engine.sweeper.sweepOnce();
    expect(await cvvs()).toHaveLength(1);
    await engine.context.db.query(
      `UPDATE vault_cards SET cvv_expires_at = now() - interval '1 second' WHERE company_id = $1`,
      [company.id],
    );
    await engine.sweeper.sweepOnce();
    expect(await cvvs()).toEqual([]);
  });
});
