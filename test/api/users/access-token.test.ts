import { randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { AccessTokens } from '../../../src/security/access-tokens';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { expectError } from '../support/expect-error';
import { registerUser, type TestUser } from './user-api';

let api: EngineApi;
let user: TestUser;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
  user = await registerUser(api);
});
afterAll(() => api.stop());

const getMe = (authorization: string) =>
  fetch(`${api.baseUrl}/api/v1/user/me`, { headers: { authorization } });

/** The user’s claims with changes, signed with the service’s own secret or another one. */
function forged(
  change: JWTPayload,
  { secret = api.engine.config.secrets.jwtSecrets[0], alg = 'HS256', typ = 'access+jwt' } = {},
): Promise<string> {
  const claims = { ...decodeJwt(user.registered.token), ...change };
  return new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(Buffer.from(secret));
}

it('an access token is accepted as a Bearer token in any case of the scheme', async () => {
  const { token } = user.registered;
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`]) {
    expect((await getMe(authorization)).status).toBe(200);
  }
  expect((await getMe(`Bearer ${await forged({})}`)).status).toBe(200);
});

it('a token that this service did not issue gets the same 401 in every case', async () => {
  const { token } = user.registered;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const now = Math.floor(Date.now() / 1_000);
  const attempts = [
    new UnsecuredJWT(decodeJwt(token)).encode(),
    await forged({}, { alg: 'HS512' }),
    await forged({}, { typ: 'JWT' }),
    await forged({}, { secret: 'another secret of at least 32 characters' }),
    await forged({ iss: 'https://other.example.com' }),
    await forged({ aud: 'https://other.example.com' }),
    await forged({ iat: now - 90_000, exp: now - 1 }),
    `${header}.${Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: '999' })).toString('base64url')}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    'x',
  ];
  const bodies = await Promise.all(
    attempts.map(async (attempt) => {
      const { message, code } = await expectError(await getMe(`Bearer ${attempt}`), 'unauthenticated');
      return { message, code };
    }),
  );
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  for (const authorization of [token, `Basic ${token}`, `Bearer ${token} ${token}`, 'Bearer', '']) {
    await expectError(await getMe(authorization), 'unauthenticated');
  }
});

it('a correctly signed token is rejected without its session, for another user and for another company', async () => {
  const other = await registerUser(api);
  const { sub, company_id } = decodeJwt(other.registered.token);
  for (const change of [{ jti: randomUUID() }, { sub: String(sub) }, { company_id }]) {
    await expectError(await getMe(`Bearer ${await forged(change)}`), 'unauthenticated');
  }
});

it('a token is rejected by another deployment with the same secret', async () => {
  const { jwtSecrets } = api.engine.config.secrets;
  const elsewhere = new AccessTokens(jwtSecrets, 'https://staging.example.com');
  const { jti = '', sub, company_id } = decodeJwt(user.registered.token);
  const claims = { jti, userId: Number(sub), companyId: Number(company_id) };
  const { token } = elsewhere.issue(claims, new Date(), 60);
  await expectError(await getMe(`Bearer ${token}`), 'unauthenticated');
});
