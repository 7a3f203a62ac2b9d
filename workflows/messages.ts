import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { GatewaySlug } from '../src/domain/shared/gateway-slug';
import type { DeliveryId, SubAccountId } from '../src/domain/shared/ids';
import type { PaymentOperation } from '../src/domain/payments/payment-operation';
import type {
  AttemptOperation,
  AttemptStatus,
  PaymentMethod,
  PaymentStatus,
} from '../src/domain/payments/payment';
import type { SubAccountStatus } from '../src/domain/routing/subaccount';
import type { DeliveryStatus, WebhookEventType } from '../src/domain/webhooks/webhook-event';

/** The header that carries a trace. Temporal's own OpenTelemetry interceptors use the same name and format, in all languages. */
export const TRACE_HEADER = '_tracer-data';

/** Only ids: activities read everything else from Postgres, so that no personal data enters a history. */
export interface PaymentInput {
  readonly companyId: number;
  readonly transactionId: string;
}

/**
 * The input of a local activity. Its result repeats `awaited`: a history shows a local activity only once it has ended, so a
 * replay could not tell who waited when it began (docs/decisions/first-attempts.md).
 */
export interface AwaitedInput {
  /** Ids of the committed rows whose callers waited when it began; left out if there were none. */
  readonly awaited?: readonly string[];
}

export interface LocalPaymentInput extends PaymentInput, AwaitedInput {}

/** What a payment's workflow is started with, and what the workflow list shows of it. */
export interface PaymentToStart extends PaymentInput {
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  readonly merchantOrderId: string;
}

export function paymentWorkflowId(transactionId: string): string {
  return `payment/${transactionId}`;
}

export interface PaymentRunInput extends PaymentInput {
  /** Set on continue-as-new: the previous run received a wake signal and did not act on it. */
  readonly wakePending?: boolean;
  /** Set by the API: the first attempt, of a charge or this operation, is a local activity. Left out by all others. */
  readonly firstAttempt?: 'local' | PaymentOperation;
  /** Set by the API: operations, and polls after a callback, are local activities of the task that brings them. */
  readonly laterSteps?: 'local';
}

/** One attempt at a gateway, as the Temporal UI shows it. */
export interface AttemptSummary {
  readonly attempt: number;
  readonly attemptId: string;
  readonly operation: AttemptOperation;
  readonly gateway: GatewaySlug;
  readonly status: AttemptStatus;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
}

/** An attempt that was sent and whose outcome is unknown. The workflow inquires about it. */
export interface UnknownOperation extends AttemptSummary {
  /** How long until "not found" proves that the gateway never received it; 0 or less once it does. */
  readonly absenceProvenInMs: number;
  /** Whether it waits for an operator. */
  readonly isEscalated: boolean;
}

/** The state of a payment after one step of its workflow. Instants are epoch ms on the payment's clock. */
export interface PaymentStep {
  /** Of a local activity: what its input named. Left out by earlier releases. */
  readonly awaited?: readonly string[];
  readonly status: PaymentStatus;
  readonly message: string;
  /** The attempt of this step, if it had one. */
  readonly attempt: AttemptSummary | null;
  /** Whether something can be sent now: the next charge attempt or a requested operation. */
  readonly ready: boolean;
  /** Ids of the requested operations without a final result. */
  readonly openOperations: readonly string[];
  /** Ids of the operators' resolutions that are not applied yet. */
  readonly openResolutions: readonly string[];
  readonly unknown: readonly UnknownOperation[];
  /** How long to inquire about an attempt before it is escalated to an operator. */
  readonly stuckAfterMs: number;
  /** When the gateway is polled next or the authorization expires; null if neither is scheduled. */
  readonly pollAt: number | null;
  /** When the gateways of abandoned attempts are asked again, by the payment's clock; the sweeper wakes the workflow then. */
  readonly recheckAt: number | null;
  /**
   * Id of the attempt that only an operator can decide: something found at the gateway, or the charge of an expired or
   * canceled payment. Null if there is none.
   */
  readonly needsOperator: string | null;
  /** The payment's test clock. */
  readonly clock: TestClockState;
}

/** The test clock of a payment or subscription. */
export interface TestClockState {
  /** How far it is ahead of the wall clock. */
  readonly offsetMs: number;
  /** The instant it advances to, epoch ms; null if it was never advanced. */
  readonly target: number | null;
}

