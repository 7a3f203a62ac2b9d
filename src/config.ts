import { assertNever } from './domain/shared/assert-never';
import { MODES, type Mode } from './domain/shared/mode';
import type { GatewaySlug } from './domain/shared/gateway-slug';
import { parseEnvironment, type Settings } from './environment';
import { readGatewaySettings, readSimulatedVendors } from './gateway-settings';
import { readTestGatewaySettings, TEST_PLATFORM_SECRET } from './test-gateway-settings';

export type Config = ReturnType<typeof loadConfig>;

/** As `loadConfig`, for programs that run nothing but a sandbox: `npm start`, the simulator and tests. */
export function loadSandboxConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return loadConfig({ ...env, SANDBOX: 'true' });
}

/** Parses the environment; no other file reads `process.env`. Throws an error that names the wrong settings. */
export function loadConfig(env: NodeJS.ProcessEnv = process.env) {
  const settings = parseEnvironment(env);
  const production = !settings.SANDBOX;
  const simulatorUrl = `http://127.0.0.1:${settings.SIMULATOR_PORT}`;
  const gateways = {
    ...readGatewaySettings(env, production ? null : simulatorUrl),
    inactive: new Set<GatewaySlug>(settings.GATEWAYS_INACTIVE),
    platformCompanies: new Set(settings.PLATFORM_GATEWAY_COMPANIES),
    platformSecret: settings.PLATFORM_GATEWAY_SECRET,
  };
  const { TEST_GATEWAY_URL: testUrl, TEST_GATEWAY_WEBHOOK_SECRET: testSecrets } = settings;
  const test = production
    ? readTestGatewaySettings({ url: testUrl, webhookSecrets: testSecrets }, gateways)
    : null;
  const otherGateways = production
    ? test && { ...gateways, ...test, platformSecret: TEST_PLATFORM_SECRET }
    : gateways;
  return {
    production,
    /** The mode of companies' own rows, and of API keys that registrations return. */
    mode: production ? ('live' as const) : ('test' as const),
    /** The modes in which requests are taken. */
    modes: otherGateways === null ? (['live'] as readonly Mode[]) : MODES,
    port: settings.PORT,
    host: settings.HOST,
    metrics: metricsAddress(settings),
    tracing: tracingSettings(settings),
    publicBaseUrl: settings.PUBLIC_BASE_URL ?? `http://127.0.0.1:${settings.PORT}`,
    trustedProxies: settings.TRUSTED_PROXIES ?? 0,
    dataDir: settings.DATA_DIR,
    executablePath: settings.PATH,
    databaseUrl: settings.DATABASE_URL,
    databasePool: settings.DATABASE_POOL,
    temporal: {
      address: settings.TEMPORAL_ADDRESS,
      namespace: settings.TEMPORAL_NAMESPACE,
      taskQueue: settings.TEMPORAL_TASK_QUEUE,
      buildId: settings.BUILD_ID ?? null,
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
      workers: settings.WORKERS,
      runByNpm: settings.npm_lifecycle_event !== undefined,
    },
    simulator: {
      host: settings.SIMULATOR_HOST,
      callbackUrl: settings.SIMULATOR_CALLBACK_URL ?? null,
      paysAfterMs: settings.SIMULATOR_PAYS_AFTER === undefined ? null : settings.SIMULATOR_PAYS_AFTER * 1000,
      controlRoutes: settings.SIMULATOR_CONTROL_ROUTES,
      searchLagMs: settings.SIMULATOR_SEARCH_LAG * 1000,
      vendors: readSimulatedVendors(env),
      /** Signs every callback; null for the secret of each gateway. */
      webhookSecret: testSecrets[0] ?? null,
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
      firstAttemptsInApi: settings.FIRST_ATTEMPTS_IN_API,
    },
    /** How long what nothing needs any more is kept. */
    retention: {
      eventsMs: settings.RETENTION_EVENTS,
      callbackBodiesMs: settings.RETENTION_CALLBACK_BODIES,
      unsignedCallbacksMs: settings.RETENTION_UNSIGNED_CALLBACKS,
      idempotencyKeysMs: settings.RETENTION_IDEMPOTENCY_KEYS,
    },
    subscriptions: {
      jitterMs: settings.SUBSCRIPTION_JITTER,
      // A charge that was sent has a result by then, unless its gateway gives none.
      unresolvedAfterMs: 1.5 * settings.ABSENCE_PROVEN_AFTER,
      heldReleasesPerMinute: settings.HOLD_RELEASE_RATE,
    },
    gateways,
    /** Of the data of the other mode: the same in a sandbox, null without such data. */
    otherGateways,
    webhooks: {
      retrySchedule: settings.WEBHOOK_RETRY_SCHEDULE,
      allowLoopback: (settings.WEBHOOK_ALLOW_LOOPBACK ?? String(!production)) === 'true',
      concurrency: settings.WEBHOOK_CONCURRENCY,
    },
    rateLimits: rateLimitsOf(settings, production),
    codecEndpoint: {
      // A sandbox listens on loopback only.
      open: !production && settings.CODEC_OPEN_ON_LOOPBACK,
      allowedOrigin: settings.CODEC_ALLOWED_ORIGINS ?? `http://127.0.0.1:${settings.TEMPORAL_UI_PORT}`,
    },
    supportEmails: new Set(settings.SUPPORT_EMAILS.map((email) => email.toLowerCase())),
    mail: { smtpUrl: settings.SMTP_URL ?? null, from: settings.MAIL_FROM ?? 'Payments <payments@localhost>' },
    logLevel: settings.LOG_LEVEL,
    failpointsDir: production ? undefined : settings.FAILPOINTS_DIR,
    secrets: {
      apiKeyPeppers: settings.API_KEY_PEPPER,
      jwtSecrets: settings.JWT_SECRET,
      fingerprintKeys: settings.FINGERPRINT_KEY,
      requestHashKeys: settings.REQUEST_HASH_KEY,
      encryptionKeys: settings.ENCRYPTION_KEYS,
      codecKeys: settings.CODEC_KEYS,
    },
  };
}

