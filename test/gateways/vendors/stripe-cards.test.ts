import { randomUUID } from 'node:crypto';
import { CARDS, chargeOf, errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());

describe('a card payment at the fake of Stripe', () => {
  it('succeeds with the network’s data and is in the ledger under our reference', async () => {
    const payment = newPayment();
    const intent = await payment.pay({ statement_descriptor_suffix: 'LOJA' });
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'succeeded',
      amount_received: 10_000,
      currency: 'brl',
      metadata: { reference: payment.reference },
    });
    const charge = chargeOf(intent);
    expect(charge).toMatchObject({
      captured: true,
      amount_captured: 10_000,
      outcome: { type: 'authorized' },
    });
    expect(charge.payment_method_details?.card).toMatchObject({ brand: 'visa', last4: '0010' });
    expect(charge.payment_method_details?.card?.network_transaction_id).toMatch(/^\d{15}$/);
    const { totals } = await bench.control.ledger(payment.transactionId);
    expect(totals).toMatchObject({ captured: 10_000, held: 0 });
    expect(await bench.control.requests(payment.transactionId)).toMatchObject([
      { operation: 'charge', amount: 10_000, reference: payment.reference, answered: 200 },
    ]);
  });

  it.each([
    [CARDS.declined, 'do_not_honor', '05', undefined],
    [CARDS.noFunds, 'insufficient_funds', '51', undefined],
    [CARDS.lost, 'lost_card', '41', undefined],
    [CARDS.advice, 'do_not_honor', '05', '03'],
  ])('is declined with 402, Stripe’s code and the network’s: card %s', async (number, code, iso, advice) => {
    const payment = newPayment();
    const error = await errorOf(payment.pay({}, { number }));
    expect(error).toMatchObject({
      type: 'StripeCardError',
      statusCode: 402,
      code: 'card_declined',
      decline_code: code,
    });
    expect(error.payment_intent).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    const intent = await bench.sdk().paymentIntents.retrieve(error.payment_intent?.id ?? '', {
      expand: ['latest_charge'],
    });
    expect(intent.last_payment_error).toMatchObject({ decline_code: code, network_decline_code: iso });
    expect(intent.last_payment_error?.network_advice_code).toBe(advice);
    expect(chargeOf(intent)).toMatchObject({
      status: 'failed',
      paid: false,
      outcome: { network_decline_code: iso, network_advice_code: advice ?? null, type: 'issuer_declined' },
    });
  });

  it('needs a card number with a valid check digit and a date in the future when the card is stored', async () => {
    const payment = newPayment();
    expect(await errorOf(payment.method('4000000000000011'))).toMatchObject({
      type: 'StripeCardError',
      code: 'incorrect_number',
      param: 'number',
    });
    const card = { number: CARDS.approved, exp_month: 1, exp_year: 2020 };
    expect(await errorOf(bench.sdk().paymentMethods.create({ type: 'card', card }))).toMatchObject({
      code: 'invalid_expiry_year',
    });
  });

  it('uses a payment method once', async () => {
    const payment = newPayment();
    const payment_method = await payment.method();
    await payment.pay({ payment_method });
    expect(await errorOf(newPayment().pay({ payment_method }))).toMatchObject({
      statusCode: 400,
      code: 'payment_method_unexpected_state',
    });
  });

  it('takes card data in the request too, as Stripe’s browser library sends it', async () => {
    const card = { number: CARDS.approved, exp_month: '12', exp_year: '2040', cvc: '123' };
    const form = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value]);
    const { status, text } = await bench.send('POST', 'payment_intents', {
      form: {
        ...{ amount: '500', currency: 'usd', confirm: 'true', 'payment_method_data[type]': 'card' },
        ...(Object.fromEntries(form) as Record<string, string>),
      },
    });
    expect({ status, body: JSON.parse(text) as unknown }).toMatchObject({
      status: 200,
      body: { status: 'succeeded', currency: 'usd', latest_charge: expect.stringMatching(/^ch_/) as unknown },
    });
  });
});

