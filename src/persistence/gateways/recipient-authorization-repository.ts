import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubAccountStatus } from '../../domain/routing/subaccount';
import type { Database } from '../sql/transaction';

/** The state of a recipient's authorization. */
export interface AuthorizationRow {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly status: SubAccountStatus;
  readonly message: string | null;
  readonly pollCount: number;
  readonly stateHash: string | null;
  readonly expiresAt: Date | null;
  readonly sealedVerifier: SealedValue | null;
  readonly sealedCode: SealedValue | null;
  readonly receivedAt: Date | null;
  readonly sentAt: Date | null;
  readonly secretVersion: number;
  readonly secretExpiresAt: Date | null;
}

/** A link with which a recipient's owner consents. */
export interface NewConsent {
  /** Until the gateway's own id is known, our reference. */
  readonly recipientId: string;
  readonly stateHash: string;
  readonly consentUrl: string;
  readonly expiresAt: Date;
  readonly sealedVerifier: SealedValue;
  readonly message: string;
}

export interface NewRecipientSecret {
  readonly sealed: SealedValue;
  readonly expiresAt: Date;
}

const COLUMNS = `id, company_id AS "companyId", gateway_slug AS "gatewaySlug", status, message, poll_count AS "pollCount",
  consent_state_hash AS "stateHash", consent_expires_at AS "expiresAt", sealed_consent_verifier AS "sealedVerifier",
  sealed_consent_code AS "sealedCode", consent_received_at AS "receivedAt", consent_sent_at AS "sentAt",
  secret_version AS "secretVersion", secret_expires_at AS "secretExpiresAt"`;

const NEW_CONSENT = `consent_state_hash = $2, consent_url = $3, consent_expires_at = $4, sealed_consent_verifier = $5, message = $6,
  recipient_id = COALESCE(recipient_id, $7), status = 'pending',
  sealed_consent_code = NULL, consent_received_at = NULL, consent_sent_at = NULL, updated_at = now()`;

const NEW_SECRET = `sealed_secret = $3, secret_expires_at = $4, secret_version = secret_version + 1, renewal_sent_at = NULL,
  status = 'active', message = NULL, consent_url = NULL, sealed_consent_code = NULL, sealed_consent_verifier = NULL,
  poll_count = 0, updated_at = now()`;

/** How long the sweeper waits for the process that stored an owner's answer to wake the workflow. */
const RECOVERY_DELAY_SECONDS = 5;

/** The authorizations (OAuth 2.0) in `sub_accounts`. Every update is conditional, so that of several processes one wins. */
export class RecipientAuthorizationRepository {
  constructor(private readonly database: Database) {}

  async get(id: SubAccountId): Promise<AuthorizationRow> {
    const row = await this.one('id = $1', [id]);
    if (row === null) throw new Error('the sub-account does not exist');
    return row;
  }

  async findByState(gateway: GatewaySlug, stateHash: string): Promise<AuthorizationRow | null> {
    return this.one('consent_state_hash = $1 AND gateway_slug = $2', [stateHash, gateway]);
  }

