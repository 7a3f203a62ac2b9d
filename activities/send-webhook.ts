import {
  hasFailedTooLong,
  nextPauseMs,
  parseRetryAfter,
  type RetrySchedule,
} from '../src/domain/retry-schedule';
import type { WebhookAttempt } from '../src/domain/webhook-attempt';
import { TEST_EVENT } from '../src/domain/webhook-event';
import type {
  DeliveryChange,
  DeliveryToSend,
  WebhookDeliveryRepository,
} from '../src/persistence/webhook-delivery-repository';
import type {
  DisabledReason,
  WebhookEndpoint,
  WebhookEndpointRepository,
} from '../src/persistence/webhook-endpoint-repository';
import type { Database, Tx } from '../src/persistence/transaction';
import type { Failpoint } from '../src/failpoints';
import type { Envelope } from '../src/security/envelope';
import { NoAnswer, type SafeAnswer, type SafeFetch } from '../src/security/safe-fetch';
import { sealedPlaces } from '../src/security/sealed-places';
import { webhookHeaders } from '../src/security/webhook-signature';
import type { DeliveryInput, DeliveryStep } from '../workflows/messages';
import type { EndpointSlots } from './endpoint-slots';
import type { Log } from './log';

/** What the delivery activities work with; built once by the worker. */
export interface DeliveryDeps {
  readonly db: Database;
  readonly deliveries: WebhookDeliveryRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly envelope: Envelope;
  readonly safeFetch: Pick<SafeFetch, 'post'>;
  readonly slots: EndpointSlots;
  readonly retrySchedule: RetrySchedule;
  /** Tells a company's people that the service has turned their endpoint off. */
  readonly tellEndpointDisabled: (endpoint: WebhookEndpoint) => Promise<void>;
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

interface Verdict {
  readonly change: DeliveryChange;
  /** Counts for or against the endpoint; null for a failed test event. */
  readonly works: boolean | null;
  readonly disable: DisabledReason | null;
}

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
  const verdict = judge(deps, delivery, outcome);
  await record(deps, delivery, attempt, verdict);
  const { status, nextRetryAt } = verdict.change;
  return {
    status,
    attempts: attempt.number,
    answer: attempt.error ?? String(attempt.statusCode),
    pauseMs: nextRetryAt && nextRetryAt.getTime() - deps.now().getTime(),
    tellDisabled: verdict.disable !== null,
  };
}

function ended(delivery: DeliveryToSend): DeliveryStep {
  const { status, retryCount, disabledReason, disabledToldAt } = delivery;
  return {
    status,
    attempts: retryCount,
    answer: null,
    pauseMs: null,
    tellDisabled: disabledReason !== null && disabledToldAt === null,
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
  { companyId, endpointId, sealedSecret, sealedOldSecret, oldSecretUntil }: DeliveryToSend,
  now: Date,
): Promise<string[]> {
  const oldSigns = sealedOldSecret !== null && oldSecretUntil !== null && now < oldSecretUntil;
  const sealed = oldSigns ? [sealedSecret, sealedOldSecret] : [sealedSecret];
  const place = sealedPlaces.endpointSecret(companyId, endpointId);
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

function judge(deps: DeliveryDeps, delivery: DeliveryToSend, outcome: Outcome): Verdict {
  const statusCode = outcome.kind === 'answer' ? outcome.answer.statusCode : null;
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) {
    return { change: { status: 'delivered', nextRetryAt: null }, works: true, disable: null };
  }
  const failed = { status: 'failed', nextRetryAt: null } as const;
  if (statusCode === GONE) return { change: failed, works: false, disable: 'gone' };
  if (delivery.event === TEST_EVENT) return { change: failed, works: null, disable: null };
  const now = deps.now();
  if (hasFailedTooLong(delivery.failingSince, now)) {
    return { change: failed, works: false, disable: 'failing' };
  }
  const pause = nextPauseMs(deps.retrySchedule, {
    attempts: delivery.retryCount + 1,
    retryAfterMs: outcome.kind === 'answer' ? parseRetryAfter(outcome.answer.retryAfter, now) : null,
    random: deps.random(),
  });
  const change =
    pause === null ? failed : ({ status: 'pending', nextRetryAt: new Date(now.getTime() + pause) } as const);
  return { change, works: false, disable: null };
}

/** Most attempts say nothing new of their endpoint: then the delivery's own row is all there is to write. */
async function record(
  deps: DeliveryDeps,
  delivery: DeliveryToSend,
  attempt: WebhookAttempt,
  verdict: Verdict,
): Promise<void> {
  if (saysSomethingNew(delivery, verdict)) {
    await deps.db.inTransaction((tx) => recordWithEndpoint(deps, tx, delivery, attempt, verdict));
  } else {
    await deps.deliveries.recordAttempt(delivery.id, attempt, verdict.change, deps.now());
  }
}

function saysSomethingNew({ failingSince }: DeliveryToSend, { works, disable }: Verdict): boolean {
  return disable !== null || (works !== null && works === (failingSince !== null));
}

/** The endpoint's row before the delivery's, as everywhere: two that lock them both never wait for each other. */
async function recordWithEndpoint(
  deps: DeliveryDeps,
  tx: Tx,
  { id, endpointId }: DeliveryToSend,
  attempt: WebhookAttempt,
  { change, works, disable }: Verdict,
): Promise<void> {
  const now = deps.now();
  if (works === true) await deps.endpoints.noteSuccess(tx, endpointId);
  if (works === false) await deps.endpoints.noteFailure(tx, endpointId, attempt.startedAt);
  const disabled = disable !== null && (await deps.endpoints.disable(tx, endpointId, disable, now));
  await deps.deliveries.recordAttempt(id, attempt, change, now, tx);
  if (disabled) await deps.deliveries.failPendingOf(tx, endpointId);
}
