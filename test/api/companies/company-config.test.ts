import creditCardType from 'credit-card-type';
import { cardBrand } from '../../../src/domain/customers/card';
import type { components } from '../../../src/http/generated/openapi';
import { resolvePointer } from '../support/contract-schemas';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerUser, type TestUser } from '../users/user-api';

type ConfigBody = components['schemas']['CompanyConfig'];

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

const show = async (client: ApiClient): Promise<ConfigBody> =>
  expectStatus(await client('getCompanyConfig'), 200).body.data;
const change = async (client: ApiClient, body: object): Promise<ConfigBody> =>
  expectStatus(await client('updateCompanyConfig', { body }), 200).body.data;
const auditOf = ({ registered }: TestUser) =>
  api.engine.context.db.query<{ action: string; subject: string; user: number; changes: object }>(
    `SELECT action, subject_type || ' ' || subject_id AS subject, user_id AS user, changes FROM audit_log
      WHERE company_id = $1 ORDER BY id`,
    [registered.user.company_id],
  );

const DEFAULTS: ConfigBody = {
  timezone: 'America/Sao_Paulo',
  dunning_days: [1, 4, 9, 16],
  routing_rules: [],
  pix_expires_in: 86_400,
  billet_due_days: 3,
  brand: { name: null, logo_url: null, logo_source_url: null, color: null },
  checkout_frame_origins: [],
  max_installments: 12,
  min_installment_amount: 500,
  interest: 'merchant',
  interest_rates: [],
  send_receipts: true,
  disputes: { pause_subscription: 'lost' },
};
const LIST_RULE = {
  name: 'visa over R$ 500',
  when: {
    payment_method: 'card',
    amount_from: 50_000,
    amount_to: 90_000,
    currency: 'BRL',
    card_brand: 'visa',
    bin_prefix: '4111',
    installments_from: 2,
  },
  gateways: ['gateway_2', 'gateway_7'],
};
const SPLIT_RULE = {
  name: 'side by side',
  when: {},
  split: [
    { gateway: 'gateway_1', percent: 70 },
    { gateway: 'gateway_4', percent: 30 },
  ],
};

describe('the configuration of a company', () => {
  it('has the defaults until it is changed', async () => {
    const { client } = await registerUser(api);
    expect(await show(client)).toEqual(DEFAULTS);
  });

  it('changes only the fields in the request and returns them as they were sent', async () => {
    const { client } = await registerUser(api);
    const first = {
      timezone: 'America/Manaus',
      dunning_days: [2, 30],
      routing_rules: [LIST_RULE, SPLIT_RULE],
      pix_expires_in: 60,
      billet_due_days: 30,
      brand: { name: 'Flores', color: '#1F7A4D' },
      checkout_frame_origins: ['https://shop.example.com', 'http://localhost:5173'],
      max_installments: 6,
      min_installment_amount: 2_000,
      interest: 'buyer',
      interest_rates: [{ installments: 6, basis_points: 899 }],
      send_receipts: false,
      disputes: { pause_subscription: 'never' },
    };
    const brand = { ...DEFAULTS.brand, name: 'Flores', color: '#1f7a4d' };
    expect(await change(client, first)).toEqual({ ...first, brand });
    const second = { dunning_days: [], brand: { name: null } };
    const expected = { ...first, dunning_days: [], brand: { ...brand, name: null } };
    expect(await change(client, second)).toEqual(expected);
    expect(await show(client)).toEqual(expected);
    expect(await change(client, { routing_rules: [] })).toEqual({ ...expected, routing_rules: [] });
  });

  it('accepts its own response as a request', async () => {
    const { client } = await registerUser(api);
    const shown = await change(client, { routing_rules: [SPLIT_RULE, LIST_RULE] });
    expect(await change(client, shown)).toEqual(shown);
  });

  it('is audited with the user who changed it, unless the request changes nothing', async () => {
    const user = await registerUser(api);
    await change(user.client, { billet_due_days: 5, pix_expires_in: 86_400 });
    await change(user.client, { billet_due_days: 5 });
    await change(user.client, {});
    expect(await auditOf(user)).toEqual([
      {
        action: 'config.update',
        subject: `config ${user.registered.company.client_id}`,
        user: user.registered.user.id,
        changes: { billet_due_days: { from: 3, to: 5 } },
      },
    ]);
  });

  it('keeps both of two concurrent changes', async () => {
    const { client } = await registerUser(api);
    await Promise.all([
      change(client, { billet_due_days: 7 }),
      change(client, { pix_expires_in: 900 }),
      change(client, { brand: { name: 'Flores' } }),
      change(client, { dunning_days: [3] }),
    ]);
    expect(await show(client)).toMatchObject({
      billet_due_days: 7,
      pix_expires_in: 900,
      brand: { name: 'Flores' },
      dunning_days: [3],
    });
  });
});

const rule = (body: object) => ({ routing_rules: [LIST_RULE, { name: 'second', ...body }] });
const when = (conditions: object) => rule({ when: conditions, gateways: ['gateway_1'] });
const split = (...shares: Array<[string, number]>) =>
  rule({ split: shares.map(([gateway, percent]) => ({ gateway, percent })) });

