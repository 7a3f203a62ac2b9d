import { randomUUID } from 'node:crypto';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { waitFor } from '../../support/stack/wait-for';
import { waitingForLocks } from '../../support/stack/waiting-for-locks';
import { PASSWORD, registerUser, signIn, type TestUser } from './user-api';

const NEW_PASSWORD = 'a new horse battery';

/** The module itself, not the copy that an import makes. */
const argon2 = jest.requireActual<{ hash: (password: string) => Promise<string> }>('@node-rs/argon2');

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

async function ask(email: string): Promise<unknown> {
  return expectStatus(await api.anonymous('forgotPassword', { body: { email } }), 200).body;
}

/** Requests a reset and reads the token from the mail. */
async function resetToken({ email }: TestUser): Promise<string> {
  await ask(email);
  const [newest] = await mailsTo(api, email);
  return /^[\w-]{43}$/m.exec(newest?.text ?? '')?.[0] ?? 'no token was mailed';
}

function reset(token: string, change: object = {}) {
  const body = { token, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD, ...change };
  return api.anonymous('resetPassword', { body });
}

const logIn = (email: string, password: string) => api.anonymous('logIn', { body: { email, password } });

describe('POST /auth/forgot-password', () => {
  it('mails a token to the registered address, in whatever case the email is sent', async () => {
    const { email } = await registerUser(api);
    await ask(email.toUpperCase());
    expect(await mailsTo(api, email)).toEqual([
      expect.objectContaining({ subject: 'Your password reset token', text: expect.any(String) }),
    ]);
  });

  it('gives the same answer after the same statements, whether or not a user has the email', async () => {
    const { email } = await registerUser(api);
    const unknown = `nobody-${randomUUID()}@example.com`;
    const { db } = api.engine.context;
    const statements = jest.spyOn(db, 'queryOne');
    const seen: unknown[] = [];
    for (const requested of [email, unknown]) {
      statements.mockClear();
      seen.push([await ask(requested), statements.mock.calls.map(([sql]) => sql)]);
    }
    statements.mockRestore();
    expect(seen[0]).toEqual(seen[1]);
    expect(seen[0]).toEqual([{ message: expect.any(String) }, [expect.stringContaining('password_resets')]]);
    expect([await mailsTo(api, email), await mailsTo(api, unknown)]).toEqual([[expect.anything()], []]);
  });

  it('sends a user at most three mails until the first token expires, also for concurrent requests', async () => {
    const { email } = await registerUser(api);
    const { db } = api.engine.context;
    const { asked } = await db.inTransaction(async (tx) => {
      await db.query('SELECT 1 FROM users WHERE email = $1 FOR UPDATE', [email], tx);
      const requests = Array.from({ length: 4 }, () => ask(email));
      await waitFor(async () => (await waitingForLocks(db)) === 4);
      return { asked: Promise.all(requests) };
    });
    await asked;
    await ask(email);
    expect(await mailsTo(api, email)).toHaveLength(3);
    await db.query(
      `UPDATE password_resets SET expires_at = now() - interval '1 second' WHERE token_hash =
         (SELECT token_hash FROM password_resets JOIN users u ON u.id = user_id WHERE email = $1 LIMIT 1)`,
      [email],
    );
    await ask(email);
    expect(await mailsTo(api, email)).toHaveLength(4);
  });

  it('stores only the token’s hash', async () => {
    const token = await resetToken(await registerUser(api));
    const rows = await api.engine.context.db.query('SELECT to_jsonb(r)::text AS row FROM password_resets r');
    expect(token).toHaveLength(43);
    expect(rows).not.toHaveLength(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('answers 422 on email for an invalid email', async () => {
    const answer = expectStatus(await api.anonymous('forgotPassword', { body: { email: 'nobody' } }), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual(['email']);
  });
});

describe('POST /auth/reset-password', () => {
  it('sets the password and revokes every token of this user only', async () => {
    const [user, other] = [await registerUser(api), await registerUser(api)];
    const { client } = await signIn(api, user);
    expectStatus(await reset(await resetToken(user)), 200);
    expectStatus(await user.client('getMe'), 401);
    expectStatus(await client('getMe'), 401);
    expectStatus(await other.client('getMe'), 200);
    expectStatus(await logIn(user.email, PASSWORD), 401);
    await expect(signIn(api, user, NEW_PASSWORD)).resolves.toBeDefined();
  });

  it('accepts a token once, even if it is used twice concurrently', async () => {
    const token = await resetToken(await registerUser(api));
    const answers = await Promise.all([reset(token), reset(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    const { body } = expectStatus(await reset(token), 422);
    expect(body).toMatchObject({ code: 'validation_error', errors: { token: [expect.any(String)] } });
  });

  it('invalidates the user’s other reset tokens', async () => {
    const user = await registerUser(api);
    const [first, second] = [await resetToken(user), await resetToken(user)];
    expectStatus(await reset(second), 200);
    expectStatus(await reset(first), 422);
  });

  it('rejects a token after 30 minutes', async () => {
    const [late, intime] = [await registerUser(api), await registerUser(api)];
    const tokens = [await resetToken(late), await resetToken(intime)] as const;
    const age = (email: string, minutes: number) =>
      api.engine.context.db.query(
        `UPDATE password_resets r SET expires_at = expires_at - $2 * interval '1 minute'
           FROM users u WHERE u.id = r.user_id AND u.email = $1`,
        [email, minutes],
      );
    await Promise.all([age(late.email, 30), age(intime.email, 29)]);
    expectStatus(await reset(tokens[0]), 422);
    expectStatus(await logIn(late.email, PASSWORD), 200);
    expectStatus(await reset(tokens[1]), 200);
  });

  it('does not hash a password for somebody without a valid token, because that takes much work', async () => {
    const hashed = jest.spyOn(argon2, 'hash');
    expectStatus(await reset('x'.repeat(43)), 422);
    expect(hashed).not.toHaveBeenCalled();
    expectStatus(await reset(await resetToken(await registerUser(api))), 200);
    expect(hashed).toHaveBeenCalled();
    hashed.mockRestore();
  });

  it.each([
    ['token', { token: undefined }],
    ['token', { token: 'x'.repeat(43) }],
    ['password', { password: '1234567', password_confirmation: '1234567' }],
    ['password_confirmation', { password_confirmation: 'another' }],
  ])('answers 422 on %s for %j, and keeps the token valid', async (field, change) => {
    const token = await resetToken(await registerUser(api));
    const answer = expectStatus(await reset(token, change), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    expectStatus(await reset(token), 200);
  });
});

describe('GET /_sandbox/outbox', () => {
  it('lists the newest mail first, and answers only GET', async () => {
    const user = await registerUser(api);
    const [first, second] = [await resetToken(user), await resetToken(user)];
    const texts = (await mailsTo(api, user.email)).map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining(second), expect.stringContaining(first)]);
    const post = await fetch(`${api.baseUrl}/_sandbox/outbox`, { method: 'POST' });
    expect(post.status).toBe(405);
  });
});
