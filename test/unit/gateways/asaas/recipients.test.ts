import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { ACCOUNT_STATES } from '../../../../src/gateways/asaas/wire';
import { GatewayError } from '../../../../src/gateways/errors';
import type { SubaccountInformation } from '../../../../src/gateways/recipient';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { ADDRESS, asaasStub, error, list, ok, REFERENCE, type StubAnswer } from './asaas-stub';

const driver = new AsaasDriver();
const KEY = '$aact_hmlg_of_the_recipient';
const OWNER: SubaccountInformation = {
  name: 'Ana Lima',
  email: 'ana@example.com',
  document: '52998224725',
  type: 'individual',
  birthdate: '1990-04-12',
  monthly_income: 650_000,
  phone_numbers: [{ country: '11', number: '912345678', type: 'mobile' }],
  address: { ...ADDRESS, zip_code: '01310-100' },
};
const { monthly_income: _, birthdate: __, phone_numbers: ___, ...rest } = OWNER;
const CORPORATION: SubaccountInformation = {
  ...rest,
  type: 'corporation',
  document: '11222333000181',
  annual_revenue: 12_000_000,
  managing_partners: [{ phone_numbers: [{ ddd: '81', number: '998765432' }] }],
};

const account = (changes: object = {}) => ({
  object: 'account',
  id: 'acc_1',
  walletId: 'wallet-1',
  email: OWNER.email,
  cpfCnpj: OWNER.document,
  ...changes,
});
const CREATED = ok(account({ apiKey: KEY }));
const status = (general: string) => ok({ id: 'acc_1', general });

function create(information: SubaccountInformation, ...answers: readonly StubAnswer[]) {
  const stub = asaasStub(...answers);
  return { stub, made: driver.createRecipient(stub.ctx, REFERENCE, information) };
}
function find(secret: string | null, ...answers: readonly StubAnswer[]) {
  const stub = asaasStub(...answers);
  return {
    stub,
    found: driver.findRecipient(stub.ctx, REFERENCE, {
      ...{ recipientId: null, sentAt: null, information: OWNER },
      secret,
    }),
  };
}
const expectFamily = async (promise: Promise<unknown>, family: string) =>
  expect(await promise.catch((thrown: unknown) => thrown)).toMatchObject({ name: 'GatewayError', family });

const STATUSES: Readonly<Record<(typeof ACCOUNT_STATES)[number], string>> = {
  PENDING: 'pending',
  AWAITING_APPROVAL: 'pending',
  APPROVED: 'active',
  REJECTED: 'refused',
};

describe('a recipient', () => {
  it('is the wallet of a new account, whose key is its secret and tells its state', async () => {
    const { stub, made } = create(OWNER, CREATED, status('APPROVED'));
    expect(await made).toEqual({ recipientId: 'wallet-1', status: 'active', message: null, secret: KEY });
    expect(stub.paths()).toEqual(['POST accounts', 'GET myAccount/status']);
    expect(stub.sent.map(({ headers }) => headers.access_token)).toEqual(['$aact_hmlg_stub', KEY]);
    expect(stub.body(0)).toMatchObject({
      mobilePhone: '11912345678',
      incomeValue: 6_500,
      postalCode: '01310100',
    });
  });

  it('of a corporation has a month’s revenue, and the phone of who manages it', async () => {
    const { stub, made } = create(CORPORATION, CREATED, status('PENDING'));
    expect(await made).toMatchObject({ status: 'pending', secret: KEY });
    expect(stub.body(0)).toMatchObject({ mobilePhone: '81998765432', incomeValue: 10_000 });
  });

  it('keeps its key if its state cannot be read', async () => {
    for (const answer of [new GatewayError('ambiguous', 'lost'), error(500, 'internal_error'), status('NEW')])
      expect(await create(OWNER, CREATED, answer).made).toMatchObject({ status: 'pending', secret: KEY });
  });

  it.each([
    ['a phone', { phone_numbers: [{ country: '11', number: '5' }] }],
    ['an income', { monthly_income: null }],
    ['an address', { address: undefined }],
  ])('without %s is refused before anything is sent', async (_what, change) => {
    const { stub, made } = create({ ...OWNER, ...change }, CREATED);
    await expectFamily(made, 'invalid_request');
    expect(stub.sent).toEqual([]);
  });

  it('that Asaas refuses has its words, without the owner’s data', async () => {
    const refusal = error(400, 'invalid_email', 'O email ana@example.com já está em uso.');
    const thrown = await create(OWNER, refusal).made.catch((each: unknown) => each);
    expect(thrown).toMatchObject({ family: 'invalid_request', code: 'invalid_email' });
    expect(String(thrown)).toContain('O email … já está em uso.');
    await expectFamily(create(OWNER, error(401, 'invalid_access_token')).made, 'bad_credentials');
    await expectFamily(create(OWNER, ok(account())).made, 'ambiguous');
  });

  it.each(ACCOUNT_STATES)('whose account is %s has the status of its row', async (general) => {
    const { stub, found } = find(KEY, list(account()), status(general));
    expect(await found).toMatchObject({ recipientId: 'wallet-1', status: STATUSES[general] });
    expect(stub.sent[0]?.url).toContain('/v3/accounts?cpfCnpj=52998224725&email=ana%40example.com&limit=10');
  });

  it('whose key was lost is found, but never active: nothing else tells its state', async () => {
    const { stub, found } = find(null, list(account()));
    expect(await found).toMatchObject({ recipientId: 'wallet-1', status: 'pending' });
    expect(stub.sent).toHaveLength(1);
  });

  it('is absent if Asaas lists no account of its owner', async () => {
    expect(await find(KEY, list()).found).toBeNull();
    await expectFamily(find(KEY, ok({ data: [] })).found, 'ambiguous');
    await expectFamily(find(KEY, list(account({ email: 'other@example.com' }))).found, 'ambiguous');
    await expectFamily(find(KEY, list(account(), account({ id: 'acc_2' }))).found, 'ambiguous');
    await expectFamily(find(KEY, list(account()), status('NEW')).found, 'ambiguous');
  });

  describeWithOracle('asaas/asaas-sdk-models.schema.json', 'in the SDK’s models', (content) => {
    it('has no state without a row', () => {
      const { $defs } = content as { $defs: Record<string, { enum?: string[] }> };
      expect([...ACCOUNT_STATES].sort()).toEqual($defs.MyAccountGetStatusResponseStatus?.enum?.sort());
    });
  });
});
