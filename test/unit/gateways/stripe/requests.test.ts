import { GatewayError } from '../../../../src/gateways/errors';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import {
  ADDRESS,
  chargeRequest,
  error,
  followUp,
  intent,
  METHOD,
  ok,
  REFERENCE,
  stripeStub,
} from './stripe-stub';

const driver = new StripeDriver();
const DAY_MS = 24 * 60 * 60 * 1000;
const dayIn = (days: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(Date.now() + days * DAY_MS);
const billet = (dueAt: string) => ({ dueAt, expiresAt: '2099-01-01T00:00:00.000Z', instructions: null });

/** The form of a charge's last request; its answer does not matter. */
async function formOf(changes: Parameters<typeof chargeRequest>[0]): Promise<Record<string, string>> {
  const stub = stripeStub(METHOD, ok(intent()));
  await driver.charge(stub.ctx, chargeRequest(changes)).catch(() => null);
  return stub.form(stub.sent.length - 1);
}

describe('a request to Stripe', () => {
  it('for a card has the card in the PaymentMethod only', async () => {
    const stub = stripeStub(METHOD, ok(intent()));
    await driver.charge(stub.ctx, chargeRequest({ softDescriptor: 'Pão*Doce 123', billingAddress: ADDRESS }));
    expect(stub.form(0)).toEqual({
      type: 'card',
      'card[number]': '4242424242424242',
      'card[exp_month]': '3',
      'card[exp_year]': '2030',
      'card[cvc]': '123',
      'billing_details[name]': 'ANA LIMA',
      'billing_details[email]': 'ana@example.com',
      'billing_details[address][line1]': 'Rua A, 1',
      'billing_details[address][line2]': 'Centro',
      'billing_details[address][city]': 'Recife',
      'billing_details[address][state]': 'PE',
      'billing_details[address][postal_code]': '50000000',
      'billing_details[address][country]': 'BR',
    });
    expect(stub.form(1)).toEqual({
      amount: '12990',
      currency: 'brl',
      confirm: 'true',
      description: 'Camiseta azul',
      'payment_method_types[0]': 'card',
      'metadata[reference]': REFERENCE,
      'expand[0]': 'latest_charge.refunds',
      capture_method: 'automatic',
      payment_method: 'pm_1',
      error_on_requires_action: 'true',
      statement_descriptor_suffix: 'PaoDoce 12',
    });
  });

  it('for a saved card has no security code', async () => {
    const { card } = chargeRequest();
    const stub = stripeStub(METHOD, ok(intent()));
    await driver.charge(stub.ctx, chargeRequest({ card: card && { ...card, cvv: null } }));
    expect(Object.keys(stub.form(0))).not.toContain('card[cvc]');
  });

  it('for an authorization captures by hand', async () => {
    const stub = stripeStub(METHOD, ok(intent({ status: 'requires_capture', amount_received: 0 })));
    await driver.authorize(stub.ctx, chargeRequest());
    expect(stub.form(1)).toMatchObject({ capture_method: 'manual' });
  });

  it('for a pix has its expiry in seconds', async () => {
    expect(
      await formOf({
        paymentMethod: 'pix',
        card: null,
        pix: { expiresInSeconds: 600, expiresAt: '2026-05-04T12:10:00.000Z', lastDay: null },
      }),
    ).toMatchObject({
      'payment_method_types[0]': 'pix',
      'payment_method_data[type]': 'pix',
      'payment_method_options[pix][expires_after_seconds]': '600',
    });
  });

  it.each([0, 1, 5])('for a boleto that is due in %d days has its days in São Paulo', async (days) => {
    const request = { paymentMethod: 'billet', card: null, billingAddress: ADDRESS } as const;
    expect(await formOf({ ...request, billet: billet(dayIn(days)) })).toMatchObject({
      'payment_method_data[boleto][tax_id]': '52998224725',
      'payment_method_data[billing_details][name]': 'Ana Lima',
      'payment_method_options[boleto][expires_after_days]': String(days),
    });
  });

  it.each([
    [{ initiator: 'customer', reason: 'one_off' }, {}],
    [{ initiator: 'customer', reason: 'saved_card' }, {}],
    [{ initiator: 'customer', reason: 'first_saved' }, { setup_future_usage: 'off_session' }],
    [{ initiator: 'customer', reason: 'first_recurring' }, { setup_future_usage: 'off_session' }],
    [{ initiator: 'merchant', reason: 'recurring', networkIds: null }, { off_session: 'recurring' }],
    [{ initiator: 'merchant', reason: 'unscheduled', networkIds: null }, { off_session: 'true' }],
  ] as const)('for a charge by %j has the parameters %j', async (initiation, expected) => {
    const { setup_future_usage, off_session } = await formOf({ initiation });
    expect({
      ...(setup_future_usage && { setup_future_usage }),
      ...(off_session && { off_session }),
    }).toEqual(expected);
  });

  it.each([
    ['123456', undefined],
    ['LOJA', 'LOJA'],
    ['*"<>', undefined],
  ])('turns the soft descriptor %s into the suffix %s', async (softDescriptor, suffix) => {
    expect((await formOf({ softDescriptor })).statement_descriptor_suffix).toBe(suffix);
  });

  it.each([
    ['JPY', 500],
    ['BRL', 1],
    ['KWD', 1_230],
  ])('in %s has the amount in minor units', async (currency, amountCents) => {
    expect(await formOf({ currency, amountCents })).toMatchObject({
      amount: String(amountCents),
      currency: currency.toLowerCase(),
    });
  });

  it('for a capture or refund names its reference, and for a refund the company’s reason', async () => {
    const stub = stripeStub(ok({}));
    await driver
      .capture(stub.ctx, followUp({ reference: `${REFERENCE}-capture`, amountCents: 990 }))
      .catch(() => null);
    await driver.refund(stub.ctx, followUp({ reason: 'x'.repeat(600) })).catch(() => null);
    await driver.cancel(stub.ctx, followUp()).catch(() => null);
    expect(stub.paths()).toEqual([
      'POST payment_intents/pi_1/capture',
      'POST refunds',
      'POST payment_intents/pi_1/cancel',
    ]);
    expect(stub.form(0)).toEqual({
      amount_to_capture: '990',
      'metadata[capture_reference]': `${REFERENCE}-capture`,
    });
    expect(stub.form(1)).toEqual({
      payment_intent: 'pi_1',
      amount: '12990',
      'metadata[reference]': `${REFERENCE}-refund`,
      'metadata[reason]': 'x'.repeat(500),
    });
    expect(stub.form(2)).toEqual({ cancellation_reason: 'requested_by_customer' });
  });
});

describe('a payment method that Stripe has not activated for the account', () => {
  it.each([
    [
      'pix',
      {
        paymentMethod: 'pix',
        pix: { expiresInSeconds: 600, expiresAt: '2026-05-04T12:10:00.000Z', lastDay: null },
      },
    ],
    ['billet', { paymentMethod: 'billet', billet: billet('2099-01-01'), billingAddress: ADDRESS }],
  ] as const)('is named: %s', async (lacks, changes) => {
    const answered = (fields: object) => {
      const stub = stripeStub(error(400, { type: 'invalid_request_error', ...fields }));
      return driver.charge(stub.ctx, chargeRequest(changes)).catch((thrown: unknown) => thrown);
    };
    const param = 'payment_method_types[0]';
    const message = `The payment method type "${lacks}" is invalid. Please ensure the provided type is activated in your dashboard`;
    for (const code of ['payment_method_unactivated', 'capability_not_active'])
      expect(await answered({ code })).toMatchObject({ family: 'unsupported', code, lacks });
    expect(await answered({ param, message })).toMatchObject({ family: 'unsupported', lacks });
    // Other problems with the parameter say nothing about the account.
    expect(await answered({ param, message: 'Invalid array' })).toMatchObject({
      family: 'invalid_request',
      lacks: null,
    });
    const code = 'payment_method_unsupported_type';
    expect(await answered({ code, param })).toMatchObject({ family: 'unsupported', lacks: null });
  });

  it('is told in Stripe’s own words, without ids, keys, addresses and numbers, and not more than 300 characters', async () => {
    const message =
      `Activate pix in your dashboard (https://dashboard.stripe.com/account/payments/settings) for acct_1AbC2, ana@example.com, ` +
      `sk_live_51Hxyz or sk_test_****1234, 4242 4242 4242 4242 or 529.982.247-25. ${'x'.repeat(400)}`;
    const answer = error(400, { type: 'invalid_request_error', code: 'payment_method_unactivated', message });
    const pix = chargeRequest({
      paymentMethod: 'pix',
      pix: { expiresInSeconds: 600, expiresAt: '2026-05-04T12:10:00.000Z', lastDay: null },
    });
    const failed = await driver.charge(stripeStub(answer).ctx, pix).catch((thrown: unknown) => thrown);
    const words = failed instanceof GatewayError ? failed.message : '';
    expect(words).toContain(
      '(Activate pix in your dashboard (https://dashboard.stripe.com/account/payments/settings) for …',
    );
    expect(words).not.toMatch(/acct_|ana@|sk_|4242|247/);
    expect(words.length).toBeLessThan(400);
  });
});

describe('a charge that Stripe cannot make', () => {
  const split = { recipientId: 'acct_1', amountCents: 12_990, liable: true, chargeProcessingFee: true };
  it.each([
    ['splits', { splits: [split] }],
    ['installments', { installments: 2 }],
    ['a currency that Stripe counts otherwise', { currency: 'ISK' }],
    ['a boleto without an address', { paymentMethod: 'billet', billet: billet('2099-01-01') }],
  ] as const)('is unsupported before anything is sent: %s', async (_, changes) => {
    const stub = stripeStub(METHOD, ok(intent()));
    await expect(driver.charge(stub.ctx, chargeRequest(changes))).rejects.toMatchObject({
      family: 'unsupported',
    });
    expect(stub.paths()).toEqual([]);
    await expect(driver.charge(stub.ctx, chargeRequest(changes))).rejects.toMatchObject({ lacks: null });
  });
});
