import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { AttemptId, SubAccountId, VaultCardId } from '../domain/shared/ids';

/**
 * The additional authenticated data of sealed values: `company:<id>:<table>:<record>`. It binds a value to its record.
 * A record with two secrets also names the column.
 */
export const encryptionContext = {
  cardNumber: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.number:${id}`,
  cardCvv: (companyId: number, id: VaultCardId): string => `company:${companyId}:vault_cards.cvv:${id}`,
  /** Uses the fingerprint: it is the same for the same values, whether the row exists already or not. */
  gatewaySecret: (companyId: number, slug: GatewaySlug, fingerprint: string): string =>
    `company:${companyId}:gateway_secrets:${slug}:${fingerprint}`,
  /** Uses the card's fingerprint, because saving the number again keeps the earlier row of the vault. */
  gatewayCardToken: (companyId: number, slug: GatewaySlug, fingerprint: string): string =>
    `company:${companyId}:gateway_card_tokens:${slug}:${fingerprint}`,
  /** Shared by the company's accounts at the gateway, because a new account takes over the webhook secret. */
  webhookSecret: (companyId: number, slug: GatewaySlug): string =>
    `company:${companyId}:gateway_accounts.webhook_secret:${slug}`,
  bankAccount: (companyId: number, id: AttemptId): string =>
    `company:${companyId}:gateway_attempts.bank_account:${id}`,
  /** Shared by the current and the previous secrets, because a rotation moves the value to another column. */
  endpointSecret: (companyId: number, id: number): string => `company:${companyId}:webhook_endpoints:${id}`,
  customerKey: (companyId: number, token: string): string => `company:${companyId}:customers.key:${token}`,
  recipientSecret: (companyId: number, id: SubAccountId): string =>
    `company:${companyId}:sub_accounts.secret:${id}`,
  consentCode: (companyId: number, id: SubAccountId): string =>
    `company:${companyId}:sub_accounts.consent_code:${id}`,
  consentVerifier: (companyId: number, id: SubAccountId): string =>
    `company:${companyId}:sub_accounts.consent_verifier:${id}`,
  totpSecret: (companyId: number, userId: number): string => `company:${companyId}:users.totp:${userId}`,
  subAccount: (companyId: number, id: SubAccountId): string => `company:${companyId}:sub_accounts:${id}`,
} as const;
