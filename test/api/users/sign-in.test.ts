import { randomUUID } from 'node:crypto';
import type * as Argon2 from '@node-rs/argon2';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { serve } from '../support/serve';
import { PASSWORD, registerUser, signIn, tokenClient } from './user-api';

const argon2 = jest.requireActual<Pick<typeof Argon2, 'verify'>>('@node-rs/argon2');
const verify = jest.spyOn(argon2, 'verify');
afterAll(() => verify.mockRestore());

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_FAILED_SIGN_INS_PER_ACCOUNT: '5' }, { workers: 'none' });
});
afterAll(() => api.stop());

describe('POST /auth/login', () => {
  it('answers 200 with a new token and without an API key', async () => {
    const user = await registerUser(api);
    const answer = await api.anonymous('logIn', { body: { email: user.email, password: PASSWORD } });
    const { body } = expectStatus(answer, 200);
    const { name, client_id } = user.registered.company;
    expect(body).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_at: expect.any(String),
      user: user.registered.user,
      company: { name, client_id, mode: 'test' },
    });
    expect(body.token).not.toBe(user.registered.token);
    expectStatus(await tokenClient(api.baseUrl, body.token)('getMe'), 200);
  });

  it('accepts the email in any case', async () => {
    const { email } = await registerUser(api);
    const body = { email: email.toUpperCase(), password: PASSWORD };
    expectStatus(await api.anonymous('logIn', { body }), 200);
  });

  it('gives the same 401 for a wrong password and an unknown email, after one hash of the same cost', async () => {
    const { email } = await registerUser(api);
    const attempts = [
      { email, password: `${PASSWORD}!` },
      { email: `nobody-${randomUUID()}@example.com`, password: PASSWORD },
    ];
    const seen: unknown[] = [];
    for (const body of attempts) {
      verify.mockClear();
      const { message, code } = expectStatus(await api.anonymous('logIn', { body }), 401).body;
      const costs = verify.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4));
      seen.push({ message, code, costs });
    }
    expect(seen[0]).toEqual({
      message: expect.any(String),
      code: 'unauthenticated',
      costs: [['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']],
    });
    expect(seen[1]).toEqual(seen[0]);
  });

  it.each([
    ['email', { password: PASSWORD }],
    ['password', { email: 'maria@example.com' }],
    ['password', { email: 'maria@example.com', password: 'x'.repeat(129) }],
  ])('answers 422 on %s', async (field, body) => {
    const answer = expectStatus(await api.anonymous('logIn', { body }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
  });

  it('opens no session if the password changes during the check', async () => {
    const user = await registerUser(api);
    const { db } = api.engine.context;
    verify.mockImplementationOnce(async () => {
      await db.query(`UPDATE users SET password_hash = 'another' WHERE id = $1`, [user.registered.user.id]);
      return true;
    });
    const body = { email: user.email, password: PASSWORD };
    expectStatus(await api.anonymous('logIn', { body }), 401);
  });
});

describe('a stranger who guesses the password of an account', () => {
  const deviceIn = ({ headers }: { readonly headers: Headers }) =>
    headers
      .getSetCookie()
      .find((text) => text.startsWith('device='))
      ?.split(';')[0] ?? '';

  it('does not keep its user from signing in where the user has signed in before, or has reset the password', async () => {
    const { email } = await registerUser(api);
    const attempt = (password: string, cookie = '') =>
      api.anonymous('logIn', { body: { email, password }, headers: { cookie } });
    const device = deviceIn(expectStatus(await attempt(PASSWORD), 200));
    for (let times = 0; times < 5; times += 1) expectStatus(await attempt('a guess'), 401);
    expectStatus(await attempt(PASSWORD), 429);
    expectStatus(await attempt(PASSWORD, device), 200);

    expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200);
    const [mail] = ((await api.engine.context.readOutbox?.()) ?? []).filter(({ to }) => to === email);
    const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0];
    const password = 'the new battery staple';
    const body = { token, password, password_confirmation: password };
    const another = deviceIn(expectStatus(await api.anonymous('resetPassword', { body }), 200));
    expectStatus(await attempt(password), 429);
    expectStatus(await attempt(password, another), 200);
  });
});

describe('POST /auth/logout', () => {
  it('answers 204 and revokes this token immediately in every process, but no other token', async () => {
    const user = await registerUser(api);
    const { client } = await signIn(api, user);
    const another = await serve(api.engine);
    const elsewhere = tokenClient(another.baseUrl, user.registered.token);
    expectStatus(await elsewhere('getMe'), 200);
    expectStatus(await user.client('logOut'), 204);
    expectStatus(await user.client('getMe'), 401);
    expectStatus(await elsewhere('getMe'), 401);
    expectStatus(await user.client('logOut'), 401);
    expectStatus(await client('getMe'), 200);
    await another.close();
  });

  it('answers 401 without a token', async () => {
    expectStatus(await api.anonymous('logOut'), 401);
  });
});
