import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { GatewaySlug } from '../src/domain/gateway-slug';
import type { SubAccountId } from '../src/domain/ids';
import type { AttemptOperation, AttemptStatus, PaymentStatus } from '../src/domain/payment';
import type { SubAccountStatus } from '../src/domain/subaccount';

/** Ids only: what a payment holds is read from Postgres, and no personal data enters a history. */
export interface PaymentInput {
  readonly companyId: number;
  readonly transactionId: string;
}

/** One gateway operation as support staff see it. */
export interface AttemptSummary {
  readonly attempt: number;
  readonly attemptId: string;
  readonly operation: AttemptOperation;
  readonly gateway: GatewaySlug;
  readonly status: AttemptStatus;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
}

/** Where a payment stands after one step of its workflow. */
export type PaymentStep =
  | {
      readonly kind: 'settled';
      readonly status: PaymentStatus;
      readonly message: string;
      readonly attempt: AttemptSummary | null;
      /** Money still has to be given back: the run goes on. */
      readonly openOperations: boolean;
    }
  /** That attempt is certainly over and did not charge; the next one may be made. */
  | { readonly kind: 'try_next'; readonly attempt: AttemptSummary }
  /** That attempt may have charged: nothing else is tried until it is known. */
  | {
      readonly kind: 'unknown';
      readonly attempt: AttemptSummary;
      /** How long until "not found" proves that the gateway never received it; 0 or less once it does. */
      readonly provableInMs: number;
      /** How long to go on asking before a person is asked. */
      readonly stuckAfterMs: number;
    };

export interface PaymentResult {
  readonly status: PaymentStatus;
}

/** Waits until the payment has left `processing`. Always sent with `RESULT_UPDATE_ID`, so that callers share one update. */
export const resultUpdate = defineUpdate<PaymentResult>('result');
export const RESULT_UPDATE_ID = 'result';

/** A person's word on an attempt whose outcome no inquiry can tell (decisions, section 11). */
export interface Resolution {
  /** `retry` runs the inquiry schedule again. */
  readonly outcome: 'paid' | 'absent' | 'retry';
  readonly reason: string;
  /** Who said so: a user's id, never a name or an address. */
  readonly resolvedBy: string;
}

/** Accepted only while the payment waits for a person; returns once the word has been acted on. */
export const resolveUpdate = defineUpdate<PaymentResult, [Resolution]>('resolve');

/** A gateway reported something; the payment asks it at once instead of waiting for the next inquiry. */
export const gatewayCallbackSignal = defineSignal('gatewayCallback');

export interface AttemptInput extends PaymentInput {
  readonly attemptId: string;
}

export interface ResolveInput extends AttemptInput {
  readonly resolution: Resolution;
}

export interface RecipientInput {
  readonly subAccountId: SubAccountId;
}

export interface RecipientResult {
  readonly status: SubAccountStatus;
  /** Why the gateway refused, or what it waits for; public text. */
  readonly message: string | null;
}

/** Where a sub-account stands after one step of its workflow. */
export interface RecipientStep extends RecipientResult {
  /** Until the next step, in ms; null when there is none to make. */
  readonly pauseMs: number | null;
}

/** Waits until the gateway has given its word on a recipient. Always sent with `RESULT_UPDATE_ID`. */
export const recipientUpdate = defineUpdate<RecipientResult>('recipient');
