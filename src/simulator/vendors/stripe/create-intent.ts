import { DateTime } from 'luxon';
import type { ChargeBody } from '../../../gateways/simulator/wire';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { amountProblem } from './amounts';
import { resultOf, withData, type StripeEndpoint, type StripeRequest, type StripeResult } from './endpoint';
import { errorOfStatus, errorResponse, invalidParameters, invalidRequest, missing } from './errors';
import { recipientIdOf } from './ids';
import { createParams, type CreateParams } from './parameters';
import { brandOf, cardFactsOf, type PaymentMethodRecord, type PaymentMethods } from './payment-methods';
import { type IntentData, referenceIn } from './record';

const METHODS = { card: 'card', pix: 'pix', boleto: 'billet' } as const;
const PIX_SECONDS = { min: 10, max: 1_209_600, default: 86_400 };
const BOLETO_DAYS = { max: 60, default: 3 };
const BOLETO_ZONE = 'America/Sao_Paulo';

/** `POST /v1/payment_intents` with `confirm`: https://docs.stripe.com/api/payment_intents/create */
export function createIntent(
  core: SimulatorCore,
  methods: PaymentMethods,
  request: StripeRequest,
): StripeEndpoint {
  const parsed = createParams.safeParse(request.params);
  const { amount, capture_method, metadata } = request.params;
  const reference = parsed.success ? referenceIn(parsed.data.metadata) : null;
  const texts = typeof metadata === 'object' ? metadata : {};
  const given = typeof texts.reference === 'string' ? texts.reference : null;
  const cents = typeof amount === 'string' && /^\d+$/.test(amount) ? Number(amount) : null;
  return {
    summary: {
      operation: capture_method === 'manual' ? 'authorize' : 'charge',
      amount: cents,
      reference: reference ?? given,
      ...(parsed.success && { initiation: initiationOf(parsed.data), purchase: purchaseOf(parsed.data) }),
    },
    check: () => {
      if (!parsed.success) return invalidParameters(parsed.error);
      const params = parsed.data;
      const method = methods.chosenBy(params, 'PaymentIntent');
      if ('status' in method) return method;
      const problem = intentProblem(params, method);
      if (problem !== null) return problem;
      return {
        reference: reference ?? '',
        chargeId: null,
        run: (context) => create(core, context, params, method),
      };
    },
  };
}

function purchaseOf({ description, payment_method_data: data }: CreateParams): object {
  return { description, billing_details: data?.billing_details };
}

function intentProblem(
  params: CreateParams,
  { params: { type } }: PaymentMethodRecord,
): SimulatorResponse | null {
  const invalid = (param: string, message: string) => invalidRequest(message, { param });
  if (!params.confirm) {
    return invalid('confirm', 'This fake of Stripe creates only PaymentIntents that are confirmed at once.');
  }
  const types = params.payment_method_types ?? params.allowed_payment_method_types;
  if (types !== undefined && !types.includes(type)) {
    return invalid(
      'payment_method',
      `The PaymentMethod of type ${type} is not allowed for this PaymentIntent.`,
    );
  }
  if (type === 'card' && params.statement_descriptor !== undefined) {
    // https://docs.stripe.com/get-started/account/statement-descriptors
    return invalid('statement_descriptor', 'Use `statement_descriptor_suffix` for a payment by card.');
  }
  if (type !== 'card' && params.currency !== 'brl') {
    return invalid('currency', `The currency provided (${params.currency}) is invalid for ${type}: use brl.`);
  }
  if (type !== 'card' && params.capture_method === 'manual') {
    return invalid('capture_method', `The payment method ${type} does not support manual capture.`);
  }
  if (type !== 'card' && params.error_on_requires_action) return requiresAction();
  return (
    amountProblem(params.amount, params.currency, type) ?? expiryProblem(params) ?? transferProblem(params)
  );
}

/**
 * Stripe refuses the PaymentMethod already, but no script knows to which payment that belongs. Source of the text and the type:
 * https://github.com/flutter-stripe/flutter_stripe/issues/1638
 */
export const CARD_NUMBERS_REFUSED = errorResponse(402, {
  type: 'invalid_request_error',
  message:
    'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
});

/** https://docs.stripe.com/error-codes#payment-method-unactivated */
function notActivated(type: string): SimulatorResponse {
  return invalidRequest(`The payment method type provided: ${type} is invalid.`, {
    code: 'payment_method_unactivated',
    param: 'payment_method_types',
  });
}

/** As in the recorded answer to a card that needs authentication: a card error without a code. */
function requiresAction(): SimulatorResponse {
  return errorResponse(402, {
    type: 'card_error',
    message:
      'This payment required an authentication action to complete, but `error_on_requires_action` was set.',
  });
}

function expiryProblem({ payment_method_options: { pix, boleto } }: CreateParams): SimulatorResponse | null {
  const seconds = pix?.expires_after_seconds ?? secondsUntil(pix?.expires_at);
  if (seconds < PIX_SECONDS.min || seconds > PIX_SECONDS.max) {
    return invalidRequest('The Pix must expire between 10 and 1209600 seconds in the future.', {
      param: 'payment_method_options[pix]',
    });
  }
  const days = boleto?.expires_after_days ?? BOLETO_DAYS.default;
  return days >= 0 && days <= BOLETO_DAYS.max
    ? null
    : invalidRequest('`expires_after_days` must be between 0 and 60.', {
        param: 'payment_method_options[boleto][expires_after_days]',
      });
}

