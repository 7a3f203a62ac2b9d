import type { AccountFeature } from '../domain/routing/learned-limits';
import type { GatewayErrorFamily } from '../domain/payments/gateway-error-family';
import { GatewayError } from './errors';
import type { GatewayHttpResponse } from './http';

/**
 * A documented answer without the gateway's own error body that proves that the request had no effect, for example a 401
 * without a body. Every other answer of that kind may come from a proxy after the gateway has processed the request.
 */
export interface DocumentedAnswer {
  readonly status: number;
  readonly body: 'empty';
  readonly family: Exclude<GatewayErrorFamily, 'not_sent' | 'ambiguous'>;
  /** Where the processor documents it: the page and the date it was read. */
  readonly source: string;
}

/** How a driver recognizes the errors of its gateway. */
export interface ErrorAnswers {
  /** The error code if the body is the gateway's own error for this status; null for any other body. */
  readonly ownErrorCode: (response: GatewayHttpResponse) => string | null;
  readonly documentedAnswers: readonly DocumentedAnswer[];
  /** What the gateway's own error says that the account lacks; null for any other error. Omitted if no error says it. */
  readonly lackedFeature?: (response: GatewayHttpResponse) => LackedFeature | null;
}

export interface LackedFeature {
  readonly feature: AccountFeature;
  /** The gateway's words, without anything of the request. */
  readonly message: string;
}

/**
 * The error of an answer that is not a success. Only the gateway's own error body or a documented answer is definite. The
 * status alone proves nothing: a proxy, a firewall or a load balancer can send any status after the gateway has
 * processed the request.
 */
export function errorOf(response: GatewayHttpResponse, answers: ErrorAnswers): GatewayError {
  const { status, text } = response;
  const code = answers.ownErrorCode(response);
  if (code !== null) {
    const lacked = answers.lackedFeature?.(response) ?? null;
    if (lacked !== null) return new GatewayError('unsupported', lacked.message, code, lacked.feature);
    const family = familyOfStatus(status);
    return new GatewayError(family, messageOf(family, status), code);
  }
  const isEmpty = text.trim() === '';
  const documented = answers.documentedAnswers.find((answer) => isEmpty && answer.status === status);
  if (documented !== undefined) {
    return new GatewayError(documented.family, messageOf(documented.family, status), String(status));
  }
  response.noteUnrecognized?.();
  return new GatewayError(
    'ambiguous',
    `the answer with status ${status} is not the gateway's own`,
    String(status),
  );
}

/** The family of the gateway's own error. */
function familyOfStatus(status: number): GatewayErrorFamily {
  switch (status) {
    case 401:
    case 403:
      return 'bad_credentials';
    case 429:
      return 'rate_limited';
    case 400:
    case 404:
    case 422:
      return 'invalid_request';
    default:
      return 'ambiguous';
  }
}

function messageOf(family: GatewayErrorFamily, status: number): string {
  switch (family) {
    case 'bad_credentials':
      return 'the gateway rejected the credentials';
    case 'rate_limited':
      return 'the gateway limits the request rate';
    case 'invalid_request':
      return status === 404
        ? 'the gateway does not know the charge'
        : 'the gateway rejected the request as invalid';
    case 'unsupported':
      return 'the gateway does not support this';
    case 'not_sent':
    case 'ambiguous':
      return `the gateway answered ${status}`;
  }
}
