import { isOpen, type Circuit } from '../domain/circuit';
import type { GatewaySlug } from '../domain/gateway-slug';
import type { RoutableGateway } from '../domain/routing';
import type { SealedValue } from '../domain/sealed-value';
import type { GatewayRegistry } from './registry';

/** An enabled gateway of a company, as stored. */
export interface StoredGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  readonly credentialId: number | null;
  /** Null where the platform's own secret is used. */
  readonly sealedSecret: SealedValue | null;
  readonly clientId: string | null;
  /** Set when the credential is a sub-account: charges use the platform's key and give this recipient everything. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** Active recipients the company holds there. */
  readonly recipientIds: readonly string[];
  readonly circuit: Circuit;
}

/** A gateway a company may charge through, with what its driver needs to be called. */
export type CompanyGateway = StoredGateway & RoutableGateway;

/** Adds what this deployment knows of each gateway, and leaves out those it does not offer. */
export function companyGateways(
  registry: GatewayRegistry,
  stored: readonly StoredGateway[],
  now: Date,
): CompanyGateway[] {
  return stored
    .filter((gateway) => registry.offered(gateway.slug))
    .map((gateway) => ({
      ...gateway,
      capabilities: registry.capabilities(gateway.slug),
      circuitOpen: isOpen(gateway.circuit, now),
    }));
}
