import { randomUUID } from 'node:crypto';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { lostAnswers } from '../../support/fixtures/lost-answers';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { addGateway, newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

const FAULTS = [...lostAnswers(1_100), { status: 500 }] as const;

/** gateway_6 settles through the platform's account: only companies named in configuration may use it. */
const PLATFORM_CLIENTS = FAULTS.map(() => `client_${randomUUID()}`);

/** Tests run concurrently, so timeouts must hold on a busy machine. */
const TIMEOUTS = { SEND_WINDOW: '2', ABSENCE_PROVEN_AFTER: '6.2', STUCK_AFTER: '12' };

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENTS.join(','), ...TIMEOUTS });
});
afterAll(() => engine.stop());

/** Pays and waits until the outcome is known. */
async function outcomeOf(
  company: AuthenticatedCompany,
  change: Partial<PaymentRequest>,
): Promise<PaymentBody> {
  const { body } = await pay(engine, company, change);
  return waitFor(async () => {
    const payment = await reloadPayment(engine, company, body);
    return payment.status !== 'processing' && payment;
  });
}

describe.each(['gateway_1', 'gateway_2'] as const)('a charge at %s, which supports lookup', (gateway) => {
  it.concurrent.each(FAULTS)(
    'a charge with the fault %j is approved once, in agreement with the ledger',
    async (fault) => {
      const company = await newCompany(engine, [gateway, 'gateway_4']);
      const amount = uniqueAmount();
      await engine.simulator.script({ gateway, amount, operation: 'charge' }, fault);
      const body = await outcomeOf(company, { amount });
      expect(body).toMatchObject({ status: 'approved', captured_amount: amount });
      expect(await ledgerOf(engine, body)).toMatchObject({ captured: amount, refunded: 0, held: 0 });
    },
  );

  it.concurrent('no other gateway is attempted while the first may still charge', async () => {
    const company = await newCompany(engine, [gateway, 'gateway_4']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway, amount, operation: 'charge' }, { delay_ms: 6_000 });
    const body = await outcomeOf(company, { amount });
    expect(body).toMatchObject({ status: 'approved', attempts: 1 });
    const requests = await engine.simulator.requests(body.transaction_id);
    expect(new Set(requests.map((request) => request.gateway))).toEqual(new Set([gateway]));
    expect(requests.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
    expect(requests.filter(({ operation }) => operation === 'inquiry').length).toBeGreaterThan(1);
  });

  it.concurrent('an attempt that is proven absent is abandoned, and the next gateway charges', async () => {
    const company = await newCompany(engine, [gateway, 'gateway_4']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway, amount, operation: 'charge' }, { drop: 'before' });
    const body = await outcomeOf(company, { amount });
    const charges = body.transactions.filter(({ operation }) => operation === 'charge');
    expect(charges.map(({ gateway: slug, status }) => [slug, status])).toEqual([
      [gateway, 'abandoned'],
      ['gateway_4', 'approved'],
    ]);
  });
});

describe('a charge at gateway_6, which only replays keys', () => {
  it.concurrent.each(FAULTS)('a charge with the fault %j is approved once, with one key', async (fault) => {
    const company = await newCompany(engine, ['gateway_1'], PLATFORM_CLIENTS[FAULTS.indexOf(fault)]);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_6', amount, operation: 'charge' }, fault);
    const body = await outcomeOf(company, { amount, gateway_first_try: 'gateway_6' });
    expect(body).toMatchObject({ status: 'approved', attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: amount, refunded: 0 });
    const requests = await engine.simulator.requests(body.transaction_id);
    expect(new Set(requests.map((request) => request.idempotency_key)).size).toBe(1);
  });
});

/** Waits until an attempt is committed. */
async function untilAttempted({ id }: AuthenticatedCompany): Promise<void> {
  await waitFor(() =>
    engine.context.db.queryOne('SELECT 1 FROM gateway_attempts WHERE company_id = $1', [id]),
  );
}

describe('credentials that change while an outcome is unknown', () => {
  it('"not found" in another account proves nothing, so no other gateway charges', async () => {
    const company = await newCompany(engine, ['gateway_2', 'gateway_1']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_2', amount, operation: 'charge' }, { drop: 'before' });
    const paid = pay(engine, company, { amount });
    await untilAttempted(company);
    // A new account, and the old secret no longer works: only the new one can ask.
    await addGateway(engine, company, 'gateway_2', 1, `sk_other_${company.clientId}`);
    await engine.simulator.setUpAccount(`sk_test_${company.clientId}`, { revoked: true });
    const { body } = await paid;
    const row = await waitFor(async () => {
      const payment = await engine.context.payments.find(company.id, body.transaction_id);
      return payment?.stuckAt && payment;
    });
    expect(row).toMatchObject({ status: 'processing', attempts: 1 });
    expect((await ledgerOf(engine, body)).captured).toBe(0);
  });
});

describe('a gateway that is disabled while an outcome is unknown', () => {
  it('it is still inquired, and the payment gets the outcome', async () => {
    const company = await newCompany(engine, ['gateway_2', 'gateway_1']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_2', amount, operation: 'charge' }, { hang: 'after' });
    const { inactive } = engine.config.gateways;
    const paid = pay(engine, company, { amount });
    await untilAttempted(company);
    inactive.add('gateway_2');
    const { body } = await paid.finally(() => inactive.delete('gateway_2'));
    expect(body.status).toBe('approved');
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: amount });
  });
});

describe('an answer with the id of another charge', () => {
  it.concurrent.each<GatewaySlug>(['gateway_1', 'gateway_2'])(
    'the charge is looked up by our reference at %s and made once',
    async (gateway) => {
      const company = await newCompany(engine, [gateway]);
      await pay(engine, company);
      const amount = uniqueAmount();
      await engine.simulator.script({ gateway, amount, operation: 'charge' }, { duplicate_id: true });
      const body = await outcomeOf(company, { amount });
      expect(body.status).toBe('approved');
      expect(await ledgerOf(engine, body)).toMatchObject({ captured: amount, refunded: 0 });
    },
  );
});
