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
    expect(problems).toEqual(['name a vendor: adyen, asaas, pagarme, stripe']);
  });

  it('refuses a live key at the vendor’s own address, and does not repeat it', () => {
    const refused = liveVendor('pagarme', { PAGARME_SECRET_KEY: 'sk_abcdefgh' });
    expect(JSON.stringify(refused)).toMatch(/must be a key of the test environment/);
    expect(JSON.stringify(refused)).not.toContain('sk_abcdefgh');
    for (const key of ['sk_live_abcdefgh', 'rk_live_abcdefgh']) {
      expect(liveVendor('stripe', { STRIPE_SECRET_KEY: key })).toHaveProperty('problems');
    }
  });

  const ADYEN = { ADYEN_SECRET_KEY: 'AQEabcdefghijklmnopqrs', ADYEN_MERCHANT_ACCOUNT: 'LojaECOM' };

  it.each([
    [
      'adyen',
      { ...ADYEN, ADYEN_URL: 'https://1797a841fbb37ca7-Loja-checkout-live.adyenpayments.com/checkout' },
    ],
    ['adyen', { ...ADYEN, ADYEN_URL: 'https://checkout-test.adyen.com.example.com' }],
    ['adyen', { ...ADYEN, ADYEN_URL: 'no address' }],
    ['asaas', { ASAAS_SECRET_KEY: '$aact_hmlg_abcdefgh', ASAAS_URL: 'https://api.asaas.com' }],
  ])('refuses an address that is not of the test environment: %s at %j', (vendor, env) => {
    const refused = {
      problems: [expect.stringContaining('_URL must be an address of the test environment')],
    };
    expect(liveVendor(vendor, env)).toEqual(refused);
  });

  it('refuses values of another form, and does not repeat them', () => {
    expect(liveVendor('adyen', { ...ADYEN, ADYEN_SECRET_KEY: 'sk_test_abcdefgh' })).toEqual({
      problems: ['adyen: secret_key must start with AQ and have 20 to 512 characters'],
    });
  });

  it('takes a simulator on the same machine for a test environment, whatever its keys look like', () => {
    for (const url of ['http://127.0.0.1:4010/gateway_5', 'http://localhost:4010/gateway_5']) {
      expect(liveVendor('adyen', { ...ADYEN, ADYEN_URL: url })).toMatchObject({ endpoints: { api: url } });
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
