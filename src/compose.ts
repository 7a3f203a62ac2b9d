import type { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { composeMail, type MailParts } from './compose-mail';
import { composeSubscriptionParts, type SubscriptionParts } from './compose-subscription-parts';
import type { Config } from './config';
import { createFailpoint, type Failpoint } from './failpoints';
import { GATEWAY_SLUGS, type GatewaySlug } from './domain/gateway-slug';
import type { GatewayDriver } from './gateways/gateway';
import { GatewayRegistry } from './gateways/registry';
import { SimulatorDriver } from './gateways/simulator/driver';
import { AuditRepository } from './persistence/audit-repository';
import { CheckoutSessionRepository } from './persistence/checkout-session-repository';
import { CompanyConfigRepository } from './persistence/company-config-repository';
import { CompanyRepository } from './persistence/company-repository';
import { CouponRepository } from './persistence/coupon-repository';
import { CustomerCardRepository } from './persistence/customer-card-repository';
import { CustomerRepository } from './persistence/customer-repository';
import { connectDatabase } from './persistence/database';
import { EventRepository } from './persistence/event-repository';
import { GatewayAttemptRepository } from './persistence/gateway-attempt-repository';
import { GatewayCallbackRepository } from './persistence/gateway-callback-repository';
import { GatewayCircuitRepository } from './persistence/gateway-circuit-repository';
import { GatewayCredentialRepository } from './persistence/gateway-credential-repository';
import { GatewayRepository } from './persistence/gateway-repository';
import { IdempotencyRepository } from './persistence/idempotency-repository';
import { initModels } from './persistence/models';
import { PaymentLinkRepository } from './persistence/payment-link-repository';
import { PaymentRepository } from './persistence/payment-repository';
import { PlanRepository } from './persistence/plan-repository';
import { SubAccountRepository } from './persistence/sub-account-repository';
import { Database, type Tx } from './persistence/transaction';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery-repository';
import { WebhookEndpointRepository } from './persistence/webhook-endpoint-repository';
import { VaultCardRepository } from './persistence/vault-card-repository';
import { CardVault } from './security/card-vault';
import { Envelope } from './security/envelope';
import { createDataConverter, createTemporalClient } from './temporal/client';

/** What the API and the worker have in common. Built once in each process; nothing here is global. */
export interface Parts extends MailParts, SubscriptionParts {
  readonly db: Database;
  readonly companies: CompanyRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly credentials: GatewayCredentialRepository;
  readonly gateways: GatewayRepository;
  readonly circuits: GatewayCircuitRepository;
  readonly subAccounts: SubAccountRepository;
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly links: PaymentLinkRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly idempotency: IdempotencyRepository;
  readonly events: EventRepository;
  readonly audit: AuditRepository;
  readonly endpoints: WebhookEndpointRepository;
  readonly deliveries: WebhookDeliveryRepository;
  readonly envelope: Envelope;
  readonly vault: CardVault<Tx>;
  readonly registry: GatewayRegistry;
  readonly dataConverter: DataConverter;
  readonly temporal: Client;
  readonly failpoint: Failpoint;
  readonly now: () => Date;
}

export function composeParts(config: Config): Parts {
  const sequelize = connectDatabase(required(config.databaseUrl, 'DATABASE_URL'), config.databasePool);
  initModels(sequelize);
  const db = new Database(sequelize);
  const envelope = new Envelope(config.secrets.encryptionKeys);
  const dataConverter = createDataConverter(config.secrets.codecKeys);
  const address = required(config.temporal.address, 'TEMPORAL_ADDRESS');
  const [plans, coupons] = [new PlanRepository(db), new CouponRepository(db)];
  const links = new PaymentLinkRepository(db, plans);
  const owners = {
    plans,
    coupons,
    links,
    checkoutSessions: new CheckoutSessionRepository(db, { links, plans, coupons }),
    customers: new CustomerRepository(db),
    payments: new PaymentRepository(db),
    events: new EventRepository(db),
  };
  return {
    db,
    ...owners,
    companies: new CompanyRepository(db),
    companyConfigs: new CompanyConfigRepository(db),
    credentials: new GatewayCredentialRepository(db),
    gateways: new GatewayRepository(db),
    circuits: new GatewayCircuitRepository(db),
    subAccounts: new SubAccountRepository(db),
    customerCards: new CustomerCardRepository(db),
    attempts: new GatewayAttemptRepository(db),
    callbacks: new GatewayCallbackRepository(db),
    idempotency: new IdempotencyRepository(db),
    audit: new AuditRepository(db),
    endpoints: new WebhookEndpointRepository(db),
    deliveries: new WebhookDeliveryRepository(db),
    ...composeMail(config, db),
    ...composeSubscriptionParts(db, owners),
    envelope,
    vault: new CardVault(new VaultCardRepository(db), envelope, config.secrets.fingerprintKey),
    registry: new GatewayRegistry({ drivers: drivers(), ...config.gateways }),
    dataConverter,
    temporal: createTemporalClient({ address, namespace: config.temporal.namespace }, dataConverter),
    failpoint: createFailpoint(config.failpointsDir),
    now: () => new Date(),
  };
}

/** Which protocol each slug speaks in this deployment. */
function drivers(): ReadonlyMap<GatewaySlug, GatewayDriver> {
  const simulator = new SimulatorDriver();
  return new Map(GATEWAY_SLUGS.map((slug) => [slug, simulator]));
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
