import { GatewayError } from '../errors';
import { errorOf, type ErrorAnswers } from '../error-answers';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { vendorWords } from '../vendor-words';
import { errorReply } from './wire';

const FAILED_PRECONDITION = 412;

/**
 * Pagar.me has no error codes. Its own error is known by its form and, where any API gateway might answer in that form, by its
 * words: https://docs.pagar.me/reference/erros-1, 401: github.com/pagarme/pagarme-js/issues/348.
 */
const WORDS: Readonly<Record<number, RegExp>> = {
  400: /^the request is invalid\.?$/i,
  401: /^(?:authorization has been denied for this request|ip de origem não autorizado)\.?$/i,
  404: /^(?:(?:charge|order|customer|card|recipient) )?not found\.?$/i,
  412: /\w/,
  422: /^the request is invalid\.?$/i,
  429: /\w/,
};

interface OwnError {
  readonly message: string;
  /** The paths of the wrong fields. */
  readonly fields: readonly string[];
}

const FIELD = /^[a-z][\w.[\]]{0,99}$/i;
const MAX_FIELDS = 5;

/** Null for an answer that is not Pagar.me's own error. What the error repeats of the request is never read. */
function ownError({ status, text }: GatewayHttpResponse): OwnError | null {
  const reply = errorReply.safeParse(parseJson(text));
  if (!reply.success || WORDS[status]?.test(reply.data.message) !== true) return null;
  const fields = Object.keys(reply.data.errors ?? {}).filter((field) => FIELD.test(field));
  return { message: reply.data.message, fields: fields.slice(0, MAX_FIELDS) };
}

const ANSWERS: ErrorAnswers = {
  ownErrorCode: (response) => (ownError(response) === null ? null : String(response.status)),
  documentedAnswers: [],
};

/** The error of an answer that is not a success. */
export function pagarmeErrorOf(response: GatewayHttpResponse): GatewayError {
  const own = ownError(response);
  if (own === null) return errorOf(response, ANSWERS);
  if (response.status === FAILED_PRECONDITION) return refused(own.message);
  if (own.fields.length === 0) return errorOf(response, ANSWERS);
  const message = `the gateway rejected the request as invalid: ${own.fields.join(', ')}`;
  return new GatewayError('invalid_request', message, String(response.status));
}

/** Valid parameters that cannot be fulfilled: https://docs.pagar.me/reference/erros-1 */
function refused(words: string): GatewayError {
  return new GatewayError(
    'invalid_request',
    withWords('the gateway refused the operation', words),
    String(FAILED_PRECONDITION),
  );
}

/** Whether Pagar.me itself answers that it does not know the object. A proxy's 404 proves nothing. */
export function isUnknownObject(error: unknown): boolean {
  return error instanceof GatewayError && error.family === 'invalid_request' && error.code === '404';
}

/** The cause with Pagar.me's own words. */
export function withWords(cause: string, words: string | null | undefined): string {
  const shown = vendorWords(words);
  return shown === '' ? cause : `${cause} (${shown})`;
}
