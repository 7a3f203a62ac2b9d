import { PagarmeDriver } from '../../../../src/gateways/pagarme/driver';
import type { SubaccountInformation } from '../../../../src/gateways/recipient';
import { type SdkModels, SdkModelsCheck } from '../../../gateways/vendors/sdk-models-check';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  ADDRESS,
  BANK_ACCOUNT,
  BOLETO,
  charge,
  chargeRequest,
  followUp,
  ok,
  order,
  pagarmeStub,
  PIX,
  shown,
  type StubAnswer,
} from './pagarme-stub';
import { SdkEcho } from './sdk-echo';

const driver = new PagarmeDriver();

/** The last request of a call, whatever its answer is. */
async function lastOf(
  call: (stub: ReturnType<typeof pagarmeStub>) => Promise<unknown>,
  ...answers: readonly StubAnswer[]
) {
  const stub = pagarmeStub(...answers);
  await call(stub).catch(() => undefined);
  const index = stub.sent.length - 1;
  const [method, path = ''] = stub.paths()[index]?.split(' ') ?? [];
  return { method, path: path.toLowerCase(), body: stub.body(index) as Record<string, unknown> };
}

const SPLITS = [{ recipientId: 'rp_1', amountCents: 12_990, liable: true, chargeProcessingFee: true }];
const NETWORK_IDS = { transactionId: '999', transactionLinkId: null, eloReference: null };
const ORDERS: Readonly<Record<string, Parameters<typeof chargeRequest>[0]>> = {
  'a card': { billingAddress: ADDRESS, softDescriptor: 'Loja', installments: 3, splits: SPLITS },
  'a pix': PIX,
  'a boleto': BOLETO,
  'a renewal': { initiation: { initiator: 'merchant', reason: 'recurring', networkIds: NETWORK_IDS } },
};
const orderOf = (changes: Parameters<typeof chargeRequest>[0]) =>
  lastOf(({ ctx }) => driver.charge(ctx, chargeRequest(changes)), ok(order(charge())));

const { number, zip_code, ...street } = ADDRESS;
const PERSON = {
  ...{ name: 'Maria Souza', email: 'maria@example.com', document: '52998224725', birthdate: '1990-04-12' },
  ...{ monthly_income: 650_000, professional_occupation: 'Florist' },
};
const INDIVIDUAL: SubaccountInformation = {
  ...PERSON,
  type: 'individual',
  phone_numbers: [{ country: '11', number: '912345678', type: 'mobile' }],
  address: ADDRESS,
  default_bank_account: BANK_ACCOUNT,
};
const CORPORATION: SubaccountInformation = {
  ...{ name: 'Flores do Centro Ltda', trading_name: 'Flores do Centro', email: 'financeiro@example.com' },
  ...{ document: '11222333000181', type: 'corporation', annual_revenue: 120_000_000, company_type: 'LTDA' },
  address: ADDRESS,
  default_bank_account: BANK_ACCOUNT,
  managing_partners: [
    {
      ...PERSON,
      self_declared_legal_representative: true,
      address: { ...street, street_number: number, zip_code, reference_point: 'Mercado' },
      phone_numbers: [{ ddd: '11', number: '912345678' }],
    },
  ],
};
const recipientOf = (information: SubaccountInformation) =>
  lastOf(({ ctx }) => driver.createRecipient(ctx, 'recipient-1', information), ok({}));

/** Names of the documentation that the SDK does not have: https://docs.pagar.me/reference/cartão-de-crédito-1 */
const ONLY_DOCUMENTED = /\.recurrence_cycle is unknown$/;

