import type { RetrySchedule } from '../../src/domain/webhooks/retry-schedule';
import type { Failpoint } from '../../src/failpoints';
import type { Database } from '../../src/persistence/sql/transaction';
import type { WebhookDeliveryRepository } from '../../src/persistence/webhooks/webhook-delivery-repository';
import type {
  WebhookEndpoint,
  WebhookEndpointRepository,
} from '../../src/persistence/webhooks/webhook-endpoint-repository';
import type { EnvelopeCipher } from '../../src/security/envelope';
import type { SafeFetch } from '../../src/security/safe-fetch';
import type { Spans } from '../../src/tracing/spans';
import type { Log } from '../shared/failures';
import type { DeliveryLimiter } from './delivery-limiter';

/** An attempt that has ended, for metrics. */
export interface ObservedDelivery {
  /** Of the response; null without one. */
  readonly status: number | null;
  readonly isRetry: boolean;
  readonly seconds: number;
}

/** The dependencies of the delivery activities; built once by the worker. */
export interface DeliveryDeps {
  readonly db: Database;
  readonly deliveries: WebhookDeliveryRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly envelope: EnvelopeCipher;
  readonly safeFetch: Pick<SafeFetch, 'post'>;
  readonly limiter: DeliveryLimiter;
  readonly retrySchedule: RetrySchedule;
  /** Notifies a company's users that their endpoint was disabled. */
  readonly notifyEndpointDisabled: (endpoint: WebhookEndpoint) => Promise<void>;
  readonly spans: Spans;
  readonly observeDelivery: (attempt: ObservedDelivery) => void;
  /** In [0, 1). */
  readonly random: () => number;
  readonly failpoint: Failpoint;
  readonly now: () => Date;
  readonly log: Log;
}
