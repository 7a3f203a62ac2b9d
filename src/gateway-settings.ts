import { z } from 'zod';
import { GATEWAY_SLUGS, type GatewaySlug } from './domain/shared/gateway-slug';
import { DRIVER_ENDPOINTS, DRIVER_NAMES, type DriverName, type Endpoints } from './gateways/driver-names';
import { parseJson } from './gateways/parse-json';
import type { GatewayAccount } from './domain/routing/gateway-account';
import { sandboxPlatformAccount } from './gateways/sandbox-accounts';
import { findWeakness } from './security/weak-secrets';

/** Prefix of the simulator's callback secrets; the gateway's slug follows. */
const SANDBOX_WEBHOOK_SECRET = 'whsec_sandbox_';

/** Below the 32 characters of our own secrets, because gateways generate these. */
const MIN_WEBHOOK_SECRET_LENGTH = 16;

const HTTP_URL = z.url({ protocol: /^https?$/ });

/** What a deployment sets for each gateway. A gateway without a driver is not offered. */
export interface GatewaySettings {
  readonly driverNames: ReadonlyMap<GatewaySlug, DriverName>;
  /** Of the gateways that have a driver. */
  readonly endpoints: ReadonlyMap<GatewaySlug, Endpoints>;
  /** Verify the gateways' callbacks; several during a rotation. */
  readonly webhookSecrets: ReadonlyMap<GatewaySlug, readonly string[]>;
  /** The platform's accounts that are not `PLATFORM_GATEWAY_SECRET`. */
  readonly platformAccounts: ReadonlyMap<GatewaySlug, GatewayAccount>;
}

/** `GATEWAY_1_PLATFORM_CREDENTIALS`: the names are those of the driver's credential fields. */
const PLATFORM_CREDENTIALS = z
  .record(z.string().max(64), z.string().min(1).max(16_384))
  .transform(({ secret_key: secretKey = '', client_id: clientId = null, ...credentials }) => ({
    values: { secretKey, credentials },
    clientId,
  }));

/**
 * Reads `GATEWAY_1_DRIVER`, `GATEWAY_1_URL`, `GATEWAY_1_WEBHOOK_SECRET`, `GATEWAY_1_PLATFORM_CREDENTIALS` and so on. `simulatorUrl` is null in production: a
 * sandbox reaches every vendor through the simulator unless an address is set.
 *
 * @throws an error that names the wrong setting
 */
export function readGatewaySettings(env: NodeJS.ProcessEnv, simulatorUrl: string | null): GatewaySettings {
  const drivers = GATEWAY_SLUGS.flatMap((slug): [GatewaySlug, DriverName][] => {
    const driver = driverOf(slug, env, simulatorUrl);
    return driver === null ? [] : [[slug, driver]];
  });
  return {
    driverNames: new Map(drivers),
    endpoints: new Map(drivers.map(([slug, driver]) => [slug, endpointsOf(slug, driver, env, simulatorUrl)])),
    webhookSecrets: new Map(
      GATEWAY_SLUGS.map((slug) => [slug, webhookSecretsOf(slug, env, simulatorUrl === null)]),
    ),
    platformAccounts: new Map(
      drivers.flatMap(([slug, driver]): [GatewaySlug, GatewayAccount][] => {
        const account = platformAccountOf(slug, driver, env, simulatorUrl !== null);
        return account === null ? [] : [[slug, account]];
      }),
    ),
  };
}

function driverOf(slug: GatewaySlug, env: NodeJS.ProcessEnv, simulatorUrl: string | null): DriverName | null {
  const setting = `${slug.toUpperCase()}_DRIVER`;
  const name = env[setting] ?? (simulatorUrl === null ? undefined : 'simulator');
  if (name === undefined || name === '') {
    const [unused] = urlSettingsOf(slug, env);
    if (unused !== undefined) throw new Error(`wrong settings: ${unused} needs ${setting}`);
    return null;
  }
  if (!isDriverName(name)) {
    throw new Error(`wrong settings: ${setting} must be one of ${DRIVER_NAMES.join(', ')}`);
  }
  return name;
}

function isDriverName(name: string): name is DriverName {
  return DRIVER_NAMES.some((known) => known === name);
}