describeWithOracle('pagarme/models.json', 'a request', (content) => {
  const models = content as SdkModels;
  const echo = new SdkEcho(models);
  const check = new SdkModelsCheck(models);

  it.each(Object.entries(ORDERS))('for %s is what the SDK sends for it', async (_, changes) => {
    const { body, ...request } = await orderOf(changes);
    const problems = check.problems(body, 'createOrderRequest');
    expect(problems.filter((problem) => !ONLY_DOCUMENTED.test(problem))).toEqual([]);
    const plain = JSON.parse(JSON.stringify(body).replace('"recurrence_cycle":"subsequent",', '')) as object;
    expect(await echo.order(plain)).toEqual({ ...request, body: plain });
  });

  it('to capture, cancel or refund is what the SDK sends for it', async () => {
    const captured = await lastOf(
      ({ ctx }) => driver.capture(ctx, followUp({ splits: SPLITS })),
      ok(charge()),
    );
    expect(await echo.capture(captured.body)).toEqual(captured);
    const authorized = shown({ status: 'pending', paid_amount: null });
    const canceled = await lastOf(({ ctx }) => driver.cancel(ctx, followUp()), ok(authorized));
    expect(await echo.cancel(canceled.body)).toEqual(canceled);
    const refund = followUp({ splits: SPLITS, bankAccount: BANK_ACCOUNT });
    const refunded = await lastOf(({ ctx }) => driver.refund(ctx, refund), ok(shown()));
    expect(await echo.cancel(refunded.body)).toEqual(refunded);
  });

  it.each([
    ['Individual', INDIVIDUAL],
    ['Corporation', CORPORATION],
  ])(
    'for a recipient of the type %s is what the SDK sends and its models know',
    async (type, information) => {
      const { body, ...request } = await recipientOf(information);
      const { register_information: registered, ...others } = body;
      expect(check.problems(registered, `createRegisterInformation${type}Request`)).toEqual([]);
      // The SDK drops what only one of the types has.
      const { email, document, type: registeredType, phone_numbers } = registered as Record<string, unknown>;
      const common = { email, document, type: registeredType, phone_numbers };
      expect(await echo.recipient(body)).toEqual({
        ...request,
        body: { ...others, register_information: common },
      });
    },
  );
});

describe('a recipient', () => {
  it('has its dates, phones and addresses as Pagar.me writes them, and nothing empty', async () => {
    const { body } = await recipientOf(INDIVIDUAL);
    expect(body).toMatchObject({
      code: 'recipient-1',
      register_information: {
        ...{ type: 'individual', birthdate: '12/04/1990', monthly_income: 650_000 },
        phone_numbers: [{ ddd: '11', number: '912345678', type: 'mobile' }],
        address: {
          street_number: '1',
          zip_code: '50000000',
          complementary: 'Apto 3',
          reference_point: 'Apto 3',
        },
      },
      default_bank_account: { bank: '341', holder_document: '52998224725' },
    });
  });

  it('that is a corporation has the phone of a partner if it has none, and partners with an address of their own', async () => {
    const { body } = await recipientOf(CORPORATION);
    expect(body).toMatchObject({
      register_information: {
        ...{ type: 'corporation', company_name: 'Flores do Centro', trading_name: 'Flores do Centro Ltda' },
        ...{ annual_revenue: 120_000_000, corporation_type: 'LTDA' },
        phone_numbers: [{ ddd: '11', number: '912345678' }],
        main_address: { street_number: '1' },
        managing_partners: [{ birthdate: '12/04/1990', address: { reference_point: 'Mercado' } }],
      },
    });
  });

  it.each([
    ['registration', 'pending'],
    ['affiliation', 'pending'],
    ['registered', 'pending'],
    ['validation_requested', 'pending'],
    ['waiting_for_analysis', 'pending'],
    ['active', 'active'],
    ['refused', 'refused'],
    ['disapproved', 'refused'],
    ['suspended', 'refused'],
    ['blocked', 'refused'],
    ['inactive', 'refused'],
  ])('in the state %s is %s', async (status, expected) => {
    const { ctx } = pagarmeStub(ok({ id: 'rp_1', code: 'recipient-1', status }));
    expect(await driver.findRecipient(ctx, 'recipient-1')).toMatchObject({
      recipientId: 'rp_1',
      status: expected,
    });
  });

  it('in an unknown state, or of another reference, is ambiguous', async () => {
    for (const body of [
      { id: 'rp_1', code: 'recipient-1', status: 'new' },
      { id: 'rp_1', code: 'another', status: 'active' },
    ]) {
      const found = driver.findRecipient(pagarmeStub(ok(body)).ctx, 'recipient-1');
      await expect(found).rejects.toMatchObject({ family: 'ambiguous' });
    }
  });

  it('is absent only if Pagar.me itself says so', async () => {
    const find = (body: unknown) =>
      driver.findRecipient(pagarmeStub({ status: 404, body }).ctx, 'recipient-1');
    expect(await find({ message: 'Recipient not found.' })).toBeNull();
    for (const body of ['<html>404</html>', '', { message: 'no Route matched with those values' }]) {
      await expect(find(body)).rejects.toMatchObject({ family: 'ambiguous' });
    }
  });

  it('without what Pagar.me needs is refused before it is sent', async () => {
    const stub = pagarmeStub(ok({}));
    const created = driver.createRecipient(stub.ctx, 'r', { ...PERSON, type: 'individual' });
    await expect(created).rejects.toMatchObject({ family: 'invalid_request' });
    expect(stub.sent).toEqual([]);
  });
});
