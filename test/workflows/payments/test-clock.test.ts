import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

const DAY_MS = 86_400_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '3', PAYMENT_SYNC_TIMEOUT: '3' });
});
afterAll(() => engine.stop());

/** An authorized payment and a function that advances its clock. */
async function authorization() {
  const company = await newCompany(engine);
  const created = await pay(engine, company, { amount: uniqueAmount(), capture: false });
  const id = created.body.transaction_id;
  const body = await waitFor(async () => {
    const now = await reloadPayment(engine, company, created.body);
    return now.status === 'authorized' && now;
  });
  const advance = (days: number) =>
    engine.payments.advanceClock.execute({
      companyId: company.id,
      id,
      advanceTo: new Date(Date.now() + days * DAY_MS),
    });
  return { company, body, id, advance };
}

describe('a test clock while the outcome of an operation is unknown', () => {
  it('it does not advance until inquiries had their real time, and the payment is not escalated', async () => {
    const { company, body, id, advance } = await authorization();
    await engine.simulator.script({ transaction_id: id, operation: 'capture' }, { drop: 'before' });
    const capture = { company, operation: 'capture', id, idempotencyKey: null, request: {} } as const;
    await engine.payments.operatePayment.execute({ ...capture, receivedAt: new Date() });
    await advance(3);
    const arrived = await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return now.clock?.reached && now;
    });
    expect(arrived.status).toBe('approved');
    expect((await engine.context.payments.find(company.id, id))?.stuckAt).toBeNull();
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
  });
});

describe('a test clock that is advancing', () => {
  it('an earlier target is rejected', async () => {
    const { advance } = await authorization();
    await advance(3);
    await expect(advance(2)).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('an expired authorization', () => {
  /** What the merchant does on the gateway's own pages. The gateway sends no callback. */
  async function atGateway(
    { company, body }: Awaited<ReturnType<typeof authorization>>,
    operation: 'captures' | 'cancels',
  ): Promise<void> {
    const path = `gateway_1/charges/${body.transactions[0]?.gateway_transaction_id}/${operation}`;
    const response = await fetch(`${engine.simulator.url}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk_test_${company.clientId}` },
      body: JSON.stringify({ reference: `${body.transaction_id}-elsewhere`, amount: body.amount }),
    });
    expect(response.status).toBe(200);
  }

  it('it is canceled even if the gateway voided it by itself', async () => {
    const created = await authorization();
    const { company, body, advance } = created;
    await atGateway(created, 'cancels');
    await advance(8);
    await waitFor(async () => (await reloadPayment(engine, company, body)).status === 'canceled');
    expect(await ledgerOf(engine, body)).toMatchObject({ held: 0, captured: 0 });
  });

  it('it is canceled even if the gateway voided it after it was asked, and rejects the cancel', async () => {
    const created = await authorization();
    const { company, body, id, advance } = created;
    await engine.simulator.script({ transaction_id: id, operation: 'inquiry' }, { status: 503 });
    await atGateway(created, 'cancels');
    await advance(8);
    await waitFor(async () => (await reloadPayment(engine, company, body)).status === 'canceled');
    expect(await ledgerOf(engine, body)).toMatchObject({ held: 0, captured: 0 });
  });

  it('it is recorded as captured if it was captured on the gateway’s own pages', async () => {
    const created = await authorization();
    const { company, body, advance } = created;
    await atGateway(created, 'captures');
    await advance(8);
    const captured = await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return now.status === 'approved' && now;
    });
    expect(captured).toMatchObject({ captured_amount: body.amount });
    expect(captured.transactions.map(({ operation }) => operation)).not.toContain('cancel');
  });
});
