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

const authenticatorOf = (companies: CompanyRepository) =>
  new CompanyAuthenticator({
    companies,
    apiKeys,
    storedKeys: context.companyApiKeys,
    reportError: (error) => {
      throw error;
    },
  });

const apiKeys = new ApiKeys(['a pepper of at least 32 characters']);
let context: AppContext;
beforeAll(() => {
  context = createAppContext(testConfig());
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

async function newPair() {
  const [clientId, apiKey] = [randomUUID(), apiKeys.generate('test')];
  const company = await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId,
    apiKeyHash: apiKeys.hash(apiKey),
  });
  return { clientId, apiKey, company };
}

it('concurrent requests of one company cause a single query', async () => {
  const companies = new CountingCompanies(context.db);
  const authenticator = authenticatorOf(companies);
  const { clientId, apiKey, company } = await newPair();
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => authenticator.authenticate(clientId, apiKey)),
  );
  expect(answers.map((holder) => holder?.company)).toEqual(Array(50).fill(company));
  expect(await authenticator.authenticate(clientId, apiKey)).toMatchObject({ company });
  expect(companies.queries).toBe(1);
});

it('a wrong key and an unknown company cost one query each, whether or not the company is cached', async () => {
  const companies = new CountingCompanies(context.db);
  const authenticator = authenticatorOf(companies);
  const { clientId, apiKey } = await newPair();
  const costs: number[] = [];
  for (const [id, key] of [
    [clientId, 'wrong'],
    [clientId, 'wrong'],
    [clientId, apiKey],
    [clientId, 'wrong'],
    [randomUUID(), apiKey],
  ] as const) {
    const before = companies.queries;
    await authenticator.authenticate(id, key);
    costs.push(companies.queries - before);
  }
  expect(costs).toEqual([1, 1, 0, 1, 1]);
});

it('a wrong key is rejected while the right one is cached', async () => {
  const authenticator = authenticatorOf(context.companies);
  const [one, other] = [await newPair(), await newPair()];
  expect(await authenticator.authenticate(one.clientId, one.apiKey)).toMatchObject({ company: one.company });
  expect(await authenticator.authenticate(one.clientId, other.apiKey)).toBeNull();
  expect(await authenticator.authenticate(one.clientId, '')).toBeNull();
});

it('an unknown company is not cached, so that it can authenticate as soon as it is registered', async () => {
  const authenticator = authenticatorOf(context.companies);
  const [clientId, apiKey] = [randomUUID(), apiKeys.generate('test')];
  expect(await authenticator.authenticate(clientId, apiKey)).toBeNull();
  await context.companies.insert({ mode: 'test', name: 'Loja', clientId, apiKeyHash: apiKeys.hash(apiKey) });
  expect(await authenticator.authenticate(clientId, apiKey)).toMatchObject({ company: { clientId } });
});

it('an invalidated company is loaded again, and a lookup in progress during the invalidation still gets an answer', async () => {
  const authenticator = authenticatorOf(context.companies);
  const { clientId, apiKey, company } = await newPair();
  expect(await authenticator.authenticate(clientId, apiKey)).toMatchObject({ company });
  await context.db.query(`UPDATE companies SET timezone = 'UTC' WHERE id = $1`, [company.id]);
  expect(await authenticator.authenticate(clientId, apiKey)).toMatchObject({ company });
  authenticator.invalidate(clientId);
  const recordStatements = authenticator.authenticate(clientId, apiKey);
  authenticator.invalidate(clientId);
  expect(await recordStatements).toMatchObject({ company: { ...company, timezone: 'UTC' } });
});

it('a key that another process has created is accepted although the company is cached', async () => {
  const authenticator = authenticatorOf(context.companies);
  const { clientId, apiKey, company } = await newPair();
  expect(await authenticator.authenticate(clientId, apiKey)).not.toBeNull();
  const created = apiKeys.generate('test');
  const key = {
    companyId: company.id,
    name: 'Second',
    hash: apiKeys.hash(created),
    scopes: ['read'] as const,
  };
  const { id } = await context.db.inTransaction((tx) => context.companyApiKeys.insert(tx, key));
  const holder = await authenticator.authenticate(clientId, created);
  expect(holder).toEqual({ company, apiKey: { id, scopes: ['read'] } });
  expect(await authenticator.authenticate(clientId, apiKey)).not.toBeNull();
});

it('an API key works with an old and with a new pepper, and its use leaves a hash of the new one', async () => {
  const [OLD, NEW] = [
    'the old pepper with 32 characters or more',
    'the new pepper with 32 characters or more',
  ];
  const replaced: Array<Promise<void>> = [];
  const authenticate = (peppers: readonly [string, ...string[]], clientId: string, apiKey: string) =>
    new CompanyAuthenticator({
      companies: context.companies,
      apiKeys: new ApiKeys(peppers),
      storedKeys: {
        recordUse: async () => undefined,
        replaceHash: (stored) => {
          const done = context.companyApiKeys.replaceHash(stored);
          replaced.push(done);
          return done;
        },
      },
      reportError: (error) => {
        throw error;
      },
    }).authenticate(clientId, apiKey);
  const old = new ApiKeys([OLD]);
  const [clientId, apiKey] = [randomUUID(), old.generate('test')];
  const { pepperId } = old;
  await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId,
    apiKeyHash: old.hash(apiKey),
    pepperId,
  });
  // Accepted first, in a process that still makes hashes with the old pepper.
  expect(await authenticate([OLD, NEW], clientId, apiKey)).not.toBeNull();
  expect(replaced).toEqual([]);
  expect(await authenticate([NEW], clientId, apiKey)).toBeNull();
  expect(await authenticate([NEW, OLD], clientId, apiKey)).not.toBeNull();
  await Promise.all(replaced);
  // The old pepper can be removed, and a process that is replaced late still accepts the key.
  expect(await authenticate([NEW], clientId, apiKey)).not.toBeNull();
  expect(await authenticate([OLD, NEW], clientId, apiKey)).not.toBeNull();
  await Promise.all(replaced);
});

it('the use of a key is recorded once a minute, not at every request', async () => {
  const companyApiKeys = {
    recordUse: jest.fn((id: number) => context.companyApiKeys.recordUse(id)),
    replaceHash: async () => undefined,
  };
  const authenticator = new CompanyAuthenticator({
    companies: context.companies,
    apiKeys,
    storedKeys: companyApiKeys,
    reportError: () => undefined,
  });
  const { clientId, apiKey, company } = await newPair();
  for (let times = 0; times < 3; times += 1) await authenticator.authenticate(clientId, apiKey);
  await authenticator.authenticate(clientId, `${apiKey}x`);
  expect(companyApiKeys.recordUse).toHaveBeenCalledTimes(1);
  await companyApiKeys.recordUse.mock.results[0]?.value;
  const [key] = await context.db.query(
    'SELECT last_used_at IS NOT NULL AS used FROM api_keys WHERE company_id = $1',
    [company.id],
  );
  expect(key).toEqual({ used: true });
});
