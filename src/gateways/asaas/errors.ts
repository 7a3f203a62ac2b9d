import type { AccountFeature } from '../../domain/routing/learned-limits';
import { errorOf, type ErrorAnswers } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { vendorWords } from '../vendor-words';
import { type AsaasError, errorReply } from './wire';

/** The errors of an answer that is Asaas' own; null for any other answer. */
export function ownErrors({ status, text }: GatewayHttpResponse): readonly AsaasError[] | null {
  const reply = errorReply.safeParse(parseJson(text));
  if (status < 400 || !reply.success) return null;
  const { errors } = reply.data;
  // An unknown id is a 404, of which Asaas documents no error.
  return errors.length > 0 || status === 404 ? errors : null;
}

const ANSWERS: ErrorAnswers = {
  ownErrorCode: (response) => {
    const errors = ownErrors(response);
    return errors && (errors[0]?.code ?? String(response.status));
  },
  documentedAnswers: [],
};

/** The account may not use the method yet: https://docs.asaas.com/docs/payments-1 */
const NO_SUCH_METHOD = 'invalid_billingType';

/** The error of an answer that is neither a success nor a decline. `feature` is what the account lacks if Asaas refuses the method. */
export function asaasErrorOf(
  response: GatewayHttpResponse,
  feature: AccountFeature | null = null,
): GatewayError {
  const refusal = ownErrors(response)?.find(({ code }) => code === NO_SUCH_METHOD);
  if (response.status === 400 && refusal !== undefined && feature !== null) {
    const words = vendorWords(refusal.description);
    const message = `Asaas has not enabled the payment method for this account${words === '' ? '' : ` (${words})`}`;
    return new GatewayError('unsupported', message, refusal.code, feature);
  }
  return withReason(errorOf(response, ANSWERS), response);
}

/** All wrong fields have the same few codes: only Asaas' sentence says which one is wrong. */
function withReason(error: GatewayError, response: GatewayHttpResponse): GatewayError {
  const words = vendorWords(ownErrors(response)?.[0]?.description);
  if (error.family !== 'invalid_request' || words === '') return error;
  return new GatewayError(error.family, `${error.message} (${words})`, error.code);
}

/** Of a request before the one that moves money: its failure is certain. */
export async function beforeCharge<Result>(call: Promise<Result>): Promise<Result> {
  return withFamily(call, (family) => (family === 'ambiguous' ? 'not_sent' : family));
}

/** Of a request after the one that moves money: its failure says nothing about that. */
export async function afterCharge<Result>(call: Promise<Result>): Promise<Result> {
  return withFamily(call, () => 'ambiguous');
}

async function withFamily<Result>(
  call: Promise<Result>,
  familyOf: (family: GatewayError['family']) => GatewayError['family'],
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(familyOf(error.family), error.message, error.code, error.lacks);
  }
}
