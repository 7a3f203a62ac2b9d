import { isOpen, type Circuit } from '../domain/routing/circuit';
import { GATEWAY_SLUGS, mayAuthorizeOnly, type GatewaySlug } from '../domain/shared/gateway-slug';
import type { Capabilities, RoutableGateway } from '../domain/routing/routing';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { GatewayDriver } from './gateway';

export interface GatewayRegistryOptions {
  readonly drivers: ReadonlyMap<GatewaySlug, GatewayDriver>;
  /** Where each slug's driver calls. */
  readonly baseUrls: ReadonlyMap<GatewaySlug, string>;
  /** Slugs this deployment does not offer, though it could. */
  readonly inactive: ReadonlySet<GatewaySlug>;
  /** The `client_id`s of companies that may use the platform's own gateways. */
  readonly platformCompanies: ReadonlySet<string>;
  /** The platform's key: makes recipients, and charges for sub-accounts and at the platform's own gateways. */
  readonly platformSecret: string;
  /** What each slug's callbacks to this deployment may be signed with: several while a secret is replaced. */
  readonly webhookSecrets: ReadonlyMap<GatewaySlug, readonly string[]>;
}

/** An enabled gateway of a company, as stored. */
export interface StoredGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  readonly credentialId: number | null;
  /** Null where the platform's own secret is used. */
  readonly sealedSecret: SealedValue | null;
  readonly clientId: string | null;
  /** The same for the same account at the gateway: an attempt is asked about only where it was sent. */
  readonly accountFingerprint: string;
  /** Set when the credential is a sub-account: charges use the platform's key and give this recipient everything. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** Active recipients the company holds there. */
  readonly recipientIds: readonly string[];
  readonly circuit: Circuit;
}

/** A gateway a company may charge through, with what its driver needs to be called. */
export type CompanyGateway = StoredGateway & RoutableGateway;

/** These take no company credentials: they settle through the platform's own account (decisions, section 6). */
const PLATFORM_SLUGS: readonly GatewaySlug[] = ['gateway_6', 'gateway_7'];

export function isPlatformSlug(slug: GatewaySlug): boolean {
  return PLATFORM_SLUGS.includes(slug);
}

/** Which driver speaks for a slug in this deployment, where it calls, and what it may do. */
export class GatewayRegistry {
  readonly platformSecret: string;

  constructor(private readonly options: GatewayRegistryOptions) {
    this.platformSecret = options.platformSecret;
  }

  /** Whether it is a gateway of this deployment, offered or not: what was charged there goes on. */
  knows(slug: GatewaySlug): boolean {
    const { drivers, baseUrls } = this.options;
    return drivers.has(slug) && baseUrls.has(slug);
  }

  /** Whether payments can be sent there now. */
  offered(slug: GatewaySlug): boolean {
    return this.knows(slug) && !this.options.inactive.has(slug);
  }

  /** Also for a slug that is no longer offered: its past charges are still captured, refunded and asked about. */
  driver(slug: GatewaySlug): GatewayDriver {
    return present(this.options.drivers.get(slug), `no driver for ${slug}`);
  }

  baseUrl(slug: GatewaySlug): string {
    return present(this.options.baseUrls.get(slug), `no address for ${slug}`);
  }

  /** The deployment's own, accepted beside a company's. */
  webhookSecrets(slug: GatewaySlug): readonly string[] {
    return this.options.webhookSecrets.get(slug) ?? [];
  }

  /** What the driver can do AND the slug may do. */
  capabilities(slug: GatewaySlug): Capabilities {
    const able = this.driver(slug).capabilities(slug);
    return { ...able, authorizeOnly: able.authorizeOnly && mayAuthorizeOnly(slug) };
  }

  /** What a company has stored with what this deployment knows of each gateway, without those it does not offer. */
  routable(stored: readonly StoredGateway[], now: Date): CompanyGateway[] {
    return stored.filter(({ slug }) => this.offered(slug)).map((gateway) => this.describe(gateway, now));
  }

  /** Also one that is no longer offered: past charges there are still asked about and given back. */
  describe(stored: StoredGateway, now: Date): CompanyGateway {
    const capabilities = this.capabilities(stored.slug);
    return { ...stored, capabilities, circuitOpen: isOpen(stored.circuit, now) };
  }

  /** Whether any company may use the platform's gateways here. */
  get hasPlatformCompanies(): boolean {
    return this.options.platformCompanies.size > 0;
  }

  /** The platform's gateways that this company may use. */
  platformSlugs(clientId: string): GatewaySlug[] {
    if (!this.options.platformCompanies.has(clientId)) return [];
    return GATEWAY_SLUGS.filter((slug) => PLATFORM_SLUGS.includes(slug) && this.offered(slug));
  }
}

function present<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}
