import { liveVendor } from '../../../gateways/live/live-vendors';

describe('a run against a vendor’s test environment', () => {
  it('names the variables that are missing, and where a company finds their values', () => {
    expect(liveVendor('stripe', {})).toEqual({
      problems: [expect.stringMatching(/^STRIPE_SECRET_KEY is missing: Stripe Dashboard/) as unknown],
    });
    expect(liveVendor('pagarme', { PAGARME_SECRET_KEY: '' })).toMatchObject({ problems: { length: 1 } });
  });

  it.each([undefined, 'simulator', 'constructor', 'nobody'])('names the vendors in place of %s', (name) => {
    const { problems } = liveVendor(name, {}) as { problems: string[] };
    expect(problems).toEqual(['name a vendor: asaas, pagarme, stripe']);
  });

  it('refuses a live key at the vendor’s own address, and does not repeat it', () => {
    const refused = liveVendor('pagarme', { PAGARME_SECRET_KEY: 'sk_abcdefgh' });
    expect(JSON.stringify(refused)).toMatch(/must be a key of the test environment/);
    expect(JSON.stringify(refused)).not.toContain('sk_abcdefgh');
    for (const key of ['sk_live_abcdefgh', 'rk_live_abcdefgh']) {
      expect(liveVendor('stripe', { STRIPE_SECRET_KEY: key })).toHaveProperty('problems');
    }
  });

  it('has the account, the addresses of the test environment and those that the environment names', () => {
    const asaas = liveVendor('asaas', { ASAAS_SECRET_KEY: '$aact_hmlg_abcdefgh' });
    expect(asaas).toMatchObject({ name: 'asaas', endpoints: { api: 'https://api-sandbox.asaas.com' } });
    const pagarme = liveVendor('pagarme', {
      PAGARME_SECRET_KEY: 'sk_test_abcdefgh',
      PAGARME_KEYS_URL: 'http://127.0.0.1:1/',
    });
    expect(pagarme).toMatchObject({
      endpoints: { api: 'https://api.pagar.me', keys: 'http://127.0.0.1:1' },
      account: { values: { secretKey: 'sk_test_abcdefgh', credentials: {} }, clientId: null },
    });
  });
});
