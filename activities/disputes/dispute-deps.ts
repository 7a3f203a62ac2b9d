import type { DisputeNewsReader } from '../../src/persistence/disputes/dispute-news';
import type { DisputeRepository } from '../../src/persistence/disputes/dispute-repository';
import type { PaymentDeps } from '../payments/payment-deps';
import type { Log } from '../shared/failures';

/** Dependencies of the dispute activities. The worker creates them once. */
export interface DisputeDeps extends Pick<
  PaymentDeps,
  'db' | 'payments' | 'attempts' | 'callbacks' | 'events' | 'startDeliveries'
> {
  readonly disputes: DisputeRepository;
  readonly disputeNews: DisputeNewsReader;
  readonly now: () => Date;
  readonly log: Log;
}
