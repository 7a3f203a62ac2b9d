import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentDeps } from '../payment-deps';

/**
 * How long after its sending "not found" proves that the gateway never received a request, in ms. Longer than the send
 * window plus the gateway timeout, and than it takes until a lookup shows a charge.
 */
export function absenceProvenAfterMs(
  { settings, registries }: Pick<PaymentDeps, 'settings' | 'registries'>,
  { companyId, gatewaySlug }: Pick<AttemptRecord, 'companyId' | 'gatewaySlug'>,
): number {
  return settings.absenceProvenAfterMs + registries.of(companyId).capabilities(gatewaySlug).lookupSettlesMs;
}
