import Ajv from 'ajv';
import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import type { GatewayHttpRequest } from '../../../../src/gateways/http';
import { describeWithOracle } from '../../../support/vendors/oracles';
import type { SubaccountInformation } from '../../../../src/gateways/recipient';
import {
  ADDRESS,
  asaasStub,
  authorized,
  billet,
  billetRequest,
  BOLETO_LINE,
  chargeRequest,
  customer,
  followUp,
  list,
  ok,
  payment,
  pix,
  pixRequest,
  QR_CODE,
  REFERENCE,
  refund,
  type StubAnswer,
} from './asaas-stub';

const driver = new AsaasDriver();
const SPLITS = [60, 40].map((percent) => ({
  recipientId: `w${percent}`,
  amountCents: 1,
  percent,
  liable: false,
  chargeProcessingFee: false,
}));

async function sentBy(
  call: (stub: ReturnType<typeof asaasStub>) => Promise<unknown>,
  ...answers: readonly StubAnswer[]
) {
  const stub = asaasStub(...answers);
  await call(stub);
  return stub.sent;
}
const INSTALLMENT = 'd09c7898-42d2-4372-9e55-d3d90915ff46';
const OWNER: SubaccountInformation = {
  name: 'Ana Lima',
  email: 'ana@example.com',
  document: '52998224725',
  type: 'individual',
  birthdate: '1990-04-12',
  monthly_income: 650_000,
  phone_numbers: [{ country: '11', number: '912345678', type: 'mobile' }],
  address: ADDRESS,
};
const ACCOUNT = {
  object: 'account',
  id: 'acc_1',
  walletId: 'w1',
  email: OWNER.email,
  cpfCnpj: OWNER.document,
};
const APPROVED = ok({ general: 'APPROVED' });
const NEW_CUSTOMER = [list(), ok(customer())];
const subject = (gatewayTransactionId: string | null) => ({
  reference: REFERENCE,
  gatewayTransactionId,
  sentAt: null,
});

/** Every request that the driver can send. */
async function allRequests(): Promise<readonly GatewayHttpRequest[]> {
  const removed = ok({ deleted: true, id: 'pay_1' });
  const paidPix = pix({ status: 'RECEIVED', pixTransaction: 'pix_1' });
  const transaction = ok({ id: 'pix_1', endToEndIdentifier: 'E1' });
  const calls = await Promise.all([
    sentBy(
      ({ ctx }) => driver.charge(ctx, chargeRequest({ splits: SPLITS })),
      ...NEW_CUSTOMER,
      ok(payment()),
    ),
    sentBy(
      ({ ctx }) => driver.charge(ctx, chargeRequest({ installments: 2 })),
      ...NEW_CUSTOMER,
      ok(payment({ installment: INSTALLMENT })),
      list(payment({ installment: INSTALLMENT })),
    ),
    sentBy(
      ({ ctx }) => driver.refund(ctx, followUp({ gatewayTransactionId: INSTALLMENT })),
      list(payment({ installment: INSTALLMENT })),
      ok({ object: 'installment', id: INSTALLMENT }),
      list(payment({ installment: INSTALLMENT, status: 'REFUNDED' })),
    ),
    sentBy(({ ctx }) => driver.authorize(ctx, chargeRequest()), ...NEW_CUSTOMER, ok(authorized())),
    sentBy(({ ctx }) => driver.charge(ctx, pixRequest()), ...NEW_CUSTOMER, ok(pix()), QR_CODE),
    sentBy(({ ctx }) => driver.charge(ctx, billetRequest()), ...NEW_CUSTOMER, ok(billet()), BOLETO_LINE),
    sentBy(({ ctx }) => driver.capture(ctx, followUp()), ok(authorized()), ok(payment())),
    sentBy(
      ({ ctx }) => driver.cancel(ctx, followUp()),
      ok(authorized()),
      ok(authorized({ status: 'REFUNDED' })),
    ),
    sentBy(({ ctx }) => driver.cancel(ctx, followUp()), ok(pix()), removed),
    sentBy(({ ctx }) => driver.refund(ctx, followUp({ reason: 'pedido' })), ok(payment()), list(refund())),
    sentBy(({ ctx }) => driver.inquire(ctx, subject('pay_1')), ok(paidPix), transaction),
    sentBy(({ ctx }) => driver.inquire(ctx, subject(null)), list(payment())),
    sentBy(
      ({ ctx }) => driver.createRecipient(ctx, REFERENCE, OWNER),
      ok({ ...ACCOUNT, apiKey: 'k' }),
      APPROVED,
    ),
    sentBy(
      ({ ctx }) =>
        driver.findRecipient(ctx, REFERENCE, {
          ...{ recipientId: null, sentAt: null, information: OWNER },
          secret: 'k',
        }),
      list(ACCOUNT),
      APPROVED,
    ),
    sentBy(async ({ ctx }) => driver.verifyCredentials(ctx), list()),
  ]);
  return calls.flat();
}

