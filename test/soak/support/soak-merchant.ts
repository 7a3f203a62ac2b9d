import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { ADDRESS, CUSTOMER } from '../../api/support/company-api';
import { apiClient } from '../../api/support/api-client';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import { Backend, newKey } from './backend';
import type { World } from './environment';

/** In the order they are tried when nothing else is asked for. */
const OWN_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_5'] as const;
/** Where the florist and the courier, who share what some customers pay, have their accounts. */
const SHARED_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_4'] as const;
const PARTNERS = ['florist', 'courier', 'gardener'] as const;

export interface Shop {
  readonly world: World;
  readonly backend: Backend;
  readonly companyId: number;
  /** Of the florist, the courier and the gardener, at each gateway that has them. */
  readonly recipients: ReadonlyMap<GatewaySlug, readonly string[]>;
  /** Of a customer who comes often. */
  readonly regular: { readonly token: string; readonly cardToken: string };
}

export interface ShopOptions {
  /** The company's client id, where the deployment names it as one that may use the platform's gateways. */
  readonly clientId?: string;
  /** Where gateways are to send what they have to tell about this shop, if not where they send it anyway. */
  readonly callbacksTo?: { readonly url: string; readonly platformSecret: string };
}

/** Registers a shop: its gateways, those who share its sales, and a regular customer with a saved card. */
export async function openShop(world: World, options: ShopOptions = {}): Promise<Shop> {
  const anyone = new Backend(apiClient(world.baseUrl));
  const { credentials } = await anyone.ask('registerCompany', 200, { body: { name: 'Flores do Mês' } });
  const clientId = options.clientId ?? credentials.client_id;
  const [company] = await world.db.query<{ id: number }>(
    'UPDATE companies SET client_id = $2 WHERE client_id = $1 RETURNING id',
    [credentials.client_id, clientId],
  );
  const keys = { 'X-Client-ID': clientId, 'X-API-Key': credentials.api_key };
  const backend = new Backend(apiClient(world.baseUrl, keys));
  await saveGateways(world, backend, options.callbacksTo);
  return {
    world,
    backend,
    companyId: company?.id ?? 0,
    recipients: await hirePartners(backend),
    regular: await welcomeRegular(backend),
  };
}

async function saveGateways(
  { simulator }: World,
  backend: Backend,
  callbacksTo: ShopOptions['callbacksTo'],
): Promise<void> {
  const secret = `sk_shop_${randomUUID()}`;
  const gateways = OWN_GATEWAYS.map((gateway_slug) => ({ gateway_slug, secret_key: secret }));
  await backend.ask('saveGateways', 200, { body: { gateways } });
  if (callbacksTo === undefined) return;
  await simulator.setUpAccount(secret, { callback_url: callbacksTo.url });
  await simulator.setUpAccount(callbacksTo.platformSecret, { callback_url: callbacksTo.url });
}

async function hirePartners(backend: Backend): Promise<ReadonlyMap<GatewaySlug, readonly string[]>> {
  const hired = new Map<GatewaySlug, readonly string[]>();
  for (const gateway of SHARED_GATEWAYS) {
    hired.set(gateway, await Promise.all(PARTNERS.map((name) => hire(backend, gateway, name))));
  }
  return hired;
}

async function hire(backend: Backend, gateway_slug: GatewaySlug, name: string): Promise<string> {
  const { data } = await backend.ask('createSubAccount', 201, {
    headers: { 'Idempotency-Key': newKey() },
    body: { gateway_slug, subaccount_information: individual({ name }) },
  });
  if (data.recipient_id === null) throw new Error(`${gateway_slug} made no recipient`);
  return data.recipient_id;
}

async function welcomeRegular(backend: Backend): Promise<Shop['regular']> {
  const customer = await backend.ask('createCustomer', 201, { body: CUSTOMER });
  const { token } = customer.data;
  const card = await backend.ask('createCustomerCard', 201, {
    params: { token },
    body: { ...rawCard(APPROVED_CARD), billing_address: ADDRESS },
  });
  return { token, cardToken: card.data.token };
}
