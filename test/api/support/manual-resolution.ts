import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentBody } from '../../../src/presenters/payment';
import { uniqueAmount } from '../../support/scenarios/pay';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient } from './api-client';
import type { EngineApi } from './engine-api';
import { registerUser, type TestUser } from '../users/user-api';

/** A company with a user who signed in, and a client for each. */
export interface Office {
  readonly user: TestUser;
  readonly companyId: number;
  /** The headers of its key pair. */
  readonly keys: Readonly<Record<string, string>>;
  readonly byKey: ApiClient;
  readonly byToken: ApiClient;
}

export async function openOffice(
  api: Pick<EngineApi, 'anonymous' | 'baseUrl'>,
  slugs: readonly GatewaySlug[] = ['gateway_1'],
): Promise<Office> {
  const user = await registerUser(api);
  const { client_id: clientId, api_key: apiKey } = user.registered.company;
  const keys = { 'X-Client-ID': clientId, 'X-API-Key': apiKey };
  const byKey = apiClient(api.baseUrl, keys);
  const gateways = slugs.map((gateway_slug) => ({ gateway_slug, secret_key: `sk_test_${clientId}` }));
  if (gateways.length > 0) expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  return { user, companyId: user.registered.user.company_id, keys, byKey, byToken: user.client };
}

/** A payment whose charge got lost at gateway_3, which can tell nothing of it: it waits for a person. */
export async function stuckCharge(
  { engine }: EngineApi,
  { byKey }: Pick<Office, 'byKey'>,
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

/** A request that is given little time may end before the workflow is started: then the sweeper does that. */
export async function untilStuck(
  { parts, sweeper }: EngineApi['engine'],
  { transaction_id: id }: PaymentBody,
): Promise<void> {
  const isStuck = async (): Promise<boolean> => {
    await sweeper.sweepOnce();
    return (await parts.payments.get(id)).stuckAt !== null;
  };
  await waitFor(isStuck, { what: 'the payment to wait for a person', everyMs: 200 });
}
