import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubscribableEvent } from '../../domain/webhooks/webhook-event';
import { lockCompany } from '../companies/lock-company';
import type { Database, Tx } from '../sql/transaction';

export type DisabledReason = 'gone' | 'failing';

export interface WebhookEndpoint {
  readonly id: number;
  readonly companyId: number;
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  readonly enabled: boolean;
  /** Why the service disabled it; null if a user did, or if it is enabled. */
  readonly disabledReason: DisabledReason | null;
  /** Since when every attempt has failed; null if the last one succeeded. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewWebhookEndpoint {
  readonly id: number;
  readonly companyId: number;
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  readonly enabled: boolean;
  readonly sealedSecret: SealedValue;
}

export interface WebhookEndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly SubscribableEvent[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** An endpoint as of the start of an attempt. */
export type AttemptedEndpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'failingSince'>;

/** All signatures are sent in one header. */
const MAX_OLDER_SECRETS = 5;

const COLUMNS = `id, company_id AS "companyId", url, events, enabled, disabled_reason AS "disabledReason",
  failing_since AS "failingSince", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Owns `webhook_endpoints`. */
export class WebhookEndpointRepository {
  constructor(private readonly db: Database) {}

  /** The id for an endpoint to insert. Needed in advance, because the encryption of its secret is bound to it. */
  async reserveId(tx: Tx): Promise<number> {
    const row = await this.db.queryOne<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id`,
      [],
      tx,
    );
    if (row === null) throw new Error('the sequence returned no value');
    return row.id;
  }

  async insert(tx: Tx, endpoint: NewWebhookEndpoint, now: Date): Promise<WebhookEndpoint> {
    const { id, companyId, url, events, enabled, sealedSecret } = endpoint;
    const row = await this.db.queryOne<WebhookEndpoint>(
      `INSERT INTO webhook_endpoints (id, company_id, url, events, enabled, sealed_secret, created_at, updated_at)
       OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING ${COLUMNS}`,
      [id, companyId, url, events, enabled, JSON.stringify(sealedSecret), now],
      tx,
    );
    if (row === null) throw new Error('an insert returned no row');
    return row;
  }

  async list(companyId: number, tx?: Tx): Promise<WebhookEndpoint[]> {
    return this.db.query<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE company_id = $1 AND deleted_at IS NULL ORDER BY id`,
      [companyId],
      tx,
    );
  }

  /** Like `list`, and until `tx` ends no other transaction that calls this changes which endpoints the company has. */
  async lockAll(tx: Tx, companyId: number): Promise<WebhookEndpoint[]> {
    await lockCompany(this.db, tx, companyId);
    return this.list(companyId, tx);
  }

  async find(companyId: number, id: number): Promise<WebhookEndpoint | null> {
    return this.db.queryOne<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $2 AND company_id = $1 AND deleted_at IS NULL`,
      [companyId, id],
    );
  }

  /** Loads the endpoint and locks it until `tx` ends. */
  async lock(tx: Tx, companyId: number, id: number): Promise<WebhookEndpoint | null> {
    return this.db.queryOne<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $2 AND company_id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [companyId, id],
      tx,
    );
  }

  /** Omitted fields keep their values. Enabling it or changing its URL resets its failures. */
  async update(tx: Tx, id: number, change: WebhookEndpointChange, now: Date): Promise<WebhookEndpoint> {
    const { url, events, enabled } = change;
    const row = await this.db.queryOne<WebhookEndpoint>(
      `UPDATE webhook_endpoints SET url = COALESCE($2, url), events = COALESCE($3::text[], events),
         enabled = COALESCE($4::boolean, enabled),
         disabled_reason = CASE WHEN $4::boolean IS NULL THEN disabled_reason END,
         failing_since = CASE WHEN $4::boolean OR $2::text IS NOT NULL THEN NULL ELSE failing_since END,
         updated_at = $5
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, url ?? null, events ?? null, enabled ?? null, now],
      tx,
    );
    if (row === null) throw new Error('the endpoint was not locked');
    return row;
  }

  async markDeleted(tx: Tx, id: number, now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = NULL, deleted_at = $2, updated_at = $2 WHERE id = $1`,
      [id, now],
      tx,
    );
  }

  /** Replaces the secret. The old one keeps signing until `oldUntil`, and each older one until its own instant. */
  async rotateSecret(
    tx: Tx,
    id: number,
    { sealedSecret, oldUntil }: { sealedSecret: SealedValue; oldUntil: Date },
    now: Date,
  ): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints
          SET older_secrets = jsonb_path_query_array(
                jsonb_build_array(jsonb_build_object('sealed', sealed_secret, 'until', $3::timestamptz))
                || older_secrets, $5::jsonpath),
              sealed_secret = $2, updated_at = $4
        WHERE id = $1`,
      [id, JSON.stringify(sealedSecret), oldUntil, now, `$[0 to ${MAX_OLDER_SECRETS - 1}]`],
      tx,
    );
  }

  /** Resets `failing_since`. Updates no row if it is not set or the URL has changed since. */
  async recordSuccess(tx: Tx, { id, url }: AttemptedEndpoint): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints SET failing_since = NULL
        WHERE id = $1 AND url = $2 AND failing_since IS NOT NULL`,
      [id, url],
      tx,
    );
  }

  /** Records the first of consecutive failures. Updates no row if the URL has changed since. */
  async recordFailure(tx: Tx, { id, url, failingSince }: AttemptedEndpoint, since: Date): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints SET failing_since = $3
        WHERE id = $1 AND url = $2 AND failing_since IS NOT DISTINCT FROM $4`,
      [id, url, since, failingSince],
      tx,
    );
  }

  /** Disables it on behalf of the service. False if it is disabled or its URL has changed since. */
  async disable(tx: Tx, { id, url }: AttemptedEndpoint, reason: DisabledReason, now: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = $3, disabled_notified_at = NULL, updated_at = $4
       WHERE id = $1 AND url = $2 AND enabled`,
      [id, url, reason, now],
      tx,
    );
    return changed === 1;
  }

  /** The endpoint, if the service has disabled it and the company was not notified yet. */
  async findUnnotified(id: number): Promise<WebhookEndpoint | null> {
    return this.db.queryOne<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints
        WHERE id = $1 AND disabled_reason IS NOT NULL AND disabled_notified_at IS NULL`,
      [id],
    );
  }

  async markNotified(id: number, now: Date): Promise<void> {
    await this.db.execute('UPDATE webhook_endpoints SET disabled_notified_at = $2 WHERE id = $1', [id, now]);
  }
}
