import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { expectError } from '../support/expect-error';
import { EncryptionCodec } from '../../../src/temporal/codec';
import { registerUser, registration, signIn, type TestUser } from './user-api';

const SUPPORT_EMAIL = registration().email;
const UI = 'http://temporal.example.com';
const HISTORY = { metadata: {}, data: Buffer.from('the payment was approved') };

let api: EngineApi;
let support: TestUser;
beforeAll(async () => {
  api = await startEngineApi(
    {
      CODEC_OPEN_ON_LOOPBACK: 'false',
      CODEC_ALLOWED_ORIGINS: UI,
      SUPPORT_EMAILS: `someone@example.com, ${SUPPORT_EMAIL.toUpperCase()}`,
    },
    { workers: 'none' },
  );
  support = await registerUser(api, { email: SUPPORT_EMAIL });
});
afterAll(() => api.stop());

async function decode(headers: Record<string, string>): Promise<Response> {
  const context = { type: 'workflow', namespace: 'default', workflowId: 'payment/1' } as const;
  const payloads = await new EncryptionCodec(api.engine.config.secrets.codecKeys).encode([HISTORY], context);
  const wire = payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
    data: Buffer.from(data ?? []).toString('base64'),
  }));
  return fetch(`${api.baseUrl}/_temporal/codec/decode`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: UI, ...headers },
    body: JSON.stringify({ payloads: wire }),
  });
}

async function decoded(response: Response): Promise<string> {
  expect(response.status).toBe(200);
  const { payloads } = (await response.json()) as { payloads: Array<{ data: string }> };
  return Buffer.from(payloads[0]?.data ?? '', 'base64').toString();
}

/** A session of support staff with a verified email. */
let session: { readonly cookie: string } | undefined;
async function supportSession(): Promise<{ readonly cookie: string }> {
  if (session === undefined) {
    await verifyEmail(support);
    session = await signIn(api, support);
  }
  return session;
}

/** Sets the same password again with a mailed token, which verifies the address. */
async function verifyEmail({ email }: TestUser): Promise<void> {
  expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200);
  const [mail] = await mailsTo(api, email);
  const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0];
  const { password, password_confirmation } = registration();
  expectStatus(
    await api.anonymous('resetPassword', { body: { token, password, password_confirmation } }),
    200,
  );
}

describe('the codec endpoint outside a local sandbox', () => {
  it('answers 401 without a session cookie, even with an access token in the header', async () => {
    await expectError(await decode({}), 'unauthenticated');
    await expectError(await decode({ Cookie: 'session=wrong' }), 'unauthenticated');
    const authorization = `Bearer ${support.registered.token}`;
    await expectError(await decode({ Authorization: authorization }), 'unauthenticated');
  });

  it('answers 404 to a user who is not support staff', async () => {
    const { cookie } = await signIn(api, await registerUser(api));
    await expectError(await decode({ Cookie: cookie }), 'not_found');
  });

  it('is open to support staff with a verified email until they sign out', async () => {
    const unverified = await signIn(api, support);
    await expectError(await decode({ Cookie: unverified.cookie }), 'not_found');
    await verifyEmail(support);
    await expectError(await decode({ Cookie: unverified.cookie }), 'unauthenticated');
    const { cookie, client } = await signIn(api, support);
    expect(await decoded(await decode({ Cookie: cookie }))).toBe('the payment was approved');
    expectStatus(await client('logOut'), 204);
    await expectError(await decode({ Cookie: cookie }), 'unauthenticated');
  });

  it('answers 404 to support staff without the second factor that their company requires', async () => {
    const { cookie } = await supportSession();
    const { db } = api.engine.context;
    const require = `UPDATE companies SET require_two_factor = $1 WHERE id = $2`;
    const { company_id } = support.registered.user;
    await db.query(require, [true, company_id]);
    await expectError(await decode({ Cookie: cookie }), 'not_found');
    await db.query(require, [false, company_id]);
    expect(await decoded(await decode({ Cookie: cookie }))).toBe('the payment was approved');
  });

  it.each<[string, string]>([
    ['is no JSON', '{'],
    ['is no object', '[]'],
    ['has no payloads', '{}'],
    ['has payloads that are no list', '{"payloads":"x"}'],
    ['has a payload that is no object', '{"payloads":[null]}'],
    ['has metadata that is no base64', '{"payloads":[{"metadata":{"encoding":7}}]}'],
    [
      'has a payload of an unknown key',
      JSON.stringify({
        payloads: [{ metadata: { encoding: btoa('binary/encrypted') }, data: btoa('x'.repeat(60)) }],
      }),
    ],
    [
      'has a payload that is too short',
      JSON.stringify({ payloads: [{ metadata: { encoding: btoa('binary/encrypted') }, data: '' }] }),
    ],
  ])('answers 400 if the body %s', async (_, body) => {
    const { cookie } = await supportSession();
    const headers = { 'Content-Type': 'application/json', Origin: UI, Cookie: cookie };
    const answer = await fetch(`${api.baseUrl}/_temporal/codec/decode`, { method: 'POST', headers, body });
    await expectError(answer, 'malformed_request');
  });

  it('shows payloads that are not encrypted as they are, and encrypts nothing for anybody', async () => {
    const { cookie } = await supportSession();
    const headers = { 'Content-Type': 'application/json', Origin: UI, Cookie: cookie };
    const body = JSON.stringify({ payloads: [{ metadata: {}, data: btoa('plain') }] });
    const ask = (path: string) =>
      fetch(`${api.baseUrl}/_temporal/codec/${path}`, { method: 'POST', headers, body });
    expect(await decoded(await ask('decode'))).toBe('plain');
    await expectError(await ask('encode'), 'not_found');
  });

  it('lets only pages of the Temporal UI read its responses, with credentials', async () => {
    const preflight = await fetch(`${api.baseUrl}/_temporal/codec/decode`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(UI);
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
  });
});
