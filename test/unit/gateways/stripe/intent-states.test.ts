import type { Outcome } from '../../../../src/gateways/gateway';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { INTENT_STATUSES, METHOD_TYPES } from '../../../../src/gateways/stripe/wire';
import { charge, intent, ok, REFERENCE, stripeStub } from './stripe-stub';

const driver = new StripeDriver();
const LINE = '99990000010000000000200000000003112340000012990';
const PIX_ACTION = {
  type: 'pix_display_qr_code',
  pix_display_qr_code: { data: '000201pix', expires_at: 1_780_003_600 },
};
const BOLETO_ACTION = {
  type: 'boleto_display_details',
  boleto_display_details: {
    number: LINE,
    hosted_voucher_url: 'https://payments.stripe.com/boleto/voucher/1',
    expires_at: Date.parse('2026-06-10T23:59:00-03:00') / 1000,
  },
};
const DECLINE = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' };

const inquire = async (object: object) => {
  const { ctx } = stripeStub(ok(object));
  return driver.inquire(ctx, { reference: REFERENCE, gatewayTransactionId: 'pi_1', sentAt: null });
};
const summary = (outcome: Outcome) =>
  outcome.kind === 'declined'
    ? `declined ${outcome.code ?? outcome.declineClass}`
    : `${outcome.kind} ${outcome.amountCents}`;

/** For each state and type of payment method, what an inquiry finds; `unknown` if it proves nothing. */
const ROWS: Readonly<
  Record<(typeof INTENT_STATUSES)[number], Readonly<Record<(typeof METHOD_TYPES)[number], string>>>
> = {
  succeeded: { card: 'approved 12990', pix: 'approved 12990', boleto: 'approved 12990' },
  requires_capture: { card: 'authorized 12990', pix: 'unknown', boleto: 'unknown' },
  processing: { card: 'unknown', pix: 'pending 12990', boleto: 'pending 12990' },
  requires_action: { card: 'declined auth_required', pix: 'pending 12990', boleto: 'pending 12990' },
  requires_confirmation: { card: 'unknown', pix: 'unknown', boleto: 'unknown' },
  requires_payment_method: { card: 'declined 51', pix: 'declined 51', boleto: 'declined 51' },
  canceled: { card: 'canceled 12990', pix: 'canceled 12990', boleto: 'canceled 12990' },
};

describe('a PaymentIntent', () => {
  it.each(INTENT_STATUSES.flatMap((status) => METHOD_TYPES.map((type) => [status, type] as const)))(
    'that is %s, by %s, has the outcome of its row',
    async (status, type) => {
      const isPaid = status === 'succeeded';
      const action = { card: { type: 'use_stripe_sdk' }, pix: PIX_ACTION, boleto: BOLETO_ACTION }[type];
      const result = await inquire(
        intent({
          status,
          payment_method_types: [type],
          amount_received: isPaid ? 12_990 : 0,
          last_payment_error: status === 'requires_payment_method' ? DECLINE : null,
          next_action: status === 'requires_action' ? action : null,
          latest_charge: isPaid ? charge() : null,
        }),
      );
      expect(result.kind === 'found' ? summary(result.outcome) : 'unknown').toBe(ROWS[status][type]);
    },
  );

  it.each([
    ['a state', { status: 'requires_magic' }],
    ['a type of payment method', { payment_method_types: ['sepa_debit'] }],
    ['several types of payment method', { payment_method_types: ['card', 'pix'] }],
    ['a charge’s state', { latest_charge: charge({ status: 'disputed' }) }],
    ['a charge that is not shown', { latest_charge: 'ch_1' }],
    [
      'a refund’s state',
      { latest_charge: charge({ refunds: { data: [{ status: 'lost' }], has_more: false } }) },
    ],
    [
      'a pix without its code',
      { status: 'requires_action', payment_method_types: ['pix'], latest_charge: null },
    ],
    ['no failed attempt', { status: 'requires_payment_method', latest_charge: null }],
  ])('with %s that the driver does not know proves nothing', async (_, change) => {
    expect((await inquire(intent(change))).kind).toBe('inconclusive');
  });

  it('by pix or boleto that was not paid in time is canceled as expired', async () => {
    const error = { type: 'invalid_request_error', code: 'payment_intent_payment_attempt_expired' };
    const result = await inquire(
      intent({
        status: 'requires_payment_method',
        payment_method_types: ['pix'],
        amount_received: 0,
        last_payment_error: error,
        latest_charge: null,
      }),
    );
    expect(result).toMatchObject({
      outcome: { kind: 'canceled', responseMessage: 'expired', chargeState: { status: 'expired' } },
    });
  });

  it('that was canceled after its payment failed is the decline', async () => {
    const outcome = { reason: 'do_not_honor', network_decline_code: '05', network_advice_code: '3' };
    const failed = charge({ status: 'failed', failure_code: 'card_declined', outcome });
    const canceled = { status: 'canceled', cancellation_reason: 'abandoned', amount_received: 0 };
    expect(await inquire(intent({ ...canceled, latest_charge: failed }))).toMatchObject({
      outcome: { kind: 'declined', code: '05', adviceCode: '03', message: 'do_not_honor' },
    });
    expect(await inquire(intent({ ...canceled, latest_charge: null }))).toMatchObject({
      outcome: { kind: 'declined', code: null, declineClass: 'auth_required' },
    });
    const pix = { ...canceled, payment_method_types: ['pix'], latest_charge: null };
    expect(await inquire(intent(pix))).toMatchObject({ outcome: { kind: 'canceled' } });
  });

  it('of an authorization has its capture deadline, and the network’s ids of the charge', async () => {
    expect(await inquire(intent({ status: 'requires_capture', amount_received: 0 }))).toMatchObject({
      outcome: {
        authorizationCode: '123456',
        networkIds: { transactionId: '999', transactionLinkId: null, eloReference: null },
        captureBefore: '2026-09-21T14:13:20.000Z',
        chargeState: { status: 'authorized', capturedCents: 0 },
      },
    });
  });

  it('of a boleto has the line’s barcode and the last day in São Paulo', async () => {
    const pending = { status: 'requires_action', payment_method_types: ['boleto'], amount_received: 0 };
    expect(
      await inquire(intent({ ...pending, next_action: BOLETO_ACTION, latest_charge: null })),
    ).toMatchObject({
      outcome: {
        paidAmountCents: 0,
        billet: { line: LINE, barcode: expect.stringMatching(/^\d{44}$/) as unknown, dueAt: '2026-06-10' },
      },
    });
  });
});
