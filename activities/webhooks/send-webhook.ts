import {
  resetsFailureStreakMs,
  hasFailedTooLong,
  nextPauseMs,
  parseRetryAfter,
  type RetrySchedule,
} from '../../src/domain/webhooks/retry-schedule';
import type { WebhookAttempt } from '../../src/domain/webhooks/webhook-attempt';
import { TEST_EVENT } from '../../src/domain/webhooks/webhook-event';
import type {
  DeliveryChange,
  DeliveryToSend,
  WebhookDeliveryRepository,
} from '../../src/persistence/webhooks/webhook-delivery-repository';
import type {
  DisabledReason,
  WebhookEndpoint,
  WebhookEndpointRepository,
} from '../../src/persistence/webhooks/webhook-endpoint-repository';
import type { Database, Tx } from '../../src/persistence/sql/transaction';
import type { Failpoint } from '../../src/failpoints';
import type { EnvelopeCipher } from '../../src/security/envelope';
import { NoAnswer, type SafeAnswer, type SafeFetch } from '../../src/security/safe-fetch';
import { encryptionContext } from '../../src/security/encryption-context';
import { webhookHeaders } from '../../src/security/webhook-signature';
import type { DeliveryInput, DeliveryStep } from '../../workflows/messages';
import type { DeliveryLimiter } from './delivery-limiter';
import type { Log } from '../shared/log';

/** What the delivery activities work with; built once by the worker. */
export interface DeliveryDeps {
  readonly db: Database;
  readonly deliveries: WebhookDeliveryRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly envelope: EnvelopeCipher;
  readonly safeFetch: Pick<SafeFetch, 'post'>;
  readonly slots: DeliveryLimiter;
  readonly retrySchedule: RetrySchedule;
  /** Tells a company's people that the service has turned their endpoint off. */
  readonly notifyEndpointDisabled: (endpoint: WebhookEndpoint) => Promise<void>;
  /** In [0, 1). */
  readonly random: () => number;
  readonly failpoint: Failpoint;
  readonly now: () => Date;
  readonly log: Log;
}

const USER_AGENT = 'payment-engine-webhooks/1.0';
/** "The receiver wants no more of this", for good (Standard Webhooks, "Delivery and retries"). */
const GONE = 410;

/** What one attempt came to. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: SafeAnswer }
  | { readonly kind: 'no_answer'; readonly error: string };

interface AttemptEvaluation {
  /** Unless the endpoint is turned off by it. */
  readonly change: DeliveryChange;
  /** What it says of the endpoint that is not known yet. */
  readonly news: 'recovered' | 'begins_to_fail' | 'nothing';
  readonly disable: DisabledReason | null;
}

const FAILED: DeliveryChange = { status: 'failed', nextRetryAt: null };

/**
 * Makes the attempt that is due, if one is. The row decides: one that has arrived, was ended or is not due yet is left
 * alone, so that this is safe to run at any time. A crash between the receiver's answer and its record sends once more,
 * under the same id.
 */
export async function sendWebhook(deps: DeliveryDeps, { deliveryId }: DeliveryInput): Promise<DeliveryStep> {
  const delivery = await deps.deliveries.loadToSend(deliveryId);
  if (delivery.nextRetryAt === null) return ended(delivery);
  if (!delivery.endpointEnabled) {
    await deps.deliveries.fail(deliveryId);
    return ended({ ...delivery, status: 'failed' });
  }
  const pauseMs = delivery.nextRetryAt.getTime() - deps.now().getTime();
  if (pauseMs > 0) return { ...ended(delivery), pauseMs };

  const startedAt = deps.now();
  const outcome = await post(deps, delivery, startedAt);
  deps.failpoint('webhook-answered', delivery.companyId);
  const durationMs = deps.now().getTime() - startedAt.getTime();
  const attempt = describe(outcome, { number: delivery.retryCount + 1, startedAt, durationMs });
  const failingSince = await consecutiveFailureStart(deps, delivery, startedAt);
  const verdict = evaluateAttempt(deps, delivery, failingSince, outcome);
  const { status, nextRetryAt, disabled } = await record(deps, delivery, attempt, verdict);
  return {
    status,
    attempts: attempt.number,
    answer: attempt.error ?? String(attempt.statusCode),
    pauseMs: nextRetryAt && nextRetryAt.getTime() - deps.now().getTime(),
    notifyDisabled: disabled,
  };
}

function ended(delivery: DeliveryToSend): DeliveryStep {
  const { status, retryCount, disabledReason, disabledNotifiedAt } = delivery;
  return {
    status,
    attempts: retryCount,
    answer: null,
    pauseMs: null,
    notifyDisabled: disabledReason !== null && disabledNotifiedAt === null,
  };
}

async function post(deps: DeliveryDeps, delivery: DeliveryToSend, sentAt: Date): Promise<Outcome> {
  const message = { id: `msg_${delivery.id}`, sentAt, body: delivery.payload };
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    ...webhookHeaders(message, await openSecrets(deps, delivery, sentAt)),
  };
  try {
    return { kind: 'answer', answer: await deps.safeFetch.post(delivery.url, headers, delivery.payload) };
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'no_answer', error: error.message };
    throw error;
  }
}

