import { randomUUID } from 'node:crypto';
import { CompanyAuthenticator } from '../../src/application/companies/authenticate-company';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import { CompanyRepository } from '../../src/persistence/companies/company-repository';
import { ApiKeys } from '../../src/security/api-keys';
import { testConfig } from '../support/stack/test-config';

class CountingCompanies extends CompanyRepository {
  queries = 0;

  override findByClientId(clientId: string) {
    this.queries += 1;
    return super.findByClientId(clientId);
  }
}

const apiKeys = new ApiKeys('a pepper of at least 32 characters');
let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

async function newPair() {
  const [clientId, apiKey] = [randomUUID(), apiKeys.generate()];
  const company = await context.companies.insert({
    name: 'Loja',
    clientId,
    apiKeyHash: apiKeys.hash(apiKey),
  });
  return { clientId, apiKey, company };
}

it('concurrent requests of one company cause a single query', async () => {
  const companies = new CountingCompanies(context.db);
  const authenticator = new CompanyAuthenticator(companies, apiKeys);
  const { clientId, apiKey, company } = await newPair();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => authenticator.authenticate(clientId, apiKey)),
  );
  expect(answers).toEqual(Array(50).fill(company));
  expect(await authenticator.authenticate(clientId, apiKey)).toEqual(company);
  expect(companies.queries).toBe(1);
});

it('a wrong key is rejected while the right one is cached', async () => {
  const authenticator = new CompanyAuthenticator(new CompanyRepository(context.db), apiKeys);
  const [one, other] = [await newPair(), await newPair()];
  expect(await authenticator.authenticate(one.clientId, one.apiKey)).toEqual(one.company);
  expect(await authenticator.authenticate(one.clientId, other.apiKey)).toBeNull();
  expect(await authenticator.authenticate(one.clientId, '')).toBeNull();
});

it('an unknown company is not cached, so that it can authenticate as soon as it is registered', async () => {
  const authenticator = new CompanyAuthenticator(new CompanyRepository(context.db), apiKeys);
  const [clientId, apiKey] = [randomUUID(), apiKeys.generate()];
  expect(await authenticator.authenticate(clientId, apiKey)).toBeNull();
  await context.companies.insert({ name: 'Loja', clientId, apiKeyHash: apiKeys.hash(apiKey) });
  expect(await authenticator.authenticate(clientId, apiKey)).toMatchObject({ clientId });
});

it('an invalidated company is loaded again, and a lookup in progress during the invalidation still gets an answer', async () => {
  const authenticator = new CompanyAuthenticator(new CompanyRepository(context.db), apiKeys);
  const { clientId, apiKey, company } = await newPair();
  expect(await authenticator.authenticate(clientId, apiKey)).toEqual(company);
  await context.db.query(`UPDATE companies SET timezone = 'UTC' WHERE id = $1`, [company.id]);
  expect(await authenticator.authenticate(clientId, apiKey)).toEqual(company);
  authenticator.invalidate(clientId);
  const recordStatements = authenticator.authenticate(clientId, apiKey);
  authenticator.invalidate(clientId);
  expect(await recordStatements).toEqual({ ...company, timezone: 'UTC' });
});
