import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../src/config';
import { PRODUCTION, productionSecret } from '../../support/fixtures/production';

const SANDBOX = { SANDBOX: 'true' };
/** The public key of the sandbox's vault. */
const PUBLIC_KEY = Buffer.from('sandbox-vault-key-32-bytes-long!');
const start = (change: Record<string, string>) => () => loadConfig({ ...PRODUCTION, ...change });
const key = (bytes: Uint8Array) => `k1:${Buffer.from(bytes).toString('base64')}`;

describe('without SANDBOX=true', () => {
  it('a process is in production, whatever NODE_ENV says, and starts with secrets of its own', () => {
    for (const NODE_ENV of ['production', 'development', 'test']) {
      expect(loadConfig({ ...PRODUCTION, NODE_ENV })).toMatchObject({ production: true });
    }
    expect(() => loadConfig({})).toThrow(/SANDBOX=true/);
  });

  it('a process does not start with a NODE_ENV that is none of the three', () => {
    expect(start({ NODE_ENV: 'prod' })).toThrow(/NODE_ENV/);
    expect(() => loadConfig({ ...SANDBOX, NODE_ENV: 'prod' })).toThrow(/NODE_ENV/);
  });

  it('a process does not start without its secrets, with short ones, or with the sandbox’s', () => {
    const { JWT_SECRET: _, ...unset } = PRODUCTION;
    expect(() => loadConfig(unset)).toThrow(/JWT_SECRET/);
    expect(start({ JWT_SECRET: 'short' })).toThrow(/JWT_SECRET/);
    const sandbox = loadConfig(SANDBOX).secrets;
    expect(start({ JWT_SECRET: sandbox.jwtSecrets[0] })).toThrow(/JWT_SECRET/);
  });

  it.each<[string, Record<string, string>]>([
    ['under another id', { ENCRYPTION_KEYS: `mine:${PUBLIC_KEY.toString('base64')}` }],
    ['in another spelling of base64', { ENCRYPTION_KEYS: `k1:${PUBLIC_KEY.toString('base64url')}` }],
    [
      'beside a key of its own',
      { ENCRYPTION_KEYS: `${PRODUCTION.ENCRYPTION_KEYS},k0:${PUBLIC_KEY.toString('base64')}` },
    ],
    ['in another setting', { CODEC_KEYS: key(PUBLIC_KEY) }],
    ['as text', { JWT_SECRET: PUBLIC_KEY.toString() }],
    ['as text in base64', { JWT_SECRET: PUBLIC_KEY.toString('base64') }],
    ['as text in hexadecimal', { JWT_SECRET: PUBLIC_KEY.toString('hex') }],
    ['with something appended', { API_KEY_PEPPER: 'sandbox-api-key-pepper-not-a-secret-2' }],
    ['as the placeholder of .env.example', { API_KEY_PEPPER: 'change-me-0f8a61c47d2b95e3c68ba9d2' }],
  ])('a process recognizes a public secret by its bytes: %s', (_, change) => {
    expect(start(change)).toThrow(/refusing to start in production with the sandbox's secrets/);
  });

  it.each<[string, Record<string, string>]>([
    ['one character', { JWT_SECRET: 'a'.repeat(40) }],
    ['a word written twice', { JWT_SECRET: 'correct-horse-battery-correct-horse-battery-' }],
    ['few characters', { JWT_SECRET: 'abbabaabbbabaababbabaabbabaababb' }],
    ['the alphabet', { JWT_SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789' }],
    ['a key of zeros', { CODEC_KEYS: key(Buffer.alloc(32)) }],
    ['a key that counts up', { CODEC_KEYS: key(Uint8Array.from({ length: 32 }, (_, index) => index)) }],
  ])('a process does not start with a secret that can be guessed: %s', (_, change) => {
    expect(start(change)).toThrow(/refusing to start with a secret that can be guessed/);
  });

  it('a process does not start if two settings share a secret', () => {
    const shared = productionSecret();
    expect(start({ JWT_SECRET: shared, API_KEY_PEPPER: shared })).toThrow(/share a secret/);
    expect(start({ CODEC_KEYS: PRODUCTION.ENCRYPTION_KEYS })).toThrow(/share a secret/);
  });

  it.each(['API_KEY_PEPPER', 'JWT_SECRET', 'REQUEST_HASH_KEY'])(
    'an old and a new %s are both checked, so that a rotation adds no weak secret',
    (name) => {
      const current = productionSecret();
      const list = (other: string) => ({ [name]: `${current}, ${other}` });
      expect(start(list(productionSecret()))).not.toThrow();
      expect(start(list('short'))).toThrow(new RegExp(name));
      expect(start(list('a'.repeat(40)))).toThrow(/can be guessed/);
      expect(start(list(current))).toThrow(/the same secret twice/);
    },
  );

  it('two encryption keys do not share an id, because the id tells which one opens a value', () => {
    const two = [1, 2].map(() => key(randomBytes(32))).join();
    expect(start({ ENCRYPTION_KEYS: two })).toThrow(/an id of its own/);
  });

  it('random secrets of every common form are accepted', () => {
    for (let times = 0; times < 200; times += 1) {
      expect(
        start({ JWT_SECRET: productionSecret(), API_KEY_PEPPER: productionSecret().slice(0, 32) }),
      ).not.toThrow();
    }
  });

  it('a process that listens beyond loopback does not start unless it is told how many proxies are in front of it', () => {
    expect(start({ HOST: '0.0.0.0' })).toThrow(/TRUSTED_PROXIES/);
    expect(start({ HOST: '::' })).toThrow(/TRUSTED_PROXIES/);
    expect(start({ HOST: '127.0.0.1' })).not.toThrow();
    for (const TRUSTED_PROXIES of ['0', '2']) {
      const config = loadConfig({ ...PRODUCTION, HOST: '0.0.0.0', TRUSTED_PROXIES });
      expect(config.trustedProxies).toBe(Number(TRUSTED_PROXIES));
    }
  });

  it('unsigned callbacks trigger at most one inquiry in 10 s', () => {
    expect(loadConfig(PRODUCTION).payments.hintPauseMs).toBe(10_000);
  });

  it('a sender address is required if mail is sent by SMTP', () => {
    const smtp = { SMTP_URL: 'smtp://mail.example.com:587' };
    expect(start(smtp)).toThrow(/MAIL_FROM/);
    expect(start({ ...smtp, MAIL_FROM: 'Payments <payments@example.com>' })).not.toThrow();
    expect(start({ SMTP_URL: 'https://mail.example.com' })).toThrow(/SMTP_URL/);
  });
});

describe('with SANDBOX=true', () => {
  it('a process listens on loopback only, because its secrets are public', () => {
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(loadConfig({ ...SANDBOX, HOST })).toMatchObject({ production: false });
    }
    for (const HOST of ['0.0.0.0', '::', '192.168.1.4', 'payments.example.com']) {
      expect(() => loadConfig({ ...SANDBOX, HOST })).toThrow(/loopback/);
    }
  });

  it('a process does not start with NODE_ENV=production', () => {
    expect(() => loadConfig({ ...PRODUCTION, ...SANDBOX })).toThrow(/SANDBOX=true/);
  });
});
