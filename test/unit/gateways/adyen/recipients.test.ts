import { BalancePlatformAPI, Client, EnvironmentEnum, LegalEntityManagementAPI } from '@adyen/api-library';
import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { DRIVER_ENDPOINTS } from '../../../../src/gateways/driver-names';
import { GatewayError } from '../../../../src/gateways/errors';
import type { SubaccountInformation } from '../../../../src/gateways/recipient';
import { adyenStub, ok, type StubAnswer } from './adyen-stub';

const driver = new AdyenDriver();
const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5a';
const CREDENTIALS = {
  merchant_account: 'StubMerchant',
  balance_platform: 'StubPlatform',
  legal_entity_key: 'AQE-legal-entity-key',
  balance_platform_key: 'AQE-balance-platform-key',
};
const ADDRESS = {
  ...{ street: 'Rua A', complementary: 'Apto 3', number: '1', neighborhood: 'Centro' },
  ...{ city: 'Recife', state: 'PE', zip_code: '50000-000' },
};
const PERSON: SubaccountInformation = {
  ...{ name: 'Ana Maria Lima', email: 'ana@example.com', document: '52998224725', type: 'individual' },
  ...{ birthdate: '1990-04-12', address: ADDRESS },
  phone_numbers: [{ country: '81', number: '991234567', type: 'mobile' }],
};
const SHOP: SubaccountInformation = {
  ...{ name: 'Loja Ltda', trading_name: 'Loja', email: 'loja@example.com', document: '26224451000126' },
  ...{ type: 'corporation', address: { ...ADDRESS, complementary: '' } },
};

const ENTITY = ok({ id: 'LE1', transferInstruments: [] });
const COMPLETE = ok({ id: 'LE1', transferInstruments: [{ id: 'SE1', accountIdentifier: '***1' }] });
const ACCOUNT = { id: 'BA1', accountHolderId: 'AH1', reference: REFERENCE, status: 'active' };
const LINK = ok({ url: 'https://balanceplatform-test.adyen.com/form/xtl-1' });
const refused = (status: number, errorCode: string, invalidFields: object[] = []): StubAnswer => ({
  status,
  body: {
    type: 'https://docs.adyen.com/errors',
    title: 'x',
    detail: 'Ana Lima',
    status,
    errorCode,
    invalidFields,
  },
});

function holder(state: object = {}, changes: object = {}): StubAnswer {
  const capability = {
    enabled: true,
    requested: true,
    allowed: false,
    verificationStatus: 'pending',
    ...state,
  };
  const capabilities = { receiveFromPlatformPayments: capability, sendToTransferInstrument: capability };
  return ok({
    id: 'AH1',
    legalEntityId: 'LE1',
    reference: REFERENCE,
    status: 'active',
    capabilities,
    ...changes,
  });
}

function platformStub(...answers: readonly StubAnswer[]) {
  const stub = adyenStub(...answers);
  const endpoints = {
    api: 'http://adyen.invalid',
    kyc: 'http://kyc.invalid',
    balance: 'http://balance.invalid',
  };
  return { ...stub, ctx: { ...stub.ctx, endpoints, credentials: CREDENTIALS, idempotencyKey: REFERENCE } };
}
const create = (stub: ReturnType<typeof platformStub>, information = PERSON) =>
  driver.createRecipient(stub.ctx, REFERENCE, information);
const find = (stub: ReturnType<typeof platformStub>, recipientId: string | null = null) =>
  driver.findRecipient(stub.ctx, REFERENCE, { recipientId, sentAt: null, information: PERSON, secret: null });
const urlsOf = (stub: ReturnType<typeof platformStub>) =>
  stub.sent.map(({ method, url }) => `${method} ${url.replace(/^http:\/\//, '')}`);

