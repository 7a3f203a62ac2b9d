import {
  matchingStep,
  newRecoveryCode,
  newTotpSecret,
  normalizedRecoveryCode,
  totpCode,
  totpUri,
} from '../../../src/security/totp';

/** RFC 6238, appendix B: the ASCII text 12345678901234567890. Its codes have 8 digits, ours the last 6 of them. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('codes are those of RFC 6238 at %i seconds', (seconds, code) => {
  expect(totpCode(SECRET, Math.floor(seconds / 30))).toBe(code);
});

it('a code counts in its own step and the one before and after it, and names its step', () => {
  const at = (step: number) => new Date(step * 30_000);
  const code = totpCode(SECRET, 100);
  const found = [98, 99, 100, 101, 102].map((step) => matchingStep(SECRET, code, at(step)));
  expect(found).toEqual([null, 100, 100, 100, null]);
  expect(matchingStep(SECRET, code.slice(1), at(100))).toBeNull();
});

it('secrets have 160 bits, and apps read them from a URI with the issuer and the account', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, 'pay.example.com', 'maria@example.com')).toBe(
    `otpauth://totp/pay.example.com:maria%40example.com?secret=${secret}&issuer=pay.example.com&algorithm=SHA1&digits=6&period=30`,
  );
});

it('recovery codes have 80 bits and may be typed without hyphens and in lower case', () => {
  const code = newRecoveryCode();
  expect(code).toMatch(/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(normalizedRecoveryCode(code.toLowerCase().replaceAll('-', ' '))).toBe(code.replaceAll('-', ''));
});
