import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { resolve as sendResolution } from '../../support/scenarios/resolve';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '3' });
});
afterAll(() => engine.stop());

describe('a lost answer at gateway_3, which supports neither lookup nor replay', () => {
  const stuck = async (behavior: object): Promise<{ company: AuthenticatedCompany; body: PaymentBody }> => {
    const company = await newCompany(engine, ['gateway_3', 'gateway_1']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_3', amount, operation: 'charge' }, behavior);
    const { body } = await pay(engine, company, { amount });
    await waitFor(() => isStuck(company, body), { what: 'the payment to be stuck' });
    return { company, body: await reloadPayment(engine, company, body) };
  };
  const isStuck = async (company: AuthenticatedCompany, body: PaymentBody): Promise<boolean> =>
    (await engine.context.payments.find(company.id, body.transaction_id))?.stuckAt !== null;
  const resolve = (body: PaymentBody, outcome: 'paid' | 'absent' | 'retry') =>
    sendResolution(engine, body.transaction_id, outcome);

  it('the payment is marked stuck for an operator, and no other gateway charges meanwhile', async () => {
    const { body } = await stuck({ drop: 'after' });
    expect(body).toMatchObject({ status: 'processing', attempts: 1 });
    expect(body.transactions).toMatchObject([
      { gateway: 'gateway_3', status: 'unknown', decline_type: 'ambiguous' },
    ]);
    const requests = await engine.simulator.requests(body.transaction_id);
    expect(requests.map(({ gateway, operation }) => [gateway, operation])).toEqual([['gateway_3', 'charge']]);
  });

  it('an operator can resolve it as paid', async () => {
    const { company, body } = await stuck({ drop: 'after' });
    expect(await resolve(body, 'paid')).toEqual({ status: 'approved' });
    expect(await reloadPayment(engine, company, body)).toMatchObject({
      status: 'approved',
      captured_amount: body.amount,
    });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
  });

  it('an operator can resolve it as absent, and the payment fails over', async () => {
    const { company, body } = await stuck({ drop: 'before' });
    await resolve(body, 'absent');
    const settled = await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return now.status === 'approved' && now;
    });
    expect(settled.transactions.map(({ gateway, status }) => [gateway, status])).toEqual([
      ['gateway_3', 'abandoned'],
      ['gateway_1', 'approved'],
    ]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
  });

  it('an operator can restart inquiries, and the payment is stuck again if they are inconclusive', async () => {
    const { company, body } = await stuck({ drop: 'after' });
    expect(await resolve(body, 'retry')).toEqual({ status: 'processing' });
    await waitFor(() => isStuck(company, body));
    expect(await resolve(body, 'paid')).toEqual({ status: 'approved' });
  });

  it('a resolution of a charge that is not escalated changes nothing, because the charge may be in flight', async () => {
    const company = await newCompany(engine, ['gateway_3']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_3', amount }, { hang: 'after' });
    const paid = pay(engine, company, { amount });
    const row = await waitFor(() =>
      engine.context.db.queryOne<{ id: string }>(
        'SELECT transaction_id AS id FROM payments WHERE company_id = $1 AND attempts = 1',
        [company.id],
      ),
    );
    expect(await resolve({ transaction_id: row.id } as PaymentBody, 'paid')).toEqual({
      status: 'processing',
    });
    expect((await paid).body.status).toBe('processing');
  });
});
