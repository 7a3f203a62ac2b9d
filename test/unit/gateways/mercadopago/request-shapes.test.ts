import { CardToken, MercadoPagoConfig, Payment, PaymentRefund } from 'mercadopago';
import type { GatewayHttpRequest } from '../../../../src/gateways/http';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { CUSTOMER_REASONS, MERCHANT_REASONS } from '../../../../src/domain/shared/charge-initiation';
import {
  BILLET,
  BILLET_REQUEST,
  chargeRequest,
  created,
  followUp,
  mercadoPagoStub,
  ok,
  payment,
  PIX,
  PIX_REQUEST,
  REFERENCE,
  refund,
  TOKEN,
} from './mercadopago-stub';
import { SdkTypes } from './sdk-types';

/* The oracles are the types and the requests of Mercado Pago's own SDK. */

const driver = new MercadoPagoDriver();
const NETWORK_IDS = { transactionId: '999', transactionLinkId: 'link', eloReference: 'elo' };

/** The bodies of all kinds of payments that the driver creates. */
async function paymentBodies(): Promise<Record<string, unknown>[]> {
  const initiations = [
    ...CUSTOMER_REASONS.map((reason) => ({ initiator: 'customer', reason }) as const),
    ...MERCHANT_REASONS.map(
      (reason) => ({ initiator: 'merchant', reason, networkIds: NETWORK_IDS }) as const,
    ),
  ];
  const cards = initiations.map(async (initiation) => {
    const stub = mercadoPagoStub(TOKEN, created(payment()));
    await driver.charge(stub.ctx, chargeRequest({ initiation, softDescriptor: 'LOJA' }));
    return stub.body(1);
  });
  const later = [
    { answer: PIX, request: PIX_REQUEST },
    { answer: BILLET, request: BILLET_REQUEST },
  ].map(async ({ answer, request }) => {
    const stub = mercadoPagoStub(created(payment(answer)));
    await driver.charge(stub.ctx, chargeRequest(request));
    return stub.body(0);
  });
  return Promise.all([...cards, ...later]);
}

describe('the body of a request', () => {
  it('of a payment has only names and types that the SDK knows', async () => {
    const types = new SdkTypes('payment/create/types.d.ts');
    for (const body of await paymentBodies())
      expect(types.problems(body, 'PaymentCreateRequest')).toEqual([]);
    const wrong = { transaction_amount: '129.90', tokem: 'x', payer: { identification: { kind: 'CPF' } } };
    expect(types.problems(wrong, 'PaymentCreateRequest')).toEqual([
      'PaymentCreateRequest.transaction_amount is string in place of number',
      'PaymentCreateRequest.tokem is unknown',
      'PaymentCreateRequest.payer.identification.kind is unknown',
    ]);
  });

  it('of a token has only names and types that the SDK knows, but for the cardholder and the numbers of the expiry', async () => {
    const stub = mercadoPagoStub(TOKEN, created(payment()));
    await driver.charge(stub.ctx, chargeRequest());
    const types = new SdkTypes('cardToken/create/types.d.ts');
    // https://github.com/mercadopago/openapi (CardTokenRequest) has the cardholder, and integers.
    expect(types.problems(stub.body(0), 'CardTokenCreateBody')).toEqual([
      'CardTokenCreateBody.expiration_month is number in place of string',
      'CardTokenCreateBody.expiration_year is number in place of string',
      'CardTokenCreateBody.cardholder is unknown',
    ]);
  });
});

const sdk = new MercadoPagoConfig({ accessToken: 'TEST-stub', options: { idempotencyKey: 'key' } });
const [payments, refunds, tokens] = [new Payment(sdk), new PaymentRefund(sdk), new CardToken(sdk)];
const SUBJECT = { reference: REFERENCE, gatewayTransactionId: null, sentAt: null };

type Sent = Pick<GatewayHttpRequest, 'method' | 'body'> & {
  readonly path: string;
  readonly query: object;
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** What both send must be the same; the SDK also tells its version, and the driver asks for the network's ids. */
function comparable(url: string, { method = 'GET', headers, body }: RequestInit): Sent {
  const { pathname, searchParams } = new URL(url);
  const sent = new Headers(headers);
  const names = ['authorization', 'content-type', 'x-idempotency-key'].filter(
    (name) => method !== 'GET' || name === 'authorization',
  );
  return {
    method: method as Sent['method'],
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(names.map((name) => [name, sent.get(name) ?? undefined])),
    ...(body === undefined || body === null ? {} : { body: body as string }),
  };
}

/** The request of the SDK, which is not sent. */
async function sentBySdk(call: () => Promise<unknown>): Promise<Sent> {
  const fetched = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'));
  try {
    await call();
    const [url, init] = fetched.mock.calls[0] ?? [];
    if (typeof url !== 'string') throw new Error('the SDK sent nothing');
    return comparable(url, init ?? {});
  } finally {
    fetched.mockRestore();
  }
}

async function sentByDriver(
  stub: ReturnType<typeof mercadoPagoStub>,
  call: () => Promise<unknown>,
  index = 0,
): Promise<Sent> {
  await call();
  const { url, sendBefore: _, ...request } = stub.sent[index] ?? { url: '', sendBefore: null };
  return comparable(url, request);
}

describe('Mercado Pago’s SDK sends the same', () => {
  it('for a token and a payment', async () => {
    const stub = mercadoPagoStub(TOKEN, created(payment()));
    const own = await sentByDriver(stub, () => driver.charge(stub.ctx, chargeRequest()), 1);
    expect(await sentBySdk(() => payments.create({ body: stub.body(1) }))).toEqual(own);
    const token = await sentBySdk(() => tokens.create({ body: stub.body(0) }));
    expect(token).toMatchObject({ method: 'POST', path: '/v1/card_tokens', body: stub.sent[0]?.body });
  });

  it.each<
    [string, () => Promise<unknown>, (stub: ReturnType<typeof mercadoPagoStub>) => Promise<unknown>, object]
  >([
    [
      'a capture',
      () => payments.capture({ id: 1, transaction_amount: 129.9 }),
      ({ ctx }) => driver.capture(ctx, followUp()),
      payment(),
    ],
    [
      'a cancel',
      () => payments.cancel({ id: 1 }),
      ({ ctx }) => driver.cancel(ctx, followUp()),
      payment({ status: 'cancelled' }),
    ],
    [
      'a refund',
      () => refunds.create({ payment_id: 1, body: { amount: 129.9 } }),
      ({ ctx }) => driver.refund(ctx, followUp()),
      refund(),
    ],
    [
      'a payment by its id',
      () => payments.get({ id: 1 }),
      ({ ctx }) => driver.inquire(ctx, { ...SUBJECT, gatewayTransactionId: '1' }),
      payment(),
    ],
    [
      'a payment by our reference',
      () =>
        payments.search({
          options: { sort: 'date_created', criteria: 'desc', external_reference: REFERENCE, limit: 100 },
        }),
      ({ ctx }) => driver.inquire(ctx, SUBJECT),
      { paging: { total: 0 }, results: [] },
    ],
  ])('for %s', async (_, bySdk, byDriver, answer) => {
    const stub = mercadoPagoStub(ok(answer));
    expect(await sentByDriver(stub, () => byDriver(stub))).toEqual(await sentBySdk(bySdk));
  });
});
