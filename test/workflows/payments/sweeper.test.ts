import { WorkflowNotFoundError } from '@temporalio/client';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { CHARGE_WINDOW_MS } from '../../../src/domain/payments/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { storeCallback } from '../../support/scenarios/callbacks';
import { claimNext } from '../../support/scenarios/interleaving';
import { idlePurchase } from '../../support/scenarios/purchase';
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

describe('a payment that makes no progress', () => {
  /** Its first step fails each time, because the company's routing rules are not readable. */
  async function failingPayment() {
    const { company, body } = await paymentWithoutWorkflow();
    await engine.context.db.query(
      `INSERT INTO company_configs (company_id, dunning_days, routing_rules, checkout_frame_origins, installments, updated_at)
       VALUES ($1, '{1}', '[{}]', '{}', '{}', now())`,
      [company.id],
    );
    return { company, body };
  }

  /** Sweeps as if `ms` had passed since the last sweep or write of the payment. */
  async function sweepAfter(body: PaymentBody, ms: number): Promise<void> {
    await engine.context.db.query(
      `UPDATE payments SET recover_after = recover_after - $2 * interval '1 ms', swept_until = swept_until - $2 * interval '1 ms',
         overdue_since = overdue_since - $2 * interval '1 ms'
       WHERE transaction_id = $1`,
      [body.transaction_id, ms],
    );
    await engine.sweeper.sweepOnce();
  }

  async function isListed(company: AuthenticatedCompany): Promise<boolean> {
    const page = { number: 1, size: 10 };
    return (await engine.payments.paymentList.load(company, { stuck: true }, page)).total === 1;
  }

  it('it is listed for manual review after it was overdue for STUCK_AFTER, and no longer once a step succeeds', async () => {
    const { company, body } = await failingPayment();
    await sweepAfter(body, 6_000);
    expect(await isListed(company)).toBe(false);
    await sweepAfter(body, 20_000);
    // A sweep skips a payment while a step has locked it.
    await waitFor(async () => {
      await engine.sweeper.sweepOnce();
      return isListed(company);
    });
    await engine.context.db.query('DELETE FROM company_configs WHERE company_id = $1', [company.id]);
    await waitFor(async () => (await reloadPayment(engine, company, body)).status === 'approved');
    expect(await isListed(company)).toBe(false);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
  });
});

describe('a payment that makes progress again', () => {
  it('it is in manual review neither when it is charged nor while the outcome of that is being inquired', async () => {
    const purchase = await idlePurchase(engine, await newCompany(engine, ['gateway_1']), 'sale');
    const { company, body } = purchase;
    const review = () =>
      engine.context.db.query('UPDATE payments SET stuck_at = now() WHERE transaction_id = $1', [
        body.transaction_id,
      ]);
    const isInReview = async () => (await engine.context.payments.get(body.transaction_id)).stuckAt !== null;
    await review();
    await claimNext(engine, purchase);
    expect(await isInReview()).toBe(false);
    await review();
    await claimAttempt(engine.deps, { companyId: company.id, transactionId: body.transaction_id });
    expect(await isInReview()).toBe(false);
  });
});

