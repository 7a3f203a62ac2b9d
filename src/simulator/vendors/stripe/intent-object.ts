import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge } from '../../charge-store';
import { latestChargeOf } from './charge-object';
import { declineOf, type IssuerDecline } from './declines';
import { intentIdOf } from './ids';
import { cardObject, paymentMethodObject } from './payment-method-object';
import { followUpDataOf, intentDataOf, metadataOf } from './record';
import { secondsOf, type StripeObject } from './refund-object';

type IntentStatus =
  | 'canceled'
  | 'requires_action'
  | 'requires_capture'
  | 'requires_payment_method'
  | 'succeeded';

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
export function intentStatusOf({ status }: StoredCharge): IntentStatus {
  switch (status) {
    case 'approved':
    case 'refunded':
      return 'succeeded';
    case 'authorized':
      return 'requires_capture';
    case 'pending':
      return 'requires_action';
    case 'declined':
    case 'expired':
      return 'requires_payment_method';
    case 'canceled':
      return 'canceled';
    default:
      return assertNever(status);
  }
}

export const STRIPE_METHODS = { card: 'card', pix: 'pix', billet: 'boleto' } as const;

/** https://docs.stripe.com/api/payment_intents/object. `expand` names fields, for example `latest_charge`. */
export function intentObject(charge: StoredCharge, expand: readonly string[], origin: string): StripeObject {
  const data = intentDataOf(charge);
  const status = intentStatusOf(charge);
  const cancel = charge.operations.findLast(({ operation }) => operation === 'cancel');
  const within = expand.flatMap((path) => /^latest_charge\.(.+)$/.exec(path)?.[1] ?? []);
  const latest = latestChargeOf(charge, within);
  return {
    id: intentIdOf(charge.id),
    object: 'payment_intent',
    amount: charge.amount,
    amount_capturable: status === 'requires_capture' ? charge.amount : 0,
    amount_details: { tip: {} },
    amount_received: charge.captured,
    application: null,
    application_fee_amount: data.transfer?.fee ?? null,
    automatic_payment_methods: null,
    canceled_at: status === 'canceled' && cancel !== undefined ? secondsOf(cancel.at) : null,
    cancellation_reason: status === 'canceled' && cancel !== undefined ? followUpDataOf(cancel).reason : null,
    capture_method: data.manual_capture ? 'manual' : 'automatic_async',
    client_secret: `${intentIdOf(charge.id)}_secret_fake`,
    confirmation_method: 'automatic',
    created: secondsOf(charge.operations[0]?.at ?? ''),
    currency: charge.currency.toLowerCase(),
    customer: null,
    customer_account: null,
    description: data.description,
    excluded_payment_method_types: null,
    last_payment_error: status === 'requires_payment_method' ? paymentErrorOf(charge) : null,
    latest_charge: expand.some((path) => path.startsWith('latest_charge')) ? latest : (latest?.id ?? null),
    livemode: false,
    metadata: metadataOf(charge),
    next_action: status === 'requires_action' ? nextActionOf(charge, origin) : null,
    on_behalf_of: null,
    payment_method: status === 'requires_payment_method' ? null : data.payment_method,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [STRIPE_METHODS[charge.method]],
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    statement_descriptor: null,
    statement_descriptor_suffix: data.statement_descriptor_suffix,
    status,
    transfer_data: data.transfer && { destination: data.transfer.destination, amount: data.transfer.amount },
    transfer_group: null,
  };
}

/** https://docs.stripe.com/payments/pix/accept-a-payment, https://docs.stripe.com/payments/boleto/accept-a-payment */
function nextActionOf(charge: StoredCharge, origin: string): StripeObject | null {
  const page = `${origin}/${charge.gateway}/billets/${charge.id}`;
  const expires_at = charge.expiresAt === null ? null : secondsOf(charge.expiresAt);
  if (charge.pix !== null) {
    const pix_display_qr_code = {
      data: charge.pix.qrCode,
      expires_at,
      hosted_instructions_url: page,
      image_url_png: `${page}.png`,
      image_url_svg: `${page}.svg`,
    };
    return { type: 'pix_display_qr_code', pix_display_qr_code };
  }
  if (charge.billet === null) return null;
  const boleto_display_details = {
    expires_at,
    hosted_voucher_url: page,
    number: charge.billet.line,
    pdf: `${page}.pdf`,
  };
  return { type: 'boleto_display_details', boleto_display_details };
}

/** `last_payment_error`, which is also the error that answers a declined request. */
export function paymentErrorOf(charge: StoredCharge): StripeObject {
  const payment_method = paymentMethodOf(charge);
  if (charge.status === 'expired') {
    return {
      code: 'payment_intent_payment_attempt_expired',
      doc_url: 'https://stripe.com/docs/error-codes/payment-intent-payment-attempt-expired',
      message: 'The latest payment attempt of the PaymentIntent has expired.',
      payment_method,
      type: 'invalid_request_error',
    };
  }
  return {
    ...declineFields(charge),
    charge: latestChargeOf(charge)?.id ?? null,
    payment_method,
  };
}

/** https://docs.stripe.com/api/errors */
export function declineFields(facts: IssuerDecline): StripeObject {
  const { code, adviceCode } = facts;
  const decline = declineOf(facts);
  return {
    ...(decline.advice !== null && { advice_code: decline.advice }),
    code: decline.code,
    decline_code: decline.declineCode,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    message: decline.message,
    ...(adviceCode !== null && { network_advice_code: adviceCode }),
    ...(code !== null && { network_decline_code: code }),
    type: 'card_error',
  };
}

function paymentMethodOf(charge: StoredCharge): StripeObject {
  const { payment_method: id, card } = intentDataOf(charge);
  const type = STRIPE_METHODS[charge.method];
  const created = secondsOf(charge.operations[0]?.at ?? '');
  return paymentMethodObject({
    id,
    type,
    created,
    metadata: {},
    details: card === null ? {} : cardObject(card),
  });
}
