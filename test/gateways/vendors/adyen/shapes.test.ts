import HmacValidator from '@adyen/api-library/lib/src/utils/hmacValidator';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { ValidatingProxy } from '../../../support/vendors/validating-proxy';
import { AdyenBench, AdyenPayment, BOLETO, CARDS, HMAC_KEY, MERCHANT_ACCOUNT, PIX } from './bench';
import { type OpenApi, OpenApiCheck } from '../open-api-check';

let bench: AdyenBench;
beforeAll(async () => {
  bench = await AdyenBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AdyenPayment(bench);

/** One payment of each kind with every webhook that it can cause. */
async function playAll(): Promise<void> {
  const captured = newPayment();
  const first = (await captured.authorize()).body.pspReference;
  await captured.modify(first, 'captures', 6_000);
  await captured.modify(first, 'refunds', 7_000);
  await captured.modify(first, 'refunds', 1_000, { reference: 'second' });
  await bench.webhooks('REFUND', 'second');
  const canceled = newPayment();
  await canceled.modify((await canceled.authorize()).body.pspReference, 'cancels');
  await bench.webhooks('CANCELLATION', canceled.referenceOf('cancels'));
  const reversed = newPayment();
  await reversed.modify((await reversed.pay()).body.pspReference, 'reversals');
  await bench.webhooks('CANCEL_OR_REFUND', reversed.referenceOf('reversals'));
  const lost = newPayment();
  await lost.authorize();
  const merchantAccount = MERCHANT_ACCOUNT;
  await bench.post('cancels', { merchantAccount, paymentReference: lost.reference, reference: 'lost' });
  await bench.webhooks('TECHNICAL_CANCEL', 'lost');
  const refused = newPayment();
  await refused.pay(CARDS.advice);
  await bench.webhooks('AUTHORISATION', refused.reference);
  const pix = newPayment();
  await pix.create(PIX);
  await bench.control.pay(pix.transactionId);
  await bench.webhooks('AUTHORISATION', pix.reference);
  await bench.control.sendCallbacks(pix.transactionId, { kind: 'chargeback' });
  await bench.webhooks('CHARGEBACK', pix.reference);
  await playDisputes();
  const expired = newPayment();
  await expired.create({ ...PIX, sessionValidity: new Date(Date.now() + 1).toISOString() });
  await bench.webhooks('OFFER_CLOSED', expired.reference);
}

/** A chargeback that is defended, won, opened again and lost, one that nobody defends, one that is lost, and a question. */
async function playDisputes(): Promise<void> {
  const dispute = async (
    options: object,
    changes: ReadonlyArray<'submitted' | 'won' | 'reopened' | 'lost'>,
  ) => {
    const payment = newPayment();
    await payment.pay();
    const due = { reason_code: '10.4', evidence_due_in: 60, ...options };
    const { id } = await bench.control.openDispute(payment.transactionId, due);
    for (const status of changes) await bench.control.changeDispute(id, { status });
    return payment.reference;
  };
  const fought = await dispute({}, ['submitted', 'won', 'reopened', 'lost']);
  const events = ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'INFORMATION_SUPPLIED', 'CHARGEBACK_REVERSED'];
  for (const event of [...events, 'PREARBITRATION_OPEN', 'PREARBITRATION_LOST'])
    await bench.webhooks(event, fought);
  await bench.webhooks('DISPUTE_DEFENSE_PERIOD_ENDED', await dispute({}, ['lost']));
  await bench.webhooks('SECOND_CHARGEBACK', await dispute({}, ['submitted', 'lost']));
  await bench.webhooks('PREARBITRATION_WON', await dispute({}, ['won', 'reopened', 'won']));
  await bench.webhooks('REQUEST_FOR_INFORMATION', await dispute({ kind: 'retrieval' }, []));
}

interface WebhooksDocument extends OpenApi {
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
          };
        };
      }
    >
  >;
}

describeWithOracle('adyen/Webhooks-v1.json', 'the document of Adyen’s webhooks', (content) => {
  const document = content as WebhooksDocument;
  const check = new OpenApiCheck(document);
  const schemaOf = (eventCode: string): string =>
    document.webhooks[`/${eventCode}`]?.post.requestBody.content['application/json'].schema.$ref
      .split('/')
      .at(-1) ?? 'missing';

  it('knows every field of every event that the fake sends', async () => {
    await playAll();
    const problems = bench.received.flatMap(({ body, item }) =>
      check.problems(JSON.parse(body.toString()), schemaOf(item.eventCode)),
    );
    expect(problems).toEqual([]);
    const events = new Set(bench.received.map(({ item }) => `${item.eventCode} ${item.success}`));
    expect([...events].toSorted()).toEqual([
      'AUTHORISATION false',
      'AUTHORISATION true',
      'CANCELLATION true',
      'CANCEL_OR_REFUND true',
      'CAPTURE true',
      'CHARGEBACK true',
      'CHARGEBACK_REVERSED true',
      'DISPUTE_DEFENSE_PERIOD_ENDED true',
      'INFORMATION_SUPPLIED true',
      'NOTIFICATION_OF_CHARGEBACK true',
      'OFFER_CLOSED true',
      'PREARBITRATION_LOST true',
      'PREARBITRATION_OPEN true',
      'PREARBITRATION_WON true',
      'REFUND false',
      'REFUND true',
      'REQUEST_FOR_INFORMATION true',
      'SECOND_CHARGEBACK true',
      'TECHNICAL_CANCEL true',
    ]);
  });
});

