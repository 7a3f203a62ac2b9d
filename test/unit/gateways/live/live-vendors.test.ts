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
    expect(problems).toEqual(['name a vendor: adyen, asaas, cielo, mercadopago, pagarme, pix-bacen, stripe']);
  });

  it('refuses a live key at the vendor’s own address, and does not repeat it', () => {
    const refused = liveVendor('pagarme', { PAGARME_SECRET_KEY: 'sk_abcdefgh' });
    expect(JSON.stringify(refused)).toMatch(/must be a key of the test environment/);
    expect(JSON.stringify(refused)).not.toContain('sk_abcdefgh');
    const token = { MERCADOPAGO_SECRET_KEY: 'APP_USR-1234567890123456-112312-abcdef-1' };
    expect(JSON.stringify(liveVendor('mercadopago', token))).toMatch(/must be a key of the test environment/);
    for (const key of ['sk_live_abcdefgh', 'rk_live_abcdefgh']) {
      expect(liveVendor('stripe', { STRIPE_SECRET_KEY: key })).toHaveProperty('problems');
    }
  });

  const ADYEN = { ADYEN_SECRET_KEY: 'AQEabcdefghijklmnopqrs', ADYEN_MERCHANT_ACCOUNT: 'LojaECOM' };

  const CIELO = {
    CIELO_CLIENT_ID: 'c1e10000-0000-4000-8000-000000000005',
    CIELO_SECRET_KEY: 'K'.repeat(40),
  };
  const PIX = {
    PIX_BACEN_CLIENT_ID: 'Client_Id_1',
    PIX_BACEN_SECRET_KEY: 'Client_Secret_1',
    PIX_BACEN_CERTIFICATE: '-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n',
    PIX_BACEN_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----\nMA==\n-----END PRIVATE KEY-----\n',
    PIX_BACEN_PIX_KEY: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  };

  it.each([
    ['adyen', ADYEN, { api: 'https://checkout-test.adyen.com' }],
    ['cielo', CIELO, { query: 'https://apiquerysandbox.cieloecommerce.cielo.com.br' }],
    [
      'mercadopago',
      { MERCADOPAGO_SECRET_KEY: 'TEST-1234567890123456-112312-abcdef-1' },
      { api: 'https://api.mercadopago.com' },
    ],
    ['pix-bacen', PIX, { oauth: 'https://pix-h.api.efipay.com.br/oauth' }],
    [
      'pix-bacen',
      {
        ...PIX,
        PIX_BACEN_URL: 'https://api.hm.bb.com.br/pix/v2',
        PIX_BACEN_OAUTH_URL: 'https://oauth.hm.bb.com.br/oauth/token',
      },
      { api: 'https://api.hm.bb.com.br/pix/v2', oauth: 'https://oauth.hm.bb.com.br/oauth' },
    ],
  ])('takes the test environment of %s', (name, env, endpoints) => {
    expect(liveVendor(name, env)).toMatchObject({ name, endpoints });
  });

  it('names each part of credentials that is missing', () => {
    const { problems } = liveVendor('pix-bacen', {}) as { problems: string[] };
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(Object.keys(PIX));
  });

  it.each([
    [
      'adyen',
      { ...ADYEN, ADYEN_URL: 'https://1797a841fbb37ca7-Loja-checkout-live.adyenpayments.com/checkout' },
    ],
    ['adyen', { ...ADYEN, ADYEN_URL: 'https://checkout-test.adyen.com.example.com' }],
    ['adyen', { ...ADYEN, ADYEN_URL: 'no address' }],
    ['asaas', { ASAAS_SECRET_KEY: '$aact_hmlg_abcdefgh', ASAAS_URL: 'https://api.asaas.com' }],
    ['cielo', { ...CIELO, CIELO_URL: 'https://api.cieloecommerce.cielo.com.br' }],
    ['cielo', { ...CIELO, CIELO_QUERY_URL: 'https://apiquery.cieloecommerce.cielo.com.br' }],
    ['pix-bacen', { ...PIX, PIX_BACEN_URL: 'https://pix.api.efipay.com.br/v2' }],
    ['pix-bacen', { ...PIX, PIX_BACEN_OAUTH_URL: 'https://oauth.bb.com.br/oauth/token' }],
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
