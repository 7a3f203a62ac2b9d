import type { GatewaySlug } from '../domain/gateway-slug';
import type { SubAccountId, VaultCardId } from '../domain/ids';

/**
 * Where each sealed value belongs, as additional authenticated data: `company:<id>:<table>:<record>`.
 * A vault card has two secrets in one record, so their columns are named too.
 */
export const sealedPlaces = {
  cardNumber: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.number:${id}`,
  cardCvv: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.cvv:${id}`,
  /** A company has one credential a gateway; its number is not known before it is inserted. */
  gatewaySecret: (companyId: number, slug: GatewaySlug): string =>
    `company:${companyId}:gateway_credentials:${slug}`,
  subAccount: (companyId: number, id: SubAccountId): string => `company:${companyId}:sub_accounts:${id}`,
} as const;
