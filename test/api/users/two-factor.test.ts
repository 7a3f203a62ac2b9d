import { totpCode } from '../../../src/security/totp';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { joined, registerOwner } from './team-api';
import { PASSWORD, registerUser, tokenClient } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_FAILED_SIGN_INS_PER_ACCOUNT: '7' }, { workers: 'none' });
});
afterAll(() => api.stop());

const step = () => Math.floor(Date.now() / 30_000);
const logIn = (email: string, otp?: string) =>
  api.anonymous('logIn', { body: { email, password: PASSWORD, ...(otp !== undefined && { otp }) } });

/** Turns the second factor on with the code of the current step: that of the next one counts too, and is unused. */
async function enrol({ client }: { readonly client: ApiClient }) {
  const started = await client('startTwoFactor', { body: { password: PASSWORD } });
  const { secret } = expectStatus(started, 200).body.data;
  const confirmed = await client('confirmTwoFactor', { body: { otp: totpCode(secret, step()) } });
  return { secret, codes: expectStatus(confirmed, 200).body.data.recovery_codes };
}

describe('a second factor', () => {
  it('is needed at sign-in once it is confirmed, and each code works once', async () => {
    const maria = await registerOwner(api);
    const start = (password: string) => maria.client('startTwoFactor', { body: { password } });
    expectStatus(await start('a wrong password'), 422);
    const { secret, qr_code_svg: svg } = expectStatus(await start(PASSWORD), 200).body.data;
    expect(svg).toMatch(/^<svg /);
    expectStatus(await logIn(maria.email), 200);
    expectStatus(await maria.client('confirmTwoFactor', { body: { otp: '000000' } }), 422);
    const confirm = { body: { otp: totpCode(secret, step()) } };
    const { recovery_codes: codes } = expectStatus(await maria.client('confirmTwoFactor', confirm), 200).body
      .data;
    expect(new Set(codes).size).toBe(10);
    // More often than the limit of wrong passwords: being asked for a code is none.
    for (let index = 0; index < 8; index += 1) {
      expect(expectStatus(await logIn(maria.email), 401).body.code).toBe('otp_required');
    }
    expectStatus(await start(PASSWORD), 409);
    const otp = totpCode(secret, step() + 1);
    const answers = await Promise.all([logIn(maria.email, otp), logIn(maria.email, otp)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectStatus(await logIn(maria.email, confirm.body.otp), 401);
    const [row] = await api.engine.context.db.query<{ row: string }>(
      'SELECT to_jsonb(u)::text AS row FROM users u WHERE id = $1',
      [maria.registered.user.id],
    );
    expect(row?.row).not.toContain(secret);
  });

  it('can be replaced by each recovery code once, also concurrently, and new ones replace the earlier ones', async () => {
    const maria = await registerOwner(api);
    const { secret, codes } = await enrol(maria);
    const [first = '', second = ''] = codes;
    const answers = await Promise.all([logIn(maria.email, first.toLowerCase()), logIn(maria.email, first)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    const state = () => maria.client('getTwoFactor').then((answer) => expectStatus(answer, 200).body.data);
    expect(await state()).toEqual({
      enabled_at: expect.any(String),
      recovery_codes_left: 9,
      required: false,
    });
    const renew = { body: { otp: totpCode(secret, step() + 1) } };
    expectStatus(await maria.client('renewRecoveryCodes', renew), 200);
    expectStatus(await maria.client('renewRecoveryCodes', renew), 422);
    expectStatus(await logIn(maria.email, second), 401);
    expect((await state()).recovery_codes_left).toBe(10);
  });

  it('cannot be guessed: after five codes in 15 minutes even the right one is 429', async () => {
    const maria = await registerOwner(api);
    const { secret } = await enrol(maria);
    const guesses = await Promise.all(
      Array.from({ length: 7 }, (_, index) => logIn(maria.email, `12345${index}`)),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(2);
    expectStatus(await logIn(maria.email, totpCode(secret, step() + 1)), 429);
  });

  it('is not bypassed by a password reset, needs a verified address, and is turned off by a code only', async () => {
    const unverified = await registerUser(api);
    expectStatus(await unverified.client('startTwoFactor', { body: { password: PASSWORD } }), 409);
    const maria = await registerOwner(api);
    const { secret, codes } = await enrol(maria);
    expectStatus(await api.anonymous('forgotPassword', { body: { email: maria.email } }), 200);
    const [mail] = await mailsTo(api, maria.email);
    const token = /^[\w-]{43}$/m.exec(mail?.text ?? '')?.[0];
    const body = { token, password: PASSWORD, password_confirmation: PASSWORD };
    expectStatus(await api.anonymous('resetPassword', { body }), 200);
    expect(expectStatus(await logIn(maria.email), 401).body.code).toBe('otp_required');
    const signedIn = expectStatus(await logIn(maria.email, totpCode(secret, step() + 1)), 200).body;
    const client = tokenClient(api.baseUrl, signedIn.token);
    expectStatus(await client('disableTwoFactor', { body: { otp: '123456' } }), 422);
    expectStatus(await client('disableTwoFactor', { body: { otp: codes[0] ?? '' } }), 204);
    expectStatus(await logIn(maria.email), 200);
    const { data } = expectStatus(await client('listAuditLog'), 200).body;
    expect(data.map(({ action }) => action)).toEqual(['two_factor.disable', 'two_factor.enable']);
  });
});

describe('a company', () => {
  it('may require it: users without one can only enrol, and an owner resets that of a user who lost it', async () => {
    const maria = await registerOwner(api);
    const joao = await joined(api, maria, 'admin');
    const require = (client: ApiClient) =>
      client('updateCompanySecurity', { body: { require_two_factor: true } });
    expectStatus(await require(joao.client), 403);
    expectStatus(await require(maria.client), 409);
    await enrol(maria);
    expectStatus(await require(maria.client), 200);
    expect(expectStatus(await joao.client('listUserPlans'), 403).body.code).toBe('two_factor_required');
    expect(expectStatus(await joao.client('getMe'), 200).body.data.must_enrol_two_factor).toBe(true);
    await enrol(joao);
    expectStatus(await joao.client('listUserPlans'), 200);
    const params = { id: String(joao.id) };
    expectStatus(await joao.client('resetTwoFactor', { params }), 403);
    expectStatus(
      await maria.client('resetTwoFactor', { params: { id: String(maria.registered.user.id) } }),
      409,
    );
    expectStatus(await maria.client('resetTwoFactor', { params }), 204);
    expectStatus(await joao.client('getMe'), 401);
    expectStatus(await logIn(joao.email), 200);
  });
});
