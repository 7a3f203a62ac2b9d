import { join } from 'node:path';
import { z } from 'zod';
import {
  DEFAULT_RETRY_SCHEDULE,
  parseRetrySchedule,
  type RetrySchedule,
} from './domain/webhooks/retry-schedule';
import { GATEWAY_SLUGS, isGatewaySlug, type GatewaySlug } from './domain/shared/gateway-slug';
import { projectRoot } from './paths';

/**
 * Secrets that make a local run work out of the box. They are public, so production refuses every one of them.
 * Keys are 32 bytes in base64; lists of keys are `id:key`, the first one encrypts and all of them decrypt.
 */
const SANDBOX_SECRETS = {
  API_KEY_PEPPER: 'sandbox-api-key-pepper-not-a-secret',
  JWT_SECRET: 'sandbox-access-token-secret-not-a-secret',
  PLATFORM_GATEWAY_SECRET: 'sk_platform_sandbox-not-a-secret-at-all',
  FINGERPRINT_KEY: 'sandbox-fingerprint-key-not-a-secret',
  REQUEST_HASH_KEY: 'sandbox-request-hash-key-not-a-secret',
  ENCRYPTION_KEYS: 'sandbox-1:c2FuZGJveC12YXVsdC1rZXktMzItYnl0ZXMtbG9uZyE=',
  CODEC_KEYS: 'sandbox-1:c2FuZGJveC1jb2RlYy1rZXktMzItYnl0ZXMtbG9uZyE=',
} as const;

/** With the slug behind it, what the simulator signs its callbacks with. */
const SANDBOX_WEBHOOK_SECRET = 'whsec_sandbox_';

export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** They are the gateways' to make, so shorter ones than ours must do. */
const SHORTEST_WEBHOOK_SECRET = 16;

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

const seconds = (fallback: number) =>
  z.coerce
    .number()
    .positive()
    .default(fallback)
    .transform((value) => Math.round(value * 1000));
const integer = (fallback: number) => z.coerce.number().int().positive().default(fallback);
const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'])
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
const slugs = list.pipe(
  z.array(z.custom<GatewaySlug>((slug) => isGatewaySlug(String(slug)), 'must name gateways')),
);

function retrySchedule(text: string, ctx: z.core.$RefinementCtx): RetrySchedule {
  const schedule = parseRetrySchedule(text);
  if (schedule === null) ctx.addIssue({ code: 'custom', message: 'must be pauses, as 5s,5m,2h' });
  return schedule ?? [];
}

function keyRing(text: string, ctx: z.core.$RefinementCtx): EncryptionKey[] {
  const keys = text.split(',').map((entry): EncryptionKey => {
    const colon = entry.indexOf(':');
    return { id: entry.slice(0, Math.max(colon, 0)), key: Buffer.from(entry.slice(colon + 1), 'base64') };
  });
  if (keys.some(({ id, key }) => id === '' || key.length !== 32)) {
    ctx.addIssue({ code: 'custom', message: 'must be id:key pairs, each key 32 bytes in base64' });
  }
  return keys;
}

const secret = (name: keyof typeof SANDBOX_SECRETS) => z.string().min(32).default(SANDBOX_SECRETS[name]);

const environment = z.object({
  NODE_ENV: z.string().default('development'),
  PORT: integer(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_BASE_URL: z.url().optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  PATH: z.string().default(''),
  npm_lifecycle_event: z.string().optional(),
  DATA_DIR: z.string().default(join(projectRoot, '.data')),
  DATABASE_URL: z.string().optional(),
  DATABASE_POOL: integer(20),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('payments'),
  TEMPORAL_PORT: integer(7233),
  TEMPORAL_UI_PORT: integer(8233),
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).optional(),
  POSTGRES_PORT: integer(5433),
  SIMULATOR_PORT: integer(4010),
  SIMULATOR_CALLBACK_URL: z.url().optional(),
  SIMULATOR_PAYS_AFTER: z.coerce.number().positive().optional(),
  PAYMENT_SYNC_TIMEOUT: seconds(20),
  GATEWAY_TIMEOUT: seconds(10),
  SEND_WINDOW: seconds(2),
  ABSENCE_PROVEN_AFTER: seconds(20),
  STUCK_AFTER: seconds(600),
  MAX_ATTEMPTS: integer(3),
  CIRCUIT_OPEN_FOR: seconds(30),
  CALLBACK_HINT_PAUSE: seconds(10),
  SUBSCRIPTION_JITTER: seconds(1_800),
  SWEEP_INTERVAL: seconds(1),
  WEBHOOK_RETRY_SCHEDULE: z.string().default(DEFAULT_RETRY_SCHEDULE).transform(retrySchedule),
  WEBHOOK_ALLOW_LOOPBACK: z.enum(['true', 'false']).optional(),
  WEBHOOK_CONCURRENCY: integer(400),
  GATEWAYS_INACTIVE: slugs,
  PLATFORM_GATEWAY_COMPANIES: list,
  PLATFORM_GATEWAY_SECRET: secret('PLATFORM_GATEWAY_SECRET'),
  RATE_LIMIT_COMPANY_PER_SECOND: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_PUBLIC_PER_MINUTE: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_CALLBACKS_PER_SECOND: integer(500),
  RATE_LIMIT_CHECKOUT_PER_MINUTE: integer(120),
  WORKFLOW_CACHE_SIZE: integer(200),
  WORKER_CONCURRENCY: integer(60),
  SHUTDOWN_GRACE: seconds(5),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CODEC_OPEN_ON_LOOPBACK: flag(true),
  CODEC_ALLOWED_ORIGINS: z.string().optional(),
  SUPPORT_EMAILS: list,
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().optional(),
  FAILPOINTS_DIR: z.string().optional(),
  API_KEY_PEPPER: secret('API_KEY_PEPPER'),
  JWT_SECRET: secret('JWT_SECRET'),
  FINGERPRINT_KEY: secret('FINGERPRINT_KEY'),
  REQUEST_HASH_KEY: secret('REQUEST_HASH_KEY'),
  ENCRYPTION_KEYS: secret('ENCRYPTION_KEYS').transform(keyRing),
  CODEC_KEYS: secret('CODEC_KEYS').transform(keyRing),
});

