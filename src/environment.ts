import { join } from 'node:path';
import { z } from 'zod';
import { isGatewaySlug, type GatewaySlug } from './domain/shared/gateway-slug';
import {
  DEFAULT_RETRY_SCHEDULE,
  parseRetrySchedule,
  type RetrySchedule,
} from './domain/webhooks/retry-schedule';
import { projectRoot } from './paths';
import { rejectGuessableSecrets, SECRET_SETTINGS } from './secret-settings';

const seconds = (fallback: number) =>
  z.coerce
    .number()
    .positive()
    .default(fallback)
    .transform((value) => Math.round(value * 1000));
const integer = (fallback: number) => z.coerce.number().int().positive().default(fallback);
/** At least `minimum` days, in milliseconds. */
const days = (fallback: number, minimum: number) =>
  z.coerce
    .number()
    .min(minimum, `must be at least ${minimum} days`)
    .default(fallback)
    .transform((value) => Math.round(value * 86_400_000));
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

/** OpenTelemetry's settings that are empty count as not set. */
function unlessEmpty<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema);
}

/** The standard's samplers, as far as they make sense here. */
const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** `name=value` pairs, percent-encoded. Errors do not quote them: they may be a receiver's key. */
function headerValues(pairs: readonly string[], ctx: z.core.$RefinementCtx): Record<string, string> {
  const headers = pairs.map((pair) => /^([\w-]+)\s*=\s*(.+)$/.exec(pair)?.slice(1, 3));
  try {
    return Object.fromEntries(
      headers.map((header) => {
        if (header === undefined) throw new Error('no pair');
        const [name = '', value = ''] = header;
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be name=value pairs, separated by commas' });
    return {};
  }
}

function retrySchedule(text: string, ctx: z.core.$RefinementCtx): RetrySchedule {
  const schedule = parseRetrySchedule(text);
  if (schedule === null) ctx.addIssue({ code: 'custom', message: 'must be pauses, as 5s,5m,2h' });
  return schedule ?? [];
}

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  SANDBOX: flag(false),
  PORT: integer(3000),
  HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce.number().int().positive().optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  OTEL_EXPORTER_OTLP_ENDPOINT: unlessEmpty(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_HEADERS: list.transform(headerValues),
  OTEL_SERVICE_NAME: unlessEmpty(z.string().optional()),
  OTEL_TRACES_SAMPLER: unlessEmpty(z.enum(TRACE_SAMPLERS).default('parentbased_always_on')),
  OTEL_TRACES_SAMPLER_ARG: unlessEmpty(z.coerce.number().min(0).max(1).default(1)),
  PUBLIC_BASE_URL: z.url().optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).optional(),
  PATH: z.string().default(''),
  npm_lifecycle_event: z.string().optional(),
  DATA_DIR: z.string().default(join(projectRoot, '.data')),
  DATABASE_URL: z.string().optional(),
  DATABASE_POOL: integer(20),
  TEMPORAL_ADDRESS: z.string().optional(),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  TEMPORAL_TASK_QUEUE: z.string().default('payments'),
  BUILD_ID: z
    .string()
    .regex(/^[\w-][\w.-]{0,62}$/, 'must be at most 63 letters, digits, dots and dashes')
    .optional(),
  TEMPORAL_PORT: integer(7233),
  TEMPORAL_UI_PORT: integer(8233),
  TEMPORAL_UI_URL: z.url({ protocol: /^https?$/ }).optional(),
  POSTGRES_PORT: integer(5433),
  WORKERS: integer(1),
  SIMULATOR_HOST: z.string().default('127.0.0.1'),
  SIMULATOR_PORT: integer(4010),
  SIMULATOR_CALLBACK_URL: z.url().optional(),
  SIMULATOR_PAYS_AFTER: z.coerce.number().positive().optional(),
  SIMULATOR_CONTROL_ROUTES: flag(true),
  SIMULATOR_SEARCH_LAG: z.coerce.number().nonnegative().default(0),
  PAYMENT_SYNC_TIMEOUT: seconds(20),
  FIRST_ATTEMPTS_IN_API: flag(true),
  GATEWAY_TIMEOUT: seconds(10),
  SEND_WINDOW: seconds(2),
  ABSENCE_PROVEN_AFTER: seconds(20),
  STUCK_AFTER: seconds(600),
  MAX_ATTEMPTS: integer(3),
  CIRCUIT_OPEN_FOR: seconds(30),
  CALLBACK_HINT_PAUSE: seconds(10),
  SUBSCRIPTION_JITTER: seconds(1_800),
  HOLD_RELEASE_RATE: integer(300),
  SWEEP_INTERVAL: seconds(1),
  RETENTION_EVENTS: days(90, 30),
  RETENTION_CALLBACK_BODIES: days(90, 1),
  RETENTION_UNSIGNED_CALLBACKS: days(30, 1),
  RETENTION_IDEMPOTENCY_KEYS: days(7, 1),
  WEBHOOK_RETRY_SCHEDULE: z.string().default(DEFAULT_RETRY_SCHEDULE).transform(retrySchedule),
  WEBHOOK_ALLOW_LOOPBACK: z.enum(['true', 'false']).optional(),
  WEBHOOK_CONCURRENCY: integer(400),
  TEST_GATEWAY_URL: unlessEmpty(z.url({ protocol: /^https?$/ }).optional()),
  TEST_GATEWAY_WEBHOOK_SECRET: list,
  GATEWAYS_INACTIVE: slugs,
  PLATFORM_GATEWAY_COMPANIES: list,
  RATE_LIMIT_COMPANY_PER_SECOND: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_PUBLIC_PER_MINUTE: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_FAILED_SIGN_INS_PER_ACCOUNT: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_FAILED_KEYS_PER_MINUTE: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_DECLINES_PER_LINK: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_DECLINES_PER_ADDRESS: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_DECLINES_PER_CARD: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_DECLINES_PER_BIN: z.coerce.number().int().positive().optional(),
  RATE_LIMIT_CALLBACKS_PER_SECOND: integer(500),
  RATE_LIMIT_CHECKOUT_PER_MINUTE: integer(120),
  RATE_LIMIT_FILES_PER_MINUTE: integer(600),
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
  ...SECRET_SETTINGS,
});

export type Settings = z.infer<typeof environment>;

/** Parses and checks the environment. Throws an error that names the wrong settings. */
export function parseEnvironment(env: NodeJS.ProcessEnv): Settings {
  const parsed = environment.safeParse(env);
  if (!parsed.success) throw new Error(`wrong settings:\n${z.prettifyError(parsed.error)}`);
  const settings = parsed.data;
  if (settings.SANDBOX) {
    rejectPublicSandbox(settings);
    rejectSandboxTestGateway(settings);
  } else rejectUnsafeProduction(settings);
  rejectUnsafeTimes(settings);
  return settings;
}

/** A sandbox works with public secrets, so it must not be reachable from other machines. */
function rejectPublicSandbox({ NODE_ENV, HOST }: Settings): void {
  if (NODE_ENV === 'production') {
    throw new Error('wrong settings: SANDBOX=true cannot be combined with NODE_ENV=production');
  }
  if (!isLoopback(HOST)) throw new Error('wrong settings: SANDBOX=true needs a HOST on loopback');
}

/** Only the simulator knows the secret in a sandbox, whose data of both modes have the same gateways. */
function rejectSandboxTestGateway({ TEST_GATEWAY_URL }: Settings): void {
  if (TEST_GATEWAY_URL !== undefined)
    throw new Error(
      'wrong settings: TEST_GATEWAY_URL is for production: a sandbox has one gateway for both modes',
    );
}

function rejectUnsafeProduction(settings: Settings): void {
  rejectGuessableSecrets(settings);
  if (!isLoopback(settings.HOST) && settings.TRUSTED_PROXIES === undefined) {
    throw new Error(
      'wrong settings: TRUSTED_PROXIES is not set. Beyond loopback, rate limits need to know how many proxies are in front (0: none)',
    );
  }
  if (settings.SMTP_URL !== undefined && settings.MAIL_FROM === undefined) {
    throw new Error('wrong settings: MAIL_FROM must be set together with SMTP_URL');
  }
}

/** Whether an address that a server listens on is reachable from this machine only. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * An attempt's absence is proven only after no request can still be in flight, and a payment is marked stuck only after
 * that.
 */
function rejectUnsafeTimes(settings: Settings): void {
  if (settings.ABSENCE_PROVEN_AFTER <= settings.SEND_WINDOW + settings.GATEWAY_TIMEOUT) {
    throw new Error(
      'wrong settings: ABSENCE_PROVEN_AFTER must be longer than SEND_WINDOW and GATEWAY_TIMEOUT together',
    );
  }
  if (settings.STUCK_AFTER <= settings.ABSENCE_PROVEN_AFTER) {
    throw new Error('wrong settings: STUCK_AFTER must be longer than ABSENCE_PROVEN_AFTER');
  }
}
