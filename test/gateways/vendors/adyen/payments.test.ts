import { AdyenBench, AdyenPayment, BOLETO, CARDS, PIX, scheme } from './bench';

let bench: AdyenBench;
beforeAll(async () => {
  bench = await AdyenBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AdyenPayment(bench);
const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;

describe('a card payment at the fake of Adyen', () => {
  it('is authorised and captured at once, with the network’s id, and announced by a webhook', async () => {
    const payment = newPayment();
    const { status, body } = await payment.pay();
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        resultCode: 'Authorised',
        pspReference: text(/^[A-Z0-9]{16}$/),
        merchantReference: payment.reference,
        amount: { currency: 'BRL', value: 10_000 },
        paymentMethod: { brand: 'visa', type: 'scheme' },
        additionalData: {
          authCode: text(/^\d{6}$/),
          networkTxReference: text(/^\d{15}$/),
          cardSummary: '0010',
          refusalReasonRaw: 'AUTHORISED',
        },
      },
    });
    expect((await payment.totals()).captured).toBe(10_000);
    const [webhook] = await bench.webhooks('AUTHORISATION', payment.reference);
    expect(webhook?.item).toMatchObject({
      success: 'true',
      pspReference: body.pspReference,
      amount: { currency: 'BRL', value: 10_000 },
      paymentMethod: 'visa',
      reason: text(/^\d{6}:0010:3\/20\d\d$/),
    });
  });

  it('with manualCapture is only authorised', async () => {
    const payment = newPayment();
    expect((await payment.authorize()).body.resultCode).toBe('Authorised');
    expect(await payment.totals()).toMatchObject({ captured: 0, held: 10_000 });
  });

  it.each([
    [CARDS.noFunds, '12', 'Not enough balance', '51 : '],
    [CARDS.stolen, '5', 'Blocked Card', '43 : '],
    ['4000000000000002', '2', 'Refused', '05 : '],
  ])(
    'with %s is refused with code %s, the reason and the raw answer of the acquirer',
    async (number, code, reason, raw) => {
      const payment = newPayment();
      const { status, body } = await payment.pay(number);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: {
          resultCode: 'Refused',
          refusalReasonCode: code,
          refusalReason: reason,
          additionalData: { refusalReasonRaw: text(new RegExp(`^${raw}`)) },
        },
      });
      const [webhook] = await bench.webhooks('AUTHORISATION', payment.reference);
      expect(webhook?.item).toMatchObject({ success: 'false', reason: text(new RegExp(`^${raw}`)) });
    },
  );

  it('has Mastercard’s advice and link id, and no raw answer where the acquirer was not asked', async () => {
    const advised = await newPayment().pay(CARDS.advice);
    expect(advised.body.additionalData.merchantAdviceCode).toBe('03 : Do not try again');
    const linked = await newPayment().pay(CARDS.mastercard);
    expect(linked.body.additionalData.transactionLinkId).toHaveLength(22);
    const fraud = await newPayment().pay(CARDS.fraud);
    expect(fraud.body).toMatchObject({
      resultCode: 'Refused',
      refusalReasonCode: '20',
      refusalReason: 'FRAUD',
    });
    expect(fraud.body.additionalData.refusalReasonRaw).toBeUndefined();
  });

  it('is merchant-initiated if it has ContAuth and a model, and is linked by the network’s id', async () => {
    const payment = newPayment();
    const merchants = { shopperInteraction: 'ContAuth', recurringProcessingModel: 'Subscription' };
    const additionalData = { networkTxReference: '093146781204553' };
    expect((await payment.pay(CARDS.customerOnly, merchants)).body.resultCode).toBe('Refused');
    await payment.pay(CARDS.approved, { ...merchants, additionalData });
    await payment.pay(CARDS.approved, {
      recurringProcessingModel: 'CardOnFile',
      shopperInteraction: 'ContAuth',
    });
    await payment.pay(CARDS.approved, { recurringProcessingModel: 'Subscription' });
    const requests = await bench.control.requests(payment.transactionId);
    const network_ids = {
      network_transaction_id: '093146781204553',
      transaction_link_id: null,
      elo_reference: null,
    };
    expect(requests.map(({ initiation }) => initiation)).toEqual([
      { initiator: 'merchant', reason: 'recurring', network_ids: null },
      { initiator: 'merchant', reason: 'recurring', network_ids },
      { initiator: 'customer', reason: 'saved_card' },
      { initiator: 'customer', reason: 'first_recurring' },
    ]);
  });

  it('of zero asks the issuer and moves no money', async () => {
    const payment = newPayment();
    const zero = { amount: { currency: 'BRL', value: 0 } };
    expect((await payment.pay(CARDS.approved, zero)).body).toMatchObject({
      resultCode: 'Authorised',
      additionalData: { networkTxReference: text(/^\d{15}$/) },
    });
    expect((await payment.pay(CARDS.noFunds, zero)).body).toMatchObject({ resultCode: 'Refused' });
    expect((await bench.control.ledger(payment.transactionId)).entries).toEqual([]);
    const logged = await bench.control.requests(payment.transactionId);
    expect(logged.map(({ operation }) => operation)).toEqual(['verify', 'verify']);
  });
});

