import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { SubscriptionTransitionWriter } from '../application/subscriptions/transition-writer';
import type { Config } from '../config';
import { type Failpoint, createFailpoint } from '../failpoints';
import type { GatewayRegistries } from '../gateways/modes/registries';
import { AnswerBuffer } from '../gateways/unrecognized/answer-buffer';
import { Metrics } from '../metrics/metrics';
import { noSpans, type Spans } from '../tracing/spans';
import { CheckoutSessionRepository } from '../persistence/checkout/checkout-session-repository';
import { PaymentLinkRepository } from '../persistence/checkout/payment-link-repository';
import { ApiKeyRepository } from '../persistence/companies/api-key-repository';
import { AuditRepository } from '../persistence/companies/audit-repository';
import { CompanyConfigRepository } from '../persistence/companies/company-config-repository';
import { CompanyRepository } from '../persistence/companies/company-repository';
import { CustomerCardRepository } from '../persistence/customers/customer-card-repository';
import { NoteRepository } from '../persistence/notes/note-repository';
import { CustomerSearch } from '../persistence/customers/customer-search';
import { CustomerRepository } from '../persistence/customers/customer-repository';
import { GatewayCircuitRepository } from '../persistence/gateways/gateway-circuit-repository';
import { GatewayCredentialRepository } from '../persistence/gateways/gateway-credential-repository';
import { GatewayCardTokenRepository } from '../persistence/gateways/gateway-card-token-repository';
import { GatewayRepository } from '../persistence/gateways/gateway-repository';
import { GatewayLimitRepository } from '../persistence/gateways/gateway-limit-repository';
import { GatewaySecretRepository } from '../persistence/gateways/gateway-secret-repository';
import { RecipientAuthorizationRepository } from '../persistence/gateways/recipient-authorization-repository';
import { UnmatchedCallbackRepository } from '../persistence/gateways/unmatched-callback-repository';
import { UnrecognizedAnswerRepository } from '../persistence/gateways/unrecognized-answer-repository';
import { SubAccountRepository } from '../persistence/gateways/sub-account-repository';
import { initModels } from '../persistence/models';
import { GatewayAttemptRepository } from '../persistence/payments/gateway-attempt-repository';
import { DisputeEvidenceRepository } from '../persistence/disputes/dispute-evidence-repository';
import { DisputeNewsReader } from '../persistence/disputes/dispute-news';
import { DisputeRepository } from '../persistence/disputes/dispute-repository';
import { DisputeRequestRepository } from '../persistence/disputes/dispute-request-repository';
import { GatewayCallbackRepository } from '../persistence/payments/gateway-callback-repository';
import { ParkedCallbackRepository } from '../persistence/payments/parked-callback-repository';
import { ManualResolutionRepository } from '../persistence/payments/manual-resolution-repository';
import { IdempotencyRepository } from '../persistence/payments/idempotency-repository';
import { PaymentRepository } from '../persistence/payments/payment-repository';
import { CardFingerprintRepository } from '../persistence/payments/card-fingerprint-repository';
import { VaultCardRepository } from '../persistence/payments/vault-card-repository';
import { RestoredChargeRepository } from '../persistence/restore/restored-charge-repository';
import { RestoreState } from '../persistence/restore/restore-state';
import { CardDeclines } from '../persistence/read-models/card-declines';
import { connectDatabase } from '../persistence/sql/database';
import { Database, type Tx } from '../persistence/sql/transaction';
import { BillingCycleRepository } from '../persistence/subscriptions/billing-cycle-repository';
import { CouponRepository } from '../persistence/subscriptions/coupon-repository';
import { PlanRepository } from '../persistence/subscriptions/plan-repository';
import { SubscriptionCommandRepository } from '../persistence/subscriptions/subscription-command-repository';
import {
  type SubscriptionRecord,
  SubscriptionRepository,
} from '../persistence/subscriptions/subscription-repository';
import { EventRepository } from '../persistence/webhooks/event-repository';
import { WebhookDeliveryRepository } from '../persistence/webhooks/webhook-delivery-repository';
import { WebhookEndpointRepository } from '../persistence/webhooks/webhook-endpoint-repository';
import { WebhookReceiverRepository } from '../persistence/webhooks/webhook-receiver-repository';
import type { PersonalDataCipher } from '../domain/customers/personal-data';
import { CustomerDataCipher, lookupHash } from '../security/personal-data';
import { presentSubscription } from '../presenters/subscription';
import { presentSubscriptionEvent } from '../presenters/subscription-event';
import { CardFingerprints } from '../security/card-fingerprints';
import { CardVault } from '../security/card-vault';
import { EnvelopeCipher } from '../security/envelope';
import { GatewaySecretCipher } from '../security/gateway-secret-cipher';
import { createDataConverter, createTemporalClient } from '../temporal/client';
import { CurrentBuild } from '../temporal/current-build';
import { WorkerDeployment } from '../temporal/worker-deployment';
import { createMail, type MailContext } from './mail/create-mail';
import { createRegistries } from './drivers';
import { createSettlementStores, type SettlementStores } from './settlements/settlement-stores';

