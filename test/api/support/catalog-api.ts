import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { createTestDatabase, testConfig } from '../../support/stack/test-config';
import { apiClient, expectStatus, type ApiClient } from './api-client';
import type { EngineApi } from './engine-api';
import { serve } from './serve';

/** The API with its production composition, on a database of its own, without workers. */
export interface CatalogApi extends Pick<EngineApi, 'anonymous' | 'baseUrl'> {
  readonly context: AppContext;
  stop(): Promise<void>;
}

export async function startCatalogApi(settings: Record<string, string> = {}): Promise<CatalogApi> {
  const config = testConfig(settings, await createTestDatabase());
  const context = createAppContext(config);
  const { baseUrl, close } = await serve({ config, context });
  return {
    context,
    baseUrl,
    anonymous: apiClient(baseUrl),
    stop: async () => {
      await close();
      await Promise.all([context.db.close(), context.temporal.connection.close()]);
    },
  };
}

/** A client with the API key of a new company without users. */
export async function newCompany({ anonymous, baseUrl }: CatalogApi): Promise<ApiClient> {
  const answer = await anonymous('registerCompany', { body: { name: 'Loja do Centro' } });
  const { client_id: clientId, api_key: apiKey } = expectStatus(answer, 200).body.credentials;
  return apiClient(baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
}

/** The audit log’s entries about one subject, oldest first. */
export async function auditOf(byToken: ApiClient, subjectId: string): Promise<Array<[string, object]>> {
  const { data } = expectStatus(
    await byToken('listAuditLog', { query: { subject_id: subjectId } }),
    200,
  ).body;
  return data.map(({ action, changes }): [string, object] => [action, changes]).reverse();
}
