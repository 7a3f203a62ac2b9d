import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentDeps } from '../payment-deps';

/**
 * How long after its sending "not found" proves that the gateway never received a request, in ms. Longer than the send
 * window plus the gateway timeout, and than it takes until a lookup shows a charge.
 */
export function absenceProvenAfterMs(
  { settings, registry }: Pick<PaymentDeps, 'settings' | 'registry'>,
  gateway: GatewaySlug,
): number {
  return settings.absenceProvenAfterMs + registry.capabilities(gateway).lookupSettlesMs;
}