describe('a webhook of the fake of Adyen', () => {
  const validator = new HmacValidator();
  const isValid = (item: object, key = HMAC_KEY) => validator.validateHMAC(item as never, key);

  it('is signed as Adyen’s library verifies it, whatever its event', async () => {
    await playAll();
    expect(bench.received.map(({ item }) => isValid(item))).not.toContain(false);
    const [{ item } = { item: {} }] = bench.received;
    expect(isValid({ ...item, success: 'maybe' })).toBe(false);
    expect(isValid(item, HMAC_KEY.replace('0', '1'))).toBe(false);
  });

  it('is forged with another key, and has Basic authentication if the secret names a user', async () => {
    const other = await AdyenBench.start(`loja:senha:${HMAC_KEY}`);
    try {
      const payment = new AdyenPayment(other);
      await payment.pay();
      const [webhook] = await other.webhooks('AUTHORISATION', payment.reference);
      expect(webhook?.headers.authorization).toBe(`Basic ${Buffer.from('loja:senha').toString('base64')}`);
      expect(isValid(webhook?.item ?? {})).toBe(true);
      await other.control.sendCallbacks(payment.transactionId, { forge: true });
      const [, forged] = await other.webhooks('AUTHORISATION', payment.reference, 2);
      expect(isValid(forged?.item ?? {})).toBe(false);
      expect(forged?.item.additionalData.hmacSignature).not.toBe('');
    } finally {
      await other.stop();
    }
  });

  it('is the same when it is sent again', async () => {
    const payment = newPayment();
    await payment.pay();
    await bench.control.sendCallbacks(payment.transactionId);
    const [first, second] = await bench.webhooks('AUTHORISATION', payment.reference, 2);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  });
});

describeWithOracle('adyen/CheckoutService-v72.json', 'the document of Adyen’s Checkout', (document) => {
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    proxy = await ValidatingProxy.start({ document, upstream: bench.url });
  });
  afterAll(() => proxy.stop());

  it('allows the answers of the fake to payments, modifications and errors', async () => {
    const through = { base: proxy.url };
    const payment = newPayment();
    const answers = [
      await payment.authorize(through),
      await newPayment().pay(CARDS.mastercard, { installments: { value: 3 } }, through),
      await newPayment().pay(CARDS.advice, {}, through),
      await newPayment().pay(CARDS.fraud, {}, through),
      await newPayment().pay(CARDS.approved, { amount: { currency: 'BRL', value: 0 } }, through),
      await newPayment().create(PIX, through),
      await newPayment().create(BOLETO, through),
      await newPayment().pay('4000000000000011', {}, through),
      await newPayment().pay(CARDS.approved, { merchantAccount: 'InvalidECOM' }, through),
      await newPayment().create({ ...PIX, amount: { currency: 'USD', value: 1 } }, through),
      await newPayment().pay(CARDS.approved, {}, { ...through, secret: 'sk_invalid' }),
    ];
    const { pspReference } = answers[0]?.body ?? { pspReference: '' };
    answers.push(
      await payment.modify(pspReference, 'captures', 6_000, through),
      await payment.modify(pspReference, 'refunds', 1_000, { ...through, key: 'a-key' }),
      await payment.modify(pspReference, 'cancels', null, through),
      await payment.modify(pspReference, 'reversals', null, through),
      await payment.modify('UNKNOWN9UNKNOWN9', 'cancels', null, through),
      await bench.post(
        'cancels',
        { merchantAccount: MERCHANT_ACCOUNT, paymentReference: payment.reference },
        through,
      ),
      await bench.post('paymentMethods', { merchantAccount: MERCHANT_ACCOUNT }, through),
    );
    expect(await proxy.violations()).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...[200, 200, 200, 200, 200, 200, 200, 422, 403, 500, 401],
      ...[201, 201, 201, 201, 422, 201, 200],
    ]);
  });

  it('does not allow an unknown field, so that the check has an effect', async () => {
    await newPayment().create({ softDescriptor: 'LOJA' }, { base: proxy.url });
    expect(await proxy.violations()).toEqual([expect.stringContaining('softDescriptor')]);
  });
});
