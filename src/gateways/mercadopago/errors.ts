import { errorOf, type ErrorAnswers } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { errorReply, type MercadoPagoError } from './wire';

/**
 * Codes of `cause` that the status alone does not explain:
 * https://www.mercadopago.com.br/developers/en/reference/payments/_payments/post
 */
const CODES = {
  /** "Already posted the same request in the last minute": that one may have been made. */
  alreadyPosted: ['801', '2001'],
  /** A connection behind the API failed, after which the payment may exist. */
  failedBehind: ['2004', '2007'],
  /** "Cannot infer Payment Method", "Not found payment_method": another gateway may take the card. */
  unknownMethod: ['2131', '3011'],
  /** "The parameter securityCode can not be null/empty": of a saved card there is none, so another gateway may take it. */
  noSecurityCode: ['224'],
  /** "Collector user without key enabled for QR render": the account has no pix key. */
  noPixKey: ['13253'],
} as const;

const words = (codes: readonly string[]): ReadonlySet<string> => new Set(codes);
const ALREADY_POSTED = words(CODES.alreadyPosted);
const FAILED_BEHIND = words(CODES.failedBehind);
const UNKNOWN_METHOD = words(CODES.unknownMethod);
const NO_SECURITY_CODE = words(CODES.noSecurityCode);
const NO_PIX_KEY = words(CODES.noPixKey);

/**
 * What the authorization in front of the API says, without the status:
 * https://github.com/mercadopago/checkout-payment-sample/issues/20
 */
const AUTHORIZATION_CODES = words(['unauthorized', 'PA_UNAUTHORIZED_RESULT_FROM_POLICIES']);

/** The error of Mercado Pago itself: its body repeats the status, or refuses the access token. Null for any other answer. */
export function ownError({ status, text }: GatewayHttpResponse): MercadoPagoError | null {
  const reply = errorReply.safeParse(parseJson(text));
  if (!reply.success || status < 400) return null;
  const { error, code, status: repeated = null } = reply.data;
  if (repeated === null)
    return (status === 401 || status === 403) && AUTHORIZATION_CODES.has(code ?? '') ? reply.data : null;
  return repeated !== status || (error ?? code ?? '') === '' ? null : reply.data;
}

/** The codes of an error, the most exact ones first. */
export function codesOf({ cause, error, code }: MercadoPagoError): readonly string[] {
  return [...(cause ?? []).map((each) => each.code), error, code].filter(
    (each): each is string => typeof each === 'string' && each !== '',
  );
}

const ANSWERS: ErrorAnswers = {
  ownErrorCode: (response) => {
    const error = ownError(response);
    return error && (codesOf(error)[0] ?? null);
  },
  documentedAnswers: [],
};

/**
 * The error of an answer that is neither an object nor a decline. 409, 423 and 424 say that the key is in use or that something
 * behind failed, so they are ambiguous: sdk-nodejs 3.6.1, `errors`.
 */
export function mercadoPagoErrorOf(response: GatewayHttpResponse): GatewayError {
  const error = ownError(response);
  const codes = error === null ? [] : codesOf(error);
  const find = (wanted: ReadonlySet<string>): string | undefined => codes.find((code) => wanted.has(code));
  const repeated = find(ALREADY_POSTED);
  if (repeated !== undefined)
    return new GatewayError('ambiguous', 'the gateway has just got an equal request', repeated);
  const failed = find(FAILED_BEHIND);
  if (failed !== undefined)
    return new GatewayError('ambiguous', 'the gateway did not reach its processor', failed);
  const unpaid = find(NO_PIX_KEY);
  if (unpaid !== undefined)
    return new GatewayError('unsupported', 'Mercado Pago has no pix key of this account', unpaid, 'pix');
  const unknown = find(UNKNOWN_METHOD);
  if (unknown !== undefined)
    return new GatewayError('unsupported', 'Mercado Pago does not take this payment method here', unknown);
  const uncoded = find(NO_SECURITY_CODE);
  if (uncoded !== undefined)
    return new GatewayError(
      'unsupported',
      'Mercado Pago takes no card without its security code here',
      uncoded,
    );
  // Its own answer that the path has no such operation, as of a payment without an id (recorded in 2017).
  if (error !== null && response.status === 405)
    return new GatewayError('invalid_request', 'the gateway has no such operation', codes[0] ?? '405');
  return errorOf(response, ANSWERS);
}