function endpointsOf(
  slug: GatewaySlug,
  driver: DriverName,
  env: NodeJS.ProcessEnv,
  simulatorUrl: string | null,
): Endpoints {
  const addresses: Readonly<Record<string, string | null>> = DRIVER_ENDPOINTS[driver];
  const settings = new Map(Object.keys(addresses).map((name) => [urlSetting(slug, name), name]));
  const unknown = urlSettingsOf(slug, env).find((setting) => !settings.has(setting));
  if (unknown !== undefined) {
    throw new Error(
      `wrong settings: ${unknown} is not used by ${driver}, which has ${[...settings.keys()].join(', ')}`,
    );
  }
  const entries = [...settings].map(([setting, name]): [string, string] => {
    const simulated =
      simulatorUrl === null ? null : `${simulatorUrl}/${slug}${name === 'api' ? '' : `/${name}`}`;
    const url = (env[setting] || null) ?? simulated ?? addresses[name] ?? null;
    if (url === null) throw new Error(`wrong settings: ${driver} needs ${setting}`);
    if (!HTTP_URL.safeParse(url).success) throw new Error(`wrong settings: ${setting} must be a URL`);
    return [name, url.replace(/\/$/, '')];
  });
  return Object.fromEntries(entries);
}

/** `GATEWAY_1_URL` for the endpoint `api`, `GATEWAY_1_TOKEN_URL` for an endpoint `token`. */
function urlSetting(slug: GatewaySlug, endpoint: string): string {
  return `${slug.toUpperCase()}_${endpoint === 'api' ? '' : `${endpoint.toUpperCase()}_`}URL`;
}

/** The names of all settings that give the gateway a URL. */
function urlSettingsOf(slug: GatewaySlug, env: NodeJS.ProcessEnv): string[] {
  const pattern = new RegExp(`^${slug.toUpperCase()}_(?:[A-Z]+_)?URL$`);
  return Object.keys(env).filter((name) => pattern.test(name) && env[name] !== '');
}

function webhookSecretsOf(slug: GatewaySlug, env: NodeJS.ProcessEnv, production: boolean): readonly string[] {
  const name = `${slug.toUpperCase()}_WEBHOOK_SECRET`;
  const secrets = (env[name] ?? (production ? '' : `${SANDBOX_WEBHOOK_SECRET}${slug}`))
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  if (secrets.some((text) => text.length < MIN_WEBHOOK_SECRET_LENGTH)) {
    throw new Error(`wrong settings: ${name} must be at least ${MIN_WEBHOOK_SECRET_LENGTH} characters`);
  }
  if (production && secrets.some((text) => text.startsWith(SANDBOX_WEBHOOK_SECRET))) {
    throw new Error(`refusing to start in production with the sandbox's secrets: set ${name}`);
  }
  if (production && secrets.some((text) => findWeakness(Buffer.from(text)) !== null)) {
    throw new Error(`refusing to start with a secret that can be guessed: ${name}`);
  }
  return secrets;
}

/** Null if `PLATFORM_GATEWAY_SECRET` is the account. */
function platformAccountOf(
  slug: GatewaySlug,
  driver: DriverName,
  env: NodeJS.ProcessEnv,
  sandbox: boolean,
): GatewayAccount | null {
  const setting = `${slug.toUpperCase()}_PLATFORM_CREDENTIALS`;
  const json = env[setting] || null;
  if (json === null) return sandbox && driver !== 'simulator' ? sandboxPlatformAccount(driver, slug) : null;
  const parsed = PLATFORM_CREDENTIALS.safeParse(parseJson(json));
  if (parsed.success) return parsed.data;
  throw new Error(
    `wrong settings: ${setting} must be a JSON object of texts, for example {"secret_key":"...","client_id":"..."}`,
  );
}

/** The vendor whose protocol the simulator speaks at a slug, from `SIMULATOR_GATEWAY_1` and so on. */
export function readSimulatedVendors(env: NodeJS.ProcessEnv): ReadonlyMap<GatewaySlug, string> {
  const vendors = GATEWAY_SLUGS.map((slug) => [slug, env[`SIMULATOR_${slug.toUpperCase()}`]] as const);
  return new Map(vendors.filter((entry): entry is [GatewaySlug, string] => entry[1] !== undefined));
}
