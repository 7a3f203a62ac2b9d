import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { asking, type Asked } from '../../support/stack/statements';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** What an approved card payment asks of Postgres, from its request to its answer, once the statements are prepared. */
async function cardPayment(): Promise<Asked & { readonly transactionId: string }> {
  const company = await newCompany(engine);
  await pay(engine, company);
  let transactionId = '';
  const asked = await asking(async () => {
    const { body } = await pay(engine, company);
    expect(body.status).toBe('approved');
    transactionId = body.transaction_id;
  });
  return { ...asked, transactionId };
}

describe('an approved card payment', () => {
  it('waits for Postgres 14 times, for 18 statements in three transactions and two reads', async () => {
    const { statements, roundTrips, commits } = await cardPayment();
    expect(statements.length).toBeLessThanOrEqual(18);
    expect(roundTrips).toBeLessThanOrEqual(14);
    expect(commits).toBeLessThanOrEqual(5);
  });

  it('leaves 14 events in its history', async () => {
    const { transactionId } = await cardPayment();
    const handle = engine.parts.temporal.workflow.getHandle(`payment/${transactionId}`);
    await handle.result();
    expect((await handle.fetchHistory()).events?.length).toBeLessThanOrEqual(14);
  });
});
