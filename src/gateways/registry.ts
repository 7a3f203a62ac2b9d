import { GATEWAY_SLUGS, mayAuthorizeOnly, type GatewaySlug } from '../domain/gateway-slug';
import type { Capabilities } from '../domain/routing';
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
}

/** These take no company credentials: they settle through the platform's own account (decisions, section 6). */
const PLATFORM_SLUGS: readonly GatewaySlug[] = ['gateway_6', 'gateway_7'];

/** Which driver speaks for a slug in this deployment, where it calls, and what it may do. */
export class GatewayRegistry {
  readonly platformSecret: string;

  constructor(private readonly options: GatewayRegistryOptions) {
    this.platformSecret = options.platformSecret;
  }

  /** Whether payments can be sent there now. */
  offered(slug: GatewaySlug): boolean {
    const { drivers, baseUrls, inactive } = this.options;
    return drivers.has(slug) && baseUrls.has(slug) && !inactive.has(slug);
  }

  /** Also for a slug that is no longer offered: its past charges are still captured, refunded and asked about. */
  driver(slug: GatewaySlug): GatewayDriver {
    return present(this.options.drivers.get(slug), `no driver for ${slug}`);
  }

  baseUrl(slug: GatewaySlug): string {
    return present(this.options.baseUrls.get(slug), `no address for ${slug}`);
  }

  /** What the driver can do AND the slug may do. */
  capabilities(slug: GatewaySlug): Capabilities {
    const able = this.driver(slug).capabilities(slug);
    return { ...able, authorizeOnly: able.authorizeOnly && mayAuthorizeOnly(slug) };
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
