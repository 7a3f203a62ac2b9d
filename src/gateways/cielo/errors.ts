import type { AccountFeature } from '../../domain/routing/learned-limits';
import { type DocumentedAnswer, errorOf, type ErrorAnswers } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { vendorWords } from '../vendor-words';
import { type CieloError, errorReply } from './wire';

/** https://docs.cielo.com.br/gateway/reference/http-status, read 2026-11-23 */
export const DOCUMENTED_ANSWERS: readonly DocumentedAnswer[] = [
  {
    status: 401,
    body: 'empty',
    family: 'bad_credentials',
    source: 'docs.cielo.com.br, HTTP status: a 401 has no body (2026-11-23)',
  },
];

/** The codes of the manual's "Códigos de Erros da API", "Códigos e Mensagens de Erro - Pix" and "Zero Auth". */
const FIRST_CODE = 101;
const LAST_CODE = 323;
const OTHER_CODES: ReadonlySet<string> = new Set(['57', '389', '422', 'BP901', 'BP904']);
/** An earlier request made a sale with the same MerchantOrderId, which is known only by an inquiry. */
const DUPLICATE = '302';
/** The requested operation failed at the acquirer or bank, whose answer is not known. */
const UNKNOWN_RESULT: ReadonlySet<string> = new Set(['BP901']);
const BAD_CREDENTIALS: ReadonlySet<string> = new Set([
  '114',
  '115',
  '116',
  '120',
  '131',
  '132',
  '300',
  '301',
  '306',
]);

/** "Affiliation not found" and "Payment method is not enabled". */
const NO_SUCH_METHOD: ReadonlySet<string> = new Set(['129', '173']);
/** "Error on Merchant Integration": the account has no pix. */
export const NO_PIX = '422';

/** "Provider is not supported", "Credential Code is required" and "Agency is required in Boleto Credential": the bank's data are missing. */
const NO_BOLETO: ReadonlySet<string> = new Set(['133', '172', '215']);

/** The errors of an answer that is Cielo's own; null for any other answer. */
export function ownErrors({ status, text }: GatewayHttpResponse): readonly CieloError[] | null {
  const reply = errorReply.safeParse(parseJson(text));
  return status >= 400 && reply.success && reply.data.every(({ Code }) => isKnown(Code)) ? reply.data : null;
}

function isKnown(code: string): boolean {
  const number = Number(code);
  return (number >= FIRST_CODE && number <= LAST_CODE) || OTHER_CODES.has(code);
}

const ANSWERS: ErrorAnswers = {
  ownErrorCode: (response) => ownErrors(response)?.[0]?.Code ?? null,
  documentedAnswers: DOCUMENTED_ANSWERS,
};

/** The error of an answer that is no success. `feature` is what the account lacks if Cielo refuses the method. */
export function cieloErrorOf(
  response: GatewayHttpResponse,
  feature: AccountFeature | null = null,
): GatewayError {
  const [first] = ownErrors(response) ?? [];
  // What Cielo answers for an unknown sale, and any proxy can answer: known, but no proof.
  if (response.status === 404 && response.text.trim() === '')
    return new GatewayError('ambiguous', "the answer with status 404 is not the gateway's own", '404');
  if (first === undefined || response.status >= 500) return errorOf(response, ANSWERS);
  const { Code: code, Message: words } = first;
  if (code === DUPLICATE || UNKNOWN_RESULT.has(code))
    return new GatewayError('ambiguous', 'the gateway does not tell the result', code);
  if (BAD_CREDENTIALS.has(code))
    return new GatewayError('bad_credentials', 'the gateway rejected the credentials', code);
  const isLimit =
    NO_SUCH_METHOD.has(code) ||
    (code === NO_PIX && feature === 'pix') ||
    (NO_BOLETO.has(code) && feature === 'billet');
  if (isLimit && feature !== null) {
    const said = vendorWords(words);
    const message = `Cielo has not enabled the payment method for this account${said === '' ? '' : ` (${said})`}`;
    return new GatewayError('unsupported', message, code, feature);
  }
  return errorOf(response, ANSWERS);
}

/** Of a read before the request that changes something: its failure is certain. An unknown sale is answered 404 without a body. */
export async function beforeChange<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === '404')
      throw new GatewayError('invalid_request', 'the gateway does not know the charge', '404');
    throw error.family === 'ambiguous' ? new GatewayError('not_sent', error.message, error.code) : error;
  }
}
