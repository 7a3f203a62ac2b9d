import { CheckoutAPI, Client, EnvironmentEnum } from '@adyen/api-library';
import type { ChargeRequest, FollowUp, GatewayContext, GatewaySplit } from '../../../../src/gateways/gateway';
import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { modificationReply, paymentReply } from '../../../../src/gateways/adyen/wire';
import { OpenApiCheck, type OpenApi } from '../../../gateways/vendors/open-api-check';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  ADDRESS,
  adyenStub,
  billetRequest,
  chargeRequest,
  followUp,
  modification,
  ok,
  payment,
  pixRequest,
  received,
  REFERENCE,
  REFUND,
  SEND_BEFORE,
} from './adyen-stub';

const driver = new AdyenDriver();
type Body = Record<string, unknown>;

async function sentBy(call: (ctx: GatewayContext) => Promise<unknown>, answer = ok(payment())) {
  const stub = adyenStub(answer);
  await call(stub.ctx).catch(() => null);
  const [request] = stub.sent;
  if (request === undefined) throw new Error('nothing was sent');
  return { request, body: stub.body() };
}
const charge = (changes: Partial<ChargeRequest> = {}) =>
  sentBy((ctx) => driver.charge(ctx, chargeRequest(changes)));
const NETWORK_IDS = { transactionId: '0931', transactionLinkId: 'link', eloReference: null };
const verification = () => {
  const { card, ...rest } = chargeRequest();
  if (card === null) throw new Error('a card is needed');
  return {
    ...rest,
    reference: REFERENCE.slice(0, -2),
    card,
    initiation: { initiator: 'customer', reason: 'first_saved' } as const,
  };
};
const splitOf = (amountCents: number): GatewaySplit => ({
  ...{ recipientId: 'BA3227C223222H5J4DCGQ9V9L', amountCents, liable: false, chargeProcessingFee: false },
});
const ofPlatform = (ctx: GatewayContext): GatewayContext => ({
  ...{ ...ctx, credentials: { ...ctx.credentials, balance_platform: 'LojaPlatform' } },
});
const modify = (kind: 'capture' | 'cancel' | 'refund', changes: Partial<FollowUp> = {}) =>
  sentBy((ctx) => {
    const reference = REFUND.replace('refund', kind);
    return driver[kind](ofPlatform(ctx), followUp({ reference, amountCents: 990, ...changes }));
  }, received(modification()));