describe('pix and boleto at the fake of Adyen', () => {
  it('a pix is Pending with a code and its expiry, and authorised by webhook when it is paid', async () => {
    const payment = newPayment();
    const sessionValidity = new Date(Date.now() + 600_000).toISOString();
    const { body } = await payment.create({ ...PIX, sessionValidity });
    expect(body).toMatchObject({
      resultCode: 'Pending',
      action: { type: 'qrCode', paymentMethodType: 'pix', qrCodeData: text(/^0002/) },
    });
    const { 'pix.expirationDate': expiry = '' } = body.additionalData;
    expect(expiry).toMatch(/-03:00$/);
    expect(Math.abs(Date.parse(expiry) - Date.parse(sessionValidity))).toBeLessThan(1_000);
    expect(bench.received.filter(({ item }) => item.merchantReference === payment.reference)).toEqual([]);
    await bench.control.pay(payment.transactionId);
    const [webhook] = await bench.webhooks('AUTHORISATION', payment.reference);
    expect(webhook?.item).toMatchObject({
      success: 'true',
      pspReference: body.pspReference,
      paymentMethod: 'pix',
    });
    expect((await payment.totals()).captured).toBe(10_000);
  });

  it('a pix that nobody pays in time is reported as OFFER_CLOSED', async () => {
    const payment = newPayment();
    await payment.create({ ...PIX, sessionValidity: new Date(Date.now() + 1).toISOString() });
    const [webhook] = await bench.webhooks('OFFER_CLOSED', payment.reference);
    expect(webhook?.item).toMatchObject({ success: 'true', paymentMethod: 'pix' });
  });

  it('a boleto is a voucher with its line, page and day', async () => {
    const payment = newPayment();
    const { body } = await payment.create(BOLETO);
    expect(body).toMatchObject({
      resultCode: 'PresentToShopper',
      action: {
        type: 'voucher',
        paymentMethodType: 'boletobancario_santander',
        reference: text(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/),
        expiresAt: '2040-09-20T00:00:00',
        totalAmount: { currency: 'BRL', value: 10_000 },
      },
    });
    const page = await fetch(String(body.action.downloadUrl));
    expect(page.status).toBe(200);
  });

  it('need the shopper’s name and document, a boleto an address, and both BRL', async () => {
    const answers = await Promise.all([
      newPayment().create({ ...PIX, socialSecurityNumber: undefined }),
      newPayment().create({ ...BOLETO, billingAddress: undefined }),
      newPayment().create({ ...PIX, amount: { currency: 'USD', value: 100 } }),
    ]);
    expect(answers.map(({ status, body }) => ({ status, ...body }))).toMatchObject([
      { status: 422, message: "Required field 'socialSecurityNumber' is not provided." },
      { status: 422, message: "Required field 'billingAddress' is not provided." },
      { status: 500, errorCode: '905_1', errorType: 'configuration' },
    ]);
  });
});

