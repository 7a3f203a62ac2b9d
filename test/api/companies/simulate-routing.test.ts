import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser } from '../support/manual-resolution';
import { sale } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

const PAYMENT = { payment_method: 'card', amount: 60_000, currency: 'BRL', card_brand: 'visa' } as const;
const VISA_TO_2 = { name: 'Visa', when: { card_brand: 'visa' }, gateways: ['gateway_2'] } as const;

describe('POST /user/routing/simulate', () => {
  it('tells where a real payment goes, by the saved rules', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    expectStatus(await byToken('updateCompanyConfig', { body: { routing_rules: [VISA_TO_2] } }), 200);
    const { data } = expectStatus(await byToken('simulateRouting', { body: PAYMENT }), 200).body;
    expect(data).toMatchObject({
      rule: { number: 1, name: 'Visa' },
      routes: [
        { gateway: 'gateway_2', reason: 'rule', failing: false },
        { gateway: 'gateway_1', reason: 'order', order: 1 },
      ],
    });
    const { transactions } = await sale(byKey, { amount: 60_000 });
    expect(transactions[0]?.gateway).toBe('gateway_2');
  });

  it('tries rules that are not saved, and saves nothing', async () => {
    const { byToken } = await registerCompanyWithUser(api, ['gateway_1', 'gateway_2']);
    const body = { ...PAYMENT, routing_rules: [VISA_TO_2] };
    const { data } = expectStatus(await byToken('simulateRouting', { body }), 200).body;
    expect(data.routes[0]?.gateway).toBe('gateway_2');
    const config = expectStatus(await byToken('getCompanyConfig'), 200).body.data;
    expect(config.routing_rules).toEqual([]);
  });

  it('names the field of a rule or payment that makes no sense', async () => {
    const { byToken } = await registerCompanyWithUser(api);
    const contradictory = { name: 'Pix by brand', when: { payment_method: 'pix', card_brand: 'visa' } };
    const rules = [{ ...contradictory, gateways: ['gateway_1'] }];
    const byRule = await byToken('simulateRouting', { body: { ...PAYMENT, routing_rules: rules } });
    expect(Object.keys(expectStatus(byRule, 422).body.errors ?? {})).toEqual([
      'routing_rules.0.when.card_brand',
    ]);
    const inParts = { ...PAYMENT, payment_method: 'pix', installments: 3 };
    const byPayment = await byToken('simulateRouting', { body: inParts });
    expect(Object.keys(expectStatus(byPayment, 422).body.errors ?? {})).toEqual(['installments']);
  });
});
