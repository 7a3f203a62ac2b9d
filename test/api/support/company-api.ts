import { createAuthenticator, createCompanies, createUsers } from '../../../src/composition/api-companies';
import { companyRoutes } from '../../../src/http/routes/companies';
import { customerRoutes } from '../../../src/http/routes/customers';
import { userRoutes } from '../../../src/http/routes/users';
import { startEngine, type Engine, type EngineOptions } from '../../support/stack/engine';
import { apiClient, expectStatus, type ApiClient } from './api-client';
import { startTestApi } from './test-api';

/** The routes of companies, customers and users on a real engine, by default without workers. */
export interface CompanyApi {
  readonly engine: Engine;
  readonly baseUrl: string;
  /** A client without a key pair. */
  readonly anonymous: ApiClient;
  readonly logText: () => string;
  stop(): Promise<void>;
}

export interface RegisteredCompany {
  readonly clientId: string;
  readonly apiKey: string;
  readonly client: ApiClient;
}

export async function startCompanyApi(
  settings: Record<string, string> = {},
  { workers = 'none' }: Pick<EngineOptions, 'workers'> = {},
): Promise<CompanyApi> {
  const engine = await startEngine(settings, { workers });
  const silent = { error: () => undefined, warn: () => undefined };
  const authenticator = createAuthenticator(engine.config, engine.context, silent);
  const deps = createCompanies(engine.config, engine.context);
  const users = createUsers(engine.config, engine.context, authenticator, silent);
  const api = await startTestApi({
    handlers: { ...companyRoutes(deps), ...customerRoutes(deps), ...userRoutes(users) },
    authenticate: (clientId, apiKey) => authenticator.authenticate(clientId, apiKey),
    users: users.sessions,
    observeRequest: (request) => engine.context.metrics.requestEnded(request),
  });
  return {
    engine,
    baseUrl: api.baseUrl,
    anonymous: apiClient(api.baseUrl),
    logText: () => JSON.stringify(api.logLines()),
    stop: async () => {
      await api.close();
      await engine.stop();
    },
  };
}

/** Registers a new company. */
export async function register(
  { anonymous, baseUrl }: CompanyApi,
  name = 'Loja do Centro',
): Promise<RegisteredCompany> {
  const { body } = expectStatus(await anonymous('registerCompany', { body: { name } }), 200);
  const { client_id: clientId, api_key: apiKey } = body.credentials;
  return { clientId, apiKey, client: apiClient(baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey }) };
}

export async function companyIdOf({ engine }: CompanyApi, { clientId }: RegisteredCompany): Promise<number> {
  const row = await engine.context.companies.findByClientId(clientId);
  if (row === null) throw new Error('the company is not registered');
  return row.company.id;
}

export const CUSTOMER = { name: 'Maria Souza', email: 'maria@example.com', document: '529.982.247-25' };

export const ADDRESS = {
  street: 'Rua das Flores',
  number: '120',
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zip_code: '01310-100',
  country: 'BR',
};

export function cardBody(number = '4111111111111111', change: object = {}) {
  return { number, holder_name: 'MARIA SOUZA', expire_month: 12, expire_year: 2035, cvv: '737', ...change };
}

/** Creates a customer of the company and returns its token. */
export async function newCustomer({ client }: RegisteredCompany, change: object = {}): Promise<string> {
  const answer = expectStatus(await client('createCustomer', { body: { ...CUSTOMER, ...change } }), 201);
  return answer.body.data.token;
}