  /** Replaces the link whose state's hash is `previous`. False if another process has replaced it, or the recipient has a result. */
  async open(id: SubAccountId, previous: string | null, consent: NewConsent): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET ${NEW_CONSENT}
        WHERE id = $1 AND consent_state_hash IS NOT DISTINCT FROM $8 AND status NOT IN ('active', 'refused') RETURNING id`,
      [...consentValues(id, consent), previous],
    );
  }

  /** The gateway has ended this secret: the owner of an active recipient must consent again. False if it was renewed meanwhile. */
  async reopen(id: SubAccountId, secretVersion: number, consent: NewConsent): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET ${NEW_CONSENT}, poll_count = 0
        WHERE id = $1 AND secret_version = $8 AND status = 'active' RETURNING id`,
      [...consentValues(id, consent), secretVersion],
    );
  }

  /** Stores the owner's answer. False if this state was answered before, is replaced or has expired. */
  async receive(stateHash: string, sealedCode: SealedValue, now: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET sealed_consent_code = $2, consent_received_at = $3, poll_count = 0,
              recover_after = now() + make_interval(secs => $4), updated_at = now()
        WHERE consent_state_hash = $1 AND consent_received_at IS NULL AND consent_expires_at > $3 AND status = 'pending'
       RETURNING id`,
      [stateHash, JSON.stringify(sealedCode), now, RECOVERY_DELAY_SECONDS],
    );
  }

  /** Claims the code for sending, which can be done once. */
  async claimCode(id: SubAccountId, stateHash: string, sentAt: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET consent_sent_at = $3, updated_at = now()
        WHERE id = $1 AND consent_state_hash = $2 AND consent_sent_at IS NULL AND sealed_consent_code IS NOT NULL
          AND status = 'pending' RETURNING id`,
      [id, stateHash, sentAt],
    );
  }

  /** After a request that certainly was not sent: the code can still be used. */
  async releaseCode(id: SubAccountId, stateHash: string, sentAt: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET consent_sent_at = NULL, updated_at = now()
        WHERE id = $1 AND consent_state_hash = $2 AND consent_sent_at = $3 RETURNING id`,
      [id, stateHash, sentAt],
    );
  }

  /** Records what the gateway gave for a code, also if its answer came late. False if the recipient has a result. */
  async grant(id: SubAccountId, recipientId: string, secret: NewRecipientSecret): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET ${NEW_SECRET}, recipient_id = $2
        WHERE id = $1 AND status NOT IN ('active', 'refused') RETURNING id`,
      [id, recipientId, ...secretValues(secret)],
    );
  }

  /** Claims the renewal of this version. False if another process renews it: its request is younger than `abandonedBefore`. */
  async claimRenewal(id: SubAccountId, version: number, now: Date, abandonedBefore: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET renewal_sent_at = $3, updated_at = now()
        WHERE id = $1 AND secret_version = $2 AND status = 'active'
          AND (renewal_sent_at IS NULL OR renewal_sent_at < $4) RETURNING id`,
      [id, version, now, abandonedBefore],
    );
  }

  /** Replaces this version of the secret, and ends the wait for a consent that became needless. False if it is a newer one by now. */
  async renew(id: SubAccountId, version: number, secret: NewRecipientSecret): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET ${NEW_SECRET}
        WHERE id = $1 AND secret_version = $2 AND status <> 'refused' RETURNING id`,
      [id, version, ...secretValues(secret)],
    );
  }

  /** The secret with which calls about a recipient's payments are made: the newest one, if several sub-accounts are one recipient. */
  async findSecret(
    companyId: number,
    gateway: GatewaySlug,
    recipientId: string,
  ): Promise<{ readonly id: SubAccountId; readonly sealed: SealedValue } | null> {
    return this.database.queryOne(
      `SELECT id, sealed_secret AS sealed FROM sub_accounts
        WHERE company_id = $1 AND gateway_slug = $2 AND recipient_id = $3 AND sealed_secret IS NOT NULL
        ORDER BY (status = 'active') DESC, secret_expires_at DESC NULLS LAST LIMIT 1`,
      [companyId, gateway, recipientId],
    );
  }

  private one(condition: string, bind: readonly unknown[]): Promise<AuthorizationRow | null> {
    return this.database.queryOne(`SELECT ${COLUMNS} FROM sub_accounts WHERE ${condition}`, bind);
  }

  private async updateOne(sql: string, bind: readonly unknown[]): Promise<boolean> {
    return (await this.database.query(sql, bind)).length === 1;
  }
}

function consentValues(id: SubAccountId, consent: NewConsent): unknown[] {
  const { stateHash, consentUrl, expiresAt, sealedVerifier, message, recipientId } = consent;
  return [id, stateHash, consentUrl, expiresAt, JSON.stringify(sealedVerifier), message, recipientId];
}

function secretValues({ sealed, expiresAt }: NewRecipientSecret): unknown[] {
  return [JSON.stringify(sealed), expiresAt];
}