describe('a request of the driver', () => {
  it('for a charge has the card, no 3-D Secure, and is captured at once', async () => {
    const { request, body } = await charge({ softDescriptor: 'LOJA ÇÃO & 1234567890123456' });
    expect(request).toMatchObject({
      method: 'POST',
      url: 'http://adyen.invalid/v72/payments',
      headers: { 'x-api-key': 'AQE-key-of-the-stub', 'idempotency-key': 'key' },
      sendBefore: SEND_BEFORE,
    });
    expect(body).toMatchObject({
      amount: { value: 12_990, currency: 'BRL' },
      merchantAccount: 'StubMerchant',
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: '03',
        expiryYear: '2030',
        cvc: '737',
      },
      authenticationData: { attemptAuthentication: 'never' },
      captureDelayHours: 0,
      shopperStatement: 'LOJA CAO  123456789012',
      shopperInteraction: 'Ecommerce',
    });
    expect(body.reference).toMatch(/^s_[0-9a-z]{26}$/);
    expect(body).not.toHaveProperty('installments');
    expect(body).not.toHaveProperty('recurringProcessingModel');
  });

  it('for an authorization is captured later, whatever the account’s setting', async () => {
    const { body } = await sentBy((ctx) => driver.authorize(ctx, chargeRequest({ installments: 3 })));
    expect(body).toMatchObject({ additionalData: { manualCapture: 'true' }, installments: { value: 3 } });
    expect(body).not.toHaveProperty('captureDelayHours');
    expect(body.reference).toMatch(/^a/);
  });

  it.each([
    ['first_saved', 'Ecommerce', 'CardOnFile'],
    ['first_recurring', 'Ecommerce', 'Subscription'],
    ['saved_card', 'ContAuth', 'CardOnFile'],
  ] as const)('that the customer initiates for %s is %s, %s', async (reason, interaction, model) => {
    const { body } = await charge({ initiation: { initiator: 'customer', reason } });
    expect(body).toMatchObject({ shopperInteraction: interaction, recurringProcessingModel: model });
  });

  it.each([
    ['recurring', 'Subscription'],
    ['unscheduled', 'UnscheduledCardOnFile'],
  ] as const)(
    'that the merchant initiates for %s is ContAuth, %s, with the network’s ids',
    async (reason, model) => {
      const { body } = await charge({
        initiation: { initiator: 'merchant', reason, networkIds: NETWORK_IDS },
      });
      expect(body).toMatchObject({
        shopperInteraction: 'ContAuth',
        recurringProcessingModel: model,
        additionalData: { networkTxReference: '0931', transactionLinkId: 'link' },
      });
      const without = await charge({ initiation: { initiator: 'merchant', reason, networkIds: null } });
      expect(without.body).not.toHaveProperty('additionalData');
    },
  );

  it('has the payer’s address and page, as far as they are known', async () => {
    const purchase = {
      ...chargeRequest().purchase,
      payerIp: '203.0.113.7',
      payerPhone: '+5511912345678',
      returnUrl: 'https://loja.example/voltar',
    };
    expect((await charge({ purchase })).body).toMatchObject({
      shopperIP: '203.0.113.7',
      telephoneNumber: '+5511912345678',
      returnUrl: 'https://loja.example/voltar',
    });
    expect((await charge()).body).toMatchObject({ returnUrl: 'https://example.com/' });
    expect((await charge()).body).not.toHaveProperty('shopperIP');
  });

  it('for a pix or boleto has the payer and its end, the same in a repeated request', async () => {
    const pix = await sentBy((ctx) => driver.charge(ctx, pixRequest()));
    expect(pix.body).toMatchObject({
      paymentMethod: { type: 'pix' },
      sessionValidity: '2026-05-04T12:10:00.000Z',
      shopperName: { firstName: 'Ana Maria', lastName: 'Lima' },
      socialSecurityNumber: '52998224725',
      countryCode: 'BR',
    });
    const customer = { name: 'Ana', email: 'ana@example.com', document: '52998224725' };
    const billet = await sentBy((ctx) => driver.charge(ctx, billetRequest({ customer })));
    expect(billet.body).toMatchObject({
      paymentMethod: { type: 'boletobancario' },
      deliveryDate: '2026-05-10T23:59:59-03:00',
      shopperName: { firstName: 'Ana', lastName: 'Ana' },
      shopperStatement: 'Nao receber',
      billingAddress: { street: 'Rua A, Centro', houseNumberOrName: '1, Apto 3', country: 'BR' },
    });
    expect((await sentBy((ctx) => driver.charge(ctx, pixRequest()))).body).toEqual(pix.body);
  });

  it('to verify a card has no amount', async () => {
    const { request, body } = await sentBy((ctx) => driver.verifyCard(ctx, verification()));
    expect(body).toMatchObject({
      amount: { value: 0, currency: 'BRL' },
      recurringProcessingModel: 'CardOnFile',
    });
    expect(body).not.toHaveProperty('captureDelayHours');
    expect(request.sendBefore).toBe(SEND_BEFORE);
  });

  it('goes to the company’s own live address', async () => {
    const { ctx, sent } = adyenStub(ok(payment()));
    await driver.charge(
      {
        ...ctx,
        endpoints: { api: 'https://checkout-live.adyenpayments.com/checkout' },
        credentials: { ...ctx.credentials, live_url_prefix: '1797a841fbb37ca7-Loja' },
      },
      chargeRequest(),
    );
    expect(sent[0]?.url).toBe(
      'https://1797a841fbb37ca7-Loja-checkout-live.adyenpayments.com/checkout/v72/payments',
    );
  });

  it('is not sent for a boleto without an address, or for a currency that Adyen counts in another way', async () => {
    const { ctx, sent } = adyenStub();
    for (const request of [billetRequest({ billingAddress: null }), chargeRequest({ currency: 'IDR' })]) {
      await expect(driver.charge(ctx, request)).rejects.toMatchObject({ family: 'unsupported' });
    }
    await expect(driver.authorize(ctx, pixRequest())).rejects.toMatchObject({ family: 'unsupported' });
    expect(sent).toEqual([]);
  });

  it('needs the address for a boleto only, and its capabilities say so, so that a payment without it goes to another gateway', () => {
    expect(driver.capabilities().requires).toEqual({ billet: ['billing_address'] });
  });
});