describe('an authorization at the fake of Stripe', () => {
  it('is captured in part, and the rest is released as a refund without our metadata', async () => {
    const sdk = bench.sdk();
    const payment = newPayment();
    const { id, status, amount_capturable } = await payment.pay({ capture_method: 'manual' });
    expect({ status, amount_capturable }).toEqual({ status: 'requires_capture', amount_capturable: 10_000 });
    const captured = await sdk.paymentIntents.capture(id, {
      amount_to_capture: 7_000,
      metadata: { operation: `${payment.reference}-capture` },
      expand: ['latest_charge.refunds'],
    });
    expect(captured).toMatchObject({ status: 'succeeded', amount: 10_000, amount_received: 7_000 });
    expect(captured.metadata).toEqual({
      reference: payment.reference,
      operation: `${payment.reference}-capture`,
    });
    expect(chargeOf(captured)).toMatchObject({
      amount_captured: 7_000,
      amount_refunded: 3_000,
      refunded: false,
    });
    const { data } = await sdk.refunds.list({ payment_intent: id });
    expect(data).toMatchObject([{ amount: 3_000, metadata: {}, status: 'succeeded' }]);
    const { entries, totals } = await bench.control.ledger(payment.transactionId);
    expect(totals).toMatchObject({ captured: 7_000, canceled: 3_000, held: 0, refunded: 0 });
    expect(entries.at(-1)?.reference).toBe(`${payment.reference}-capture`);
  });

  it('is canceled, and its charge counts as refunded', async () => {
    const payment = newPayment();
    const { id } = await payment.pay({ capture_method: 'manual' });
    const canceled = await bench
      .sdk()
      .paymentIntents.cancel(id, { cancellation_reason: 'requested_by_customer', expand: ['latest_charge'] });
    expect(canceled).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'requested_by_customer',
      amount_capturable: 0,
    });
    expect(chargeOf(canceled)).toMatchObject({ captured: false, refunded: true, amount_refunded: 10_000 });
    expect((await bench.control.ledger(payment.transactionId)).totals).toMatchObject({
      canceled: 10_000,
      held: 0,
    });
  });

  it('is neither captured above its amount, nor twice, nor canceled after its capture', async () => {
    const sdk = bench.sdk();
    const { id } = await newPayment().pay({ capture_method: 'manual' });
    expect(await errorOf(sdk.paymentIntents.capture(id, { amount_to_capture: 10_001 }))).toMatchObject({
      statusCode: 400,
      code: 'amount_too_large',
    });
    await sdk.paymentIntents.capture(id);
    for (const call of [sdk.paymentIntents.capture(id), sdk.paymentIntents.cancel(id)]) {
      const error = await errorOf(call);
      expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
      expect(error.payment_intent).toMatchObject({ id, status: 'succeeded' });
    }
  });
});

