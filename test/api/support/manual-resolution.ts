import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from './api-client';
import type { EngineApi } from './engine-api';
import { registerUser, type TestUser } from '../users/user-api';

/** A company with a signed-in user, and a client for each. */
export interface CompanyWithUser {
  readonly user: TestUser;
  readonly companyId: number;
  /** The headers of the company’s key pair. */
  readonly keys: Readonly<Record<string, string>>;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
}

export async function registerCompanyWithUser(
  api: Pick<EngineApi, 'anonymous' | 'baseUrl'>,
  slugs: readonly GatewaySlug[] = ['gateway_1'],
): Promise<CompanyWithUser> {
  const user = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = user.registered.company;
  const keys = { 'X-Client-ID': clientId, 'X-API-Key': apiKey };
  const byKey = apiClient(api.baseUrl, keys);
  const gateways = slugs.map((gateway_slug) => ({ gateway_slug, secret_key: `sk_test_${clientId}` }));
  if (gateways.length > 0) expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { user, companyId: user.registered.user.company_id, keys, byKey, byToken: user.client };
}

/** A payment that is stuck: its charge’s answer was lost at gateway_3, which cannot look up charges. */
export async function stuckCharge(
  { engine }: EngineApi,
  { byKey }: Pick<CompanyWithUser, 'byKey'>,
  behavior: object = { drop: 'after' },
): Promise<PaymentBody> {
  const amount = uniqueAmount();
  await engine.simulator.script({ gateway: 'gateway_3', amount, operation: 'charge' }, behavior);
  const request = paymentRequest({ amount, gateway_first_try: 'gateway_3' });
  const answer = await byKey('createCardPayment', { body: request });
  const { body } = expectStatus(answer, 202);
  await untilStuck(engine, body);
  return body;
}

/** Sweeps meanwhile, because a request with a short timeout may end before it starts the workflow. */
export async function untilStuck(
  { context, sweeper }: EngineApi['engine'],
  { transaction_id: id }: PaymentBody,
): Promise<void> {
  const isStuck = async (): Promise<boolean> => {
    await sweeper.sweepOnce();
    return (await context.payments.get(id)).stuckAt !== null;
  };
  await waitFor(isStuck, { what: 'the payment to be stuck', everyMs: 200 });
}
