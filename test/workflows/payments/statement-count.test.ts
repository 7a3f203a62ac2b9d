import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { storeCallback } from '../../support/scenarios/callbacks';
import { purchase, requestOperation, signalWorkflow, type Purchase } from '../../support/scenarios/purchase';
import { recordStatements, type SentStatements } from '../../support/stack/statements';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** The statements of an approved card payment, from request to answer, with prepared statements. */
async function cardPayment(): Promise<SentStatements & { readonly transactionId: string }> {
  const company = await newCompany(engine);
  await pay(engine, company);
  let transactionId = '';
  const asked = await recordStatements(async () => {
    const { body } = await pay(engine, company);
    expect(body.status).toBe('approved');
    transactionId = body.transaction_id;
  });
  return { ...asked, transactionId };
}

describe('an approved card payment', () => {
  it('needs at most 11 statements in at most three commits', async () => {
    const { statements, commits } = await cardPayment();
    expect(statements.length).toBeLessThanOrEqual(11);
    expect(commits).toBeLessThanOrEqual(3);
  });

  it('has at most seven events in its history', async () => {
    const { transactionId } = await cardPayment();
    const handle = engine.context.temporal.workflow.getHandle(`payment/${transactionId}`);
    await handle.result();
    const { events = [] } = await handle.fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(7);
  });
});

describe('the step that ends a payment', () => {
  /** The statements until the run has ended, from request to answer of a capture, and from the signal of a callback. */
  async function statementsOf(subject: Purchase, act: () => Promise<unknown>): Promise<SentStatements> {
    const handle = engine.context.temporal.workflow.getHandle(`payment/${subject.body.transaction_id}`);
    return recordStatements(async () => {
      await act();
      await handle.result();
    });
  }

  it('needs at most 16 statements in at most five commits for the capture of an authorization', async () => {
    const authorized = await purchase(engine, await newCompany(engine), 'authorization');
    const { statements, commits } = await statementsOf(authorized, () =>
      requestOperation(engine, authorized, 'capture'),
    );
    expect(statements.length).toBeLessThanOrEqual(16);
    expect(commits).toBeLessThanOrEqual(5);
  });

  it('needs at most ten statements in at most six commits for a pix that a callback reports as paid', async () => {
    const pix = await purchase(engine, await newCompany(engine), 'pix');
    await engine.simulator.pay(pix.body.transaction_id);
    await storeCallback(engine, pix);
    const { statements, commits } = await statementsOf(pix, () => signalWorkflow(engine, pix));
    expect(statements.length).toBeLessThanOrEqual(10);
    expect(commits).toBeLessThanOrEqual(6);
  });
});
