import { loadConfig } from '../../../src/config';
import { PRODUCTION } from '../../support/fixtures/production';

it('production starts with secrets of its own', () => {
  expect(loadConfig(PRODUCTION).secrets.jwtSecret).toBe(PRODUCTION.JWT_SECRET);
});

it('production rejects the sandbox’s secret and a short secret for signing access tokens', () => {
  const sandbox = loadConfig({}).secrets.jwtSecret;
  const { JWT_SECRET: _, ...unset } = PRODUCTION;
  expect(() => loadConfig(unset)).toThrow(/JWT_SECRET/);
  expect(() => loadConfig({ ...PRODUCTION, JWT_SECRET: sandbox })).toThrow(/JWT_SECRET/);
  expect(() => loadConfig({ ...PRODUCTION, JWT_SECRET: 'short' })).toThrow(/JWT_SECRET/);
});

it('unsigned callbacks trigger at most one inquiry in 10 s', () => {
  expect(loadConfig(PRODUCTION).payments.hintPauseMs).toBe(10_000);
});

it('a sender address is required if mail is sent by SMTP', () => {
  const smtp = { ...PRODUCTION, SMTP_URL: 'smtp://mail.example.com:587' };
  expect(() => loadConfig(smtp)).toThrow(/MAIL_FROM/);
  expect(() => loadConfig({ ...smtp, MAIL_FROM: 'Payments <payments@example.com>' })).not.toThrow();
  expect(() => loadConfig({ ...smtp, SMTP_URL: 'https://mail.example.com' })).toThrow(/SMTP_URL/);
});