/** Dependencies that the API and the worker share. Created once per process; nothing is global. */
export interface AppContext extends SettlementStores, MailContext, SubscriptionContext {
  readonly db: Database;
  readonly companies: CompanyRepository;
  readonly companyApiKeys: ApiKeyRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly credentials: GatewayCredentialRepository;
  readonly gateways: GatewayRepository;
  readonly gatewaySecrets: GatewaySecretRepository;
  readonly secretCipher: GatewaySecretCipher;
  readonly circuits: GatewayCircuitRepository;
  readonly gatewayLimits: GatewayLimitRepository;
  readonly gatewayCardTokens: GatewayCardTokenRepository;
  readonly subAccounts: SubAccountRepository;
  readonly recipientAuthorizations: RecipientAuthorizationRepository;
  readonly customers: CustomerRepository;
  readonly customerSearch: CustomerSearch;
  readonly notes: NoteRepository;
  readonly customerCards: CustomerCardRepository;
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly links: PaymentLinkRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly resolutions: ManualResolutionRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly disputes: DisputeRepository;
  readonly disputeNews: DisputeNewsReader;
  readonly disputeRequests: DisputeRequestRepository;
  readonly disputeEvidence: DisputeEvidenceRepository;
  readonly parkedCallbacks: ParkedCallbackRepository;
  readonly unmatchedCallbacks: UnmatchedCallbackRepository;
  readonly unrecognizedAnswers: AnswerBuffer;
  readonly idempotency: IdempotencyRepository;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly receivers: WebhookReceiverRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly envelope: EnvelopeCipher;
  readonly cardFingerprints: CardFingerprints<Tx>;
  readonly vault: CardVault<Tx>;
  readonly registries: GatewayRegistries;
  readonly dataConverter: DataConverter;
  readonly temporal: Client;
  readonly currentBuild: CurrentBuild;
  readonly restoreState: RestoreState;
  readonly restoredCharges: RestoredChargeRepository;
  readonly failpoint: Failpoint;
  readonly metrics: Metrics;
  readonly spans: Spans;
  readonly now: () => Date;
}

