import { hasFailedTooLong, nextPauseMs, parseRetryAfter } from '../../src/domain/webhooks/retry-schedule';
import { TEST_EVENT } from '../../src/domain/webhooks/webhook-event';
import type {
  DeliveryChange,
  DeliveryToSend,
} from '../../src/persistence/webhooks/webhook-delivery-repository';
import type { DisabledReason } from '../../src/persistence/webhooks/webhook-endpoint-repository';
import type { SafeResponse } from '../../src/security/safe-fetch';
import type { DeliveryDeps } from './delivery-deps';

/** The result of one POST to the receiver. */
export type PostResult =
  | { readonly kind: 'response'; readonly response: SafeResponse }
  | { readonly kind: 'no_response'; readonly error: string };

/** What an attempt changes on the delivery and on its endpoint. */
export interface AttemptEvaluation {
  /** The delivery's next state, unless the attempt disables the endpoint. */
  readonly change: DeliveryChange;
  /** How the attempt changes the endpoint's recorded health. */
  readonly endpointHealth: 'recovered' | 'started_failing' | 'unchanged';
  readonly disable: DisabledReason | null;
}

export const FAILED: DeliveryChange = { status: 'failed', nextRetryAt: null };

/** The receiver asks for no more deliveries (Standard Webhooks, "Delivery and retries"). */
const GONE = 410;

type EvaluationDeps = Pick<DeliveryDeps, 'retrySchedule' | 'random' | 'now'>;

/** Decides on the next attempt and on disabling the endpoint. `failingSince` is the start of its failure streak, or null. */
export function evaluateAttempt(
  deps: EvaluationDeps,
  delivery: DeliveryToSend,
  failingSince: Date | null,
  result: PostResult,
): AttemptEvaluation {
  const statusCode = result.kind === 'response' ? result.response.statusCode : null;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    const endpointHealth = delivery.failingSince === null ? 'unchanged' : 'recovered';
    return { change: { status: 'delivered', nextRetryAt: null }, endpointHealth, disable: null };
  }
  const isTest = delivery.event === TEST_EVENT;
  const endpointHealth = isTest || failingSince !== null ? 'unchanged' : 'started_failing';
  const change = isTest ? FAILED : nextAttempt(deps, delivery, result);
  if (statusCode === GONE) return { change, endpointHealth, disable: 'gone' };
  const failedTooLong = !isTest && hasFailedTooLong(failingSince, deps.now());
  return { change, endpointHealth, disable: failedTooLong ? 'failing' : null };
}

function nextAttempt(
  deps: EvaluationDeps,
  { retryCount }: DeliveryToSend,
  result: PostResult,
): DeliveryChange {
  const now = deps.now();
  const pauseMs = nextPauseMs(deps.retrySchedule, {
    attempts: retryCount + 1,
    retryAfterMs: result.kind === 'response' ? parseRetryAfter(result.response.retryAfter, now) : null,
    random: deps.random(),
  });
  return pauseMs === null ? FAILED : { status: 'pending', nextRetryAt: new Date(now.getTime() + pauseMs) };
}