export interface PollInput extends LocalPaymentInput {
  /** Now by the payment's clock, epoch ms. */
  readonly at: number;
  readonly offsetMs: number;
  /** An operator asked to inquire the gateway, whether that is due or not. */
  readonly requested?: boolean;
}

export interface PaymentResult {
  readonly status: PaymentStatus;
}

/** Completes when the payment has left `processing`. Always sent with `RESULT_UPDATE_ID`, so that callers share one update. */
export const resultUpdate = defineUpdate<PaymentResult>('result');
export const RESULT_UPDATE_ID = 'result';

/**
 * Completes when an operator's resolution is closed or the run ends. It carries only the id of a committed row, which is
 * the decision: access to Temporal must not be enough to decide about money.
 */
export const resolveUpdate = defineUpdate<void, [ResolveUpdateInput]>('resolve');

/** One update per resolution, so that repeated requests share it. */
export function resolveUpdateId(resolutionId: string): string {
  return `resolve/${resolutionId}`;
}

export interface ResolveUpdateInput {
  readonly resolutionId: string;
}

/** Completes when the operation has a final result or the run ends. The result is in Postgres. */
export const operationUpdate = defineUpdate<void, [OperationUpdateInput]>('operation');

/** One update per operation, so that repeated requests share it. */
export function operationUpdateId(attemptId: string): string {
  return `operation/${attemptId}`;
}

export interface OperationUpdateInput {
  readonly attemptId: string;
  readonly operation: PaymentOperation;
}

/** Wakes a workflow: a callback, a payment result or a test clock advance is in Postgres. */
export const wakeSignal = defineSignal('wake');

export interface AttemptInput extends PaymentInput {
  readonly attemptId: string;
}

export interface ResolveInput extends PaymentInput {
  readonly resolutionId: string;
}

/** The state of a payment after a resolution. */
export interface ResolutionStep {
  readonly step: PaymentStep;
  /** The attempt whose inquiry schedule starts again, as the operator asked; null if none. */
  readonly restartedAttemptId: string | null;
}

export interface RecipientInput {
  readonly subAccountId: SubAccountId;
}

export interface RecipientResult {
  readonly status: SubAccountStatus;
  /** Why the gateway rejected it, or what it waits for. The API shows it. */
  readonly message: string | null;
}

/** The state of a sub-account after one step of its workflow. */
export interface RecipientStep extends RecipientResult {
  /** Until the next step, in ms; null if none is left. */
  readonly pauseMs: number | null;
}

/**
 * Completes when the gateway has answered about a recipient. Sent with `RESULT_UPDATE_ID`; about one that has an answer already, with an
 * id of its own: it completes after the next inquiry.
 */
export const recipientUpdate = defineUpdate<RecipientResult>('recipient');

/** Only ids: an event's body contains personal data and stays in Postgres. */
export interface DeliveryInput {
  readonly companyId: number;
  readonly endpointId: number;
  readonly deliveryId: DeliveryId;
  /** When its status becomes a search attribute. Runs that began before there was a choice set it whenever they end. */
  readonly statusShown?: 'if_failed';
}

/** The state of a delivery after one step of its workflow. */
export interface DeliveryStep {
  readonly status: DeliveryStatus;
  /** Number of attempts so far. */
  readonly attempts: number;
  /** Description of the answer to the attempt; null if this step made none. */
  readonly answer: string | null;
  /** Until the next attempt, in ms; null if none is left. */
  readonly pauseMs: number | null;
  /** The endpoint was disabled and its company is not notified yet. */
  readonly notifyDisabled: boolean;
}

export interface DeliveryResult {
  readonly status: DeliveryStatus;
}

/** Requests an attempt now. */
export const resendSignal = defineSignal('resend');

/** Deliveries have their own task queue, so that slow receivers cannot take the slots of payments. */
export function deliveryTaskQueue(taskQueue: string): string {
  return `${taskQueue}-webhooks`;
}

/** The summary of a delivery in the list of workflows in the Temporal UI. */
export function deliverySummary(endpointId: number, event: WebhookEventType): string {
  return `${event} to endpoint ${endpointId}`;
}

export function deliveryWorkflowId(deliveryId: DeliveryId): string {
  return `webhook-delivery/${deliveryId}`;
}
