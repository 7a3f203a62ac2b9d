import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Request } from 'express';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import type { SignedIn } from '../../../src/domain/companies/user';
import { accessTokenStrategy } from '../../../src/http/auth/authentication';
import { AccessTokens, type AccessClaims } from '../../../src/security/access-tokens';

const SECRET = 'a secret of at least thirty-two characters';
const BASE_URL = 'https://payments.example.com';
const DAY_SECONDS = 86_400;
const NOW = new Date('2026-03-02T14:05:09.120Z');
const HOUR_MS = 3_600_000;
const CLAIMS = { userId: 12, companyId: 7, jti: randomUUID() };

const tokens = new AccessTokens([SECRET], BASE_URL);
/** What passport-jwt makes of a token at an instant: its claims, or null where it is refused. */
function verify(token: string, at: Date, accepted = tokens): Promise<AccessClaims | null> {
  jest.spyOn(Date, 'now').mockReturnValue(at.getTime());
  let claims: AccessClaims | null = null;
  const findSession = (found: AccessClaims): Promise<SignedIn> => {
    claims = found;
    return Promise.resolve({} as SignedIn);
  };
  return new Promise((resolve, reject) => {
    const strategy = Object.assign(
      accessTokenStrategy({ tokens: accepted, findSession }, () => token),
      { success: () => resolve(claims), fail: () => resolve(null), error: reject },
    );
    (strategy as { authenticate(req: Request): void }).authenticate({ headers: {} } as Request);
  });
}

afterAll(() => {
  jest.restoreAllMocks();
});

it('a token of an old secret is accepted beside the new one, which signs new tokens', async () => {
  const NEW_SECRET = 'another secret of at least thirty-two characters';
  const issue = (secrets: readonly [string, ...string[]]) =>
    new AccessTokens(secrets, BASE_URL).issue(CLAIMS, NOW, DAY_SECONDS).token;
  const verified = (accepted: AccessTokens, token: string) => verify(token, NOW, accepted);
  const both = new AccessTokens([NEW_SECRET, SECRET], BASE_URL);
  const [ofOld, ofNew] = [issue([SECRET, NEW_SECRET]), issue([NEW_SECRET, SECRET])];
  for (const token of [ofOld, ofNew]) expect(await verified(both, token)).toEqual(CLAIMS);
  expect(await verified(new AccessTokens([NEW_SECRET], BASE_URL), ofOld)).toBeNull();
  expect(await verified(new AccessTokens([SECRET], BASE_URL), ofNew)).toBeNull();
  expect(await verified(both, issue(['a third secret of at least thirty-two characters']))).toBeNull();
});

const later = (ms: number) => new Date(NOW.getTime() + ms);

const seconds = Math.floor(NOW.getTime() / 1_000);
const GOOD: JWTPayload = {
  sub: '12',
  company_id: 7,
  iss: BASE_URL,
  aud: `${BASE_URL}/api/v1`,
  iat: seconds,
  exp: seconds + 86_400,
  jti: CLAIMS.jti,
};

function signed(change: JWTPayload, header: object = {}, secret: string | Uint8Array = SECRET) {
  const payload = Object.fromEntries(
    Object.entries({ ...GOOD, ...change }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'access+jwt', ...header })
    .sign(typeof secret === 'string' ? Buffer.from(secret) : secret);
}

it('issues tokens with the user’s claims that are valid as long as they are issued for', async () => {
  const { token, expiresAt } = tokens.issue(CLAIMS, NOW, DAY_SECONDS);
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object);
  expect(header).toEqual({ alg: 'HS256', typ: 'access+jwt' });
  expect(payload).toEqual(GOOD);
  expect(expiresAt).toEqual(new Date('2026-03-03T14:05:09.000Z'));
  expect(await verify(token, later(24 * HOUR_MS - 1_000))).toEqual(CLAIMS);
  expect(await verify(token, later(24 * HOUR_MS))).toBeNull();
});

it('accepts the unchanged baseline token of the tests below', async () => {
  expect(await verify(await signed({}), NOW)).toEqual(CLAIMS);
});

it.each([
  ['another issuer', { iss: 'https://other.example.com' }],
  ['another audience', { aud: 'https://payments.example.com' }],
  ['a past expiry', { exp: seconds }],
  ['a not-before time in the future', { nbf: seconds + 60 }],
  ['no expiry', { exp: undefined }],
  ['no issuer', { iss: undefined }],
  ['no audience', { aud: undefined }],
  ['no issue time', { iat: undefined }],
  ['no id', { jti: undefined }],
  ['an id that is not a UUID', { jti: "' OR 1=1" }],
  ['no subject', { sub: undefined }],
  ['a subject that is not a number', { sub: 'admin' }],
  ['no company', { company_id: undefined }],
  ['a company that is not a number', { company_id: '7' }],
])('refuses %s', async (_, change) => {
  expect(await verify(await signed(change as JWTPayload), NOW)).toBeNull();
});

it.each([
  ['another type', { typ: 'JWT' }],
  ['no type', { typ: undefined }],
  ['another algorithm with the same key', { alg: 'HS512' }],
])('refuses %s', async (_, header) => {
  expect(await verify(await signed({}, header), NOW)).toBeNull();
});

it('refuses unsigned tokens and tokens signed with another key', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const byRsa = await new SignJWT(GOOD)
    .setProtectedHeader({ alg: 'RS256', typ: 'access+jwt' })
    .sign(privateKey);
  const [, payload = ''] = (await signed({})).split('.');
  const headers = ['none', 'None', 'NONE', 'nOnE', ''].map((alg) =>
    Buffer.from(JSON.stringify({ alg, typ: 'access+jwt' })).toString('base64url'),
  );
  const unsigned = headers.flatMap((header) => [`${header}.${payload}.`, `${header}.${payload}.AA`]);
  const attempts = [
    new UnsecuredJWT(GOOD).encode(),
    ...unsigned,
    byRsa,
    await signed({}, {}, 'another secret of at least 32 characters'),
    await signed({}, {}, ' '.repeat(42)),
  ];
  for (const attempt of attempts) expect(await verify(attempt, NOW)).toBeNull();
});

it('refuses a token of another deployment with the same secret', async () => {
  const { token } = new AccessTokens([SECRET], 'https://staging.example.com').issue(CLAIMS, NOW, DAY_SECONDS);
  expect(await verify(token, NOW)).toBeNull();
});

it('refuses a token that was changed anywhere, and anything that is none, without a throw', async () => {
  const { token } = tokens.issue(CLAIMS, NOW, DAY_SECONDS);
  const bits = Buffer.from(token);
  const changed = fc.tuple(fc.nat(bits.length - 1), fc.integer({ min: 1, max: 127 })).map(([at, flip]) => {
    const copy = Buffer.from(bits);
    copy[at] = (copy[at] ?? 0) ^ flip;
    return copy.toString();
  });
  const cut = fc.nat(token.length - 1).map((length) => token.slice(0, length));
  const grown = fc.string({ minLength: 1 }).map((more) => token + more);
  const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.base64String());
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, cut, grown, anyText), async (attempt) => {
      const claims = await verify(attempt, NOW);
      // The last characters of base64url have bits that mean nothing: such a text is the same token.
      if (claims !== null) expect(decoded(attempt)).toEqual(decoded(token));
    }),
    { numRuns: 2_000 },
  );
});

function decoded(token: string): Buffer[] {
  return token.split('.').map((part) => Buffer.from(part, 'base64url'));
}
