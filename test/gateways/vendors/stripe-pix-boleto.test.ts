import type Stripe from 'stripe';
import { DateTime } from 'luxon';
import { waitFor } from '../../support/stack/wait-for';
import { errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const pix = (changes: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  ({ payment_method_data: { type: 'pix' }, ...changes }) as const;
const boleto = (
  changes: Partial<Stripe.PaymentIntentCreateParams> = {},
  name: string | null = 'Ana Lima',
) => {
  const address = { line1: 'Rua A, 1', city: 'Recife', state: 'PE', postal_code: '50000000', country: 'BR' };
  const billing_details = { email: 'ana@example.com', address, ...(name !== null && { name }) };
  const payment_method_data = { type: 'boleto', boleto: { tax_id: '52998224725' }, billing_details } as const;
  return { payment_method_data, ...changes };
};
const seconds = () => Math.floor(Date.now() / 1000);

describe('a pix at the fake of Stripe', () => {
  it('shows a code until the customer pays, and can be refunded', async () => {
    const sdk = bench.sdk();
    const payment = newPayment();
    const options = { pix: { expires_after_seconds: 3_600 } };
    const intent = await payment.pay(pix({ payment_method_options: options }));
    expect(intent).toMatchObject({ status: 'requires_action', latest_charge: null, amount_received: 0 });
    const code = intent.next_action?.pix_display_qr_code;
    expect(code?.data).toMatch(/^000201/);
    expect(Math.abs((code?.expires_at ?? 0) - seconds() - 3_600)).toBeLessThan(30);
    await bench.control.pay(payment.transactionId);
    const paid = await sdk.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    expect(paid).toMatchObject({
      status: 'succeeded',
      amount_received: 10_000,
      next_action: null,
      latest_charge: {
        payment_method_details: { type: 'pix', pix: { bank_transaction_id: expect.any(String) as unknown } },
      },
    });
    expect(await sdk.refunds.create({ payment_intent: intent.id })).toMatchObject({ status: 'succeeded' });
  });

  it('expires and asks for another payment method', async () => {
    const shortest = { expires_after_seconds: 10 };
    const intent = await newPayment().pay(pix({ payment_method_options: { pix: shortest } }));
    const early = await errorOf(
      newPayment().pay(pix({ payment_method_options: { pix: { expires_at: seconds() } } })),
    );
    expect(early).toMatchObject({ statusCode: 400 });
    const expired = await waitFor(
      async () => {
        const now = await bench.sdk().paymentIntents.retrieve(intent.id);
        return now.status === 'requires_payment_method' && now;
      },
      { what: 'the expiry', everyMs: 250 },
    );
    expect(expired.last_payment_error?.code).toBe('payment_intent_payment_attempt_expired');
    expect(bench.received.map(({ event }) => event.type)).toContain('payment_intent.payment_failed');
  });

  it('is canceled while it is unpaid', async () => {
    const { id } = await newPayment().pay(pix());
    expect(await bench.sdk().paymentIntents.cancel(id)).toMatchObject({
      status: 'canceled',
      latest_charge: null,
    });
    expect((await bench.sdk().refunds.list({ payment_intent: id })).data).toEqual([]);
  });

  it.each([{ currency: 'usd' }, { capture_method: 'manual' }] as const)(
    'is refused with %o',
    async (changes) => {
      expect(await errorOf(newPayment().pay(pix(changes)))).toMatchObject({ statusCode: 400 });
    },
  );

  it('is an error if the merchant asked for errors in place of actions', async () => {
    const error = await errorOf(newPayment().pay(pix({ error_on_requires_action: true })));
    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError' });
  });
});

describe('a boleto at the fake of Stripe', () => {
  it('has a line and a page until the end of its last day in São Paulo', async () => {
    const payment = newPayment();
    const options = { boleto: { expires_after_days: 5 } };
    const { next_action, id } = await payment.pay(boleto({ payment_method_options: options }));
    const details = next_action?.boleto_display_details;
    expect(details?.number).toMatch(/^\d{47}$/);
    const end = DateTime.fromSeconds(details?.expires_at ?? 0, { zone: 'America/Sao_Paulo' });
    expect(end.toFormat('HH:mm')).toBe('23:59');
    expect(Math.round(end.diffNow('days').days)).toBeGreaterThanOrEqual(5);
    expect((await fetch(details?.hosted_voucher_url ?? '')).status).toBe(200);
    await bench.control.pay(payment.transactionId);
    expect(await bench.sdk().paymentIntents.retrieve(id)).toMatchObject({ status: 'succeeded' });
  });

  it('cannot be refunded', async () => {
    const payment = newPayment();
    const { id: payment_intent } = await payment.pay(boleto());
    await bench.control.pay(payment.transactionId);
    expect(await errorOf(bench.sdk().refunds.create({ payment_intent }))).toMatchObject({ statusCode: 400 });
  });

  it('needs the payer’s name and an amount between R$ 5 and R$ 49,999.99', async () => {
    const nameless = await errorOf(newPayment().pay(boleto({}, null)));
    expect(nameless).toMatchObject({ code: 'parameter_missing', param: 'billing_details[name]' });
    for (const [amount, code] of [
      [499, 'amount_too_small'],
      [5_000_000, 'amount_too_large'],
    ] as const) {
      expect(await errorOf(newPayment().pay(boleto({ amount })))).toMatchObject({ code });
    }
  });
});