/** The model of each request's body, by method and path. */
function modelOf(method: string, path: string, body: object): string | null {
  switch (`${method} ${path.replace(/\/(?:pay|pix)_1/, '/{id}')}`) {
    case 'POST customers':
      return 'CustomerSaveRequestDto';
    case 'POST payments':
      return 'creditCard' in body ? 'PaymentSaveWithCreditCardRequestDto' : 'PaymentSaveRequestDto';
    case 'POST payments/{id}/refund':
      return 'PaymentRefundRequestDto';
    case 'POST accounts':
      return 'AccountSaveRequestDto';
    case 'POST payments/{id}/captureAuthorizedPayment':
      return null;
    default:
      throw new Error(`${method} ${path} has no model`);
  }
}

/** The model of each list's parameters. */
const QUERIES: Readonly<Record<string, string>> = {
  accounts: 'ListSubaccountsParameters',
  customers: 'ListCustomersParameters',
  payments: 'ListPaymentsParameters',
};

describeWithOracle('asaas/asaas-sdk-models.schema.json', 'the models of Asaas’ SDK', (content) => {
  const { $defs } = content as { $defs: Record<string, { properties?: object }> };
  const ajv = new Ajv({ strict: false, allErrors: true });
  const problems = (model: string, value: unknown): string[] => {
    const validate = ajv.compile({ $defs, $ref: `#/$defs/${model}` });
    return validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) =>
          [model, instancePath, message, JSON.stringify(params)].join(' '),
        );
  };

  it('have every body that the driver sends, with these fields and types', async () => {
    const requests = (await allRequests()).filter(({ body }) => body !== undefined);
    const checked = requests.map(({ method, url, body }) => {
      const value = JSON.parse(body ?? '') as object;
      const model = modelOf(method, new URL(url).pathname.slice('/v3/'.length), value);
      return { model, found: model === null ? [] : problems(model, value) };
    });
    expect(new Set(checked.map(({ model }) => model)).size).toBe(6);
    expect(checked.flatMap(({ found }) => found)).toEqual([]);
  });

  it('have every parameter of a list', async () => {
    const lists = (await allRequests()).map(({ url }) => new URL(url)).filter(({ search }) => search !== '');
    expect(lists.length).toBeGreaterThan(2);
    for (const { pathname, searchParams } of lists) {
      const model = QUERIES[pathname.slice('/v3/'.length)] ?? '';
      expect(Object.keys($defs[model]?.properties ?? {})).toEqual(
        expect.arrayContaining([...searchParams.keys()]) as unknown,
      );
    }
  });
});

it('no read has a body, because Asaas refuses it', async () => {
  const reads = (await allRequests()).filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThan(5);
  expect(reads.filter(({ body }) => body !== undefined)).toEqual([]);
});

it('each request names the program and the key, and no key is in an address', async () => {
  for (const { url, headers } of await allRequests()) {
    expect(headers).toMatchObject({
      access_token: url.includes('myAccount') ? 'k' : '$aact_hmlg_stub',
      'user-agent': 'payment-engine/1.0 (Node.js)',
    });
    expect(url).not.toContain('aact');
  }
});
