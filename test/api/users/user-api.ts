import type { components } from '../../../src/http/generated/openapi';
import { PASSWORD, REFERRER, registration } from '../../support/fixtures/registration';
import { apiClient, expectStatus, type ApiClient } from '../support/api-client';
import type { EngineApi } from '../support/engine-api';

export { PASSWORD, REFERRER, registration };

/** A new user with a new company. */
export interface TestUser {
  readonly email: string;
  readonly registered: components['schemas']['RegisteredUser'];
  /** Client with the access token of the registration. */
  readonly client: ApiClient;
}

export async function registerUser(
  { anonymous, baseUrl }: Pick<EngineApi, 'anonymous' | 'baseUrl'>,
  change: object = {},
): Promise<TestUser> {
  const body = registration(change);
  const answer = expectStatus(await anonymous('registerUser', { body, headers: REFERRER }), 201);
  return { email: body.email, registered: answer.body, client: tokenClient(baseUrl, answer.body.token) };
}

export function tokenClient(baseUrl: string, token: string): ApiClient {
  return apiClient(baseUrl, { Authorization: `Bearer ${token}` });
}

export async function signIn(
  { anonymous, baseUrl }: Pick<EngineApi, 'anonymous' | 'baseUrl'>,
  { email }: TestUser,
  password = PASSWORD,
): Promise<{ readonly token: string; readonly client: ApiClient; readonly cookie: string }> {
  const { body, headers } = expectStatus(await anonymous('logIn', { body: { email, password } }), 200);
  const [cookie = ''] = headers.get('set-cookie')?.split(';') ?? [];
  return { token: body.token, client: tokenClient(baseUrl, body.token), cookie };
}
