import { startEngine, type Engine } from '../../support/stack/engine';
import { current, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

const DAY_MS = 86_400_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '3', PAYMENT_SYNC_TIMEOUT: '3' });
});
afterAll(() => engine.stop());

/** An authorization whose clock is sent ahead at once. */
async function authorization() {
  const company = await newCompany(engine);
  const made = await pay(engine, company, { amount: uniqueAmount(), capture: false });
  const id = made.body.transaction_id;
  const body = await waitFor(async () => {
    const now = await current(engine, company, made.body);
    return now.status === 'authorized' && now;
  });
  const send = (days: number) =>
    engine.payments.moveClock.execute({
      companyId: company.id,
      id,
      advanceTo: new Date(Date.now() + days * DAY_MS),
    });
  return { company, body, id, send };
}

describe('a clock that is moved while the outcome of an operation is unknown', () => {
  it('stands still until the gateway has had its real time to tell, and nobody is bothered', async () => {
    const { company, body, id, send } = await authorization();
    await engine.simulator.script({ transaction_id: id, operation: 'capture' }, { drop: 'before' });
    const capture = { company, operation: 'capture', id, idempotencyKey: null, request: {} } as const;
    await engine.payments.operatePayment.execute({ ...capture, receivedAt: new Date() });
    await send(3);
    const arrived = await waitFor(async () => {
      const now = await current(engine, company, body);
      return now.clock?.reached && now;
    });
    expect(arrived.status).toBe('approved');
    expect((await engine.parts.payments.find(company.id, id))?.stuckAt).toBeNull();
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
  });
});

describe('a clock that is on its way', () => {
  it('is not sent back to an instant it may have passed already', async () => {
    const { send } = await authorization();
    await send(3);
    await expect(send(2)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('an authorization whose time is over', () => {
  it('is canceled also when the gateway has let it go by itself, and refuses to cancel it', async () => {
    const { company, body, send } = await authorization();
    const [charge] = body.transactions;
    const path = `gateway_1/charges/${charge?.gateway_transaction_id}/cancels`;
    const response = await fetch(`${engine.simulator.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk_test_${company.clientId}` },
      body: JSON.stringify({ reference: `${body.transaction_id}-elsewhere`, amount: body.amount }),
    });
    expect(response.status).toBe(200);
    await send(8);
    await waitFor(async () => (await current(engine, company, body)).status === 'canceled');
    expect(await ledgerOf(engine, body)).toMatchObject({ held: 0, captured: 0 });
  });
});