function secondsUntil(at: number | undefined): number {
  return at === undefined ? PIX_SECONDS.default : at - Date.now() / 1000;
}

/** https://docs.stripe.com/connect/destination-charges */
function transferProblem({ transfer_data, application_fee_amount: fee, amount }: CreateParams) {
  if (fee !== undefined && transfer_data === undefined) {
    return invalidRequest(
      '`application_fee_amount` needs `transfer_data[destination]` or a Stripe-Account.',
      {
        param: 'application_fee_amount',
      },
    );
  }
  if (fee !== undefined && transfer_data?.amount !== undefined) {
    return invalidRequest('You can only use one of `application_fee_amount` and `transfer_data[amount]`.', {
      param: 'transfer_data[amount]',
    });
  }
  return (fee ?? 0) > amount || (transfer_data?.amount ?? 0) > amount
    ? invalidRequest('The transfer or fee exceeds the amount.', { param: 'transfer_data' })
    : null;
}

function create(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  params: CreateParams,
  method: PaymentMethodRecord,
): StripeResult {
  const previous = context.behavior.duplicate_id === true ? core.store.newestChargeAt(context.gateway) : null;
  const operation = params.capture_method === 'manual' ? 'authorize' : 'charge';
  const body = bodyOf(params, method);
  const created = core.charges.create(withData(context, dataOf(params, method)), operation, body);
  const result = resultOf(created, (code, message) => {
    if (code === 'unavailable') return errorOfStatus(503);
    if (code === 'raw_cards_disabled') return CARD_NUMBERS_REFUSED;
    if (code === 'pix_disabled' || code === 'billet_disabled') return notActivated(method.params.type);
    return code === 'unknown_recipient'
      ? missing('destination', params.transfer_data?.destination ?? '', 'transfer_data[destination]', 400)
      : invalidRequest(message);
  });
  if ('response' in result) return result;
  if (result.commit.operation.status !== 'declined') method.used = true;
  const first = previous?.operations[0];
  return previous === null || first === undefined
    ? result
    : { ...result, shown: { charge: previous, operation: first } };
}

function bodyOf(params: CreateParams, { id, params: method }: PaymentMethodRecord): ChargeBody {
  const { card, type, billing_details: billing } = method;
  const { pix, boleto } = params.payment_method_options;
  const days = boleto?.expires_after_days ?? BOLETO_DAYS.default;
  const dueAt = DateTime.now().setZone(BOLETO_ZONE).plus({ days });
  const pixSeconds = pix?.expires_after_seconds ?? secondsUntil(pix?.expires_at);
  const expiresAt =
    type === 'pix'
      ? DateTime.now().plus({ seconds: pixSeconds })
      : dueAt.set({ hour: 23, minute: 59, second: 0 });
  return {
    reference: referenceIn(params.metadata) ?? id,
    amount: params.amount,
    currency: params.currency.toUpperCase(),
    method: METHODS[type],
    installments: 1,
    soft_descriptor: params.statement_descriptor_suffix ?? null,
    customer: { name: billing.name ?? '', email: billing.email ?? '', document: method.boleto?.tax_id ?? '' },
    card:
      card === undefined
        ? null
        : {
            number: card.number,
            cvv: card.cvc ?? null,
            holder_name: billing.name ?? '',
            expire_month: card.exp_month,
            expire_year: card.exp_year,
            brand: brandOf(card.number),
          },
    billing_address: null,
    splits: splitsOf(params),
    ...(type !== 'card' && { expires_at: expiresAt.toUTC().toISO() ?? '' }),
    ...(type === 'boleto' && { due_at: dueAt.toISODate() ?? '' }),
    instructions: null,
    initiation: initiationOf(params),
  };
}

/** The connected account receives the amount without the fee, or what `transfer_data[amount]` says. */
function splitsOf({ transfer_data: transfer, application_fee_amount: fee = 0, amount }: CreateParams) {
  if (transfer === undefined) return [];
  const recipient_id = recipientIdOf(transfer.destination) ?? transfer.destination;
  return [
    { recipient_id, amount: transfer.amount ?? amount - fee, liable: false, charge_processing_fee: false },
  ];
}

/** https://docs.stripe.com/payments/cits-and-mits: `off_session` marks a merchant-initiated charge. */
function initiationOf({
  off_session,
  setup_future_usage,
  payment_method_options: { card },
}: CreateParams): ChargeBody['initiation'] {
  if (off_session === 'false') {
    const isSaved = setup_future_usage === 'off_session' || setup_future_usage === 'on_session';
    return { initiator: 'customer', reason: isSaved ? 'first_saved' : 'one_off' };
  }
  const reason = off_session === 'recurring' ? 'recurring' : 'unscheduled';
  const id = card?.mit_exemption?.network_transaction_id ?? null;
  const network_ids =
    id === null ? null : { network_transaction_id: id, transaction_link_id: null, elo_reference: null };
  return { initiator: 'merchant', reason, network_ids };
}

function dataOf(params: CreateParams, { id, params: { card } }: PaymentMethodRecord): IntentData {
  const transfer = params.transfer_data;
  return {
    metadata: { ...params.metadata },
    manual_capture: params.capture_method === 'manual',
    description: params.description ?? null,
    statement_descriptor_suffix: params.statement_descriptor_suffix ?? null,
    payment_method: id,
    card: card === undefined ? null : cardFactsOf(card),
    transfer:
      transfer === undefined
        ? null
        : {
            destination: transfer.destination,
            amount: transfer.amount ?? null,
            fee: params.application_fee_amount ?? null,
          },
  };
}
