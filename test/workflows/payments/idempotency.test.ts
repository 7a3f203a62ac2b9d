import { randomUUID } from 'node:crypto';
import { createPayments } from '../../../src/composition/api-payments';
import { startEngine, type Engine } from '../../support/stack/engine';
import { claimNext, withKeyReadBefore } from '../../support/scenarios/interleaving';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { idlePurchase, requestOperation, type Purchase } from '../../support/scenarios/purchase';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

describe('the idempotency key of a payment', () => {
  it('50 concurrent requests with one key make one charge and return one body', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(engine, company, {}, key)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [answer] = answers;
    expect(answer?.body.status).toBe('approved');
    const requests = await engine.simulator.requests(answer?.body.transaction_id ?? '');
    expect(requests).toHaveLength(1);
    expect(
      await engine.context.db.query('SELECT id FROM payments WHERE company_id = $1', [company.id]),
    ).toHaveLength(1);
  });

  it('a repeated request returns the same decline', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const declined = await pay(engine, company, { card: rawCard('4000000000009995') }, key);
    const again = await pay(engine, company, { card: rawCard('4000000000009995') }, key);
    expect(again).toEqual({ body: declined.body, replayed: true });
  });

  it('a request that differs only in CVV or property order returns the same answer', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    const reordered = Object.fromEntries(
      Object.entries({ ...rawCard('4111111111111111'), cvv: '999' }).reverse(),
    );
    expect(await pay(engine, company, { card: reordered }, key)).toEqual({
      body: first.body,
      replayed: true,
    });
  });

  it('a different request with the same key is rejected and changes nothing', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await expect(pay(engine, company, { amount: 12_991 }, key)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await reloadPayment(engine, company, first.body)).toEqual(first.body);
  });

  it('two companies can use the same key independently', async () => {
    const [a, b] = [await newCompany(engine), await newCompany(engine)];
    const key = randomUUID();
    const first = await pay(engine, a, {}, key);
    const second = await pay(engine, b, {}, key);
    expect(second.replayed).toBe(false);
    expect(second.body.transaction_id).not.toBe(first.body.transaction_id);
  });

  it('a repeated request returns the same answer without a charge after Temporal deleted the workflow', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await deleteWorkflow(first.body.transaction_id);
    expect(await pay(engine, company, {}, key)).toEqual({ body: first.body, replayed: true });
    expect(await engine.simulator.requests(first.body.transaction_id)).toHaveLength(1);
  });

  it('a repeated request resumes a payment whose workflow was terminated, and charges once', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 400 });
    const first = pay(engine, company, { amount }, key);
    const row = await waitFor(() =>
      engine.context.db.queryOne<{ id: string }>(
        'SELECT transaction_id AS id FROM payments WHERE company_id = $1 AND attempts = 1',
        [company.id],
      ),
    );
    await engine.context.temporal.workflow.getHandle(`payment/${row.id}`).terminate('terminated by a test');
    const second = await pay(engine, company, { amount }, key);
    expect(second.body.status).toBe('approved');
    await first;
    expect(await ledgerOf(engine, second.body)).toMatchObject({ captured: amount });
    const requests = await engine.simulator.requests(row.id);
    expect(requests.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
  });

  it('a repeated request returns its answer even if a new request would be rejected now', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await engine.context.db.query('UPDATE gateway_credentials SET enabled = false WHERE company_id = $1', [
      company.id,
    ]);
    expect(await pay(engine, company, {}, key)).toEqual({ body: first.body, replayed: true });
  });

  async function deleteWorkflow(transactionId: string): Promise<void> {
    const { workflowService } = engine.context.temporal;
    const execution = { workflowId: `payment/${transactionId}` };
    const namespace = engine.config.temporal.namespace;
    await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
    await waitFor(
      async () => {
        try {
          await workflowService.describeWorkflowExecution({ namespace, execution });
          return false;
        } catch {
          return true;
        }
      },
      { what: 'Temporal to delete the workflow' },
    );
  }
});

describe('a repeated request whose answer is recorded after it read its key', () => {
  /** Between which two of its reads, and what it hears from Temporal. */
  const moments = [
    ['the first time', 1, () => Promise.reject(new Error('Temporal is down'))],
    ['again, after it waited in vain', 2, () => Promise.resolve('pending' as const)],
  ] as const;

  /** The service as it answers while `meanwhile` runs right after one of its reads of the key. */
  function answering(read: number, wait: () => Promise<'pending'>, meanwhile: () => Promise<unknown>) {
    const workflows = {
      awaitResult: wait,
      awaitStarted: wait,
      awaitOperation: wait,
      awaitStartedOperation: wait,
      wake: () => Promise.resolve(),
    };
    const context = withKeyReadBefore(engine.context, read, meanwhile);
    return { ...engine, payments: createPayments(engine.config, context, () => undefined, { workflows }) };
  }

  /** Executes what the payment has to do next. */
  async function step(subject: Purchase): Promise<void> {
    const worker = await claimNext(engine, subject);
    await worker.record(await worker.send());
  }

  async function refund(subject: Purchase, amount: number): Promise<void> {
    await requestOperation({ payments: engine.idlePayments }, subject, 'refund', { amount });
    await step(subject);
  }

  it.each(moments)(
    'gets that answer, and not the payment as it was refunded meanwhile, if it read the key %s',
    async (_when, read, wait) => {
      const company = await newCompany(engine);
      const key = randomUUID();
      const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, {}, key);
      const settle = async (): Promise<void> => {
        await step({ company, body });
        await refund({ company, body }, 100);
      };
      const answer = await pay(answering(read, wait, settle), company, {}, key);
      expect(answer.body).toMatchObject({ status: 'approved', refunded_amount: 0 });
      expect(answer.body).toEqual((await pay(engine, company, {}, key)).body);
    },
  );

  it.each(moments)(
    'gets that answer, and not the payment after a second refund, if it read the key %s',
    async (_when, read, wait) => {
      const subject = await idlePurchase(engine, await newCompany(engine), 'sale');
      await step(subject);
      const request = { key: randomUUID(), amount: 100 };
      await requestOperation({ payments: engine.idlePayments }, subject, 'refund', request);
      const execute = async (): Promise<void> => {
        await step(subject);
        await refund(subject, 50);
      };
      const answer = await requestOperation(answering(read, wait, execute), subject, 'refund', request);
      expect(answer).toMatchObject({ status: 200, body: { refunded_amount: 100 } });
      expect(answer.body).toEqual((await requestOperation(engine, subject, 'refund', request)).body);
    },
  );
});
