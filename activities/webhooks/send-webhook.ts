import { hasFailedTooLong, resetsFailureStreakMs } from '../../src/domain/webhooks/retry-schedule';
import type { WebhookAttempt } from '../../src/domain/webhooks/webhook-attempt';
import type {
  DeliveryChange,
  DeliveryToSend,
} from '../../src/persistence/webhooks/webhook-delivery-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentEventBody } from '../../src/presenters/event-body';
import { encryptionContext } from '../../src/security/encryption-context';
import { RequestFailed } from '../../src/security/safe-fetch';
import { webhookHeaders } from '../../src/security/webhook-signature';
import type { DeliveryInput, DeliveryStep } from '../../workflows/messages';
import type { DeliveryDeps } from './delivery-deps';
import { evaluateAttempt, FAILED, type AttemptEvaluation, type PostResult } from './evaluate-attempt';

const USER_AGENT = 'payment-engine-webhooks/1.0';

/**
 * Makes the attempt that is due, if there is one. A delivery that has ended or is not due yet is skipped, so a repeated
 * call is safe. After a crash between the receiver's response and the commit the message is sent again with the same id.
 */
export async function sendWebhook(deps: DeliveryDeps, { deliveryId }: DeliveryInput): Promise<DeliveryStep> {
  const delivery = await deps.deliveries.getToSend(deliveryId);
  if (delivery.nextRetryAt === null) return skippedStep(delivery);
  if (!delivery.endpointEnabled) {
    await deps.deliveries.markFailed(deliveryId);
    return skippedStep({ ...delivery, status: 'failed' });
  }
  const pauseMs = delivery.nextRetryAt.getTime() - deps.now().getTime();
  if (pauseMs > 0) return { ...skippedStep(delivery), pauseMs };

  const startedAt = deps.now();
  const result = await post(deps, delivery, startedAt);
  deps.failpoint('webhook-answered', delivery.companyId);
  const durationMs = deps.now().getTime() - startedAt.getTime();
  const attempt = toWebhookAttempt(result, { number: delivery.retryCount + 1, startedAt, durationMs });
  deps.observeDelivery({
    status: attempt.statusCode,
    isRetry: attempt.number > 1,
    seconds: durationMs / 1000,
  });
  const failingSince = await consecutiveFailureStart(deps, delivery, startedAt);
  const evaluation = evaluateAttempt(deps, delivery, failingSince, result);
  const { status, nextRetryAt, disabled } = await record(deps, delivery, attempt, evaluation);
  return {
    status,
    attempts: attempt.number,
    answer: attempt.error ?? String(attempt.statusCode),
    pauseMs: nextRetryAt && nextRetryAt.getTime() - deps.now().getTime(),
    notifyDisabled: disabled,
  };
}

function skippedStep(delivery: DeliveryToSend): DeliveryStep {
  const { status, retryCount, disabledReason, disabledNotifiedAt } = delivery;
  return {
    status,
    attempts: retryCount,
    answer: null,
    pauseMs: null,
    notifyDisabled: disabledReason !== null && disabledNotifiedAt === null,
  };
}

async function post(deps: DeliveryDeps, delivery: DeliveryToSend, sentAt: Date): Promise<PostResult> {
  const body = JSON.stringify(presentEventBody({ ...delivery, id: delivery.eventId, type: delivery.event }));
  const message = { id: `msg_${delivery.id}`, sentAt, body };
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...webhookHeaders(message, await openSecrets(deps, delivery, sentAt)),
  };
  // The request has no `traceparent`, because the ids of a trace are internal.
  const attributes = { operation: delivery.event, delivery_attempt: delivery.retryCount + 1 };
  const span = { name: 'post webhook', kind: 'client', attributes } as const;
  return deps.spans.around(span, async (open) => {
    try {
      const response = await deps.safeFetch.post(delivery.url, headers, body);
      open.set({ 'http.response.status_code': response.statusCode });
      return { kind: 'response', response };
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      open.set({ outcome: 'no_response' });
      return { kind: 'no_response', error: error.message };
    }
  });
}

async function openSecrets(
  { envelope }: DeliveryDeps,
  { companyId, endpointId, sealedSecret, olderSecrets }: DeliveryToSend,
  now: Date,
): Promise<string[]> {
  const older = olderSecrets.filter(({ until }) => now < new Date(until));
  const sealed = [sealedSecret, ...older.map((secret) => secret.sealed)];
  const context = encryptionContext.endpointSecret(companyId, endpointId);
  return Promise.all(sealed.map((secret) => envelope.openOften(secret, context)));
}

function toWebhookAttempt(
  result: PostResult,
  attempt: Pick<WebhookAttempt, 'number' | 'startedAt' | 'durationMs'>,
): WebhookAttempt {
  if (result.kind === 'no_response') {
    return { ...attempt, statusCode: null, error: result.error, responseExcerpt: null };
  }
  const { statusCode, excerpt } = result.response;
  return { ...attempt, statusCode, error: null, responseExcerpt: excerpt };
}

/** The start of the endpoint's failure streak before this attempt; null without one. A long gap between attempts ends a streak. */
async function consecutiveFailureStart(
  { deliveries, retrySchedule }: DeliveryDeps,
  { endpointId, failingSince }: DeliveryToSend,
  startedAt: Date,
): Promise<Date | null> {
  if (!hasFailedTooLong(failingSince, startedAt)) return failingSince;
  const from = new Date(startedAt.getTime() - resetsFailureStreakMs(retrySchedule));
  return (await deliveries.hasAttempts(endpointId, from, startedAt)) ? failingSince : null;
}

/** Most attempts do not change the endpoint and update only the delivery's row, without a transaction. */
async function record(
  deps: DeliveryDeps,
  delivery: DeliveryToSend,
  attempt: WebhookAttempt,
  evaluation: AttemptEvaluation,
): Promise<DeliveryChange & { readonly disabled: boolean }> {
  const { change, endpointHealth, disable } = evaluation;
  if (endpointHealth !== 'unchanged' || disable !== null) {
    return deps.db.inTransaction((tx) => recordWithEndpoint(deps, tx, delivery, attempt, evaluation));
  }
  const recorded = await deps.deliveries.recordAttempt(delivery, attempt, change, deps.now());
  return { ...recorded, disabled: false };
}

/**
 * Locks the endpoint's row before the delivery's, like all other code, to prevent deadlocks. The endpoint stays unchanged
 * if its URL was changed during the attempt.
 */
async function recordWithEndpoint(
  deps: DeliveryDeps,
  tx: Tx,
  delivery: DeliveryToSend,
  attempt: WebhookAttempt,
  { change, endpointHealth, disable }: AttemptEvaluation,
): Promise<DeliveryChange & { readonly disabled: boolean }> {
  const { endpointId, url, failingSince } = delivery;
  const now = deps.now();
  const attempted = { id: endpointId, url, failingSince };
  if (endpointHealth === 'recovered') await deps.endpoints.recordSuccess(tx, attempted);
  if (endpointHealth === 'started_failing')
    await deps.endpoints.recordFailure(tx, attempted, attempt.startedAt);
  const disabled = disable !== null && (await deps.endpoints.disable(tx, attempted, disable, now));
  const recorded = await deps.deliveries.recordAttempt(
    delivery,
    attempt,
    disabled ? FAILED : change,
    now,
    tx,
  );
  if (disabled) await deps.deliveries.markPendingFailed(tx, endpointId);
  return { ...recorded, disabled };
}
