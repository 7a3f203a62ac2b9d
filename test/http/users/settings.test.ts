import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../src/config';

const secret = () => randomBytes(32).toString('hex');
const key = () => `k1:${randomBytes(32).toString('base64')}`;
const PRODUCTION = {
  NODE_ENV: 'production',
  API_KEY_PEPPER: secret(),
  JWT_SECRET: secret(),
  FINGERPRINT_KEY: secret(),
  REQUEST_HASH_KEY: secret(),
  PLATFORM_GATEWAY_SECRET: secret(),
  ENCRYPTION_KEYS: key(),
  CODEC_KEYS: key(),
};

it('lets production start with secrets of its own', () => {
  expect(loadConfig(PRODUCTION).secrets.jwtSecret).toBe(PRODUCTION.JWT_SECRET);
});

it('keeps production from signing access tokens with the sandbox’s secret, or a short one', () => {
  const sandbox = loadConfig({}).secrets.jwtSecret;
  const { JWT_SECRET: _, ...unset } = PRODUCTION;
  expect(() => loadConfig(unset)).toThrow(/JWT_SECRET/);
  expect(() => loadConfig({ ...PRODUCTION, JWT_SECRET: sandbox })).toThrow(/JWT_SECRET/);
  expect(() => loadConfig({ ...PRODUCTION, JWT_SECRET: 'short' })).toThrow(/JWT_SECRET/);
});

it('wants to know who mail is from where mail is sent', () => {
  const smtp = { ...PRODUCTION, SMTP_URL: 'smtp://mail.example.com:587' };
  expect(() => loadConfig(smtp)).toThrow(/MAIL_FROM/);
  expect(() => loadConfig({ ...smtp, MAIL_FROM: 'Payments <payments@example.com>' })).not.toThrow();
  expect(() => loadConfig({ ...smtp, SMTP_URL: 'https://mail.example.com' })).toThrow(/SMTP_URL/);
});
