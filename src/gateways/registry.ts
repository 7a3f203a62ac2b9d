import { isOpen, type Circuit } from '../domain/routing/circuit';
import { GATEWAY_SLUGS, supportsAuthorizeOnly, type GatewaySlug } from '../domain/shared/gateway-slug';
import { CLIENT_ID_FIELD, type CredentialField } from '../domain/routing/credential-fields';
import type { AccountFeature } from '../domain/routing/learned-limits';
import type { Capabilities, RoutableGateway } from '../domain/routing/routing';
import { splitLimit } from '../domain/routing/split-support';
import { wholeTo } from '../domain/payments/split';
import type { GatewaySecretId } from '../domain/shared/ids';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { Endpoints } from './driver-names';
import type { GatewayDriver } from './gateway';
import type { GatewayAccount } from '../domain/routing/gateway-account';

export interface GatewayRegistryOptions {
  readonly drivers: ReadonlyMap<GatewaySlug, GatewayDriver>;
  readonly endpoints: ReadonlyMap<GatewaySlug, Endpoints>;
  /** Configured slugs that this deployment does not offer for new payments. */
  readonly inactive: ReadonlySet<GatewaySlug>;
  /** `client_id`s of the companies that may use the platform gateways. */
  readonly platformCompanies: ReadonlySet<string>;
  /** The platform's key. It creates recipients, charges for sub-accounts and charges at the platform gateways. */
  readonly platformSecret: string;
  /** Gateways at which the platform's account is another one than `platformSecret`. */
  readonly platformAccounts?: ReadonlyMap<GatewaySlug, GatewayAccount>;
  /** The deployment's callback secrets by slug; several during a rotation. */
  readonly webhookSecrets: ReadonlyMap<GatewaySlug, readonly string[]>;
}

/** An encrypted secret of a company at a gateway. */
export interface GatewaySecret {
  readonly id: GatewaySecretId;
  readonly fingerprint: string;
  readonly sealedValues: SealedValue;
  readonly clientId: string | null;
}

/** What a call to a gateway is made with. `secret` is null for the platform's key. */
export interface GatewayAccess {
  readonly slug: GatewaySlug;
  readonly secret: GatewaySecret | null;
  readonly clientId: string | null;
  /** What the gateway gave for the card of the charge. Omitted without one. */
  readonly cardToken?: SealedValue;
}

/** An enabled gateway of a company, as stored. */
export interface StoredGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  readonly credentialId: number | null;
  /** The secret of new charges. Null if the platform's secret is used. */
  readonly secret: (GatewaySecret & { readonly isAccepted: boolean; readonly isUsed: boolean }) | null;
  readonly clientId: string | null;
  /** Set if the credential is a sub-account: charges use the platform's key and split the whole amount to this recipient. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** The company's active recipients at this gateway. */
  readonly recipientIds: readonly string[];
  /** What the account lacks, by the gateway's answer to a recent charge (`LearnedLimit`). */
  readonly lackedFeatures: readonly AccountFeature[];
  readonly circuit: Circuit;
  /** What the account there gave for the payment's card. Omitted without one. */
  readonly cardToken?: SealedValue;
}

/** A gateway that a company may charge through, with the credentials of the driver's calls. */
export type CompanyGateway = StoredGateway & RoutableGateway;

/** Platform gateways: they settle through the platform's account and take no company credentials (docs/decisions/gateway-accounts.md). */
const PLATFORM_SLUGS: readonly GatewaySlug[] = ['gateway_6', 'gateway_7'];

export function isPlatformSlug(slug: GatewaySlug): boolean {
  return PLATFORM_SLUGS.includes(slug);
}

/** The drivers, endpoints and capabilities of this deployment's gateways. */
export class GatewayRegistry {
  constructor(private readonly options: GatewayRegistryOptions) {
    for (const [slug, driver] of options.drivers) assertProvenTruth(slug, driver);
  }

  /** Whether the gateway has a driver and its endpoints, offered or not. Past charges there can still be operated on. */
  isConfigured(slug: GatewaySlug): boolean {
    const { drivers, endpoints } = this.options;
    return drivers.has(slug) && endpoints.has(slug);
  }

  /** Whether the gateway takes new payments. */
  isOffered(slug: GatewaySlug): boolean {
    return this.isConfigured(slug) && !this.options.inactive.has(slug);
  }

  /** Also for a slug that is no longer offered: its past charges can still be captured, refunded and inquired about. */
  driver(slug: GatewaySlug): GatewayDriver {
    return required(this.options.drivers.get(slug), `no driver for ${slug}`);
  }