describe('a refund at the fake of Stripe', () => {
  it('gives back parts until nothing is left', async () => {
    const sdk = bench.sdk();
    const payment = newPayment();
    const { id: payment_intent } = await payment.pay();
    const metadata = { reference: `${payment.reference}-refund` };
    const refund = await sdk.refunds.create({ payment_intent, amount: 4_000, metadata });
    expect(refund).toMatchObject({
      object: 'refund',
      status: 'succeeded',
      amount: 4_000,
      payment_intent,
      metadata,
    });
    expect(await sdk.refunds.retrieve(refund.id)).toEqual(refund);
    const tooMuch = await errorOf(sdk.refunds.create({ payment_intent, amount: 6_001 }));
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' });
    const rest = await sdk.refunds.create({ payment_intent });
    expect(rest.amount).toBe(6_000);
    expect(await errorOf(sdk.refunds.create({ payment_intent }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const { data } = await sdk.refunds.list({ payment_intent });
    expect(data.map(({ id }) => id)).toEqual([rest.id, refund.id]);
    expect((await bench.control.ledger(payment.transactionId)).totals.refunded).toBe(10_000);
  });

  it('fails as an object with a reason if the issuer declines it', async () => {
    const payment = newPayment();
    const { id: payment_intent } = await payment.pay();
    await bench.control.script(
      { transaction_id: payment.transactionId, operation: 'refund' },
      { decline: '05' },
    );
    expect(await bench.sdk().refunds.create({ payment_intent })).toMatchObject({
      status: 'failed',
      failure_reason: 'declined',
    });
    expect((await bench.control.ledger(payment.transactionId)).totals.refunded).toBe(0);
  });
});

it('a declined PaymentIntent can be canceled, so that nobody confirms it again', async () => {
  const error = await errorOf(newPayment().pay({}, { number: CARDS.declined }));
  const canceled = await bench.sdk().paymentIntents.cancel(error.payment_intent?.id ?? '');
  expect(canceled).toMatchObject({ status: 'canceled', last_payment_error: null });
});

describe('a SetupIntent at the fake of Stripe', () => {
  it('verifies a card once, without money and with our reference', async () => {
    const card = newPayment();
    const setup = await card.setUp();
    expect(setup).toMatchObject({
      object: 'setup_intent',
      status: 'succeeded',
      usage: 'off_session',
      customer: null,
      metadata: { reference: card.reference },
    });
    expect(await bench.sdk().setupIntents.retrieve(setup.id)).toMatchObject({ id: setup.id });
    const { entries } = await bench.control.ledger(card.transactionId);
    expect(entries).toEqual([]);
    expect(await bench.control.requests(card.transactionId)).toMatchObject([
      { operation: 'verify', initiation: { initiator: 'customer', reason: 'first_saved' } },
    ]);
    const again = newPayment().pay({ payment_method: setup.payment_method as string });
    expect(await errorOf(again)).toMatchObject({ code: 'payment_method_unexpected_state' });
  });

  it('is declined with the issuer’s code, and keeps the error', async () => {
    const error = await errorOf(newPayment().setUp(CARDS.noFunds));
    expect(error).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      decline_code: 'insufficient_funds',
      setup_intent: {
        status: 'requires_payment_method',
        payment_method: null,
        last_setup_error: { network_decline_code: '51' },
      },
    });
  });

  it('waits for its customer if the issuer asks for authentication, until it is canceled once', async () => {
    const card = newPayment();
    await bench.control.script({ transaction_id: card.transactionId }, { decline_class: 'auth_required' });
    const { id, status, next_action } = await card.setUp();
    expect({ status, next_action }).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'use_stripe_sdk' },
    });
    const cancel = () => bench.sdk().setupIntents.cancel(id, { cancellation_reason: 'abandoned' });
    expect(await cancel()).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
    expect(await errorOf(cancel())).toMatchObject({ code: 'setup_intent_unexpected_state' });
  });

  it('answers a repeated key with the first SetupIntent', async () => {
    const payment_method = await newPayment().method();
    const idempotencyKey = randomUUID();
    const create = () =>
      bench.sdk().setupIntents.create({ confirm: true, payment_method }, { idempotencyKey });
    const { id } = await create();
    expect((await create()).id).toBe(id);
  });

  it('takes neither an unknown parameter nor a payment method of another type', async () => {
    const form = { confirm: 'true', payment_method: await newPayment().method(), amount: '0' };
    const unknown = await bench.send('POST', 'setup_intents', { form });
    expect(unknown).toMatchObject({
      status: 400,
      text: expect.stringContaining('parameter_unknown') as string,
    });
    const pix = await bench.sdk().paymentMethods.create({ type: 'pix' });
    const ofPix = bench.sdk().setupIntents.create({ confirm: true, payment_method: pix.id });
    expect(await errorOf(ofPix)).toMatchObject({ param: 'payment_method' });
  });
});
