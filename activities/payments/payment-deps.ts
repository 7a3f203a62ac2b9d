import type { HttpAnswer } from '../../src/domain/shared/http-answer';
import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import type { GatewayHttp } from '../../src/gateways/http';
import type { GatewayRegistries } from '../../src/gateways/modes/registries';
import type { UnrecognizedAnswers } from '../../src/gateways/unrecognized/answer-buffer';
import type { Failpoint } from '../../src/failpoints';
import type { AuditRepository } from '../../src/persistence/companies/audit-repository';
import type { CheckoutSessionRepository } from '../../src/persistence/checkout/checkout-session-repository';
import type { ReceiptRepository } from '../../src/persistence/checkout/receipt-repository';
import type { DisputeRepository } from '../../src/persistence/disputes/dispute-repository';
import type { EventRepository } from '../../src/persistence/webhooks/event-repository';
import type {
  DeliveryToStart,
  WebhookDeliveryRepository,
} from '../../src/persistence/webhooks/webhook-delivery-repository';
import type { CustomerCardRepository } from '../../src/persistence/customers/customer-card-repository';
import type { GatewayAttemptRepository } from '../../src/persistence/payments/gateway-attempt-repository';
import type { GatewayCallbackRepository } from '../../src/persistence/payments/gateway-callback-repository';
import type { GatewayCircuitRepository } from '../../src/persistence/gateways/gateway-circuit-repository';
import type { GatewayCredentialRepository } from '../../src/persistence/gateways/gateway-credential-repository';
import type { GatewayCardTokenRepository } from '../../src/persistence/gateways/gateway-card-token-repository';
import type { GatewayRepository } from '../../src/persistence/gateways/gateway-repository';
import type { ManualResolutionRepository } from '../../src/persistence/payments/manual-resolution-repository';
import type { IdempotencyRepository } from '../../src/persistence/payments/idempotency-repository';
import type { GatewayLimitRepository } from '../../src/persistence/gateways/gateway-limit-repository';
import type { RecipientAuthorizationRepository } from '../../src/persistence/gateways/recipient-authorization-repository';
import type { GatewaySecretRepository } from '../../src/persistence/gateways/gateway-secret-repository';
import type { PaymentRepository } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionToStart } from '../../src/domain/subscriptions/subscription-start';
import type { SubscriptionRepository } from '../../src/persistence/subscriptions/subscription-repository';
import type { RestoreState } from '../../src/persistence/restore/restore-state';
import type { RestoredChargeRepository } from '../../src/persistence/restore/restored-charge-repository';
import type { CardDeclines } from '../../src/persistence/read-models/card-declines';
import type { Database, Tx } from '../../src/persistence/sql/transaction';
import type { Log } from '../shared/failures';
import type { CardVault } from '../../src/security/card-vault';
import type { GatewaySecretCipher } from '../../src/security/gateway-secret-cipher';
import type { EnvelopeCipher } from '../../src/security/envelope';

/** Dependencies of the payment activities. The worker creates them once. */
export interface PaymentDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly resolutions: ManualResolutionRepository;
  readonly idempotency: IdempotencyRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly disputes: Pick<DisputeRepository, 'listByPayment'>;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
  readonly deliveries: WebhookDeliveryRepository;
  /** Starts the workflows of committed deliveries and returns at once. The sweeper starts those that fail. */
  readonly startDeliveries: (deliveries: readonly DeliveryToStart[]) => void;
  readonly subscriptions: Pick<SubscriptionRepository, 'requestWake'>;
  readonly checkoutSessions: Pick<CheckoutSessionRepository, 'release' | 'holdMoney'>;
  readonly receipts: Pick<ReceiptRepository, 'request'>;
  /**
   * Signals a subscription's workflow that its charge has a result, and returns at once. The sweeper signals after a failure.
   * Null inside a step of the subscription, which goes on with the result.
   */
  readonly wakeSubscription: ((subscription: SubscriptionToStart) => void) | null;
  readonly cardDeclines: CardDeclines;
  readonly circuits: GatewayCircuitRepository;
  readonly gateways: GatewayRepository;
  readonly credentials: Pick<GatewayCredentialRepository, 'lockAll'>;
  readonly gatewaySecrets: GatewaySecretRepository;
  readonly recipientAuthorizations: Pick<RecipientAuthorizationRepository, 'findSecret'>;
  readonly gatewayLimits: GatewayLimitRepository;
  readonly gatewayCardTokens: GatewayCardTokenRepository;
  readonly secretCipher: GatewaySecretCipher;
  readonly customerCards: CustomerCardRepository;
  readonly vault: CardVault<Tx>;
  readonly envelope: EnvelopeCipher;
  readonly registries: GatewayRegistries;
  /** The platform gateways that a company may use. */
  readonly platformSlugs: (companyId: number) => Promise<GatewaySlug[]>;
  readonly http: GatewayHttp;
  readonly unrecognizedAnswers: UnrecognizedAnswers;
  readonly callers: WaitingCallers;
  readonly restoreState: Pick<
    RestoreState,
    'isInProgress' | 'hasLostCharges' | 'hasImportedCharges' | 'restoredTo'
  >;
  readonly restoredCharges: RestoredChargeRepository;
  readonly settings: PaymentSettings;
  readonly failpoint: Failpoint;
  readonly now: () => Date;
  readonly log: Log;
}

/** Those who wait in this process for a payment's result, while its first attempt is made here. A worker process has none. */
export interface WaitingCallers {
  /** Answers those who wait for a payment or, by its attempt id, an operation. Call it when the answer is committed. */
  answer(id: string, answer: HttpAnswer): void;
  /** Lets those who still wait get the result from the workflow. Call it when the first attempt has ended. */
  release(transactionId: string): void;
}

/** Durations in ms. */
export interface PaymentSettings {
  readonly gatewayTimeoutMs: number;
  readonly sendWindowMs: number;
  readonly absenceProvenAfterMs: number;
  readonly stuckAfterMs: number;
  readonly maxAttempts: number;
  readonly circuitOpenForMs: number;
  /** Minimum interval between inquiries triggered by unsigned callbacks. */
  readonly hintPauseMs: number;
  /** Base URL of the pix QR code images. */
  readonly publicBaseUrl: string;
}
