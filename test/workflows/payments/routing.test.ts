import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { RoutingRule, RuleConditions } from '../../../src/domain/routing/routing-rules';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

const THREE: readonly GatewaySlug[] = ['gateway_1', 'gateway_2', 'gateway_4'];

const rule = (name: string, when: RuleConditions, ...gateways: GatewaySlug[]): RoutingRule => ({
  name,
  when,
  target: { kind: 'list', gateways },
});

/** A new company with credentials at three gateways and these rules. */
async function companyWith(...routingRules: RoutingRule[]): Promise<AuthenticatedCompany> {
  const company = await newCompany(engine, THREE);
  const { companyConfigs, db } = engine.context;
  await db.inTransaction(async (tx) => {
    const config = await companyConfigs.lock(tx, company.id);
    await companyConfigs.save(tx, company.id, { ...config, routingRules }, new Date());
  });
  return company;
}

async function paid(
  company: AuthenticatedCompany,
  change: Partial<PaymentRequest> = {},
): Promise<PaymentBody> {
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...change });
  expect(body.status).toBe('approved');
  expect((await ledgerOf(engine, body)).captured).toBe(body.amount);
  return body;
}

/** The gateway and stored routing reason of each attempt. */
async function reasonsOf({ transaction_id: id }: PaymentBody): Promise<string[]> {
  const rows = await engine.context.db.query<{ gateway: string; reason: string | null }>(
    `SELECT a.gateway_slug AS gateway, a.routing_reason AS reason
       FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
      WHERE p.transaction_id = $1 ORDER BY a.attempt`,
    [id],
  );
  return rows.map(({ gateway, reason }) => `${gateway}: ${reason ?? 'null'}`);
}

async function openCircuit({ id: companyId }: AuthenticatedCompany, slug: GatewaySlug): Promise<void> {
  const failure = { at: new Date(), reason: 'refused', opensAtOnce: true, openForMs: 60_000 };
  await engine.context.db.inTransaction((tx) =>
    engine.context.circuits.recordFailure(tx, { companyId, slug }, failure),
  );
}

