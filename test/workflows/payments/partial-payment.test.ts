import { startEngine, type Engine } from '../../support/stack/engine';
import { current, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { resolve } from '../../support/scenarios/resolve';

const PART = 1_000;
const TWO_DAYS_MS = 2 * 86_400_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** A pix of which a part was paid until its time was over, and that a person has taken for paid. */
async function acceptedPart() {
  const company = await newCompany(engine);
  const pix = { payment_method: 'pix', card: null, billing_address: null } as const;
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...pix });
  const id = body.transaction_id;
  await engine.simulator.pay(id, PART);
  const advanceTo = new Date(Date.now() + TWO_DAYS_MS);
  await engine.payments.moveClock.execute({ companyId: company.id, id, advanceTo });
  await waitFor(() => resolve(engine, id, 'paid'));
  return { company, body, id };
}

describe('a part payment that a person takes for the whole', () => {
  it('counts as the money that came, no more, and all of that can be refunded', async () => {
    const { company, body, id } = await acceptedPart();
    expect(await current(engine, company, body)).toMatchObject({
      status: 'approved',
      captured_amount: PART,
      paid_amount: PART,
    });
    const refund = { company, operation: 'refund', id, idempotencyKey: null, request: {} } as const;
    await engine.payments.operatePayment.execute({ ...refund, receivedAt: new Date() });
    expect(await current(engine, company, body)).toMatchObject({ status: 'refunded', refunded_amount: PART });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: PART, refunded: PART });
  });
});
