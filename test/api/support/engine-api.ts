import { startEngine, type Engine, type EngineOptions } from '../../support/stack/engine';
import { apiClient, expectStatus, type ApiClient } from './api-client';
import { serve } from './serve';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';

/** The whole service on its own port: the API with its production composition, workers, and the test run’s shared servers. */
export interface EngineApi {
  readonly engine: Engine;
  readonly baseUrl: string;
  readonly anonymous: ApiClient;
  stop(): Promise<void>;
}

export async function startEngineApi(
  settings: Record<string, string> = {},
  { workers = 'all' }: Pick<EngineOptions, 'workers'> = {},
): Promise<EngineApi> {
  const engine = await startEngine(settings, { workers });
  const { baseUrl, close } = await serve(engine);
  return {
    engine,
    baseUrl,
    anonymous: apiClient(baseUrl),
    stop: async () => {
      await close();
      await engine.stop();
    },
  };
}

/** The service without delivery workers, with clients of two unrelated companies. */
export interface TwoCompanies {
  readonly api: EngineApi;
  readonly client: ApiClient;
  readonly other: ApiClient;
}

export async function startWithTwoCompanies(settings: Record<string, string> = {}): Promise<TwoCompanies> {
  const api = await startEngineApi(settings, { workers: 'payments' });
  return { api, client: await registerWithGateways(api), other: await registerWithGateways(api) };
}

/** Registers a company and saves credentials for these gateways, in this order. */
export async function registerWithGateways(
  { anonymous, baseUrl }: EngineApi,
  slugs: readonly GatewaySlug[] = ['gateway_1'],
  secretKeyOf: (slug: GatewaySlug) => string = (slug) => `sk_test_${slug}`,
): Promise<ApiClient> {
  const { body } = expectStatus(
    await anonymous('registerCompany', { body: { name: 'Loja do Centro' } }),
    200,
  );
  const { client_id: clientId, api_key: apiKey } = body.credentials;
  const client = apiClient(baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
  const gateways = slugs.map((slug) => ({ gateway_slug: slug, secret_key: secretKeyOf(slug) }));
  if (gateways.length > 0) expectStatus(await client('saveGateways', { body: { gateways } }), 200);
  return client;
}