describe('the routing of a payment and its stored reason', () => {
  it('a payment without rules is routed by order', async () => {
    expect(await reasonsOf(await paid(await companyWith()))).toEqual(['gateway_1: order 1']);
  });

  it('a payment is routed by the first matching rule', async () => {
    const amount = uniqueAmount();
    const company = await companyWith(
      rule('large', { amountFromCents: amount + 1 }, 'gateway_1'),
      rule('visa by BIN', { cardBrand: 'visa', binPrefix: '4111' }, 'gateway_4', 'gateway_2'),
      rule('the rest', {}, 'gateway_2'),
    );
    expect(await reasonsOf(await paid(company, { amount }))).toEqual([
      'gateway_4: rule 2 matched: visa by BIN',
    ]);
    const mastercard = await paid(company, { amount, card: rawCard('5555555555554444') });
    expect(await reasonsOf(mastercard)).toEqual(['gateway_2: rule 3 matched: the rest']);
    expect(await reasonsOf(await paid(company, { amount: amount + 1 }))).toEqual([
      'gateway_1: rule 1 matched: large',
    ]);
  });

  it('rules match by installments and payment method', async () => {
    const company = await companyWith(
      rule('pix', { paymentMethod: 'pix' }, 'gateway_2'),
      rule('in context', { installmentsFrom: 6 }, 'gateway_4'),
    );
    expect(await reasonsOf(await paid(company, { installments: 6 }))).toEqual([
      'gateway_4: rule 2 matched: in context',
    ]);
    const pix = { payment_method: 'pix', card: null, billing_address: null, installments: 1 } as const;
    const { body } = await pay(engine, company, pix);
    expect(await reasonsOf(body)).toEqual(['gateway_2: rule 1 matched: pix']);
  });

  it('gateway_first_try has precedence over rules', async () => {
    const company = await companyWith(rule('all', {}, 'gateway_2'));
    const tried = await paid(company, { gateway_first_try: 'gateway_4' });
    expect(await reasonsOf(tried)).toEqual(['gateway_4: gateway_first_try']);
    expect(tried.routing).toEqual({ ignored_first_try: null });
  });

  it('a gateway_first_try that cannot be used is ignored, and the answer says why', async () => {
    const company = await companyWith(rule('all', {}, 'gateway_2'));
    await openCircuit(company, 'gateway_1');
    await engine.context.db.query(
      `UPDATE gateway_credentials SET enabled = false WHERE company_id = $1 AND gateway_slug = 'gateway_4'`,
      [company.id],
    );
    const ignored = {
      gateway_1: 'gateway_1 failed repeatedly just now and is tried after the others',
      gateway_4: 'gateway_4 is disabled',
      gateway_5: 'gateway_5 has no credentials of this company',
      gateway_6: 'gateway_6 is not available to this company',
    } as const;
    for (const [slug, why] of Object.entries(ignored)) {
      const body = await paid(company, { gateway_first_try: slug as GatewaySlug });
      expect(body.routing).toEqual({ ignored_first_try: why });
      expect(body.transactions.map(({ gateway }) => gateway)).toEqual(['gateway_2']);
    }
    const { body } = await pay(engine, company, { gateway_first_try: 'gateway_2', capture: false });
    expect(body.routing).toEqual({ ignored_first_try: 'gateway_2 does not support capture: false' });
    expect(await reasonsOf(body)).toEqual([
      'gateway_1: order 1, not named by rule 1: all; all remaining circuits are open; ' +
        'gateway_first_try ignored: gateway_2 does not support capture: false',
    ]);
  });

  it('a payment that failed for rejected credentials names the gateway in its message', async () => {
    const company = await companyWith();
    const amount = uniqueAmount();
    for (const gateway of THREE) await engine.simulator.script({ gateway, amount }, { status: 401 });
    const { body } = await pay(engine, company, { amount });
    expect(body).toMatchObject({
      status: 'failed',
      code: 'gateway_error',
      message:
        'no gateway could process the payment: gateway_1, gateway_2, gateway_4 rejected the credentials',
    });
  });

  it('a gateway with an open circuit is attempted last', async () => {
    const company = await companyWith(rule('all', {}, 'gateway_4', 'gateway_1'));
    await openCircuit(company, 'gateway_4');
    expect(await reasonsOf(await paid(company))).toEqual([
      'gateway_1: rule 1 matched: all; circuit of gateway_4 open',
    ]);
  });

  it('failover follows the list of the rule, then the order', async () => {
    const company = await companyWith(rule('two', {}, 'gateway_4', 'gateway_2'));
    const amount = uniqueAmount();
    for (const gateway of ['gateway_4', 'gateway_2'] as const)
      await engine.simulator.script({ gateway, amount }, { decline: '91' });
    expect(await reasonsOf(await paid(company, { amount }))).toEqual([
      'gateway_4: rule 1 matched: two',
      'gateway_2: next after gateway_4 declined; rule 1 matched: two',
      'gateway_1: next after gateway_2 declined; order 1, not named by rule 1: two',
    ]);
  });

  it('each gateway of a split gets payments', async () => {
    const shares = [
      { gateway: 'gateway_2', percent: 50 },
      { gateway: 'gateway_4', percent: 50 },
    ] as const;
    const company = await companyWith({ name: 'half each', when: {}, target: { kind: 'split', shares } });
    const seen = new Set<string>();
    // All payments go to the same gateway once in 500,000 runs.
    for (let n = 0; n < 20 && seen.size < 2; n += 1) {
      for (const reason of await reasonsOf(await paid(company))) seen.add(reason);
    }
    expect([...seen].sort()).toEqual([
      'gateway_2: split of rule 1: half each: 50%, selected',
      'gateway_4: split of rule 1: half each: 50%, selected',
    ]);
  });

  it('the rules of another company do not apply', async () => {
    const company = await companyWith();
    await companyWith(rule('theirs', {}, 'gateway_4'));
    expect(await reasonsOf(await paid(company))).toEqual(['gateway_1: order 1']);
  });
});
