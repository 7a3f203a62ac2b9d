import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { resolve } from '../../support/scenarios/resolve';

const PAID = 1_000;
const TWO_DAYS_MS = 2 * 86_400_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** An expired pix that is partly paid and that an operator has accepted. */
async function acceptedPartialPayment() {
  const company = await newCompany(engine);
  const pix = { payment_method: 'pix', card: null, billing_address: null } as const;
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...pix });
  const id = body.transaction_id;
  await engine.simulator.pay(id, PAID);
  const advanceTo = new Date(Date.now() + TWO_DAYS_MS);
  await engine.payments.advanceClock.execute({ companyId: company.id, id, advanceTo });
  await waitFor(async () => (await engine.context.payments.get(id)).stuckAt !== null);
  await resolve(engine, id, 'paid');
  return { company, body, id };
}

describe('a partial payment that an operator accepts', () => {
  it('only the paid amount counts as captured, and all of it can be refunded', async () => {
    const { company, body, id } = await acceptedPartialPayment();
    expect(await reloadPayment(engine, company, body)).toMatchObject({
      status: 'approved',
      captured_amount: PAID,
      paid_amount: PAID,
    });
    const refund = { company, operation: 'refund', id, idempotencyKey: null, request: {} } as const;
    await engine.payments.operatePayment.execute({ ...refund, receivedAt: new Date() });
    expect(await reloadPayment(engine, company, body)).toMatchObject({
      status: 'refunded',
      refunded_amount: PAID,
    });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: PAID, refunded: PAID });
  });
});