export function createAppContext(config: Config, spans: Spans = noSpans): AppContext {
  const sequelize = connectDatabase(required(config.databaseUrl, 'DATABASE_URL'), config.databasePool);
  initModels(sequelize);
  const db = new Database(sequelize, spans);
  const metrics = new Metrics();
  db.observePoolWaits((seconds) => metrics.waitedForConnection(seconds));
  const envelope = new EnvelopeCipher(config.secrets.encryptionKeys);
  const cipher = new CustomerDataCipher(envelope);
  const cardFingerprints = new CardFingerprints(
    new CardFingerprintRepository(db),
    config.secrets.fingerprintKeys,
  );
  const hash = lookupHash(config.secrets.fingerprintKeys);
  const dataConverter = createDataConverter(config.secrets.codecKeys);
  const address = required(config.temporal.address, 'TEMPORAL_ADDRESS');
  const temporal = createTemporalClient(
    { address, namespace: config.temporal.namespace },
    dataConverter,
    spans,
  );
  const [plans, coupons] = [new PlanRepository(db), new CouponRepository(db)];
  const links = new PaymentLinkRepository(db, plans);
  const repositories = {
    plans,
    coupons,
    links,
    checkoutSessions: new CheckoutSessionRepository(db, { links, plans, coupons }, envelope, hash),
    customers: new CustomerRepository(db, cipher, hash),
    payments: new PaymentRepository(db, cipher),
    events: new EventRepository(db, cipher),
  };
  const restore = {
    restoreState: new RestoreState(db),
    restoredCharges: new RestoredChargeRepository(db),
  };
  return {
    db,
    ...repositories,
    companies: new CompanyRepository(db),
    companyApiKeys: new ApiKeyRepository(db),
    companyConfigs: new CompanyConfigRepository(db),
    credentials: new GatewayCredentialRepository(db),
    gateways: new GatewayRepository(db),
    gatewaySecrets: new GatewaySecretRepository(db),
    gatewayLimits: new GatewayLimitRepository(db),
    gatewayCardTokens: new GatewayCardTokenRepository(db),
    secretCipher: new GatewaySecretCipher(envelope, config.secrets.fingerprintKeys),
    circuits: new GatewayCircuitRepository(db),
    subAccounts: new SubAccountRepository(db),
    recipientAuthorizations: new RecipientAuthorizationRepository(db),
    notes: new NoteRepository(db, cipher),
    customerSearch: new CustomerSearch(db, repositories.customers, hash),
    customerCards: new CustomerCardRepository(db, cipher),
    attempts: new GatewayAttemptRepository(db),
    resolutions: new ManualResolutionRepository(db),
    callbacks: new GatewayCallbackRepository(db),
    disputes: new DisputeRepository(db),
    disputeNews: new DisputeNewsReader(db),
    disputeRequests: new DisputeRequestRepository(db),
    disputeEvidence: new DisputeEvidenceRepository(db, cipher),
    ...createSettlementStores(db),
    parkedCallbacks: new ParkedCallbackRepository(db),
    unmatchedCallbacks: new UnmatchedCallbackRepository(db),
    unrecognizedAnswers: createAnswerBuffer(db),
    idempotency: new IdempotencyRepository(db, cipher),
    audit: new AuditRepository(db),
    endpoints: new WebhookEndpointRepository(db),
    receivers: new WebhookReceiverRepository(db, cipher),
    deliveries: new WebhookDeliveryRepository(db, cipher),
    ...createMail(config, db),
    ...createSubscriptionContext(db, { ...repositories, ...restore }, cipher),
    envelope,
    cardFingerprints,
    vault: new CardVault(new VaultCardRepository(db), envelope, cardFingerprints),
    registries: createRegistries(config, (call) => metrics.gatewayCalled(call), spans),
    dataConverter,
    temporal,
    currentBuild: new CurrentBuild(
      config.temporal.buildId,
      new WorkerDeployment(temporal, config.temporal.taskQueue),
    ),
    ...restore,
    metrics,
    spans,
    failpoint: createFailpoint(config.failpointsDir),
    now: () => new Date(),
  };
}

function createAnswerBuffer(db: Database): AnswerBuffer {
  const repository = new UnrecognizedAnswerRepository(db);
  return new AnswerBuffer(({ answer, count }) => repository.count(answer, count));
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

/** Dependencies for subscriptions that the API and the worker share. */
export interface SubscriptionContext {
  readonly cycles: BillingCycleRepository;
  readonly subscriptionCommands: SubscriptionCommandRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly cardDeclines: CardDeclines;
  readonly transitionWriter: SubscriptionTransitionWriter;
  readonly presentSubscription: (subscription: SubscriptionRecord) => object;
}

interface SharedRepositories {
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly customers: CustomerRepository;
  readonly payments: PaymentRepository;
  readonly events: EventRepository;
  readonly restoreState: RestoreState;
  readonly restoredCharges: RestoredChargeRepository;
}

export function createSubscriptionContext(
  db: Database,
  repositories: SharedRepositories,
  cipher: PersonalDataCipher,
): SubscriptionContext {
  const cycles = new BillingCycleRepository(db);
  const commands = new SubscriptionCommandRepository(db, cipher);
  const subscriptions = new SubscriptionRepository(db, { ...repositories, cycles, commands }, cipher);
  const presentEvent = presentSubscriptionEvent;
  return {
    cycles,
    subscriptionCommands: commands,
    subscriptions,
    cardDeclines: new CardDeclines(db),
    transitionWriter: new SubscriptionTransitionWriter({
      ...repositories,
      subscriptions,
      cycles,
      presentEvent,
    }),
    presentSubscription: (subscription) => ({ data: presentSubscription(subscription) }),
  };
}