export type Config = ReturnType<typeof loadConfig>;

/** Parses the environment once. Throws an error that names every wrong setting; nothing else reads `process.env`. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const parsed = environment.safeParse(env);
  if (!parsed.success) throw new Error(`wrong settings:\n${z.prettifyError(parsed.error)}`);
  const settings = parsed.data;
  const production = settings.NODE_ENV === 'production';
  if (production) refuseSandboxSettings(env);
  refuseUnsafeTimes(settings);
  if (production && settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
    throw new Error('wrong settings: MAIL_FROM is not set, which mail by SMTP_URL needs');
  }
  const simulatorUrl = `http://127.0.0.1:${settings.SIMULATOR_PORT}`;
  return {
    production,
    port: settings.PORT,
    host: settings.HOST,
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://127.0.0.1:${settings.PORT}`,
    trustedProxies: settings.TRUSTED_PROXIES,
    dataDir: settings.DATA_DIR,
    executablePath: settings.PATH,
    databaseUrl: settings.DATABASE_URL,
    databasePool: settings.DATABASE_POOL,
    temporal: {
      address: settings.TEMPORAL_ADDRESS,
      namespace: settings.TEMPORAL_NAMESPACE,
      taskQueue: settings.TEMPORAL_TASK_QUEUE,
      uiUrl: temporalUiUrl(settings, production),
      workflowCacheSize: settings.WORKFLOW_CACHE_SIZE,
      concurrency: settings.WORKER_CONCURRENCY,
      shutdownGraceMs: settings.SHUTDOWN_GRACE,
    },
    local: {
      temporalPort: settings.TEMPORAL_PORT,
      temporalUiPort: settings.TEMPORAL_UI_PORT,
      postgresPort: settings.POSTGRES_PORT,
      simulatorPort: settings.SIMULATOR_PORT,
      runByNpm: settings.npm_lifecycle_event !== undefined,
    },
    simulator: {
      callbackUrl: settings.SIMULATOR_CALLBACK_URL ?? null,
      paysAfterMs: settings.SIMULATOR_PAYS_AFTER === undefined ? null : settings.SIMULATOR_PAYS_AFTER * 1000,
    },
    payments: {
      syncTimeoutMs: settings.PAYMENT_SYNC_TIMEOUT,
      gatewayTimeoutMs: settings.GATEWAY_TIMEOUT,
      sendWindowMs: settings.SEND_WINDOW,
      absenceProvenAfterMs: settings.ABSENCE_PROVEN_AFTER,
      stuckAfterMs: settings.STUCK_AFTER,
      maxAttempts: settings.MAX_ATTEMPTS,
      circuitOpenForMs: settings.CIRCUIT_OPEN_FOR,
      hintPauseMs: settings.CALLBACK_HINT_PAUSE,
      sweepIntervalMs: settings.SWEEP_INTERVAL,
    },
    subscriptions: { jitterMs: settings.SUBSCRIPTION_JITTER },
    gateways: {
      inactive: new Set<GatewaySlug>(settings.GATEWAYS_INACTIVE),
      baseUrls: gatewayUrls(env, production ? undefined : simulatorUrl),
      platformCompanies: new Set(settings.PLATFORM_GATEWAY_COMPANIES),
      platformSecret: settings.PLATFORM_GATEWAY_SECRET,
      webhookSecrets: webhookSecrets(env, production),
    },
    webhooks: {
      retrySchedule: settings.WEBHOOK_RETRY_SCHEDULE,
      allowLoopback: (settings.WEBHOOK_ALLOW_LOOPBACK ?? String(!production)) === 'true',
      concurrency: settings.WEBHOOK_CONCURRENCY,
    },
    rateLimits: {
      companyPerSecond: settings.RATE_LIMIT_COMPANY_PER_SECOND ?? (production ? 100 : 1_000),
      publicPerMinute: settings.RATE_LIMIT_PUBLIC_PER_MINUTE ?? (production ? 10 : 100),
      callbacksPerSecond: settings.RATE_LIMIT_CALLBACKS_PER_SECOND,
      checkoutPerMinute: settings.RATE_LIMIT_CHECKOUT_PER_MINUTE,
    },
    codecEndpoint: {
      open: !production && settings.CODEC_OPEN_ON_LOOPBACK && LOOPBACK.has(settings.HOST),
      allowedOrigin: settings.CODEC_ALLOWED_ORIGINS ?? `http://127.0.0.1:${settings.TEMPORAL_UI_PORT}`,
    },
    supportEmails: new Set(settings.SUPPORT_EMAILS.map((email) => email.toLowerCase())),
    mail: { smtpUrl: settings.SMTP_URL ?? null, from: settings.MAIL_FROM ?? 'Payments <payments@localhost>' },
    logLevel: settings.LOG_LEVEL,
    failpointsDir: production ? undefined : settings.FAILPOINTS_DIR,
    secrets: {
      apiKeyPepper: settings.API_KEY_PEPPER,
      jwtSecret: settings.JWT_SECRET,
      fingerprintKey: settings.FINGERPRINT_KEY,
      requestHashKey: settings.REQUEST_HASH_KEY,
      encryptionKeys: settings.ENCRYPTION_KEYS,
      codecKeys: settings.CODEC_KEYS,
    },
  };
}

/** Without a slash at its end. In the sandbox it is the one started here, unless another is named; else none. */
function temporalUiUrl(
  { TEMPORAL_UI_URL: url, TEMPORAL_UI_PORT: port }: z.infer<typeof environment>,
  production: boolean,
): string | null {
  if (url !== undefined) return url.replace(/\/$/, '');
  return production ? null : `http://127.0.0.1:${port}`;
}

