import type { DisputeEvidenceRepository } from '../../src/persistence/disputes/dispute-evidence-repository';
import type { DisputeNewsReader } from '../../src/persistence/disputes/dispute-news';
import type { DisputeRepository } from '../../src/persistence/disputes/dispute-repository';
import type { DisputeRequestRepository } from '../../src/persistence/disputes/dispute-request-repository';
import type { CompanyConfigRepository } from '../../src/persistence/companies/company-config-repository';
import type { SubscriptionCommandRepository } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { SubscriptionRepository } from '../../src/persistence/subscriptions/subscription-repository';
import type { PaymentDeps } from '../payments/payment-deps';

/** Dependencies of the dispute activities. The worker creates them once. */
export interface DisputeDeps extends PaymentDeps {
  readonly disputes: DisputeRepository;
  readonly disputeNews: DisputeNewsReader;
  readonly disputeRequests: DisputeRequestRepository;
  readonly disputeEvidence: DisputeEvidenceRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly subscriptions: Pick<SubscriptionRepository, 'lock' | 'requestWake'>;
  readonly subscriptionCommands: SubscriptionCommandRepository;
}
