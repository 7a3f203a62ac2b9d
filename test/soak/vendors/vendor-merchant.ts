import { sandboxAccount } from '../../../src/gateways/sandbox-accounts';
import { isPlatformSlug } from '../../../src/gateways/registry';
import type { SoakEnvironment } from '../support/environment';
import { createReturningCustomer, registerSoakCompany, type SoakMerchant } from '../support/soak-merchant';
import type { VendorSlugs } from './vendor-plan';

/** Twice the longest time after which a vendor's lookup proves absence: an operation that is proven absent is sent again. */
const RESULT_WITHIN_MS = 1_500_000;

/** A merchant with an account at each vendor. */
export async function registerVendorMerchant(
  environment: SoakEnvironment,
  vendors: VendorSlugs,
  clientId: string,
): Promise<SoakMerchant> {
  const { companyId, backend, office } = await registerSoakCompany(environment, {
    newClientId: clientId,
    resultWithinMs: RESULT_WITHIN_MS,
  });
  const gateways = [...vendors]
    .filter(([slug]) => !isPlatformSlug(slug))
    .map(([gateway_slug, driver]) => {
      const { values, clientId: client_id } = sandboxAccount(driver, gateway_slug);
      return {
        gateway_slug,
        secret_key: values.secretKey || null,
        client_id,
        credentials: values.credentials,
      };
    });
  await backend.call('saveGateways', 200, { body: { gateways } });
  const returningCustomer = await createReturningCustomer(backend);
  return { environment, backend, office, companyId, recipients: new Map(), returningCustomer };
}
