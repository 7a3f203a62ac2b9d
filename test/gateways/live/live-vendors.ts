import { DRIVERS } from '../../../src/composition/drivers';
import { CLIENT_ID_FIELD, SECRET_KEY_FIELD } from '../../../src/domain/routing/credential-fields';
import type { GatewayAccount } from '../../../src/domain/routing/gateway-account';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { DRIVER_ENDPOINTS, type Endpoints } from '../../../src/gateways/driver-names';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import type { VendorName } from '../vendor-table/proofs';

interface TestEnvironment {
  /** Where it is another address than the live one. */
  readonly endpoints?: Endpoints;
  /** What every key of the test environment looks like; null if its keys look like live ones. */
  readonly testKey: RegExp | null;
  readonly approvedCard: string;
  /** Refused, whatever the code. */
  readonly declinedCard: string;
}

/** The vendors' own test environments, and their documented test cards. */
const TEST_ENVIRONMENTS: Readonly<Partial<Record<VendorName, TestEnvironment>>> = {
  // https://docs.asaas.com/docs/sandbox
  asaas: {
    endpoints: { api: 'https://api-sandbox.asaas.com' },
    testKey: /^\$aact_hmlg_/,
    approvedCard: '4444444444444444',
    declinedCard: '5184019740373151',
  },
  // https://docs.pagar.me/docs/simulador-de-cartão-de-crédito
  pagarme: { testKey: /^sk_test_/, approvedCard: '4000000000000010', declinedCard: '4000000000000028' },
  // https://docs.stripe.com/testing
  stripe: { testKey: /^[rs]k_test_/, approvedCard: '4242424242424242', declinedCard: '4000000000000002' },
};

/** A vendor's test environment with an account there. */
export interface LiveVendor {
  readonly name: VendorName;
  readonly driver: GatewayDriver;
  readonly slug: GatewaySlug;
  readonly endpoints: Endpoints;
  readonly account: GatewayAccount;
  readonly approvedCard: string;
  readonly declinedCard: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const LIVE_VENDORS = Object.keys(TEST_ENVIRONMENTS);

/** The vendor, or one sentence for each thing that is missing or wrong. Values are never repeated. */
export function liveVendor(
  name: string | undefined,
  env: Environment,
): LiveVendor | { readonly problems: string[] } {
  const known = (Object.keys(TEST_ENVIRONMENTS) as VendorName[]).find((vendor) => vendor === name);
  const environment = known && TEST_ENVIRONMENTS[known];
  if (known === undefined || environment === undefined)
    return { problems: [`name a vendor: ${LIVE_VENDORS.join(', ')}`] };
  const driver = DRIVERS[known]();
  const prefix = known.toUpperCase();
  const valueOf = (field: string): string => env[`${prefix}_${field.toUpperCase()}`] ?? '';
  const missing = driver.credentialFields
    .filter(({ name: field, required }) => required && valueOf(field) === '')
    .map(({ name: field, description }) => `${prefix}_${field.toUpperCase()} is missing: ${description}`);
  if (missing.length > 0) return { problems: missing };
  const endpoints = endpointsOf(known, environment, env);
  const secretKey = valueOf(SECRET_KEY_FIELD);
  const isLive = Object.values<string | null>(DRIVER_ENDPOINTS[known]).includes(endpoints.api ?? '');
  if (isLive && environment.testKey?.test(secretKey) !== true)
    return { problems: [`${prefix}_SECRET_KEY must be a key of the test environment: this run charges`] };
  const others = driver.credentialFields.filter(
    ({ name: field }) => field !== SECRET_KEY_FIELD && field !== CLIENT_ID_FIELD && valueOf(field) !== '',
  );
  const credentials = Object.fromEntries(others.map(({ name: field }) => [field, valueOf(field)]));
  const { approvedCard, declinedCard } = environment;
  return {
    name: known,
    driver,
    // It allows all that a driver supports.
    slug: 'gateway_1',
    endpoints,
    account: { values: { secretKey, credentials }, clientId: valueOf(CLIENT_ID_FIELD) || null },
    approvedCard,
    declinedCard,
  };
}

/** `PAGARME_URL`, `PAGARME_KEYS_URL` and so on replace the vendor's own addresses. */
function endpointsOf(name: VendorName, { endpoints }: TestEnvironment, env: Environment): Endpoints {
  // Null where the deployment must set it.
  const live: Readonly<Record<string, string | null>> = DRIVER_ENDPOINTS[name];
  const entries = Object.entries({ ...live, ...endpoints }).map(([endpoint, url]): [string, string] => {
    const variable = `${name.toUpperCase()}_${endpoint === 'api' ? '' : `${endpoint.toUpperCase()}_`}URL`;
    return [endpoint, (env[variable] || url || '').replace(/\/$/, '')];
  });
  return Object.fromEntries(entries);
}