async function openSecrets(
  { envelope }: DeliveryDeps,
  { companyId, endpointId, sealedSecret, olderSecrets }: DeliveryToSend,
  now: Date,
): Promise<string[]> {
  const older = olderSecrets.filter(({ until }) => now < new Date(until));
  const sealed = [sealedSecret, ...older.map((secret) => secret.sealed)];
  const place = encryptionContext.endpointSecret(companyId, endpointId);
  return Promise.all(sealed.map((secret) => envelope.open(secret, place)));
}

function describe(
  outcome: Outcome,
  attempt: Pick<WebhookAttempt, 'number' | 'startedAt' | 'durationMs'>,
): WebhookAttempt {
  if (outcome.kind === 'no_answer') {
    return { ...attempt, statusCode: null, error: outcome.error, responseExcerpt: null };
  }
  const { statusCode, excerpt } = outcome.answer;
  return { ...attempt, statusCode, error: null, responseExcerpt: excerpt };
}

/** Since when the endpoint has failed without a break; null when it has not, until this attempt. */
async function consecutiveFailureStart(
  { deliveries, retrySchedule }: DeliveryDeps,
  { endpointId, failingSince }: DeliveryToSend,
  startedAt: Date,
): Promise<Date | null> {
  if (!hasFailedTooLong(failingSince, startedAt)) return failingSince;
  const from = new Date(startedAt.getTime() - resetsFailureStreakMs(retrySchedule));
  return (await deliveries.wasTried(endpointId, from, startedAt)) ? failingSince : null;
}

function evaluateAttempt(
  deps: DeliveryDeps,
  delivery: DeliveryToSend,
  failingSince: Date | null,
  outcome: Outcome,
): AttemptEvaluation {
  const statusCode = outcome.kind === 'answer' ? outcome.answer.statusCode : null;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    const news = delivery.failingSince === null ? 'nothing' : 'recovered';
    return { change: { status: 'delivered', nextRetryAt: null }, news, disable: null };
  }
  const isTest = delivery.event === TEST_EVENT;
  const news = isTest || failingSince !== null ? 'nothing' : 'begins_to_fail';
  const change = isTest ? FAILED : nextTry(deps, delivery, outcome);
  if (statusCode === GONE) return { change, news, disable: 'gone' };
  const isOver = !isTest && hasFailedTooLong(failingSince, deps.now());
  return { change, news, disable: isOver ? 'failing' : null };
}

function nextTry(deps: DeliveryDeps, { retryCount }: DeliveryToSend, outcome: Outcome): DeliveryChange {
  const now = deps.now();
  const pause = nextPauseMs(deps.retrySchedule, {
    attempts: retryCount + 1,
    retryAfterMs: outcome.kind === 'answer' ? parseRetryAfter(outcome.answer.retryAfter, now) : null,
    random: deps.random(),
  });
  return pause === null ? FAILED : { status: 'pending', nextRetryAt: new Date(now.getTime() + pause) };
}

/** Most attempts say nothing new of their endpoint: then the delivery's own row is all there is to write. */
async function record(
  deps: DeliveryDeps,
  delivery: DeliveryToSend,
  attempt: WebhookAttempt,
  verdict: AttemptEvaluation,
): Promise<DeliveryChange & { readonly disabled: boolean }> {
  const { change, news, disable } = verdict;
  if (news !== 'nothing' || disable !== null) {
    return deps.db.inTransaction((tx) => recordWithEndpoint(deps, tx, delivery, attempt, verdict));
  }
  const recorded = await deps.deliveries.recordAttempt(delivery, attempt, change, deps.now());
  return { ...recorded, disabled: false };
}

/**
 * The endpoint's row before the delivery's, as everywhere: two that lock them both never wait for each other. An endpoint
 * that was given another address while this one was tried has said nothing yet.
 */
async function recordWithEndpoint(
  deps: DeliveryDeps,
  tx: Tx,
  delivery: DeliveryToSend,
  attempt: WebhookAttempt,
  { change, news, disable }: AttemptEvaluation,
): Promise<DeliveryChange & { readonly disabled: boolean }> {
  const { endpointId, url, failingSince } = delivery;
  const now = deps.now();
  const attempted = { id: endpointId, url, failingSince };
  if (news === 'recovered') await deps.endpoints.noteSuccess(tx, attempted);
  if (news === 'begins_to_fail') await deps.endpoints.noteFailure(tx, attempted, attempt.startedAt);
  const disabled = disable !== null && (await deps.endpoints.disable(tx, attempted, disable, now));
  const recorded = await deps.deliveries.recordAttempt(
    delivery,
    attempt,
    disabled ? FAILED : change,
    now,
    tx,
  );
  if (disabled) await deps.deliveries.failPendingOf(tx, endpointId);
  return { ...recorded, disabled };
}
