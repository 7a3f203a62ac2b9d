import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
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
