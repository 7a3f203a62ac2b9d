import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { childEnv } from '../../../src/config';
import { projectRoot } from '../../../src/paths';
import { totpCode } from '../../../src/security/totp';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { mailsTo } from '../support/outbox';
import { registerOwner } from './team-api';
import { PASSWORD, signIn } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** `npm run users` on the service's database, from the sources. */
function users(args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> {
  const { databaseUrl = '', temporal } = api.engine.config;
  const env = childEnv({
    SANDBOX: 'true',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address ?? '',
    ...settings,
  });
  const program = ['--import', require.resolve('tsx'), join(projectRoot, 'src', 'users.ts')];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...program, ...args],
      { env, cwd: projectRoot },
      (_, out, error) => resolve({ code: child.exitCode ?? -1, output: out + error }),
    );
  });
}

const reset = (email: string, settings?: Record<string, string>) =>
  users(['reset-second-factor', email], settings);

/** An owner with a second factor. */
async function enrolledOwner() {
  const owner = await registerOwner(api);
  const started = await owner.client('startTwoFactor', { body: { password: PASSWORD } });
  const { secret } = expectStatus(started, 200).body.data;
  const otp = totpCode(secret, Math.floor(Date.now() / 30_000));
  expectStatus(await owner.client('confirmTwoFactor', { body: { otp } }), 200);
  return owner;
}

describe('a sole owner who lost the second factor and all recovery codes', () => {
  it('signs in with the password again after the operator turned it off, which ends all sessions, is mailed and audited', async () => {
    const maria = await enrolledOwner();
    const body = { email: maria.email, password: PASSWORD };
    expectStatus(await api.anonymous('logIn', { body }), 401);
    expect(await reset(maria.email.toUpperCase())).toMatchObject({ code: 0 });
    expectStatus(await maria.client('getMe'), 401);
    const { client } = await signIn(api, maria);
    const { data } = expectStatus(await client('listAuditLog'), 200).body;
    expect(data[0]).toMatchObject({
      user: null,
      request_id: null,
      action: 'two_factor.reset',
      subject: { type: 'member', id: String(maria.registered.user.id) },
      changes: { email: maria.email },
    });
    const [mail] = await mailsTo(api, maria.email);
    expect(mail?.text).toContain('The operator of this payments service turned off your second factor.');
    const state = expectStatus(await client('getTwoFactor'), 200).body.data;
    expect(state).toMatchObject({ enabled_at: null, recovery_codes_left: 0 });
  });

  it('has to enrol again before anything else where the company requires a second factor', async () => {
    const maria = await enrolledOwner();
    expectStatus(await maria.client('updateCompanySecurity', { body: { require_two_factor: true } }), 200);
    expect(await reset(maria.email)).toMatchObject({ code: 0 });
    const { client } = await signIn(api, maria);
    expect(expectStatus(await client('listUserPlans'), 403).body.code).toBe('two_factor_required');
    expectStatus(await client('startTwoFactor', { body: { password: PASSWORD } }), 200);
  });

  it('is reset also if no mail can be sent, which the operator is told', async () => {
    const maria = await enrolledOwner();
    const ended = await reset(maria.email, { SMTP_URL: 'smtp://127.0.0.1:9' });
    expect(ended).toEqual({ code: 1, output: expect.stringContaining('was not told by mail') });
    await signIn(api, maria);
  });
});

it('nothing is changed for an unknown address, without a second factor, or without arguments', async () => {
  const maria = await registerOwner(api);
  const [unknown, off, without] = await Promise.all([
    reset('nobody@example.com'),
    reset(maria.email),
    users(['reset-second-factor']),
  ]);
  expect(unknown).toEqual({ code: 1, output: 'No user has this email address.\n' });
  expect(off).toEqual({ code: 1, output: 'The second factor is off.\n' });
  expect(without).toEqual({ code: 1, output: 'usage: npm run users -- reset-second-factor EMAIL\n' });
  expectStatus(await maria.client('getMe'), 200);
});
