import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { CounterRepository } from '../../../src/persistence/read-models/counter-repository';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { sale } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

const BY_AMOUNT = { name: 'Large', when: { amount_from: 50_000 }, gateways: ['gateway_2'] } as const;
const DECLINED = rawCard('4000000000009995');

const setRules = async ({ byToken }: CompanyWithUser, rules: readonly object[]) =>
  expectStatus(await byToken('updateCompanyConfig', { body: { routing_rules: rules } }), 200);

const trafficOf = async ({ byToken }: CompanyWithUser) =>
  expectStatus(await byToken('getRoutingTraffic'), 200).body.data;

describe('GET /user/routing/traffic', () => {
  it('counts the charges that a rule matched, their share and how many were approved, before and after they are rolled up', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    await setRules(company, [BY_AMOUNT]);
    for (const amount of [60_000, 70_000, 1_000]) await sale(company.byKey, { amount });
    const declined = paymentRequest({ amount: 80_000, card: DECLINED });
    expectStatus(await company.byKey('createCardPayment', { body: declined }), 200);
    const expected = {
      charges: 4,
      rules: [
        {
          name: 'Large',
          charges: 3,
          share: 0.75,
          approved: 2,
          declined: 1,
          errors: 0,
          open: 0,
          rate: 0.6667,
        },
      ],
    };
    expect(await trafficOf(company)).toMatchObject(expected);
    const counters = new CounterRepository(api.engine.context.db);
    while ((await counters.applyDeltas(1_000)) > 0);
    expect(await trafficOf(company)).toMatchObject(expected);
  });

  it('keeps the name that a rule had when the charge was made, and does not count a gateway that was asked for', async () => {
    const company = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    await setRules(company, [BY_AMOUNT]);
    await sale(company.byKey, { amount: 60_000 });
    await setRules(company, [{ ...BY_AMOUNT, name: 'Very large' }]);
    await sale(company.byKey, { amount: 60_000 });
    await sale(company.byKey, { amount: 60_000, gateway_first_try: 'gateway_1' });
    const { charges, rules } = await trafficOf(company);
    expect(charges).toBe(3);
    expect(rules.map(({ name, charges: matched }) => [name, matched])).toEqual([
      ['Large', 1],
      ['Very large', 1],
    ]);
  });

  it('is empty for a company without charges, and covers 30 days of full hours', async () => {
    const company = await registerCompanyWithUser(api);
    const { from, to, charges, rules } = await trafficOf(company);
    expect({ charges, rules }).toEqual({ charges: 0, rules: [] });
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 24 * 3_600_000);
    expect([Date.parse(to) % 3_600_000, Date.parse(to) > Date.now()]).toEqual([0, true]);
  });
});