  endpoints(slug: GatewaySlug): Endpoints {
    return required(this.options.endpoints.get(slug), `no endpoints of ${slug}`);
  }

  /** The deployment's callback secrets, accepted in addition to the company's. */
  webhookSecrets(slug: GatewaySlug): readonly string[] {
    return this.options.webhookSecrets.get(slug) ?? [];
  }

  /** The account that charges and creates recipients where a company has none of its own. */
  platformAccount(slug: GatewaySlug): GatewayAccount {
    const { platformAccounts, platformSecret } = this.options;
    return (
      platformAccounts?.get(slug) ?? {
        values: { secretKey: platformSecret, credentials: {} },
        clientId: null,
      }
    );
  }

  /**
   * What the credentials of a company at the gateway consist of. A public value that recipients need is the platform's: with another one
   * a company would split payments to recipients that do not exist there.
   */
  credentialFields(slug: GatewaySlug): readonly CredentialField[] {
    const fields = this.options.drivers.get(slug)?.credentialFields ?? [];
    return fields.map((field) => {
      const { [field.name]: value = '' } = this.platformAccount(slug).values.credentials;
      if (field.neededForRecipients !== true || field.secret || value === '') return field;
      const pattern = new RegExp(`^${value.replaceAll(/\W/g, String.raw`\$&`)}$`);
      return { ...field, shape: { pattern, rule: `must be ${value}, to which the recipients belong` } };
    });
  }

  /** What the platform's account at the gateway consists of. */
  platformFields(slug: GatewaySlug): readonly CredentialField[] {
    const { credentialFields = [], platformFields = [] } = this.options.drivers.get(slug) ?? {};
    return [...credentialFields, ...platformFields];
  }

  /** The driver's capabilities, limited by what the slug and the platform's account allow. */
  capabilities(slug: GatewaySlug): Capabilities {
    const supported = this.driver(slug).capabilities(slug);
    return {
      ...supported,
      authorizeOnly: supported.authorizeOnly && supportsAuthorizeOnly(slug),
      subAccounts: supported.subAccounts && this.missingForRecipients(slug) === null,
    };
  }

  /**
   * The first value that the platform's account lacks to create recipients; null if it has all. Owners can authorize only a platform
   * with an application.
   */
  missingForRecipients(slug: GatewaySlug): string | null {
    const { values, clientId } = this.platformAccount(slug);
    if (this.driver(slug).recipientAuthorization !== undefined && clientId === null) return CLIENT_ID_FIELD;
    const needed = this.platformFields(slug).filter(({ neededForRecipients }) => neededForRecipients);
    return needed.find(({ name }) => (values.credentials[name] ?? '') === '')?.name ?? null;
  }

  /** The offered gateways among a company's stored gateways. */
  routable(stored: readonly StoredGateway[], now: Date): CompanyGateway[] {
    return stored
      .filter(({ slug }) => this.isOffered(slug))
      .map((gateway) => ({
        ...gateway,
        capabilities: this.capabilities(gateway.slug),
        circuitOpen: isOpen(gateway.circuit, now),
        hasCardToken: gateway.cardToken !== undefined,
      }));
  }

  /** Whether any company may use the platform gateways. */
  get hasPlatformCompanies(): boolean {
    return this.options.platformCompanies.size > 0;
  }

  /** The platform gateways that this company may use. */
  platformSlugs(clientId: string): GatewaySlug[] {
    if (!this.options.platformCompanies.has(clientId)) return [];
    return GATEWAY_SLUGS.filter((slug) => PLATFORM_SLUGS.includes(slug) && this.isOffered(slug));
  }
}

/**
 * Anybody can send a callback, so one that no signature covers must never count as a fact. A company knows the secret of its own
 * callbacks, so it must not be able to sign facts about charges of the platform's account, either.
 */
function assertProvenTruth(slug: GatewaySlug, driver: GatewayDriver): void {
  const { kind, coversBody } = driver.callbackProof;
  const { truth, subAccounts, ...support } = driver.capabilities(slug);
  if (truth !== 'signed_callback') return;
  if (kind !== 'signature' || !coversBody)
    throw new Error(`${driver.name} takes callbacks as facts, but no signature covers their body`);
  // Only a credential that is a sub-account charges with the platform's account.
  if (subAccounts && splitLimit(support, [wholeTo('')]) === null)
    throw new Error(
      `${driver.name} takes callbacks as facts, and companies could sign them for the platform`,
    );
}

function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}
