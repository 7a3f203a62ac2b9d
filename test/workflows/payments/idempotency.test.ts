import { randomUUID } from 'node:crypto';
import { startEngine, type Engine } from '../../support/stack/engine';
import { current, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

describe('an Idempotency-Key', () => {
  it('posted 50 times at once makes one charge and gives one body', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(engine, company, {}, key)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [answer] = answers;
    expect(answer?.body.status).toBe('approved');
    const requests = await engine.simulator.requests(answer?.body.transaction_id ?? '');
    expect(requests).toHaveLength(1);
    expect(
      await engine.parts.db.query('SELECT id FROM payments WHERE company_id = $1', [company.id]),
    ).toHaveLength(1);
  });

  it('gives the same decline again', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const declined = await pay(engine, company, { card: rawCard('4000000000009995') }, key);
    const again = await pay(engine, company, { card: rawCard('4000000000009995') }, key);
    expect(again).toEqual({ body: declined.body, replayed: true });
  });

  it('gives the same answer when only the CVV or the order of properties differs', async () => {
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

  it('is refused for a different request, which changes nothing', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await expect(pay(engine, company, { amount: 12_991 }, key)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await current(engine, company, first.body)).toEqual(first.body);
  });

  it('is each company’s own', async () => {
    const [a, b] = [await newCompany(engine), await newCompany(engine)];
    const key = randomUUID();
    const first = await pay(engine, a, {}, key);
    const second = await pay(engine, b, {}, key);
    expect(second.replayed).toBe(false);
    expect(second.body.transaction_id).not.toBe(first.body.transaction_id);
  });

  it('gives the same answer after Temporal has forgotten the workflow, and charges nothing', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await forget(first.body.transaction_id);
    expect(await pay(engine, company, {}, key)).toEqual({ body: first.body, replayed: true });
    expect(await engine.simulator.requests(first.body.transaction_id)).toHaveLength(1);
  });

  it('joins a payment whose workflow was terminated under it, and charges once', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const amount = uniqueAmount();
    await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 400 });
    const first = pay(engine, company, { amount }, key);
    const row = await waitFor(() =>
      engine.parts.db.queryOne<{ id: string }>(
        'SELECT transaction_id AS id FROM payments WHERE company_id = $1 AND attempts = 1',
        [company.id],
      ),
    );
    await engine.parts.temporal.workflow
      .getHandle(`payment/${row.id}`)
      .terminate('as a person in the UI might');
    const second = await pay(engine, company, { amount }, key);
    expect(second.body.status).toBe('approved');
    await first;
    expect(await ledgerOf(engine, second.body)).toMatchObject({ captured: amount });
    const requests = await engine.simulator.requests(row.id);
    expect(requests.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
  });

  it('still gives its answer when the request could not be made any more', async () => {
    const company = await newCompany(engine);
    const key = randomUUID();
    const first = await pay(engine, company, {}, key);
    await engine.parts.db.query('UPDATE gateway_credentials SET enabled = false WHERE company_id = $1', [
      company.id,
    ]);
    expect(await pay(engine, company, {}, key)).toEqual({ body: first.body, replayed: true });
  });

  async function forget(transactionId: string): Promise<void> {
    const { workflowService } = engine.parts.temporal;
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
      { what: 'Temporal to have forgotten the workflow' },
    );
  }
});
