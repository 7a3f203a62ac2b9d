import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { GatewaySlug } from '../src/domain/shared/gateway-slug';
import type { DeliveryId, SubAccountId, SubscriptionId } from '../src/domain/shared/ids';
import type { PaymentOperation } from '../src/domain/payments/payment-operation';
import type {
  AttemptOperation,
  AttemptStatus,
  PaymentMethod,
  PaymentStatus,
} from '../src/domain/payments/payment';
import type { CommandKind } from '../src/domain/subscriptions/stored-command';
import type { SubscriptionStatus } from '../src/domain/subscriptions/subscription';
import type { SubAccountStatus } from '../src/domain/routing/subaccount';
import type { DeliveryStatus, WebhookEventType } from '../src/domain/webhooks/webhook-event';

/** Ids only: what a payment holds is read from Postgres, and no personal data enters a history. */
export interface PaymentInput {
  readonly companyId: number;
  readonly transactionId: string;
}

/** What a payment's workflow is started with and what support staff see of it in lists. */
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
  /** The run before was woken, and left it to this one to look. */
  readonly woken?: boolean;
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

/** An operation that was sent and gave no certain result: it is asked about until it is known. */
export interface UnknownOperation extends AttemptSummary {
  /** How long until "not found" proves that the gateway never received it; 0 or less once it does. */
  readonly provableInMs: number;
}

/** Where a payment stands after one step of its workflow. Instants are epoch ms by the payment's own clock. */
export interface PaymentStep {
  readonly status: PaymentStatus;
  readonly message: string;
  /** The operation this step was about; null when it was about none. */
  readonly attempt: AttemptSummary | null;
  /** Something can be sent at once: the next charge attempt, or an operation that was asked for. */
  readonly ready: boolean;
  /** Operations that are asked for and have no certain result yet, by their ids. */
  readonly openOperations: readonly string[];
  readonly unknown: readonly UnknownOperation[];
  /** How long to go on asking about an unknown operation before a person is asked. */
  readonly stuckAfterMs: number;
  /** When the gateway is to be asked how the payment stands, or an authorization lapses; null when never. */
  readonly pollAt: number | null;
  /** Paid in part and over time: only a person can say what is to become of it. */
  readonly needsPerson: string | null;
  /** The sandbox's clock of this payment. */
  readonly clock: TestClockState;
}

/** A payment's or subscription's own clock. */
export interface TestClockState {
  /** How far it is ahead of everybody's. */
  readonly offsetMs: number;
  /** Where it is to go; null when it was never moved. */
  readonly target: number | null;
}

/** How far a payment's clock has come. */
export interface PollInput extends PaymentInput {
  /** Now, by the payment's own clock. */
  readonly at: number;
  readonly offsetMs: number;
}

export interface PaymentResult {
  readonly status: PaymentStatus;
}

/** Waits until the payment has left `processing`. Always sent with `RESULT_UPDATE_ID`, so that callers share one update. */
export const resultUpdate = defineUpdate<PaymentResult>('result');
export const RESULT_UPDATE_ID = 'result';

/** A person's word on an attempt whose outcome no inquiry can tell (decisions, section 11). */
export interface Resolution {
  /** Of this word; whoever acts on it keeps it in the audit log under this id, once. */
  readonly resolutionId: string;
  /** The operation it is said of; of any other it is no word. */
  readonly attemptId: string;
  /** `retry` runs the inquiry schedule again. */
  readonly outcome: 'paid' | 'absent' | 'retry';
  readonly reason: string;
  /** The gateway's id of a charge that is `paid`, where the person saw it: later operations act on it. */
  readonly gatewayTransactionId?: string;
  /** Who said so: a user's id, never a name or an address. */
  readonly resolvedBy: string;
  /** Of the request by which they said so. */
  readonly requestId: string;
}

/** Accepted only while the payment waits for a person; returns once the word has been acted on. */
export const resolveUpdate = defineUpdate<PaymentResult, [Resolution]>('resolve');

export function resolveUpdateId(resolutionId: string): string {
  return `resolve/${resolutionId}`;
}

/** Returns once that operation has a certain result, or the run ends; what it came to is in Postgres. */
export const operationUpdate = defineUpdate<void, [OperationRequest]>('operation');

/** One update for each operation, so that callers who resend a request share it. */
export function operationUpdateId(attemptId: string): string {
  return `operation/${attemptId}`;
}

