import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { ownCompanyId } from '../domain/shared/mode';
import type { components } from '../http/generated/openapi';

type WireCredential = components['schemas']['GatewayCredential'];

export interface PresentableCredential {
  readonly id: number;
  readonly companyId: number;
  readonly gatewayId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly clientId: string | null;
  readonly isVerified: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A stored credential, without its secret key. */
export function presentGatewayCredential(credential: PresentableCredential): WireCredential {
  return {
    id: credential.id,
    company_id: ownCompanyId(credential.companyId),
    gateway_id: credential.gatewayId,
    gateway_slug: credential.gatewaySlug as WireCredential['gateway_slug'],
    client_id: credential.clientId,
    verified: credential.isVerified,
    created_at: credential.createdAt.toISOString(),
    updated_at: credential.updatedAt.toISOString(),
  };
}
