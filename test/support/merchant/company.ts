import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Database } from '../../../src/persistence/sql/transaction';
import { expectResponse } from './requests';

/** The API credentials of a company, with the field names of the API. */
export interface ApiCredentials {
  readonly client_id: string;
  readonly api_key: string;
}

/** The body of `PUT /company/gateways` has these. */
export interface GatewaySecret {
  readonly gateway_slug: GatewaySlug;
  readonly secret_key: string;
  /** The position in the routing order. */
  readonly order?: number;
}

export async function registerCompany(apiUrl: string, name: string): Promise<ApiCredentials> {
  const { credentials } = await expectResponse<{ credentials: ApiCredentials }>(
    { method: 'POST', url: `${apiUrl}/company/register`, body: { name } },
    200,
  );
  return credentials;
}

export async function saveGateways(
  apiUrl: string,
  credentials: ApiCredentials,
  gateways: readonly GatewaySecret[],
): Promise<void> {
  const url = `${apiUrl}/company/gateways`;
  await expectResponse(
    { method: 'PUT', url, headers: credentialHeaders(credentials), body: { gateways } },
    200,
  );
}

export function credentialHeaders({ client_id, api_key }: ApiCredentials) {
  return { 'x-client-id': client_id, 'x-api-key': api_key };
}

/** Gives a registered company the client id that the deployment's settings name. Returns the company's number. */
export async function assignClientId(
  db: Pick<Database, 'queryOne'>,
  credentials: Pick<ApiCredentials, 'client_id'>,
  clientId: string,
): Promise<number> {
  const company = await db.queryOne<{ id: number }>(
    'UPDATE companies SET client_id = $2 WHERE client_id = $1 RETURNING id',
    [credentials.client_id, clientId],
  );
  if (company === null) throw new Error('the company is not registered');
  return company.id;
}