describeWithOracle('adyen/CheckoutService-v72.json', 'the description of Adyen’s API', (content) => {
  const { components } = content as OpenApi;
  // The check resolves one method by `anyOf`; the document lists all by `oneOf`.
  const paymentMethod = ['CardDetails', 'PixDetails', 'PaymentDetails'].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  const { PaymentRequest = {} } = components.schemas;
  const additionalData = { type: 'object', additionalProperties: true };
  const check = new OpenApiCheck({
    components: {
      schemas: {
        ...components.schemas,
        PaymentRequest: {
          ...PaymentRequest,
          properties: {
            ...PaymentRequest.properties,
            paymentMethod: { anyOf: paymentMethod },
            additionalData,
          },
        },
      },
    },
  });

  it('has every request of the driver with these properties', async () => {
    const payments = await Promise.all([
      charge({ billingAddress: ADDRESS, softDescriptor: 'LOJA', installments: 12 }),
      charge({ initiation: { initiator: 'merchant', reason: 'recurring', networkIds: NETWORK_IDS } }),
      charge({
        purchase: { ...chargeRequest().purchase, payerIp: '203.0.113.7', payerPhone: '+5511912345678' },
      }),
      sentBy((ctx) => driver.authorize(ctx, chargeRequest())),
      sentBy((ctx) => driver.charge(ctx, pixRequest())),
      sentBy((ctx) => driver.charge(ctx, billetRequest())),
      sentBy((ctx) => driver.verifyCard(ctx, verification())),
      sentBy((ctx) => driver.charge(ofPlatform(ctx), chargeRequest({ splits: [splitOf(12_990)] }))),
    ]);
    expect(payments.at(-1)?.body).toHaveProperty('splits');
    expect(payments.flatMap(({ body }) => check.problems(body, 'PaymentRequest'))).toEqual([]);
    const modifications = {
      PaymentCaptureRequest: (await modify('capture')).body,
      PaymentCancelRequest: (await modify('cancel')).body,
      PaymentRefundRequest: (await modify('refund')).body,
      PaymentMethodsRequest: (await sentBy((ctx) => driver.verifyCredentials(ctx))).body,
    };
    const splits = [splitOf(990)];
    const divided = [
      ...check.problems((await modify('capture', { splits })).body, 'PaymentCaptureRequest'),
      ...check.problems((await modify('refund', { splits })).body, 'PaymentRefundRequest'),
    ];
    expect(Object.entries(modifications).flatMap(([name, body]) => check.problems(body, name))).toEqual([]);
    expect(divided).toEqual([]);
  });

  it('has examples of answers, which the driver reads', () => {
    const examples = (content as { components: { examples: Record<string, { value: object }> } }).components
      .examples;
    for (const [name, { value }] of Object.entries(examples)) {
      if (/^post-payments-(?!details).*-200$/.test(name))
        expect(paymentReply.safeParse(value).error).toBeUndefined();
      if (/^post-payments-.*(?:captures|cancels|refunds).*-201$/.test(name))
        expect(modificationReply.safeParse(value).error).toBeUndefined();
    }
  });
});

/** What Adyen's SDK sends for a call, without sending it. */
async function sdkSends(
  call: (sdk: CheckoutAPI) => Promise<unknown>,
): Promise<{ path: string; body: Body }[]> {
  const sent: { path: string; body: Body }[] = [];
  const client = new Client({ apiKey: 'AQE', environment: EnvironmentEnum.TEST });
  client.httpClient = {
    request: (endpoint: string, json: string) => {
      sent.push({ path: new URL(endpoint).pathname, body: JSON.parse(json) as Body });
      return Promise.resolve('{}');
    },
  };
  await call(new CheckoutAPI(client));
  return sent;
}

