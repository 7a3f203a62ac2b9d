import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { KeyHolder } from '../../../src/domain/companies/api-key';
import { ALL_SCOPES } from '../../../src/domain/companies/api-key-scope';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { SignedIn } from '../../../src/domain/companies/user';
import { createApp, type AppDeps } from '../../../src/http/server/app';
import type { RouteHandlers, RouteId } from '../../../src/http/server/route';
import { closeHttpServer, createHttpServer } from '../../../src/http/server/server';
import { DeviceCookie } from '../../../src/http/auth/device-cookie';
import { SessionCookie } from '../../../src/http/auth/session-cookie';
import { createLogger } from '../../../src/log';
import { AccessTokens } from '../../../src/security/access-tokens';
import { checkResponses } from './check-answers';
import { contract, requestValidation } from './contract';

/** The company whose key pair the default `authenticate` accepts. */
export const TEST_COMPANY = {
  id: 7,
  mode: 'test' as const,
  clientId: 'client_test',
  timezone: 'America/Sao_Paulo',
  pixExpiresInSeconds: 86_400,
  billetDueDays: 3,
};
/** A key of the company with every scope. */
export function holderOf(company: AuthenticatedCompany): KeyHolder {
  return { company, apiKey: { id: 1, scopes: ALL_SCOPES } };
}

export const TEST_KEYS = { 'X-Client-ID': 'client_test', 'X-API-Key': 'sk_test' };

export const TEST_DEVICES = new DeviceCookie('http://127.0.0.1', ['a key of at least thirty-two characters']);
export const TEST_TOKENS = new AccessTokens(
  ['a secret of at least thirty-two characters'],
  'http://127.0.0.1',
);

/** The user that the default `users` finds for `TEST_TOKEN`. */
export const TEST_SIGNED_IN: SignedIn = {
  user: {
    id: 12,
    companyId: TEST_COMPANY.id,
    name: 'Maria Souza',
    email: 'maria@example.com',
    role: 'owner',
    emailVerified: true,
    mustEnrol: false,
    language: 'en',
    jti: '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
  },
  company: { ...TEST_COMPANY, name: 'Loja do Centro' },
};

export const TEST_TOKEN = TEST_TOKENS.issue(
  { userId: 12, companyId: TEST_COMPANY.id, jti: TEST_SIGNED_IN.user.jti },
  new Date(),
  3_600,
).token;

type Overrides = Partial<Omit<AppDeps, 'handlers' | 'logger'>> & {
  readonly handlers?: Partial<RouteHandlers>;
};

export interface TestApi {
  readonly baseUrl: string;
  readonly port: number;
  /** The log lines written so far. */
  readonly logLines: () => Array<Record<string, unknown>>;
  close(graceMs?: number): Promise<void>;
}

/**
 * The real app on its own port, with every response checked against the contract. Routes without a handler answer 500; all
 * other dependencies have defaults that let requests through.
 */
export async function startTestApi({ handlers = {}, ...deps }: Overrides = {}): Promise<TestApi> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const app = createApp({
    requestValidation,
    findQrCode: () => Promise.resolve(null),
    findLogo: () => Promise.resolve(null),
    findCheckoutPage: () => Promise.resolve(null),
    webFolder: join(tmpdir(), 'no-pages-are-built-here'),
    authenticate: (clientId, apiKey) =>
      Promise.resolve(clientId === 'client_test' && apiKey === 'sk_test' ? holderOf(TEST_COMPANY) : null),
    users: { tokens: TEST_TOKENS, findSession: () => Promise.resolve(TEST_SIGNED_IN) },
    sessionCookie: new SessionCookie('http://127.0.0.1'),
    deviceCookie: TEST_DEVICES,
    healthChecks: {},
    authenticateCheckout: () => Promise.resolve(null),
    rateLimits: {
      companyPerSecond: 10_000,
      publicPerMinute: 10_000,
      callbacksPerSecond: 10_000,
      checkoutPerMinute: 10_000,
      filesPerMinute: 10_000,
      failedSignInsPerAccount: 10_000,
      failedKeysPerMinute: 10_000,
      declinedCards: { link: 10_000, address: 10_000, card: 10_000, bin: 10_000 },
    },
    publicBaseUrl: 'http://127.0.0.1',
    ...deps,
    handlers: withDefaults(handlers),
    logger: createLogger({ level: 'info', process: 'api', destination }),
  });
  const server = createHttpServer(checkResponses(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    close: (graceMs = 0) => closeHttpServer(server, graceMs),
  };
}

function withDefaults(handlers: Partial<RouteHandlers>): RouteHandlers {
  const missing = (id: RouteId) => () => Promise.reject(new Error(`the test has no handler for ${id}`));
  const all = contract.routes.map(({ id }) => [id, handlers[id] ?? missing(id)]);
  return Object.fromEntries(all) as RouteHandlers;
}
