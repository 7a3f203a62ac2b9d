import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { AttemptId, SubAccountId, VaultCardId } from '../domain/shared/ids';

/**
 * Where each sealed value belongs, as additional authenticated data: `company:<id>:<table>:<record>`.
 * A vault card has two secrets in one record, so their columns are named too.
 */
export const encryptionContext = {
  cardNumber: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.number:${id}`,
  cardCvv: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.cvv:${id}`,
  /** A company has one credential a gateway; its number is not known before it is inserted. */
  gatewaySecret: (companyId: number, slug: GatewaySlug): string =>
    `company:${companyId}:gateway_credentials:${slug}`,
  webhookSecret: (companyId: number, slug: GatewaySlug): string =>
    `company:${companyId}:gateway_credentials.webhook_secret:${slug}`,
  bankAccount: (companyId: number, id: AttemptId): string =>
    `company:${companyId}:gateway_attempts.bank_account:${id}`,
  /** For the present secret and the one before it: a rotation moves the value from one column to the other. */
  endpointSecret: (companyId: number, id: number): string => `company:${companyId}:webhook_endpoints:${id}`,
  subAccount: (companyId: number, id: SubAccountId): string => `company:${companyId}:sub_accounts:${id}`,
} as const;
