import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { VaultCardId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database } from '../sql/transaction';

interface SealedColumnDefinition {
  readonly table: string;
  readonly column: string;
  readonly idType: 'uuid' | 'bigint';
  /** What the value's context needs besides company and id. */
  readonly others?: string;
}

/** Every column that `EnvelopeCipher` sealed. What is sealed with a customer's own key needs no other: that key is here. */
export const SEALED_COLUMNS = {
  cardNumber: { table: 'vault_cards', column: 'sealed_number', idType: 'uuid' },
  cardCvv: { table: 'vault_cards', column: 'sealed_cvv', idType: 'uuid' },
  customerKey: { table: 'customers', column: 'sealed_key', idType: 'bigint', others: 'token' },
  gatewaySecret: {
    table: 'gateway_secrets',
    column: 'sealed_values',
    idType: 'uuid',
    others: 'gateway_slug AS slug, fingerprint, client_id AS "clientId"',
  },
  gatewayCardToken: {
    table: 'gateway_card_tokens',
    column: 'sealed_token',
    idType: 'bigint',
    others: 'gateway_slug AS slug, vault_card_id AS "vaultCardId"',
  },
  webhookSecret: {
    table: 'gateway_accounts',
    column: 'sealed_webhook_secret',
    idType: 'uuid',
    others: 'gateway_slug AS slug',
  },
  bankAccount: { table: 'gateway_attempts', column: 'sealed_bank_account', idType: 'uuid' },
  endpointSecret: { table: 'webhook_endpoints', column: 'sealed_secret', idType: 'bigint' },
  olderEndpointSecrets: { table: 'webhook_endpoints', column: 'older_secrets', idType: 'bigint' },
  subAccount: { table: 'sub_accounts', column: 'sealed_information', idType: 'uuid' },
  recipientSecret: { table: 'sub_accounts', column: 'sealed_secret', idType: 'uuid' },
  consentCode: { table: 'sub_accounts', column: 'sealed_consent_code', idType: 'uuid' },
  consentVerifier: { table: 'sub_accounts', column: 'sealed_consent_verifier', idType: 'uuid' },
  totpSecret: { table: 'users', column: 'sealed_totp', idType: 'bigint' },
  buyer: {
    table: 'checkout_sessions',
    column: 'sealed_buyer',
    idType: 'bigint',
    others: 'merchant_order_id AS "merchantOrderId"',
  },
} as const satisfies Record<string, SealedColumnDefinition>;

export type SealedColumn = keyof typeof SEALED_COLUMNS;

/** A column's value: one sealed value, or a list of values that are sealed. */
export type StoredSealedValue = SealedValue | ReadonlyArray<{ readonly sealed: SealedValue }>;

export interface SealedRow {
  readonly id: string;
  readonly companyId: number;
  /** Null if the row has none. */
  readonly value: StoredSealedValue | null;
  readonly token: string;
  readonly slug: GatewaySlug;
  readonly fingerprint: string;
  readonly clientId: string | null;
  readonly merchantOrderId: string;
  readonly vaultCardId: VaultCardId;
}

const BEFORE_ALL = { uuid: '00000000-0000-0000-0000-000000000000', bigint: '0' } as const;

/** Reads and replaces sealed values of any table, whoever owns it, without knowing what they hold. */
export class SealedValueRepository {
  constructor(private readonly db: Database) {}

  /** At most `limit` rows after that one by id, including those without a value, so that each statement is short. */
  async list(name: SealedColumn, afterId: string | null, limit: number): Promise<SealedRow[]> {
    const { table, column, idType, others }: SealedColumnDefinition = SEALED_COLUMNS[name];
    return this.db.queryComposed<SealedRow>(
      `SELECT id::text AS id, company_id AS "companyId", ${column} AS value${others === undefined ? '' : `, ${others}`}
         FROM ${table} WHERE id > $1::${idType} ORDER BY ${table}.id LIMIT $2`,
      [afterId ?? BEFORE_ALL[idType], limit],
    );
  }

  /** False if the value was changed or erased since it was read: that change stays. */
  async replace(
    name: SealedColumn,
    { id, value }: Pick<SealedRow, 'id' | 'value'>,
    replacement: StoredSealedValue,
  ): Promise<boolean> {
    const { table, column, idType }: SealedColumnDefinition = SEALED_COLUMNS[name];
    const changed = await this.db.queryComposed(
      `UPDATE ${table} SET ${column} = $3::jsonb WHERE id = $1::${idType} AND ${column} = $2::jsonb RETURNING 1`,
      [id, JSON.stringify(value), JSON.stringify(replacement)],
    );
    return changed.length === 1;
  }
}
