import type { SubAccountInformation } from '../../../src/domain/routing/subaccount-information';
import { corporation, individual } from '../../unit/domain/subaccount-fixtures';
import { waitFor } from '../../support/stack/wait-for';
import {
  companyIdOf,
  register,
  startCompanyApi,
  type CompanyApi,
  type RegisteredCompany,
} from '../support/company-api';
import { expectStatus } from '../support/api-client';

let api: CompanyApi;
let company: RegisteredCompany;
beforeAll(async () => {
  api = await startCompanyApi({ PAYMENT_SYNC_TIMEOUT: '5' }, { workers: 'payments' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  company = await register(api);
});

const save = (information: SubAccountInformation | object, slug = 'gateway_1', ...others: object[]) =>
  company.client('saveGateways', {
    body: {
      gateways: [
        {
          gateway_slug: slug,
          secret_key: 'unused',
          use_as_subaccount: true,
          subaccount_information: information,
        },
        ...others,
      ],
    },
  });

const routable = async () =>
  api.engine.context.gateways.listRoutableGateways(await companyIdOf(api, company), []);

async function subAccounts() {
  return api.engine.context.db.query<{ id: string; status: string; recipientId: string | null }>(
    'SELECT id, status, recipient_id AS "recipientId" FROM sub_accounts WHERE company_id = $1 ORDER BY id',
    [await companyIdOf(api, company)],
  );
}

/** Number of requests for a recipient that the gateway received, over all of the company’s sub-accounts. */
async function requestsToGateway(): Promise<number> {
  const logs = await Promise.all((await subAccounts()).map(({ id }) => api.engine.simulator.requests(id)));
  return logs.flat().filter(({ operation }) => operation === 'recipient').length;
}

describe('PUT /company/gateways with a sub-account', () => {
  it.each([
    ['an individual', individual()],
    ['a corporation', corporation()],
  ])(
    'creates a recipient for %s that receives the full amount of every payment at the gateway',
    async (_, information) => {
      const { body } = expectStatus(await save(information), 200);
      expect(body.data[0]).toMatchObject({ gateway_slug: 'gateway_1' });
      const [subAccount] = await subAccounts();
      expect(subAccount).toMatchObject({ status: 'active', recipientId: expect.stringMatching(/^re_/) });
      expect(await routable()).toMatchObject([
        {
          slug: 'gateway_1',
          secret: null,
          subAccount: { recipientId: subAccount?.recipientId },
          recipientIds: [subAccount?.recipientId],
        },
      ]);
    },
  );

  it('creates no second recipient for the same information, however it is formatted and however often it is sent', async () => {
    expectStatus(await save(individual()), 200);
    expectStatus(
      await save({ ...individual({ document: '52998224725' }), trading_name: null, extra: 1 }),
      200,
    );
    expect(await subAccounts()).toHaveLength(1);
    expect(await requestsToGateway()).toBe(1);
  });

  it('creates one recipient for ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(individual())));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await subAccounts()).toHaveLength(1);
    expect(await requestsToGateway()).toBe(1);
  });

  it('creates another recipient for other information, another gateway and another company', async () => {
    expectStatus(await save(individual()), 200);
    expectStatus(await save(individual({ monthly_income: 1 })), 200);
    expectStatus(await save(individual(), 'gateway_2'), 200);
    expect(await subAccounts()).toHaveLength(3);
    company = await register(api);
    expectStatus(await save(individual()), 200);
    expect(await subAccounts()).toHaveLength(1);
    expect(await requestsToGateway()).toBe(1);
  });

  it('saves a pending recipient, which gets no payments until it is active', async () => {
    expectStatus(await save(individual({ document: '52998224700' })), 200);
    expect(await subAccounts()).toMatchObject([{ status: 'pending' }]);
    expect(await routable()).toEqual([]);
    expectStatus(await save(individual({ document: '52998224700' })), 200);
    expect(await requestsToGateway()).toBe(1);
  });

  it('answers 422 gateway_refused if the gateway refuses, and saves nothing of the request', async () => {
    const refused = individual({ document: '52998224799' });
    const answer = await save(refused, 'gateway_1', { gateway_slug: 'gateway_2', secret_key: 'sk' });
    expect(expectStatus(answer, 422).body).toMatchObject({
      code: 'gateway_refused',
      message: 'gateway_1 refused the recipient: the document was refused.',
    });
    expect(await routable()).toEqual([]);
    expect(JSON.stringify(answer.body)).not.toContain('52998224799');
  });

  it('asks the gateway again after a refusal, because the gateway may accept now', async () => {
    const refused = individual({ document: '52998224799' });
    expectStatus(await save(refused), 422);
    expectStatus(await save(refused), 422);
    expect(await requestsToGateway()).toBe(2);
  });

  it('creates no recipient if another item of the request is invalid', async () => {
    const answer = await save(individual(), 'gateway_1', { gateway_slug: 'gateway_2' });
    expectStatus(answer, 422);
    expect(await subAccounts()).toEqual([]);
  });

  it.each([
    ['birthdate', individual({ birthdate: null })],
    ['birthdate', individual({ birthdate: '1990-02-30' })],
    ['monthly_income', individual({ monthly_income: null })],
    ['professional_occupation', individual({ professional_occupation: null })],
    ['document', individual({ document: '11222333000181' })],
    ['company_type', individual({ company_type: 'LTDA' })],
    ['annual_revenue', corporation({ annual_revenue: null })],
    ['trading_name', corporation({ trading_name: null })],
    ['managing_partners', corporation({ managing_partners: null })],
    ['address', { ...individual(), address: undefined }],
    ['default_bank_account', { ...individual(), default_bank_account: undefined }],
    ['name', { ...individual(), name: 'x'.repeat(256) }],
    ['email', { ...individual(), email: 'nobody' }],
    ['type', { ...individual(), type: 'company' }],
    [
      'phone_numbers.0.number',
      { ...individual(), phone_numbers: [{ country: '11', number: '1', type: 'mobile' }] },
    ],
    ['address.zip_code', { ...individual(), address: { ...individual().address, zip_code: '0131000000' } }],
    [
      'default_bank_account.account_number',
      {
        ...individual(),
        default_bank_account: { ...individual().default_bank_account, account_number: '1'.repeat(14) },
      },
    ],
    [
      'managing_partners.0.address.zip_code',
      {
        ...corporation(),
        managing_partners: corporation().managing_partners?.map((partner) => ({
          ...partner,
          address: { ...partner.address, zip_code: '01310-100' },
        })),
      },
    ],
  ])('answers 422 on %s and creates no recipient', async (field, information) => {
    const answer = expectStatus(await save(information), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([`gateways.0.subaccount_information.${field}`]);
    expect(await subAccounts()).toEqual([]);
  });
});

describe('a gateway that does not answer', () => {
  let patient: CompanyApi;
  beforeAll(async () => {
    patient = api;
    api = await startCompanyApi({ PAYMENT_SYNC_TIMEOUT: '0.8' }, { workers: 'payments' });
  });
  afterAll(async () => {
    await api.stop();
    api = patient;
  });

  it('causes a 503 with Retry-After and saves nothing, and repeating the request gives one recipient', async () => {
    company = await register(api);
    await api.engine.simulator.script({ gateway: 'gateway_5', operation: 'recipient' }, { hang: 'after' });
    const first = expectStatus(await save(individual(), 'gateway_5'), 503);
    expect(first.body.code).toBe('unavailable');
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await routable()).toEqual([]);

    const saved = await waitFor(async () => expectStatus(await save(individual(), 'gateway_5'), 200));
    expect(saved.body.data).toHaveLength(1);
    expect(await subAccounts()).toMatchObject([{ status: 'active' }]);
    expect(await requestsToGateway()).toBe(1);
  });
});