describe('captures, cancels and refunds at the fake of Adyen', () => {
  it('are received, and a webhook that names the payment reports their result', async () => {
    const payment = newPayment();
    const { pspReference } = (await payment.authorize()).body;
    const capture = await payment.modify(pspReference, 'captures', 6_000);
    expect(capture).toMatchObject({
      status: 201,
      body: {
        status: 'received',
        paymentPspReference: pspReference,
        reference: payment.referenceOf('captures'),
        merchantAccount: 'LojaECOM',
        amount: { currency: 'BRL', value: 6_000 },
      },
    });
    const [captured] = await bench.webhooks('CAPTURE', payment.referenceOf('captures'));
    expect(captured?.item).toMatchObject({
      success: 'true',
      pspReference: capture.body.pspReference,
      originalReference: pspReference,
      amount: { value: 6_000 },
    });
    await payment.modify(pspReference, 'refunds', 1_000);
    const [refunded] = await bench.webhooks('REFUND', payment.referenceOf('refunds'));
    expect(refunded?.item).toMatchObject({ success: 'true', originalReference: pspReference });
    expect(await payment.totals()).toMatchObject({
      captured: 6_000,
      canceled: 4_000,
      refunded: 1_000,
      held: 0,
    });
  });

  it('that the payment does not allow are received too, and the webhook reports that they failed', async () => {
    const payment = newPayment();
    const { pspReference } = (await payment.authorize()).body;
    expect(await payment.modify(pspReference, 'refunds')).toMatchObject({ status: 201 });
    const [refund] = await bench.webhooks('REFUND', payment.referenceOf('refunds'));
    expect(refund?.item).toMatchObject({
      success: 'false',
      reason: "Transaction hasn't been captured, refund not possible",
    });
    await payment.modify(pspReference, 'captures', 10_001);
    const [capture] = await bench.webhooks('CAPTURE', payment.referenceOf('captures'));
    expect(capture?.item).toMatchObject({ success: 'false', reason: 'Insufficient balance on payment' });
    await payment.modify(pspReference, 'cancels');
    const [cancel] = await bench.webhooks('CANCELLATION', payment.referenceOf('cancels'));
    expect(cancel?.item).toMatchObject({ success: 'true', originalReference: pspReference });
    expect(await payment.totals()).toMatchObject({ captured: 0, canceled: 10_000, held: 0 });
  });

  it('of an unpaid pix fail, and so does a refund of a boleto', async () => {
    const pix = newPayment();
    const { pspReference } = (await pix.create(PIX)).body;
    await pix.modify(pspReference, 'cancels');
    const [cancel] = await bench.webhooks('CANCELLATION', pix.referenceOf('cancels'));
    expect(cancel?.item.success).toBe('false');
    const boleto = newPayment();
    const voucher = (await boleto.create(BOLETO)).body;
    await bench.control.pay(boleto.transactionId);
    await boleto.modify(voucher.pspReference, 'refunds');
    const [refund] = await bench.webhooks('REFUND', boleto.referenceOf('refunds'));
    expect(refund?.item.success).toBe('false');
  });

  it('get their result later if a script says so, refused or executed', async () => {
    const payment = newPayment();
    const { pspReference } = (await payment.pay()).body;
    const match = { transaction_id: payment.transactionId, operation: 'refund' } as const;
    await bench.control.script(match, { pending_then: 'refused' });
    await payment.modify(pspReference, 'refunds', 4_000);
    expect(bench.received.some(({ item }) => item.merchantReference === payment.referenceOf('refunds'))).toBe(
      false,
    );
    await bench.control.finishOperation(payment.transactionId, { operation: 'refund' });
    const [refused] = await bench.webhooks('REFUND', payment.referenceOf('refunds'));
    expect(refused?.item).toMatchObject({ success: 'false', amount: { value: 4_000 } });
    expect((await payment.totals()).refunded).toBe(0);
  });

  it('are reversals, which cancel what is authorised and refund what is captured', async () => {
    const authorized = newPayment();
    const first = (await authorized.authorize()).body.pspReference;
    expect((await authorized.modify(first, 'reversals')).status).toBe(201);
    const paid = newPayment();
    await paid.modify((await paid.pay()).body.pspReference, 'reversals');
    const actions = await Promise.all(
      [authorized, paid].map(async (payment) => {
        const [webhook] = await bench.webhooks('CANCEL_OR_REFUND', payment.referenceOf('reversals'));
        return webhook?.item.additionalData['modification.action'];
      }),
    );
    expect(actions).toEqual(['cancel', 'refund']);
    expect((await authorized.totals()).canceled).toBe(10_000);
    expect((await paid.totals()).refunded).toBe(10_000);
  });

  it('are cancels by our reference alone, of a payment whose answer was lost', async () => {
    const payment = newPayment();
    await payment.authorize();
    const body = { merchantAccount: 'LojaECOM', paymentReference: payment.reference, reference: 'lost-1' };
    const answer = await bench.post('cancels', body);
    expect(answer).toMatchObject({
      status: 201,
      body: { paymentReference: payment.reference, status: 'received' },
    });
    const [webhook] = await bench.webhooks('TECHNICAL_CANCEL', 'lost-1');
    expect(webhook?.item.success).toBe('true');
    expect((await payment.totals()).canceled).toBe(10_000);
    expect((await bench.post('cancels', { ...body, paymentReference: 'unknown' })).status).toBe(201);
  });

  it('name a payment of the same merchant account', async () => {
    const payment = newPayment();
    const { pspReference } = (await payment.pay()).body;
    const other = { merchantAccount: 'OutraECOM', amount: { currency: 'BRL', value: 100 } };
    for (const path of [`payments/${pspReference}/refunds`, 'payments/UNKNOWN9UNKNOWN9/refunds']) {
      expect(await bench.post(path, other)).toMatchObject({ status: 422, body: { errorCode: '167' } });
    }
    expect((await payment.totals()).refunded).toBe(0);
  });
});