/** Null if the process serves no metrics. */
function metricsAddress({ METRICS_PORT: port, METRICS_HOST: host }: Settings) {
  return port === undefined ? null : { host, port };
}

/** Null if the process traces nothing. */
function tracingSettings(settings: Settings) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = settings;
  if (endpoint === undefined) return null;
  return {
    // The path that the standard appends for traces.
    tracesUrl: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: settings.OTEL_SERVICE_NAME ?? null,
    sampledShare: sampledShare(sampler, settings.OTEL_TRACES_SAMPLER_ARG),
  };
}

function sampledShare(sampler: Settings['OTEL_TRACES_SAMPLER'], ratio: number): number {
  switch (sampler) {
    case 'always_on':
    case 'parentbased_always_on':
      return 1;
    case 'always_off':
    case 'parentbased_always_off':
      return 0;
    case 'traceidratio':
    case 'parentbased_traceidratio':
      return ratio;
    default:
      return assertNever(sampler);
  }
}

/** Without a trailing slash. Default: the local Temporal UI in the sandbox, none in production. */
function temporalUiUrl(
  { TEMPORAL_UI_URL: url, TEMPORAL_UI_PORT: port }: Settings,
  production: boolean,
): string | null {
  if (url !== undefined) return url.replace(/\/$/, '');
  return production ? null : `http://127.0.0.1:${port}`;
}

/** The environment of a child process: our own with changes. */
export function childEnv(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Most limits are ten times as high in the sandbox, for tests. */
function rateLimitsOf(settings: Settings, production: boolean) {
  const scale = production ? 1 : 10;
  return {
    companyPerSecond: settings.RATE_LIMIT_COMPANY_PER_SECOND ?? 100 * scale,
    publicPerMinute: settings.RATE_LIMIT_PUBLIC_PER_MINUTE ?? 10 * scale,
    callbacksPerSecond: settings.RATE_LIMIT_CALLBACKS_PER_SECOND,
    checkoutPerMinute: settings.RATE_LIMIT_CHECKOUT_PER_MINUTE,
    filesPerMinute: settings.RATE_LIMIT_FILES_PER_MINUTE,
    failedSignInsPerAccount: settings.RATE_LIMIT_FAILED_SIGN_INS_PER_ACCOUNT ?? 10 * scale,
    failedKeysPerMinute: settings.RATE_LIMIT_FAILED_KEYS_PER_MINUTE ?? 60 * scale,
    declinedCards: {
      link: settings.RATE_LIMIT_DECLINES_PER_LINK ?? 50 * scale,
      address: settings.RATE_LIMIT_DECLINES_PER_ADDRESS ?? 10 * scale,
      card: settings.RATE_LIMIT_DECLINES_PER_CARD ?? 5 * scale,
      bin: settings.RATE_LIMIT_DECLINES_PER_BIN ?? 20 * scale,
    },
  };
}