describe('a recipient at Adyen', () => {
  it('is a legal entity, an account holder and a balance account, each with a key of its own, and a link for its owner', async () => {
    const stub = platformStub(ENTITY, holder(), ok(ACCOUNT), holder(), ENTITY, LINK);
    expect(await create(stub)).toEqual({
      recipientId: 'BA1',
      status: 'needs_consent',
      message: 'Adyen waits for data of the owner',
      consentUrl: 'https://balanceplatform-test.adyen.com/form/xtl-1',
    });
    expect(urlsOf(stub)).toEqual([
      'POST kyc.invalid/v4/legalEntities',
      'POST balance.invalid/v2/accountHolders',
      'POST balance.invalid/v2/balanceAccounts',
      'GET balance.invalid/v2/accountHolders/AH1',
      'GET kyc.invalid/v4/legalEntities/LE1',
      'POST kyc.invalid/v4/legalEntities/LE1/onboardingLinks',
    ]);
    const headers = stub.sent.map((request) => request.headers);
    expect(headers.map((each) => each?.['x-api-key'])).toEqual([
      ...[CREDENTIALS.legal_entity_key, CREDENTIALS.balance_platform_key, CREDENTIALS.balance_platform_key],
      ...[CREDENTIALS.balance_platform_key, CREDENTIALS.legal_entity_key, CREDENTIALS.legal_entity_key],
    ]);
    const keys = headers.map((each) => each?.['idempotency-key']);
    expect(keys).toEqual([
      ...['l', 'h', 'b'].map((letter) => `${REFERENCE}-${letter}`),
      ...Array<undefined>(3),
    ]);
    expect([0, 1, 2].map((index) => stub.body(index).reference)).toEqual(Array(3).fill(REFERENCE));
    expect(stub.body(1)).toMatchObject({ balancePlatform: 'StubPlatform', legalEntityId: 'LE1' });
    expect(stub.body(2)).toMatchObject({ accountHolderId: 'AH1', defaultCurrencyCode: 'BRL' });
  });

  it('is never said not to be created once its balance account exists, because it would be created again', async () => {
    for (const error of [
      new GatewayError('not_sent', 'closed'),
      refused(401, '00_401'),
      refused(422, '30_031'),
    ]) {
      const stub = platformStub(ENTITY, holder(), ok(ACCOUNT), error);
      expect(await create(stub)).toMatchObject({ recipientId: 'BA1', status: 'pending' });
    }
  });

  it.each([
    ['a lost answer', new GatewayError('ambiguous', 'lost'), 'ambiguous', 'lost'],
    ['a request that is in progress', refused(422, '704'), 'ambiguous', 'the gateway answered 422'],
    [
      'a wrong field',
      refused(422, '30_031', [{ name: 'individual.phone.number', value: '+5581', message: 'Ana' }]),
      'invalid_request',
      'Adyen refused the account (individual.phone.number)',
    ],
    ['a wrong key', refused(403, '00_403'), 'bad_credentials', 'the gateway rejected the credentials'],
  ] as const)('tells %s without what Adyen says of its owner', async (_, answer, family, message) => {
    for (const answers of [[answer], [ENTITY, answer], [ENTITY, holder(), answer]]) {
      await expect(create(platformStub(...answers))).rejects.toMatchObject({ family, message });
    }
  });

  it.each([
    ['active', { allowed: true, verificationStatus: 'valid' }, {}],
    ['pending', { allowed: true, enabled: false, verificationStatus: 'valid' }, {}],
    ['pending', { allowed: true, verificationStatus: 'valid' }, { status: 'suspended' }],
    ['pending', {}, {}],
    ['needs_consent', { verificationStatus: 'invalid' }, {}],
    ['needs_consent', { problems: [{ entity: { id: 'LE1' } }] }, {}],
    ['refused', { verificationStatus: 'rejected' }, {}],
    ['refused', {}, { status: 'closed' }],
  ] as const)('is %s with the capabilities %j of an account holder %j', async (status, state, changes) => {
    const stub = platformStub(ok(ACCOUNT), holder(state, changes), COMPLETE, LINK);
    expect(await find(stub, 'BA1')).toMatchObject({ recipientId: 'BA1', status });
  });

  it('whose creation ended early is not found, so that it is completed, and is found by the list once it has its balance account', async () => {
    const others = Array.from({ length: 100 }, (_, index) => ({ id: `AH${index}`, reference: null }));
    const pages = [
      ok({ accountHolders: others, hasNext: true, hasPrevious: false }),
      ok({ accountHolders: [{ id: 'AH1', reference: REFERENCE }], hasNext: false, hasPrevious: true }),
    ];
    const accounts = (...balanceAccounts: object[]) =>
      ok({ balanceAccounts, hasNext: false, hasPrevious: false });
    expect(await find(platformStub(...pages, accounts()))).toBeNull();
    const complete = platformStub(...pages, accounts(ACCOUNT), holder(), COMPLETE);
    expect(await find(complete)).toMatchObject({ recipientId: 'BA1', status: 'pending' });
    expect(urlsOf(complete)[1]).toBe(
      'GET balance.invalid/v2/balancePlatforms/StubPlatform/accountHolders?limit=100&offset=100',
    );
    const twice = platformStub(...pages, accounts(ACCOUNT, { ...ACCOUNT, id: 'BA2' }));
    await expect(find(twice)).rejects.toMatchObject({ family: 'ambiguous' });
    const endless = platformStub(ok({ accountHolders: [], hasNext: true, hasPrevious: false }));
    await expect(find(endless)).rejects.toMatchObject({ family: 'ambiguous' });
    expect(endless.sent.length).toBe(50);
  });

  it.each(['balance_platform', 'legal_entity_key', 'balance_platform_key'] as const)(
    'is not requested without the credential %s, which the refusal names',
    async (name) => {
      const { ctx, sent } = platformStub();
      const { [name]: _, ...credentials } = CREDENTIALS;
      const call = driver.createRecipient({ ...ctx, credentials }, REFERENCE, PERSON);
      await expect(call).rejects.toMatchObject({
        family: 'unsupported',
        message: `the credentials have no ${name}`,
      });
      expect(sent).toEqual([]);
    },
  );
});