describe('an invalid change of the configuration', () => {
  it.each<[string, object]>([
    ['timezone', { timezone: 'Brasilia' }],
    ['timezone', { timezone: 'america/sao_paulo' }],
    ['timezone', { timezone: '+03:00' }],
    ['timezone', { timezone: 'BRT3' }],
    ['timezone', { timezone: '' }],
    ['dunning_days', { dunning_days: [1, 2, 3, 4, 5, 6, 7] }],
    ['dunning_days.1', { dunning_days: [4, 4] }],
    ['dunning_days.2', { dunning_days: [1, 9, 4] }],
    ['dunning_days.0', { dunning_days: [0] }],
    ['dunning_days.0', { dunning_days: [31] }],
    ['dunning_days.0', { dunning_days: [1.5] }],
    ['pix_expires_in', { pix_expires_in: 59 }],
    ['pix_expires_in', { pix_expires_in: 1_209_601 }],
    ['pix_expires_in', { pix_expires_in: null }],
    ['billet_due_days', { billet_due_days: 0 }],
    ['billet_due_days', { billet_due_days: 31 }],
    ['brand.color', { brand: { color: 'green' } }],
    ['brand.color', { brand: { color: '#fff' } }],
    ['brand.name', { brand: { name: '' } }],
    ['brand.logo_url', { brand: { logo_url: '' } }],
    ['brand', { brand: null }],
    ['routing_rules', { routing_rules: Array(51).fill(LIST_RULE) }],
    ['routing_rules.1.name', { routing_rules: [LIST_RULE, { gateways: ['gateway_1'] }] }],
    ['routing_rules.1.name', rule({ name: '  ', gateways: ['gateway_1'] })],
    ['routing_rules.1.name', rule({ name: 'x'.repeat(101), gateways: ['gateway_1'] })],
    ['routing_rules.1.gateways', rule({})],
    ['routing_rules.1.gateways', rule({ gateways: [] })],
    ['routing_rules.1.gateways.0', rule({ gateways: ['gateway_8'] })],
    ['routing_rules.1.gateways.2', rule({ gateways: ['gateway_1', 'gateway_2', 'gateway_1'] })],
    ['routing_rules.1.split', { routing_rules: [LIST_RULE, { ...SPLIT_RULE, gateways: ['gateway_1'] }] }],
    ['routing_rules.1.split', split(['gateway_1', 70], ['gateway_2', 20])],
    ['routing_rules.1.split', rule({ split: [] })],
    ['routing_rules.1.split.0.percent', split(['gateway_1', 0], ['gateway_2', 100])],
    ['routing_rules.1.split.0.percent', split(['gateway_1', 33.3], ['gateway_2', 66])],
    ['routing_rules.1.split.1.gateway', split(['gateway_1', 50], ['gateway_1', 50])],
    ['routing_rules.1.when.payment_method', when({ payment_method: 'cash' })],
    ['routing_rules.1.when.amount_to', when({ amount_from: 2, amount_to: 1 })],
    ['routing_rules.1.when.currency', when({ currency: 'real' })],
    ['routing_rules.1.when.card_brand', when({ card_brand: 'master' })],
    ['routing_rules.1.when.card_brand', when({ card_brand: 'visa', payment_method: 'pix' })],
    ['routing_rules.1.when.bin_prefix', when({ bin_prefix: '41111111' })],
    ['routing_rules.1.when.bin_prefix', when({ bin_prefix: '4', payment_method: 'billet' })],
    ['routing_rules.1.when.installments_from', when({ installments_from: 25 })],
    ['checkout_frame_origins', { checkout_frame_origins: Array(11).fill('https://shop.example.com') }],
    ['checkout_frame_origins.0', { checkout_frame_origins: ['http://shop.example.com'] }],
    ['checkout_frame_origins.1', { checkout_frame_origins: ['https://a.example', 'https://b.example/'] }],
    ['checkout_frame_origins.0', { checkout_frame_origins: ['https://*.example.com'] }],
    ['checkout_frame_origins.0', { checkout_frame_origins: ["https://a;script-src'unsafe-inline'"] }],
    ['checkout_frame_origins.0', { checkout_frame_origins: ['*'] }],
    ['max_installments', { max_installments: 25 }],
    ['interest_rates', { interest: 'buyer' }],
    ['interest_rates.0.basis_points', { interest_rates: [{ installments: 2, basis_points: 1.5 }] }],
  ])('is rejected with an error on the field, and changes nothing: %s (%#)', async (field, body) => {
    const user = await registerUser(api);
    const request = { billet_due_days: 9, ...body };
    const { body: error } = expectStatus(await user.client('updateCompanyConfig', { body: request }), 422);
    expect(Object.keys(error.errors ?? {})).toEqual([field]);
    expect(await show(user.client)).toEqual(DEFAULTS);
    expect(await auditOf(user)).toEqual([]);
  });

  it('is rejected with all its errors at once', async () => {
    const { client } = await registerUser(api);
    const body = {
      timezone: 'Nowhere/Else',
      dunning_days: [3, 2],
      routing_rules: [{ name: 'none' }],
      checkout_frame_origins: ['shop.example.com'],
    };
    const { body: error } = expectStatus(await client('updateCompanyConfig', { body }), 422);
    expect(Object.keys(error.errors ?? {}).sort()).toEqual([
      'checkout_frame_origins.0',
      'dunning_days.1',
      'routing_rules.0.gateways',
      'timezone',
    ]);
  });
});

it('a routing rule accepts every card brand that a payment can have', () => {
  const { enum: brands } = resolvePointer('#/components/schemas/RoutedCardBrand') as { enum: string[] };
  const shortened: Record<string, string> = {
    'american-express': cardBrand('378282246310005'),
    'diners-club': cardBrand('30569309025904'),
  };
  const types = Object.values(creditCardType.types).map((type) => shortened[type] ?? type);
  expect([...brands].sort()).toEqual([...types, cardBrand('9999999999999995')].sort());
});
