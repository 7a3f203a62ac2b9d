import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { ADDRESS, CUSTOMER } from '../../api/support/company-api';
import { apiClient } from '../../api/support/api-client';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import { REFERRER, registration } from '../../support/fixtures/registration';
import { assignClientId, credentialHeaders } from '../../support/merchant/company';
import { DisputeWebhooks } from './disputes/dispute-webhooks';
import type { SoakDispute } from './disputes/soak-dispute';
import type { SoakEnvironment } from './environment';
import { MerchantBackend, newKey } from './merchant-backend';

/** In routing order. */
export const OWN_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_5'] as const;
const RECIPIENT_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_4'] as const;
const RECIPIENT_NAMES = ['florist', 'courier', 'gardener'] as const;

/** The merchant's people, who work in the dashboard, and what they work on. */
interface BackOffice {
  /** Signed in as the owner. */
  readonly admin: MerchantBackend;
  readonly headers: Readonly<Record<string, string>>;
  /** Every dispute of the merchant's payments, as it was played. */
  readonly disputes: SoakDispute[];
  readonly webhooks: DisputeWebhooks;
}

export interface SoakMerchant {
  readonly environment: SoakEnvironment;
  readonly backend: MerchantBackend;
  readonly office: BackOffice;
  readonly companyId: number;
  /** The ids of the florist, the courier and the gardener, in this order, at each gateway where they have accounts. */
  readonly recipients: ReadonlyMap<GatewaySlug, readonly string[]>;
  /** A customer with a saved card. */
  readonly returningCustomer: { readonly token: string; readonly cardToken: string };
}

export interface SoakMerchantOptions {
  /** Replaces the generated client id, for a company that the deployment allows to use the platform's gateways. */
  readonly clientId?: string;
  /** Where gateways send callbacks about this merchant's payments, if not to their default address. */
  readonly callbacksTo?: { readonly url: string; readonly platformSecret: string };
}

/** Registers a user and a company without gateways. */
export async function registerSoakCompany(
  { baseUrl, db }: SoakEnvironment,
  { newClientId, resultWithinMs }: { readonly newClientId?: string; readonly resultWithinMs?: number } = {},
): Promise<Pick<SoakMerchant, 'backend' | 'companyId' | 'office'>> {
  const anonymous = new MerchantBackend(apiClient(baseUrl));
  const { token, company: credentials } = await anonymous.call('registerUser', 201, {
    headers: REFERRER,
    body: registration({ company_name: 'Flores do Mês' }),
  });
  const clientId = newClientId ?? credentials.client_id;
  const companyId = await assignClientId(db, credentials, clientId);
  const headers = credentialHeaders({ ...credentials, client_id: clientId });
  return {
    companyId,
    backend: new MerchantBackend(apiClient(baseUrl, headers), resultWithinMs),
    office: await openOffice(baseUrl, token),
  };
}

async function openOffice(baseUrl: string, token: string): Promise<BackOffice> {
  const headers = { authorization: `Bearer ${token}` };
  const admin = new MerchantBackend(apiClient(baseUrl, headers));
  return { admin, headers, disputes: [], webhooks: await DisputeWebhooks.start(admin) };
}

/** Registers a merchant with gateways, split recipients and a returning customer. */
export async function registerSoakMerchant(
  environment: SoakEnvironment,
  options: SoakMerchantOptions = {},
): Promise<SoakMerchant> {
  const { companyId, backend, office } = await registerSoakCompany(
    environment,
    options.clientId === undefined ? {} : { newClientId: options.clientId },
  );
  await saveGateways(environment, backend, options.callbacksTo);
  return {
    environment,
    backend,
    office,
    companyId,
    recipients: await createRecipients(backend),
    returningCustomer: await createReturningCustomer(backend),
  };
}

async function saveGateways(
  { simulator }: SoakEnvironment,
  backend: MerchantBackend,
  callbacksTo: SoakMerchantOptions['callbacksTo'],
): Promise<void> {
  const secret = `sk_shop_${randomUUID()}`;
  const gateways = OWN_GATEWAYS.map((gateway_slug) => ({ gateway_slug, secret_key: secret }));
  await backend.call('saveGateways', 200, { body: { gateways } });
  if (callbacksTo === undefined) return;
  await simulator.setUpAccount(secret, { callback_url: callbacksTo.url });
  await simulator.setUpAccount(callbacksTo.platformSecret, { callback_url: callbacksTo.url });
}

async function createRecipients(
  backend: MerchantBackend,
): Promise<ReadonlyMap<GatewaySlug, readonly string[]>> {
  const recipients = new Map<GatewaySlug, readonly string[]>();
  for (const gateway of RECIPIENT_GATEWAYS) {
    const ids = await Promise.all(RECIPIENT_NAMES.map((name) => createRecipient(backend, gateway, name)));
    recipients.set(gateway, ids);
  }
  return recipients;
}

async function createRecipient(
  backend: MerchantBackend,
  gateway_slug: GatewaySlug,
  name: string,
): Promise<string> {
  const { data } = await backend.call('createSubAccount', 201, {
    headers: { 'Idempotency-Key': newKey() },
    body: { gateway_slug, subaccount_information: individual({ name }) },
  });
  if (data.recipient_id === null) throw new Error(`${gateway_slug} created no recipient`);
  return data.recipient_id;
}

export async function createReturningCustomer(
  backend: MerchantBackend,
): Promise<SoakMerchant['returningCustomer']> {
  const customer = await backend.call('createCustomer', 201, { body: CUSTOMER });
  const { token } = customer.data;
  const card = await backend.call('createCustomerCard', 201, {
    params: { token },
    body: { ...rawCard(APPROVED_CARD), billing_address: ADDRESS },
  });
  return { token, cardToken: card.data.token };
}
