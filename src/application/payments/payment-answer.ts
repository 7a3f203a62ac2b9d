import { ApiError, ERROR_STATUS } from '../../domain/shared/errors';
import type { OperationRefusal } from '../../domain/payments/operation-refusal';
import type { IdempotencyRecord } from '../../persistence/payments/idempotency-repository';
import type { FoundPayment } from './find-payment';

/** What the caller of a payment or of an operation on one is answered. */
export type PaymentAnswer =
  /** The recorded answer of this key, the same for every request that carries it. */
  | { readonly kind: 'recorded'; readonly status: number; readonly body: unknown; readonly replayed: boolean }
  /** The payment as it stands: no key, so no recorded answer; or there is no result yet, and `underWay` says so. */
  | {
      readonly kind: 'payment';
      readonly payment: FoundPayment;
      readonly underWay: boolean;
      readonly replayed: false;
    };

/** Tells that this is the recorded answer of an earlier request. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** The answer recorded for a key, or null while there is none. */
export function recordedAnswer(record: IdempotencyRecord, replayed: boolean): PaymentAnswer | null {
  const { responseStatus: status, responseBody: body } = record;
  return status === null ? null : { kind: 'recorded', status, body, replayed };
}

/** A refusal as it is recorded: its code and message. */
export function refusedAnswer(refusal: OperationRefusal): PaymentAnswer {
  return { kind: 'recorded', status: ERROR_STATUS[refusal.code], body: refusal, replayed: false };
}

/** Throws a refusal as any other error is thrown. */
export function unlessRefused(answer: PaymentAnswer): PaymentAnswer {
  if (answer.kind !== 'recorded' || answer.status < 400) return answer;
  const { code, message } = answer.body as OperationRefusal;
  throw new ApiError(code, message, undefined, undefined, answer.replayed ? REPLAYED : {});
}

export function keyReused(): ApiError {
  return new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
}
