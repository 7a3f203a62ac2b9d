import type { AccountFeature } from '../../domain/routing/learned-limits';
import { errorOf, type ErrorAnswers, type LackedFeature } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { vendorWords } from '../vendor-words';
import { errorReply, type StripeErrorFields } from './wire';

/** Stripe's own error, and the PaymentIntent or SetupIntent that it left behind. */
export interface StripeFailure {
  readonly error: StripeErrorFields;
  readonly intentId: string | null;
  readonly setupIntentId: string | null;
}

/** The statuses of each type: https://docs.stripe.com/api/errors and https://docs.stripe.com/rate-limits */
function hasStatusOfType(type: StripeErrorFields['type'], status: number): boolean {
  switch (type) {
    case 'card_error':
      return status === 402;
    case 'idempotency_error':
      return status === 400 || status === 409;
    case 'api_error':
      return status >= 500;
    case 'invalid_request_error':
      return status >= 400 && status < 500;
  }
}

/** Null for an answer that is not Stripe's own error. */
export function ownFailure({ status, text }: GatewayHttpResponse): StripeFailure | null {
  const reply = errorReply.safeParse(parseJson(text));
  if (!reply.success || !hasStatusOfType(reply.data.error.type, status)) return null;
  const { payment_intent: intent, setup_intent: setup, ...error } = reply.data.error;
  return { error, intentId: intent?.id ?? null, setupIntentId: setup?.id ?? null };
}

const ANSWERS: ErrorAnswers = {
  ownErrorCode: (response) => {
    const failure = ownFailure(response);
    return failure === null ? null : codeOf(failure);
  },
  documentedAnswers: [],
  lackedFeature: (response) => {
    const failure = ownFailure(response);
    return failure !== null && isCardNumberRefused(failure) ? noCardNumbers(failure) : null;
  },
};

function noCardNumbers({ error }: StripeFailure): LackedFeature {
  const cause =
    'Stripe takes no card numbers from this account: ask its support to enable raw card data APIs';
  return { feature: 'raw_cards', message: withWords(cause, error.message) };
}

/** The cause with Stripe's own words, without what they may repeat of the request. */
function withWords(cause: string, words: string | null | undefined): string {
  const shown = vendorWords(words);
  return shown === '' ? cause : `${cause} (${shown})`;
}

/** An error without a code: https://support.stripe.com/questions/enabling-access-to-raw-card-data-apis */
function isCardNumberRefused({ error: { type, message } }: StripeFailure): boolean {
  return type === 'invalid_request_error' && /credit card numbers/i.test(message ?? '');
}

function codeOf({ error }: StripeFailure): string {
  return error.code ?? error.type;
}

/** The account lacks the payment method: https://docs.stripe.com/error-codes */
const UNACTIVATED_CODES: ReadonlySet<string> = new Set([
  'capability_not_active',
  'payment_method_unactivated',
]);

/**
 * The error of an answer that is neither a success nor a decline. `feature` is what the account lacks if Stripe has not
 * activated the payment method: its error does not always name it.
 */
export function stripeErrorOf(
  response: GatewayHttpResponse,
  feature: AccountFeature | null = null,
): GatewayError {
  const failure = ownFailure(response);
  if (failure !== null && isUnactivated(failure.error)) {
    const cause = 'Stripe has not activated the payment method for this account';
    const message = withWords(cause, failure.error.message);
    return new GatewayError('unsupported', message, codeOf(failure), feature);
  }
  if (failure !== null && mayNotCreateAccounts(failure.error)) {
    const cause = 'Stripe does not let this account create connected accounts';
    return new GatewayError('unsupported', withWords(cause, failure.error.message), codeOf(failure));
  }
  if (failure?.error.code === 'payment_method_unsupported_type') {
    const message = withWords('Stripe does not support this payment method here', failure.error.message);
    return new GatewayError('unsupported', message, codeOf(failure));
  }
  if (failure !== null && failure.error.code === 'payment_method_not_available') {
    // https://docs.stripe.com/error-codes#payment-method-not-available: another method or another gateway may work.
    return new GatewayError(
      'not_sent',
      'the payment method is out of service at the gateway',
      codeOf(failure),
    );
  }
  if (failure?.error.code === 'payment_method_provider_timeout') {
    return new GatewayError('ambiguous', 'the gateway did not get an answer in time', codeOf(failure));
  }
  // Another request holds the object, which may be an earlier copy of this one: https://docs.stripe.com/rate-limits#object-lock-timeouts
  if (failure?.error.code === 'lock_timeout') {
    return new GatewayError('ambiguous', 'another request holds the object at the gateway', codeOf(failure));
  }
  // This request was refused, but an earlier one under the same key may have been processed.
  if (failure?.error.type === 'idempotency_error') {
    return new GatewayError('ambiguous', 'the gateway holds the key for an earlier request', codeOf(failure));
  }
  return errorOf(response, ANSWERS);
}

/**
 * A payment method that is not activated (https://docs.stripe.com/error-codes#payment-method-unactivated). Without a code, only
 * the message tells it from any other problem with the parameter `payment_method_types`.
 */
function isUnactivated({ type, code, message }: StripeErrorFields): boolean {
  if (type !== 'invalid_request_error') return false;
  return UNACTIVATED_CODES.has(code ?? '') || /types? (?:is|are) activated in your/i.test(message ?? '');
}

/**
 * The platform must be registered (https://docs.stripe.com/api/accounts/create) and approved
 * (https://github.com/Layr-Labs/d-inference/issues/782). Only the message tells this from a refusal of the account's own data.
 */
function mayNotCreateAccounts({ type, message }: StripeErrorFields): boolean {
  const words = /signed up for connect|register your platform|platform-profile|your platform needs approval/i;
  return type === 'invalid_request_error' && words.test(message ?? '');
}

/** Whether the payment failed because the cardholder would have had to authenticate. The recorded answer has no code. */
export function asksForAuthentication({ code, decline_code, message }: StripeErrorFields): boolean {
  const words = [code, decline_code];
  if (words.includes('authentication_required')) return true;
  return words.every((word) => (word ?? '') === '') && /error_on_requires_action/.test(message ?? '');
}