export interface OperationRequest {
  readonly attemptId: string;
  readonly operation: PaymentOperation;
}

/** A nudge: a callback was stored or the clock was moved. What there is to know stands in Postgres. */
export const wakeSignal = defineSignal('wake');

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

/** Ids only: an event's body is personal data, and stays in Postgres. */
export interface DeliveryInput {
  readonly companyId: number;
  readonly endpointId: number;
  readonly deliveryId: DeliveryId;
}

/** Where a delivery stands after one step of its workflow. */
export interface DeliveryStep {
  readonly status: DeliveryStatus;
  /** Made until now. */
  readonly attempts: number;
  /** What came of the last attempt in words; null when this step made none. */
  readonly answer: string | null;
  /** Until the next attempt; null when there is none to make. */
  readonly pauseMs: number | null;
  /** The endpoint was turned off, and its company's people do not know. */
  readonly notifyDisabled: boolean;
}

export interface DeliveryResult {
  readonly status: DeliveryStatus;
}

/** A person has asked for an attempt now. */
export const resendSignal = defineSignal('resend');

/** Deliveries have their own task queue beside the payments': a receiver that sleeps holds none of its slots. */
export function deliveryTaskQueue(taskQueue: string): string {
  return `${taskQueue}-webhooks`;
}

/** For people who read the Temporal UI. */
export function deliverySummary(endpointId: number, event: WebhookEventType): string {
  return `${event} to endpoint ${endpointId}`;
}

export function deliveryWorkflowId(deliveryId: DeliveryId): string {
  return `webhook-delivery/${deliveryId}`;
}

/** Ids only: what a subscription holds is read from Postgres. */
export interface SubscriptionInput {
  readonly companyId: number;
  readonly subscriptionId: SubscriptionId;
}

export interface SubscriptionRunInput extends SubscriptionInput {
  /** The run before was woken, and left it to this one to look. */
  readonly woken?: boolean;
  /** What happened last, for people who read the Temporal UI. */
  readonly recentEvents?: readonly string[];
  /** What the run before knew to wait for: this one need not look before that. */
  readonly step?: SubscriptionStep;
}

/** When a subscription looks what is to be done, and how far its own clock has come. */
export interface AdvanceInput extends SubscriptionInput {
  /** Epoch ms, everybody's time: the workflow's. */
  readonly now: number;
  /** How far the subscription's own clock is ahead, as far as the workflow knows. */
  readonly offsetMs: number;
}

/** Where a subscription stands after one step of its workflow. Instants are epoch ms in its own time. */
export interface SubscriptionStep {
  readonly status: SubscriptionStatus;
  /** The charge that has no certain result: its payment's workflow is to run. */
  readonly openCharge: (PaymentToStart & { readonly summary: string }) | null;
  /** When something happens to it by itself, and what; null when nothing does. */
  readonly due: { readonly at: number; readonly what: string } | null;
  /** How long after that it is done, so that not everything of a minute is done at once. */
  readonly jitterMs: number;
  /** What is asked of it and not answered yet, by the commands' ids. */
  readonly openCommands: readonly string[];
  /** There is more to decide at once. */
  readonly more: boolean;
  /**
   * Cycles that are paid or given up: the same however often the step is made. With each one the history of what came
   * before is of no use any more. Missing in histories that have `cycleClosed`.
   */
  readonly closedCycles?: number;
  /** Of older histories: a cycle was closed in this step. */
  readonly cycleClosed?: boolean;
  /** What was told in this step: dates and names of events, for people who read the Temporal UI. */
  readonly events: readonly string[];
  /** The sandbox's clock of this subscription. */
  readonly clock: TestClockState;
}

export interface SubscriptionResult {
  readonly status: SubscriptionStatus;
}

/** Waits until no charge is open. Always sent with `RESULT_UPDATE_ID`, so that callers share one update. */
export const chargedUpdate = defineUpdate<SubscriptionResult>('charged');

/** Returns once that command is answered, or the run ends; the answer is in Postgres. */
export const commandUpdate = defineUpdate<void, [CommandRequest]>('command');

/** One update for each command, so that callers who resend a request share it. */
export function commandUpdateId(commandId: string): string {
  return `command/${commandId}`;
}

export interface CommandRequest {
  readonly commandId: string;
  readonly kind: CommandKind;
}

export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}
