import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser } from '../support/manual-resolution';
import { sale } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi();
});
afterAll(() => api.stop());

const save = (client: ApiClient, body: object, slug = 'gateway_1') =>
  client('saveUserGateway', { params: { slug }, body });

describe('PUT /user/gateways/{slug}/credentials', () => {
  it('connects a gateway, which then gets payments, and the audit log names the user without the values', async () => {
    const { byKey, byToken, user } = await registerCompanyWithUser(api, []);
    const body = { secret_key: 'sk_canary_1', client_id: 'loja' };
    const { data } = expectStatus(await save(byToken, body), 200).body;
    expect(data).toMatchObject({ configured: true, enabled: true, verified: true, client_id: 'loja' });
    expect((await sale(byKey)).transactions).toMatchObject([{ gateway: 'gateway_1', status: 'approved' }]);
    const log = expectStatus(await byToken('listAuditLog'), 200).body.data;
    expect(log).toMatchObject([
      { user: { email: user.email }, action: 'gateway.create', subject: { id: 'gateway_1' } },
    ]);
    expect(JSON.stringify([data, log])).not.toContain('sk_canary');
  });

  it('replaces the credentials, and the charges of the earlier ones stay operable', async () => {
    const { byKey, byToken } = await registerCompanyWithUser(api);
    const { transaction_id: id } = await sale(byKey);
    const { data } = expectStatus(await save(byToken, { secret_key: 'sk_other_account' }), 200).body;
    expect(data).toMatchObject({ order: 1, earlier_secrets: 1 });
    const refunded = expectStatus(await byToken('refundUserPayment', { params: { id } }), 200).body;
    expect(refunded.status).toBe('refunded');
  });

  it.each([
    ['a secret that the gateway rejects', { secret_key: 'sk_invalid_key' }, 'secret_key'],
    ['a missing secret', { client_id: 'loja' }, 'secret_key'],
    [
      'a value that the vendor does not know',
      { secret_key: 'sk', credentials: { pin: '1' } },
      'credentials.pin',
    ],
  ])('answers 422 to %s, by its field, and saves nothing', async (_, body, field) => {
    const { byToken } = await registerCompanyWithUser(api, []);
    const answer = expectStatus(await save(byToken, body), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    const [gateway] = expectStatus(await byToken('listGateways'), 200).body.data;
    expect(gateway).toMatchObject({ configured: false });
  });

  it.each(['gateway_6', 'gateway_9'])('answers 404 for %s, which takes no credentials', async (slug) => {
    const { byToken } = await registerCompanyWithUser(api);
    expectStatus(await save(byToken, { secret_key: 'sk' }, slug), 404);
  });

  it('changes only the gateway of the user’s company', async () => {
    const one = await registerCompanyWithUser(api);
    const other = await registerCompanyWithUser(api, []);
    expectStatus(await save(one.byToken, { secret_key: 'sk_other_account' }), 200);
    const [gateway] = expectStatus(await other.byToken('listGateways'), 200).body.data;
    expect(gateway).toMatchObject({ configured: false });
  });
});
