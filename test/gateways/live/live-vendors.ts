import { DRIVERS } from '../../../src/composition/drivers';
import { accountProblems, type GatewayAccount } from '../../../src/domain/routing/gateway-account';
import { CLIENT_ID_FIELD, SECRET_KEY_FIELD } from '../../../src/domain/routing/credential-fields';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { DRIVER_ENDPOINTS, type Endpoints } from '../../../src/gateways/driver-names';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import type { GatewayUnderTest } from '../contract/gateway-under-test';
import type { VendorName } from '../vendor-table/proofs';

/** What a test environment needs and does that others do not. */
type LiveFacts = Pick<GatewayUnderTest, 'approvedCard'> & Partial<GatewayUnderTest>;

interface TestEnvironment {
  /** Where it is another address than the live one. */
  readonly endpoints?: Endpoints;
  /** Only its hosts look like this; null if it is at the live address. */
  readonly testHost: RegExp | null;
  /** What every key of the test environment looks like; null if its keys look like live ones. */
  readonly testKey: RegExp | null;
  readonly facts: LiveFacts;
}

/** The vendors' own test environments, and their documented test cards. Each has a host or keys that only a test has. */
const TEST_ENVIRONMENTS: Readonly<Partial<Record<VendorName, TestEnvironment>>> = {
  // https://docs.adyen.com/development-resources/test-cards-and-credentials/test-card-numbers
  adyen: {
    endpoints: {
      api: 'https://checkout-test.adyen.com',
      kyc: 'https://kyc-test.adyen.com/lem',
      balance: 'https://balanceplatform-api-test.adyen.com/bcl',
      disputes: 'https://ca-test.adyen.com/ca/services/DisputeService',
    },
    testHost: /^(?:checkout|kyc|balanceplatform-api|ca)-test\.adyen\.com$/,
    testKey: null,
    facts: {
      approvedCard: '4111111145551142',
      cardDetails: { cvv: '737', expireMonth: 3, expireYear: 2030 },
    },
  },
  // https://docs.asaas.com/docs/sandbox
  asaas: {
    endpoints: { api: 'https://api-sandbox.asaas.com' },
    testHost: /^api-sandbox\.asaas\.com$/,
    testKey: /^\$aact_hmlg_/,
    facts: { approvedCard: '4444444444444444' },
  },
  // https://docs.cielo.com.br/ecommerce-cielo-en/reference/credit-card-in-sandbox-1
  cielo: {
    endpoints: {
      api: 'https://apisandbox.cieloecommerce.cielo.com.br',
      query: 'https://apiquerysandbox.cieloecommerce.cielo.com.br',
    },
    testHost: /^api(?:query)?sandbox\.cieloecommerce\.cielo\.com\.br$/,
    testKey: null,
    // Any number whose last digit is 0, 1 or 4 is approved.
    facts: { approvedCard: '4000000000000010', showsPendingRefunds: false },
  },
  // https://www.mercadopago.com.br/developers/en/docs/checkout-bricks/integration-test/test-cards
  mercadopago: {
    testHost: null,
    testKey: /^TEST-/,
    facts: {
      approvedCard: '4235647728025682',
      // The holder's name decides, and only this customer is one of tests.
      cardDetails: { holderName: 'APRO', expireMonth: 11, expireYear: 2030 },
      customerDetails: { email: 'test@testuser.com', document: '12345678909' },
      silentRepeats: ['refund'],
    },
  },
  // https://docs.pagar.me/docs/simulador-de-cartão-de-crédito
  pagarme: { testHost: null, testKey: /^sk_test_/, facts: { approvedCard: '4000000000000010' } },
  // https://dev.efipay.com.br/docs/api-pix/credenciais, of Efí. Other banks' hosts have such a word, too.
  'pix-bacen': {
    endpoints: { api: 'https://pix-h.api.efipay.com.br/v2', oauth: 'https://pix-h.api.efipay.com.br/oauth' },
    testHost: /(?:^|[.-])(?:h|hm|hml|hom|homolog\w*|sandbox|test\w*)(?=[.-])/,
    testKey: null,
    facts: { approvedCard: '', returnsIssuerData: false, referenceIsId: true },
  },
  // https://docs.stripe.com/testing
  stripe: { testHost: null, testKey: /^[rs]k_test_/, facts: { approvedCard: '4242424242424242' } },
};

/** A vendor's test environment with an account there. */
export interface LiveVendor {
  readonly name: VendorName;
  readonly driver: GatewayDriver;
  readonly slug: GatewaySlug;
  readonly endpoints: Endpoints;
  readonly account: GatewayAccount;
  readonly facts: LiveFacts;
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
  const variableOf = (field: string): string => `${known}_${field}`.replaceAll('-', '_').toUpperCase();
  const valueOf = (field: string): string => env[variableOf(field)] ?? '';
  const missing = driver.credentialFields
    .filter(({ name: field, required }) => required && valueOf(field) === '')
    .map(({ name: field, description }) => `${variableOf(field)} is missing: ${description}`);
  if (missing.length > 0) return { problems: missing };
  const endpoints = endpointsOf(known, environment, (endpoint) =>
    valueOf(endpoint === 'api' ? 'url' : `${endpoint}_url`),
  );
  const secretKey = valueOf(SECRET_KEY_FIELD);
  const hosts = Object.values(endpoints).map(hostOf);
  const isElsewhere = hosts.some((host) => !LOCAL_HOSTS.has(host));
  if (isElsewhere && environment.testKey?.test(secretKey) === false)
    return {
      problems: [`${variableOf(SECRET_KEY_FIELD)} must be a key of the test environment: this run charges`],
    };
  if (hosts.some((host) => !LOCAL_HOSTS.has(host) && environment.testHost?.test(host) === false))
    return {
      problems: [`${variableOf('url')} must be an address of the test environment: this run charges`],
    };
  const others = driver.credentialFields.filter(
    ({ name: field }) => field !== SECRET_KEY_FIELD && field !== CLIENT_ID_FIELD && valueOf(field) !== '',
  );
  const credentials = Object.fromEntries(others.map(({ name: field }) => [field, valueOf(field)]));
  const account = { values: { secretKey, credentials }, clientId: valueOf(CLIENT_ID_FIELD) || null };
  const problems = accountProblems(account, driver.credentialFields).map((problem) => `${known}: ${problem}`);
  if (problems.length > 0) return { problems };
  return {
    name: known,
    driver,
    // It allows all that a driver supports.
    slug: 'gateway_1',
    endpoints,
    account,
    facts: environment.facts,
  };
}

/** `PAGARME_URL`, `PAGARME_KEYS_URL` and so on replace the vendor's own addresses. */
function endpointsOf(
  name: VendorName,
  { endpoints }: TestEnvironment,
  given: (endpoint: string) => string,
): Endpoints {
  // Null where the deployment must set it.
  const live: Readonly<Record<string, string | null>> = DRIVER_ENDPOINTS[name];
  const entries = Object.entries({ ...live, ...endpoints }).map(([endpoint, url]): [string, string] => [
    endpoint,
    // The driver adds what is removed.
    (given(endpoint) || url || '').replace(endpoint === 'oauth' ? /(?:\/token)?\/?$/ : /\/$/, ''),
  ]);
  return Object.fromEntries(entries);
}

/** Where the simulator is. */
const LOCAL_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Empty if it is no address. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}