const PART = {
  type: 'BalanceAccount',
  account: 'BA3227C223222H5J4DCGQ9V9L',
  amount: { value: 10_000 },
  reference: 'part-1',
};

describe('the fake of Adyen refuses', () => {
  it.each([
    ['an unknown field', { softDescriptor: 'LOJA' }, 400, '702'],
    ['an unknown field of the card', { paymentMethod: scheme(CARDS.approved, { cvv: '1' }) }, 400, '702'],
    ['a text for an amount', { amount: { currency: 'BRL', value: '100' } }, 400, '702'],
    ['no amount', { amount: undefined }, 422, '100'],
    ['a negative amount', { amount: { currency: 'BRL', value: -1 } }, 422, '137'],
    ['no reference', { reference: undefined }, 422, '130'],
    ['a reference over 80 characters', { reference: 'a'.repeat(81) }, 422, '187'],
    ['no return URL', { returnUrl: undefined }, 422, '14_030'],
    ['a number that fails the Luhn check', { paymentMethod: scheme('4000000000000011') }, 422, '101'],
    [
      'a security code of the wrong length',
      { paymentMethod: scheme(CARDS.approved, { cvc: '12' }) },
      422,
      '103',
    ],
    ['a short shopper reference', { shopperReference: 'ab' }, 422, '187'],
    ['another merchant’s account', { merchantAccount: 'InvalidECOM' }, 403, '901'],
    ['splits that do not sum to the amount', { splits: [{ ...PART, amount: { value: 9_999 } }] }, 422, '187'],
    ['a split of no balance account', { splits: [{ ...PART, account: '1' }] }, 422, '187'],
    [
      'a split in another currency',
      { splits: [{ ...PART, amount: { value: 10_000, currency: 'USD' } }] },
      422,
      '187',
    ],
    ['a split without a reference', { splits: [{ ...PART, reference: undefined }] }, 422, '132'],
    ['a split without an amount', { splits: [{ ...PART, amount: undefined }] }, 422, '132'],
    ['a split of a fee, which it does not have', { splits: [{ ...PART, type: 'PaymentFee' }] }, 422, '187'],
    ['a split of an unknown type', { splits: [{ ...PART, type: 'Seller' }] }, 422, '187'],
  ])('%s', async (_, changes, status, errorCode) => {
    const payment = newPayment();
    expect(await payment.create(changes)).toMatchObject({ status, body: { status, errorCode } });
    expect((await payment.totals()).captured).toBe(0);
  });
});
