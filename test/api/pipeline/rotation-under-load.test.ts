import { randomBytes, randomUUID } from 'node:crypto';
import { createAppContext } from '../../../src/composition/app-context';
import { addEndpoint, verifyWebhook } from '../../support/fixtures/webhooks';
import { ledgerOf } from '../../support/scenarios/pay';
import { underLoad } from '../../support/scenarios/under-load';
import { testConfig } from '../../support/stack/test-config';
import { waitFor } from '../../support/stack/wait-for';
import { startWebhookReceiver } from '../../support/stack/webhook-receiver';
import { apiClient, expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { authorization, sale, to } from '../support/payment-scenario';
import { serve } from '../support/serve';
import { callbackBody, signed } from '../callbacks/callback-api';
import { registerUser, signIn, tokenClient } from '../users/user-api';

/** An API process of a rolling deploy: a server with settings of its own, on the database that all share. */
type Api = Pick<EngineApi, 'anonymous' | 'baseUrl'>;

let api: EngineApi;
const ends: Array<() => Promise<unknown>> = [];
beforeAll(async () => {
  api = await startEngineApi();
});
afterAll(async () => {
  for (const end of ends) await end();
  await api.stop();
});

async function apiWith(settings: Record<string, string>): Promise<Api> {
  const { temporal, databaseUrl } = api.engine.config;
  const shared = { TEMPORAL_TASK_QUEUE: temporal.taskQueue, DATABASE_POOL: '3' };
  const config = testConfig({ ...shared, ...settings }, databaseUrl);
  const context = createAppContext(config);
  const { baseUrl, close } = await serve({ config, context });
  ends.push(async () => {
    await close();
    await Promise.all([context.db.close(), context.temporal.connection.close()]);
  });
  return { baseUrl, anonymous: apiClient(baseUrl) };
}

/** The processes of each step of docs/key-rotation.md: before it, accepting the new secret, using it, without the old one. */
async function apisOfSteps(setting: string) {
  const [old, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const lists = [old, `${old},${next}`, `${next},${old}`, next];
  const [before, accepting, using, after] = await Promise.all(
    lists.map((list) => apiWith({ [setting]: list })),
  );
  if (!before || !accepting || !using || !after) throw new Error('a process is missing');
  return { old, next, before, accepting, using, after };
}

describe('JWT_SECRET', () => {
  it('is replaced while users sign in: their sessions go on through both deploys, and end with the secret that made them', async () => {
    const { before, accepting, using, after } = await apisOfSteps('JWT_SECRET');
    const user = await registerUser(before);
    const statusAt = async (one: Api, token: string) =>
      (await tokenClient(one.baseUrl, token)('getMe')).status;

    /** Both processes serve at once: each accepts the tokens of the other, and all earlier ones. */
    const deploy = async (replaced: Api, replacing: Api, earlier: readonly string[]) => {
      const both = [replaced, replacing];
      const signedIn = await Promise.all(
        [...both, ...both].map(async (one) => (await signIn(one, user)).token),
      );
      const tokens = [...earlier, ...signedIn];
      const answers = tokens.flatMap((token) => both.map((one) => statusAt(one, token)));
      expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
      return tokens;
    };

    const early = await deploy(before, accepting, [user.registered.token]);
    const late = (await deploy(accepting, using, early)).slice(early.length);
    // Signed by `accepting` and `using` in turn.
    expect(await Promise.all(late.map((token) => statusAt(after, token)))).toEqual([401, 200, 401, 200]);
    expect(await Promise.all(early.map((token) => statusAt(after, token)))).toEqual(early.map(() => 401));
    expect(await statusAt(after, (await signIn(after, user)).token)).toBe(200);
    expectStatus(await tokenClient(using.baseUrl, late[1] ?? '')('logOut'), 204);
    expect(await statusAt(after, late[1] ?? '')).toBe(401);
  });
});

describe('API_KEY_PEPPER', () => {
  it('is replaced under load: API keys work through both deploys, and afterwards if they were used meanwhile', async () => {
    const { old, next, before, accepting, using, after } = await apisOfSteps('API_KEY_PEPPER');
    const [busy, idle] = [await registerCompanyWithUser(before), await registerCompanyWithUser(before)];
    const statusAt = async (one: Api, { keys }: CompanyWithUser) =>
      (await apiClient(one.baseUrl, keys)('listCustomers')).status;
    const deploy = async (both: readonly Api[]) => {
      const answers = await underLoad(
        () => Promise.all(both.map((one) => statusAt(one, busy))),
        (nextRound) => nextRound(),
      );
      expect(new Set(answers.flat())).toEqual(new Set([200]));
    };
    await deploy([before, accepting]);
    await deploy([accepting, using]);
    // As `using` a minute later: the key gets a hash of the new pepper.
    expect(await statusAt(await apiWith({ API_KEY_PEPPER: `${next},${old}` }), busy)).toBe(200);
    await waitFor(async () => (await statusAt(after, busy)) === 200);
    expect(await statusAt(after, idle)).toBe(401);
  });
});

describe('an API key', () => {
  it('is replaced under load by a second one: requests with either work until the first is revoked', async () => {
    const { byToken, keys } = await registerCompanyWithUser(api);
    let current = keys;
    const create = async () => {
      const created = await byToken('createApiKey', { body: { name: 'Second' } });
      return { ...keys, 'X-API-Key': expectStatus(created, 201).body.data.api_key };
    };
    const used = await underLoad(
      async () => {
        const key = current;
        return { key, payment: await sale(apiClient(api.baseUrl, key)) };
      },
      async (nextRound) => {
        await nextRound();
        current = await create();
        // Requests that began with the first key end with it.
        await nextRound();
        const { data } = expectStatus(await byToken('listApiKeys'), 200).body;
        const params = { id: String(data.at(-1)?.id) };
        expectStatus(await byToken('revokeApiKey', { params }), 204);
        await nextRound();
      },
    );
    expect(new Set(used.map(({ key }) => key))).toEqual(new Set([keys, current]));
    expectStatus(await apiClient(api.baseUrl, keys)('listPayments'), 401);
  });
});

describe('GATEWAY_1_WEBHOOK_SECRET', () => {
  it('is replaced in one deploy: callbacks of the old and the new secret are accepted until the old one is removed', async () => {
    const { old, next, using, after } = await apisOfSteps('GATEWAY_1_WEBHOOK_SECRET');
    const company = await registerCompanyWithUser(api);
    const { transaction_id: id } = await sale(company.byKey);
    const deliver = async (to: Api, secret: string) => {
      const body = callbackBody(`${id}-1`);
      const request = { params: { gateway: 'gateway_1' }, body, headers: signed(body, secret) };
      return (await to.anonymous('receiveCallback', request)).status;
    };
    const both = await underLoad(
      async () => [await deliver(using, old), await deliver(using, next)],
      (nextRound) => nextRound(),
    );
    expect(new Set(both.flat())).toEqual(new Set([200]));
    expect([await deliver(after, old), await deliver(after, next)]).toEqual([401, 200]);
  });
});

describe('the secret of a webhook endpoint', () => {
  it('is rotated twice under load: every delivery verifies with the secret that the receiver has, from the first to the newest', async () => {
    const receiver = await startWebhookReceiver();
    ends.push(() => Promise.resolve(receiver.close()));
    const company = await registerCompanyWithUser(api);
    const endpoint = await addEndpoint(api.engine, { id: company.companyId }, receiver.url, [
      'transaction.approved',
    ]);
    const secrets = [endpoint.secret];
    const rotate = async () => {
      const rotated = await company.byToken('rotateWebhookSecret', { params: { id: String(endpoint.id) } });
      secrets.push(expectStatus(rotated, 200).body.secret);
    };
    const made = await underLoad(
      async () => {
        const known = [...secrets];
        return { known, id: (await sale(company.byKey)).transaction_id };
      },
      async (nextRound) => {
        for (let rotations = 0; rotations < 2; rotations += 1) {
          await nextRound();
          await rotate();
        }
        await nextRound();
      },
    );
    const isDelivered = (id: string) => receiver.events().some((event) => event.transaction_id === id);
    await waitFor(() => made.every(({ id }) => isDelivered(id)), { withinMs: 30_000 });
    for (const received of receiver.received) {
      const { transaction_id: id } = JSON.parse(received.body) as { transaction_id: string };
      const { known = [] } = made.find((payment) => payment.id === id) ?? {};
      expect(known).not.toEqual([]);
      for (const secret of known) verifyWebhook(received, secret);
    }
    expect(new Set(made.map(({ known }) => known.length))).toEqual(new Set([1, 2, 3]));
  });
});

describe('a company’s gateway secret', () => {
  it('of the same account is replaced under load: charges, captures and refunds go on, also once the gateway has revoked the old one', async () => {
    const company = await registerCompanyWithUser(api, []);
    // Every database numbers its companies from 1, and all tests share the simulator.
    const shopName = randomUUID();
    const [account, oldKey, newKey] = [`account_${shopName}`, `sk_old_${shopName}`, `sk_new_${shopName}`];
    const { simulator } = api.engine;
    await Promise.all([oldKey, newKey].map((key) => simulator.setUpAccount(key, { account })));
    await save(company, { secret_key: oldKey });
    const payments = await underLoad(
      () => chargeCaptureAndRefund(company),
      async (nextRound) => {
        await nextRound();
        await save(company, { secret_key: newKey, same_account: true });
        // Charges that began with the old secret end with it.
        await nextRound();
        await simulator.setUpAccount(oldKey, { account, revoked: true });
        await nextRound();
      },
    );
    for (const payment of payments)
      expect(await ledgerOf(api.engine, payment)).toMatchObject({
        captured: payment.amount,
        refunded: payment.amount,
        held: 0,
      });
    const { data } = expectStatus(await company.byToken('listGateways'), 200).body;
    expect(data[0]).toMatchObject({ verified: true });
  });

  async function save({ byKey }: CompanyWithUser, item: object): Promise<void> {
    const gateways = [{ gateway_slug: 'gateway_1', ...item }];
    expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  }

  /** Each request begins while the secrets may just be changing. */
  async function chargeCaptureAndRefund({ byKey }: CompanyWithUser) {
    const headers = { 'Idempotency-Key': randomUUID() };
    const authorized = await authorization(byKey);
    expect(expectStatus(await byKey('capturePayment', to(authorized, { headers })), 200).body.status).toBe(
      'approved',
    );
    const refunded = await byKey('refundPayment', to(authorized));
    expect(expectStatus(refunded, 200).body.status).toBe('refunded');
    return authorized;
  }
});
