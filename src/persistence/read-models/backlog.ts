import type { Database } from '../sql/transaction';

/** The kinds of work that waits. docs/operations/metrics.md describes each. */
export const BACKLOG_KINDS = [
  'callback',
  'webhook',
  'webhook_overdue',
  'payment_inquiry',
  'payment_review',
  'payment_overdue',
  'renewal_held',
  'subscription_overdue',
  'sub_account_overdue',
] as const;
type BacklogKind = (typeof BACKLOG_KINDS)[number];

/** Limits the rows that are read of one kind, so that reading takes milliseconds in an outage too. */
const BACKLOG_LIMIT = 10_000;

/** How many wait, of all companies together, and since when the oldest does. */
interface WaitingWork {
  readonly kind: BacklogKind;
  /** At most `BACKLOG_LIMIT`; the oldest is then the oldest of those. */
  readonly count: number;
  /** In seconds; 0 if none waits. */
  readonly oldestAgeSeconds: number;
}

/** Companies whose circuit at a gateway is open. */
interface OpenCircuits {
  readonly gateway: string;
  readonly count: number;
}

/** What waits in the database, of all companies together. */
export interface Backlog {
  /** Every kind, also without work. */
  readonly waiting: readonly WaitingWork[];
  /** Every gateway. */
  readonly circuits: readonly OpenCircuits[];
}

export class BacklogReader {
  constructor(private readonly db: Database) {}

  /** Takes one connection at a time. */
  async read(now: Date): Promise<Backlog> {
    return { waiting: await this.waiting(now), circuits: await this.openCircuits(now) };
  }

  private async waiting(now: Date): Promise<WaitingWork[]> {
    const rows = await this.db.query<{ kind: BacklogKind; count: number; oldest: Date | null }>(BACKLOG, [
      now,
    ]);
    return rows.map(({ kind, count, oldest }) => ({
      kind,
      count,
      oldestAgeSeconds: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1000),
    }));
  }

  private openCircuits(now: Date): Promise<OpenCircuits[]> {
    return this.db.query(
      `SELECT g.slug AS gateway, count(c.company_id) AS count
         FROM gateways g LEFT JOIN gateway_circuits c ON c.gateway_slug = g.slug AND c.open_until > $1
        GROUP BY g.slug`,
      [now],
    );
  }
}

/** Each reads a partial index of what waits, which is empty as long as everything works. */
const SOURCES: Readonly<Record<BacklogKind, string>> = {
  callback: `SELECT received_at AS since FROM gateway_callbacks WHERE recover_after IS NOT NULL`,
  webhook: `SELECT created_at AS since FROM webhook_deliveries WHERE status = 'pending'`,
  webhook_overdue: overdue('webhook_deliveries'),
  // What waits for an inquiry is due soon, so it is among the first to be recovered. Pending ones are due later.
  payment_inquiry: `
    SELECT a.sent_at AS since
      FROM (SELECT id FROM payments WHERE recover_after IS NOT NULL AND stuck_at IS NULL
             ORDER BY recover_after LIMIT ${BACKLOG_LIMIT}) p
      JOIN LATERAL (SELECT min(sent_at) AS sent_at FROM gateway_attempts
                     WHERE payment_id = p.id AND status = 'unknown') a ON a.sent_at IS NOT NULL`,
  payment_review: `SELECT stuck_at AS since FROM payments WHERE stuck_at IS NOT NULL`,
  payment_overdue: overdue('payments'),
  renewal_held: `
    SELECT c.hold_since AS since
      FROM subscriptions s
      JOIN billing_cycles c ON c.subscription_id = s.id AND c.status = 'open' AND c.hold_since IS NOT NULL
     WHERE s.hold_checked_at IS NOT NULL`,
  subscription_overdue: overdue('subscriptions'),
  sub_account_overdue: overdue('sub_accounts'),
};

/** The sweeper should have taken them by now. */
function overdue(table: string): string {
  return `SELECT recover_after AS since FROM ${table} WHERE recover_after <= $1 ORDER BY recover_after`;
}

export const BACKLOG = BACKLOG_KINDS.map(
  (kind) =>
    `SELECT '${kind}' AS kind, count(*) AS count, min(since) AS oldest FROM (${SOURCES[kind]} LIMIT ${BACKLOG_LIMIT}) AS waiting`,
).join('\nUNION ALL\n');
