import { UnrecognizedAnswerRepository } from '../../../src/persistence/gateways/unrecognized-answer-repository';
import { uniqueAmount } from '../../support/scenarios/pay';
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

describe('GET /user/gateways/{slug}/unrecognized', () => {
  type Company = Awaited<ReturnType<typeof registerCompanyWithUser>>;

  const unrecognizedOf = async ({ byToken }: Company) => {
    await api.engine.context.unrecognizedAnswers.settled();
    const answer = await byToken('listUnrecognized', { params: { slug: 'gateway_1' } });
    return expectStatus(answer, 200).body.data;
  };

  /** A sale whose charge is answered by a proxy's page; an inquiry then finds it. */
  const saleBehindPage = async ({ byKey }: Company) => {
    const amount = uniqueAmount();
    const script = { html: 502, body: 'html' } as const;
    await api.engine.simulator.script({ gateway: 'gateway_1', amount, operation: 'charge' }, script);
    return sale(byKey, { amount });
  };

  it('shows a company the answers to its payments that fit no known shape, counted by their shape and without their words', async () => {
    const company = await registerCompanyWithUser(api);
    await saleBehindPage(company);
    const { transaction_id: id } = await saleBehindPage(company);
    expect(await unrecognizedOf(company)).toEqual({
      answers: [
        {
          vendor: 'simulator',
          operation: 'charge',
          http_status: 502,
          content_type: 'text/html',
          shape: 'page: title (), text (* the gateway proxy failed)',
          fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
          count: 2,
          first_seen_at: expect.any(String),
          last_seen_at: expect.any(String),
          last_transaction_id: id,
        },
      ],
      callbacks: [],
    });
    const [gateway] = expectStatus(await company.byToken('listGateways'), 200).body.data;
    expect(gateway?.unrecognized).toMatchObject({
      answers: 2,
      callbacks: 0,
      last_seen_at: expect.any(String),
    });
    const other = await registerCompanyWithUser(api);
    expect(await unrecognizedOf(other)).toEqual({ answers: [], callbacks: [] });
  });

  it('an answer that cannot be kept delays and fails no payment', async () => {
    const company = await registerCompanyWithUser(api);
    const { db } = api.engine.context;
    await db.execute('ALTER TABLE unrecognized_answers RENAME TO missing', []);
    await saleBehindPage(company);
    await api.engine.context.unrecognizedAnswers.settled();
    await db.execute('ALTER TABLE missing RENAME TO unrecognized_answers', []);
    await saleBehindPage(company);
    expect((await unrecognizedOf(company)).answers).toMatchObject([{ count: 2 }]);
  });

  it('has the 50 shapes of a gateway that were seen last, and an answer that repeats an older one is kept', async () => {
    const company = await registerCompanyWithUser(api);
    const kept = new UnrecognizedAnswerRepository(api.engine.context.db);
    const seen = (number: number, second: number) => {
      const { companyId } = company;
      const call = {
        companyId,
        gateway: 'gateway_1',
        vendor: 'stripe',
        operation: 'inquiry',
        attemptId: null,
      } as const;
      const answer = { status: 200, contentType: null, shape: 'empty', fingerprint: String(number) };
      return kept.count({ ...call, ...answer, at: new Date(second * 1_000) }, 1);
    };
    for (let number = 1; number <= 50; number += 1) await seen(number, number);
    await seen(1, 51);
    await seen(51, 52);
    const { answers } = await unrecognizedOf(company);
    expect(answers).toHaveLength(50);
    expect(answers.slice(0, 2)).toMatchObject([{ fingerprint: '51' }, { fingerprint: '1', count: 2 }]);
    expect(answers.map(({ fingerprint }) => fingerprint)).not.toContain('2');
  });
});