/** `GATEWAY_1_URL` and so on: where each slug's driver calls. A slug without one is inactive in production. */
function gatewayUrls(
  env: NodeJS.ProcessEnv,
  simulatorUrl: string | undefined,
): ReadonlyMap<GatewaySlug, string> {
  const urls = GATEWAY_SLUGS.map((slug): [GatewaySlug, string | undefined] => [
    slug,
    env[`${slug.toUpperCase()}_URL`] ?? (simulatorUrl && `${simulatorUrl}/${slug}`),
  ]);
  return new Map(urls.filter((entry): entry is [GatewaySlug, string] => entry[1] !== undefined));
}

/**
 * `GATEWAY_1_WEBHOOK_SECRET` and so on: what a slug's callbacks are signed with, comma-separated while it is replaced.
 * A slug without one has, in production, only what companies bring.
 */
function webhookSecrets(
  env: NodeJS.ProcessEnv,
  production: boolean,
): ReadonlyMap<GatewaySlug, readonly string[]> {
  return new Map(GATEWAY_SLUGS.map((slug) => [slug, webhookSecretsOf(slug, env, production)]));
}

function webhookSecretsOf(slug: GatewaySlug, env: NodeJS.ProcessEnv, production: boolean): readonly string[] {
  const name = `${slug.toUpperCase()}_WEBHOOK_SECRET`;
  const secrets = (env[name] ?? (production ? '' : `${SANDBOX_WEBHOOK_SECRET}${slug}`))
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (secrets.some((text) => text.length < SHORTEST_WEBHOOK_SECRET)) {
    throw new Error(`wrong settings: ${name} must be at least ${SHORTEST_WEBHOOK_SECRET} characters`);
  }
  if (production && secrets.some((text) => text.startsWith(SANDBOX_WEBHOOK_SECRET))) {
    throw new Error(`refusing to start in production with the sandbox's secrets: set ${name}`);
  }
  return secrets;
}

function refuseSandboxSettings(env: NodeJS.ProcessEnv): void {
  const unsafe = Object.entries(SANDBOX_SECRETS)
    .filter(([name, sandboxValue]) => (env[name] ?? sandboxValue) === sandboxValue)
    .map(([name]) => name);
  if (unsafe.length > 0) {
    throw new Error(`refusing to start in production with the sandbox's secrets: set ${unsafe.join(', ')}`);
  }
}

/** The environment of a process that we start: ours, with these changes. */
export function childEnvironment(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Absence is proven only once nothing sent can still be under way, and a person is asked only after that. */
function refuseUnsafeTimes(settings: z.infer<typeof environment>): void {
  if (settings.ABSENCE_PROVEN_AFTER <= settings.SEND_WINDOW + settings.GATEWAY_TIMEOUT) {
    throw new Error(
      'wrong settings: ABSENCE_PROVEN_AFTER must be longer than SEND_WINDOW and GATEWAY_TIMEOUT together',
    );
  }
  if (settings.STUCK_AFTER <= settings.ABSENCE_PROVEN_AFTER) {
    throw new Error('wrong settings: STUCK_AFTER must be longer than ABSENCE_PROVEN_AFTER');
  }
}