/** What Adyen's SDK would send to the live addresses. It leaves out properties that it does not know. */
async function sdkSends(
  call: (kyc: LegalEntityManagementAPI, platform: BalancePlatformAPI) => Promise<unknown>,
): Promise<unknown[]> {
  const sent: unknown[] = [];
  const client = new Client({
    ...{ apiKey: 'AQE', environment: EnvironmentEnum.LIVE, liveEndpointUrlPrefix: 'unused' },
  });
  client.httpClient = {
    request: (url: string, json: string) => {
      sent.push([url, json === '' ? null : (JSON.parse(json) as unknown)]);
      return Promise.resolve('{}');
    },
  };
  await call(new LegalEntityManagementAPI(client), new BalancePlatformAPI(client));
  return sent;
}

describe('the driver and Adyen’s SDK', () => {
  it.each([PERSON, SHOP])(
    'create a recipient of the type $type with the same requests',
    async (information) => {
      const stub = platformStub(ENTITY, holder(), ok(ACCOUNT), holder(), ENTITY, LINK);
      const { api, kyc, balance } = DRIVER_ENDPOINTS.adyen;
      await driver.createRecipient({ ...stub.ctx, endpoints: { api, kyc, balance } }, REFERENCE, information);
      const ours = stub.sent.map(({ url }, index) => [url, stub.body(index)]);
      const body = (index: number) => stub.body(index) as never;
      const theirs = await sdkSends(async ({ LegalEntitiesApi, HostedOnboardingApi }, platform) => {
        await LegalEntitiesApi.createLegalEntity(body(0));
        await platform.AccountHoldersApi.createAccountHolder(body(1));
        await platform.BalanceAccountsApi.createBalanceAccount(body(2));
        await platform.AccountHoldersApi.getAccountHolder('AH1');
        await LegalEntitiesApi.getLegalEntity('LE1');
        await HostedOnboardingApi.getLinkToAdyenhostedOnboardingPage('LE1', body(5));
      });
      expect(ours).toEqual(theirs);
    },
  );
});
