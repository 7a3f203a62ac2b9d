import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { CallRecipient } from '../../../src/gateways/recipient';
import type { CompanyGateway } from '../../../src/gateways/registry';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import { encryptionContext } from '../../../src/security/encryption-context';
import type { PaymentDeps } from '../payment-deps';

export type RecipientAttempt = Pick<AttemptRecord, 'companyId' | 'splits' | 'targetAttemptId'>;

/**
 * The recipient in whose name a charge was or is made, at a gateway whose recipients authorize the platform; null for any other
 * charge. An operation or inquiry uses the recipient of its charge, even if its own splits name another one.
 */
export async function recipientOfCall(
  deps: PaymentDeps,
  { companyId, splits, targetAttemptId }: RecipientAttempt,
  slug: GatewaySlug,
): Promise<CallRecipient | null> {
  if (deps.registries.of(companyId).driver(slug).recipientAuthorization === undefined) return null;
  const charge = targetAttemptId === null ? null : await deps.attempts.find(targetAttemptId);
  const [split] = (charge === null ? splits : charge.splits) ?? [];
  if (split === undefined) return null;
  const { recipientId } = split;
  const found = await deps.recipientAuthorizations.findSecret(companyId, slug, recipientId);
  if (found === null) throw new Error('the recipient has no secret');
  const context = encryptionContext.recipientSecret(companyId, found.id);
  return { recipientId, secret: await deps.envelope.openOften(found.sealed, context) };
}

/**
 * The gateway with the secret that a charge is made with. A charge in a recipient's name is made with no secret of the company, so
 * an answer about the recipient's account says nothing about the company's secrets.
 */
export function chargingAs<Gateway extends Pick<CompanyGateway, 'slug' | 'secret'>>(
  deps: Pick<PaymentDeps, 'registries'>,
  companyId: number,
  gateway: Gateway,
  splits: readonly unknown[],
): Gateway {
  const isRecipients =
    splits.length > 0 &&
    deps.registries.of(companyId).driver(gateway.slug).recipientAuthorization !== undefined;
  return isRecipients ? { ...gateway, secret: null } : gateway;
}
