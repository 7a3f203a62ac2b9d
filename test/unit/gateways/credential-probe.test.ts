import { CredentialProbe, type NewCredentials } from '../../../src/gateways/credential-probe';
import type { GatewayErrorFamily } from '../../../src/domain/payments/gateway-error-family';
import { GatewayError } from '../../../src/gateways/errors';
import type { GatewayContext, GatewayDriver, InquiryResult } from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { sameGateways } from '../../support/same-gateways';

const CREDENTIALS: NewCredentials = {
  companyId: 1,
  slug: 'gateway_5',
  clientId: 'loja',
  secretKey: 'sk_test',
  credentials: { certificate: 'PEM' },
};
const CHARGE = { reference: 'reference-1', gatewayTransactionId: 'ch_1', sentAt: null };

/** A probe of a gateway with this driver. */
function probeOf(driver: Partial<GatewayDriver>): CredentialProbe {
  const whole = driver instanceof SimulatorDriver ? driver : Object.assign(new SimulatorDriver(), driver);
  const registry = new GatewayRegistry({
    drivers: new Map([['gateway_5', whole]]),
    endpoints: new Map([['gateway_5', { api: 'http://127.0.0.1:1' }]]),
    inactive: new Set(),
    platformCompanies: new Set(),
    platformSecret: 'sk_platform',
    webhookSecrets: new Map(),
  });
  return new CredentialProbe(sameGateways(registry), new GatewayHttp(), KEEP_NOTHING, 1_000);
}

const failing = (family: GatewayErrorFamily) =>
  probeOf({ verifyCredentials: () => Promise.reject(new GatewayError(family, 'failed')) });

describe('CredentialProbe', () => {
  it('asks the driver with every value of the credentials', async () => {
    const contexts: GatewayContext[] = [];
    const probe = probeOf({
      verifyCredentials: (ctx) => {
        contexts.push(ctx);
        return Promise.resolve();
      },
    });
    expect(await probe.verify(CREDENTIALS)).toBe('accepted');
    const { secretKey, clientId, credentials } = CREDENTIALS;
    expect(contexts).toMatchObject([{ gateway: 'gateway_5', secretKey, clientId, credentials }]);
  });

  it('takes only the gateway’s own refusal of the credentials for a refusal', async () => {
    expect(await failing('bad_credentials').verify(CREDENTIALS)).toBe('refused');
    const others = ['not_sent', 'rate_limited', 'unsupported', 'invalid_request', 'ambiguous'] as const;
    for (const family of others) expect(await failing(family).verify(CREDENTIALS)).toBe('unknown');
  });

  it('knows nothing about credentials of a gateway that has no request for it', async () => {
    const driver: GatewayDriver = new SimulatorDriver();
    Object.defineProperty(driver, 'verifyCredentials', { value: undefined });
    expect(await probeOf(driver).verify(CREDENTIALS)).toBe('unknown');
  });

  it.each<[InquiryResult['kind'], boolean | null]>([
    ['not_found', false],
    ['inconclusive', null],
  ])('an inquiry that is %s means %s for the charge', async (kind, expected) => {
    const result = (kind === 'not_found' ? { kind } : { kind, reason: 'busy' }) as InquiryResult;
    const probe = probeOf({ inquire: () => Promise.resolve(result) });
    expect(await probe.sees(CREDENTIALS, CHARGE)).toBe(expected);
  });
});