describe('the driver and Adyen’s SDK', () => {
  it('send the same requests for a charge, a capture, a cancel and a refund', async () => {
    const ours = [
      await charge({ billingAddress: ADDRESS, installments: 2 }),
      await modify('capture'),
      await modify('cancel'),
      await modify('refund'),
    ].map(({ request, body }) => ({ path: new URL(request.url).pathname, body }));
    const merchantAccount = 'StubMerchant';
    const amount = { value: 990, currency: 'BRL' };
    const referenceOf = (index: number): string => String(ours[index]?.body.reference);
    const theirs = await sdkSends(async ({ PaymentsApi: payments, ModificationsApi: modifications }) => {
      await payments.payments({
        amount: { value: 12_990, currency: 'BRL' },
        merchantAccount,
        reference: referenceOf(0),
        returnUrl: 'https://example.com/',
        paymentMethod: {
          type: 'scheme' as never,
          number: '4111111111111111',
          expiryMonth: '03',
          expiryYear: '2030',
          cvc: '737',
          holderName: 'ANA LIMA',
        },
        authenticationData: { attemptAuthentication: 'never' as never },
        shopperEmail: 'ana@example.com',
        shopperInteraction: 'Ecommerce' as never,
        captureDelayHours: 0,
        installments: { value: 2 },
        billingAddress: {
          street: 'Rua A, Centro',
          houseNumberOrName: '1, Apto 3',
          city: 'Recife',
          stateOrProvince: 'PE',
          postalCode: '50000000',
          country: 'BR',
        },
      });
      await modifications.captureAuthorisedPayment('PSP1', {
        amount,
        merchantAccount,
        reference: referenceOf(1),
      });
      await modifications.cancelAuthorisedPaymentByPspReference('PSP1', {
        merchantAccount,
        reference: referenceOf(2),
      });
      await modifications.refundCapturedPayment('PSP1', {
        amount,
        merchantAccount,
        reference: referenceOf(3),
      });
    });
    expect(ours).toEqual(theirs);
  });
});

interface Probe {
  readonly url: string;
  readonly body: string;
}

describeWithOracle('adyen/field-probe.json', 'the requests of an independent implementation', (content) => {
  const { flows } = content as { flows: Record<string, Record<string, Probe & { sample?: Probe }>> };
  const probe = (flow: string, name: string): { path: string; body: Body } => {
    const found = flows[flow]?.[name];
    const { url, body } = found?.sample ?? found ?? { url: '', body: '{}' };
    return { path: new URL(url).pathname.replace('/v68/', '/v72/'), body: JSON.parse(body) as Body };
  };
  const common = { amountCents: 1_000, currency: 'USD' };
  /** Their references and accounts, what they know of the browser, and their reason of a refund, which is no value of version 72. */
  const OWN = new Set([
    ...['reference', 'merchantAccount', 'returnUrl', 'browserInfo', 'additionalData', 'shopperName'],
    ...['shopperIP', 'merchantRefundReason'],
  ]);
  const plain = (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([name]) => !OWN.has(name)));

  it('have the properties of ours, for the same card, pix, boleto, capture, cancel and refund', async () => {
    const id = { gatewayTransactionId: 'probe_connector_txn_001', ...common };
    const cases = [
      ['authorize', 'Card', await charge(common)],
      ['authorize', 'Pix', await sentBy((ctx) => driver.charge(ctx, pixRequest(common)))],
      ['authorize', 'Boleto', await sentBy((ctx) => driver.charge(ctx, billetRequest(common)))],
      ['capture', 'default', await sentBy((ctx) => driver.capture(ctx, followUp(id)))],
      ['void', 'default', await sentBy((ctx) => driver.cancel(ctx, followUp(id)))],
      ['refund', 'default', await sentBy((ctx) => driver.refund(ctx, followUp(id)))],
    ] as const;
    for (const [flow, name, ours] of cases) {
      const theirs = probe(flow, name);
      expect([flow, new URL(ours.request.url).pathname]).toEqual([flow, theirs.path]);
      expect(ours.body).toMatchObject(plain(theirs.body));
    }
  });
});
