import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubscribableEvent } from '../../domain/webhooks/webhook-event';
import type { Database, Tx } from '../sql/transaction';

export type DisabledReason = 'gone' | 'failing';

export interface WebhookEndpoint {
  readonly id: number;
  readonly companyId: number;
  readonly url: string;
  readonly events: readonly SubscribableEvent[];
  readonly enabled: boolean;
  /** Why the service turned it off; null when a person did, or nobody. */
  readonly disabledReason: DisabledReason | null;
  /** Since when every attempt has failed; null while it works. */
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

/** An endpoint as it was when an attempt began. */
export type Attempted = Pick<WebhookEndpoint, 'id' | 'url' | 'failingSince'>;

/** Signatures are sent in one header. */
const MOST_OLDER_SECRETS = 5;

const COLUMNS = `id, company_id AS "companyId", url, events, enabled, disabled_reason AS "disabledReason",
  failing_since AS "failingSince", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The one owner of `webhook_endpoints`. */
export class WebhookEndpointRepository {
  constructor(private readonly db: Database) {}

  /** The number of an endpoint still to be inserted: its secret is sealed for it. */
  async nextId(tx: Tx): Promise<number> {
    const row = await this.db.queryOne<{ id: number }>(
      `SELECT nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) AS id`,
      [],
      tx,
    );
    if (row === null) throw new Error('a sequence always has a next value');
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

  async list(companyId: number): Promise<WebhookEndpoint[]> {
    return this.db.query<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE company_id = $1 AND deleted_at IS NULL ORDER BY id`,
      [companyId],
    );
  }

  async find(companyId: number, id: number): Promise<WebhookEndpoint | null> {
    return this.db.queryOne<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $2 AND company_id = $1 AND deleted_at IS NULL`,
      [companyId, id],
    );
  }

  /** Loads it and keeps every other change of it waiting until this transaction ends. */
  async lock(tx: Tx, companyId: number, id: number): Promise<WebhookEndpoint | null> {
    return this.db.queryOne<WebhookEndpoint>(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE id = $2 AND company_id = $1 AND deleted_at IS NULL FOR UPDATE`,
      [companyId, id],
      tx,
    );
  }

  /** What is left out stays. A person who turns it on, or gives it another address, gives it a fresh start. */
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

  /** The secret until now signs beside the new one until `oldUntil`, and so does every older one for what is left of its time. */
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
      [id, JSON.stringify(sealedSecret), oldUntil, now, `$[0 to ${MOST_OLDER_SECRETS - 1}]`],
      tx,
    );
  }

  /** Notes that an attempt arrived. Touches no row of an endpoint that works, nor of one that has another address by now. */
  async noteSuccess(tx: Tx, { id, url }: Attempted): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints SET failing_since = NULL
        WHERE id = $1 AND url = $2 AND failing_since IS NOT NULL`,
      [id, url],
      tx,
    );
  }

  /** Notes that an attempt failed, the first in a row. One that has another address by now is not to blame. */
  async noteFailure(tx: Tx, { id, url, failingSince }: Attempted, since: Date): Promise<void> {
    await this.db.execute(
      `UPDATE webhook_endpoints SET failing_since = $3
        WHERE id = $1 AND url = $2 AND failing_since IS NOT DISTINCT FROM $4`,
      [id, url, since, failingSince],
      tx,
    );
  }

  /** Turned off by the service itself. False when it was off already, or has another address by now. */
  async disable(tx: Tx, { id, url }: Attempted, reason: DisabledReason, now: Date): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE webhook_endpoints SET enabled = false, disabled_reason = $3, disabled_notified_at = NULL, updated_at = $4
       WHERE id = $1 AND url = $2 AND enabled`,
      [id, url, reason, now],
      tx,
    );
    return changed === 1;
  }

  /** An endpoint that the service turned off and whose company's people have not been told; null once they have. */
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