describe('a settled payment whose gateway must be asked, and each inquiry fails', () => {
  /** Paid at gateway_2 after gateway_1 did not receive the charge. The secret of gateway_1 cannot be decrypted. */
  async function failingInquiries() {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const purchase = await idlePurchase(engine, company, 'sale');
    await (await claimNext(engine, purchase)).record({ kind: 'absent', message: 'never received' });
    const paid = await claimNext(engine, purchase);
    await paid.record(await paid.send());
    return { ...purchase, secrets: await replaceSecret(company, { v: 0 }) };
  }

  /** Replaces the encrypted values of the company's secret at gateway_1, and returns the previous ones. */
  async function replaceSecret({ id }: AuthenticatedCompany, values: object): Promise<object> {
    const row = await engine.context.db.queryOne<{ before: object }>(
      `UPDATE gateway_secrets s SET sealed_values = $2 FROM gateway_secrets old
        WHERE s.company_id = $1 AND s.gateway_slug = 'gateway_1' AND old.id = s.id RETURNING old.sealed_values AS before`,
      [id, JSON.stringify(values)],
    );
    return row?.before ?? {};
  }

  /** Sweeps after the last run of the workflow has ended, as if `ms` had passed since the last write. */
  async function sweepAfter({ transaction_id: id }: PaymentBody, ms: number): Promise<void> {
    await engine.context.db.query(
      `UPDATE payments SET recover_after = recover_after - $2 * interval '1 ms', swept_until = swept_until - $2 * interval '1 ms',
         overdue_since = overdue_since - $2 * interval '1 ms'
       WHERE transaction_id = $1`,
      [id, ms],
    );
    await engine.context.db.query(
      `UPDATE gateway_callbacks SET recover_after = now() WHERE recover_after IS NOT NULL
          AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [id],
    );
    await engine.sweeper.sweepOnce();
    const handle = engine.context.temporal.workflow.getHandle(`payment/${id}`);
    await handle.result().catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }

  async function isInReview({ transaction_id: id }: PaymentBody): Promise<boolean> {
    return (await engine.context.payments.get(id)).stuckAt !== null;
  }

  async function expectReviewUntilRepaired(
    { company, body, secrets }: Awaited<ReturnType<typeof failingInquiries>>,
    firstMs: number,
  ): Promise<void> {
    await sweepAfter(body, firstMs);
    expect(await isInReview(body)).toBe(false);
    await sweepAfter(body, 130_000);
    await sweepAfter(body, 130_000);
    expect(await isInReview(body)).toBe(true);
    await replaceSecret(company, secrets);
    await sweepAfter(body, 310_000);
    expect(await isInReview(body)).toBe(false);
  }

  it.concurrent('about an abandoned charge: it is listed for manual review until one succeeds', async () => {
    const subject = await failingInquiries();
    await engine.context.db.query(
      `UPDATE gateway_attempts SET updated_at = updated_at - interval '1 hour'
        WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [subject.body.transaction_id],
    );
    await expectReviewUntilRepaired(subject, 61_000);
  });

  it.concurrent('about a signed callback: it is listed for manual review until one succeeds', async () => {
    const subject = await failingInquiries();
    const { db } = engine.context;
    await db.query('UPDATE payments SET recover_after = NULL WHERE transaction_id = $1', [
      subject.body.transaction_id,
    ]);
    await storeCallback(engine, subject);
    await expectReviewUntilRepaired(subject, 0);
  });
});

describe('an overdue payment', () => {
  it('it is not in manual review while anything writes it between two sweeps, and is once nothing does', async () => {
    const { body } = await paymentWithoutWorkflow();
    const { payments, db } = engine.context;
    const { id } = await payments.get(body.transaction_id);
    let now = Date.now();
    const claimAfter = async (ms: number) => {
      now += ms;
      const claimed = await payments.claimOverdue(50, new Date(now), 600_000);
      return claimed.find(({ transactionId }) => transactionId === body.transaction_id);
    };
    expect(await claimAfter(10_000)).toMatchObject({ stuckAt: null, becameStuck: false });
    expect(await claimAfter(12_000)).toBeUndefined();
    await db.inTransaction((tx) => payments.scheduleRecovery(tx, id, new Date(now)));
    expect(await claimAfter(590_000)).toMatchObject({ stuckAt: null, becameStuck: false });
    expect(await claimAfter(599_999)).toMatchObject({ stuckAt: null, becameStuck: false });
    expect(await claimAfter(15_000)).toMatchObject({ stuckAt: new Date(now), becameStuck: true });
    expect(await claimAfter(299_999)).toBeUndefined();
    expect(await claimAfter(1)).toMatchObject({ becameStuck: false });
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
