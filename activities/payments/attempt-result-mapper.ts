import { attemptStatusOf, type ChargeAttemptResult } from '../../src/domain/payments/charge-outcome';
import { NOT_SENT_LOCALLY } from '../../src/gateways/errors';
import { declineRule, type DeclineClass } from '../../src/domain/payments/decline';
import type { Declined, Outcome } from '../../src/gateways/gateway';
import type { AttemptRecord, AttemptResult } from '../../src/persistence/payments/gateway-attempt-repository';
import type { GatewayAnswer } from './call-gateway';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentDeps } from './payment-deps';

/** What is known of a charge attempt: a gateway's answer, proof of absence, or an operator's confirmation. */
export type ChargeUpdate =
  | GatewayAnswer
  | { readonly kind: 'absent'; readonly message: string }
  | {
      readonly kind: 'confirmed';
      readonly message: string;
      /** The gateway's id of the charge, if the operator entered it. */
      readonly gatewayTransactionId?: string | undefined;
    };

/** Maps what is known of a charge attempt to the result that decides what the payment does next. */
export function toChargeAttemptResult(
  attempt: Pick<AttemptRecord, 'operation'>,
  update: ChargeUpdate,
): ChargeAttemptResult {
  if (update.kind === 'absent') return { kind: 'abandoned', notSent: false };
  if (update.kind === 'confirmed')
    return { kind: attempt.operation === 'authorize' ? 'authorized' : 'approved' };
  if (update.kind === 'error') {
    if (update.family === 'ambiguous') return { kind: 'unknown' };
    if (isNotSentLocally(update)) return { kind: 'abandoned', notSent: true };
    const { family, code } = update;
    const definite = family === 'invalid_request';
    return { kind: 'error', code, definite, badCredentials: family === 'bad_credentials' };
  }
  const { outcome } = update;
  switch (outcome.kind) {
    case 'approved':
    case 'authorized':
    case 'pending':
      return { kind: outcome.kind };
    case 'declined':
      return {
        kind: 'declined',
        code: outcome.code,
        adviceCode: outcome.adviceCode,
      };
    case 'canceled':
    case 'refunded':
      // Reversed at the gateway: no money is held, and the charge must not be sent again.
      return { kind: 'error', code: outcome.kind, definite: true };
  }
}

/** Whether this service did not send the request. It says nothing about the gateway, so the request may be sent again. */
export function isNotSentLocally(answer: GatewayAnswer): boolean {
  return answer.kind === 'error' && answer.family === 'not_sent' && answer.code === NOT_SENT_LOCALLY;
}

/** Maps what is known of a charge attempt to the new values of its row. */
export function toAttemptResult(
  deps: Pick<PaymentDeps, 'settings'>,
  payment: Pick<PaymentRecord, 'card'>,
  attempt: Pick<AttemptRecord, 'id' | 'operation'>,
  update: ChargeUpdate,
): AttemptResult {
  const status = attemptStatusOf(toChargeAttemptResult(attempt, update));
  if (update.kind === 'absent') return { status, responseMessage: update.message };
  if (update.kind === 'confirmed') {
    const { message, gatewayTransactionId } = update;
    return { status, responseMessage: message, ...(gatewayTransactionId && { gatewayTransactionId }) };
  }
  if (update.kind === 'error') {
    return {
      status,
      errorFamily: update.family,
      responseCode: update.code,
      responseMessage: update.message,
      requestMs: update.requestMs,
    };
  }
  return { status, requestMs: update.requestMs, ...outcomeFields(deps, payment, attempt.id, update.outcome) };
}

/** The class of a decline, by the rules of the payment's card network, or the driver's if the gateway sent no code. */
export function declineClass({ card }: Pick<PaymentRecord, 'card'>, decline: Declined): DeclineClass {
  const { code, adviceCode } = decline;
  const declineType = decline.code === null ? decline.declineClass : null;
  return declineRule({ code, brand: card?.brand ?? null, adviceCode, declineType }).class;
}

function outcomeFields(
  { settings }: Pick<PaymentDeps, 'settings'>,
  payment: Pick<PaymentRecord, 'card'>,
  attemptId: string,
  outcome: Outcome,
): Omit<AttemptResult, 'status'> {
  if (outcome.kind === 'declined') {
    return {
      gatewayTransactionId: outcome.gatewayTransactionId,
      responseCode: outcome.code,
      responseMessage: outcome.message,
      declineType: declineClass(payment, outcome),
      adviceCode: outcome.adviceCode,
      errorFamily: null,
    };
  }
  return {
    gatewayTransactionId: outcome.gatewayTransactionId,
    responseCode: outcome.responseCode,
    responseMessage: outcome.responseMessage,
    authorizationCode: outcome.authorizationCode,
    networkIds: outcome.networkIds,
    pix: outcome.pix && { ...outcome.pix, qrCodeUrl: `${settings.publicBaseUrl}/pix/${attemptId}.png` },
    billet: outcome.billet,
    errorFamily: null,
  };
}
