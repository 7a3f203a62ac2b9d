import type { OnboardingFacts } from '../../domain/companies/onboarding';
import type { Database, Tx } from '../sql/transaction';

/** What is stored of a company's first steps. */
interface StoredOnboarding {
  readonly completedAt: Date | null;
  readonly dismissedAt: Date | null;
}

const NOTHING_STORED: StoredOnboarding = { completedAt: null, dismissedAt: null };

/** Owns `onboardings`, and reads the facts that other tables have. */
export class OnboardingRepository {
  constructor(private readonly db: Database) {}

  async find(companyId: number, tx?: Tx): Promise<StoredOnboarding> {
    const row = await this.db.queryOne<StoredOnboarding>(
      `SELECT completed_at AS "completedAt", dismissed_at AS "dismissedAt" FROM onboardings WHERE company_id = $1`,
      [companyId],
      tx,
    );
    return row ?? NOTHING_STORED;
  }

  /** Each fact is found by an index, at the first row that shows it. */
  async findFacts(companyId: number): Promise<OnboardingFacts> {
    const row = await this.db.queryOne<OnboardingFacts>(FACTS, [companyId]);
    if (row === null) throw new Error('a query without FROM returns a row');
    return row;
  }

  /** Records once that all steps are done. */
  async complete(companyId: number, now: Date): Promise<void> {
    await this.db.execute(
      `INSERT INTO onboardings (company_id, completed_at) VALUES ($1, $2)
       ON CONFLICT (company_id) DO UPDATE SET completed_at = COALESCE(onboardings.completed_at, EXCLUDED.completed_at)`,
      [companyId, now],
    );
  }

  /** False if they are dismissed, or shown, already. */
  async setDismissed(tx: Tx, companyId: number, dismissedAt: Date | null): Promise<boolean> {
    const changed = await this.db.execute(
      `INSERT INTO onboardings (company_id, dismissed_at) VALUES ($1, $2::timestamptz)
       ON CONFLICT (company_id) DO UPDATE SET dismissed_at = EXCLUDED.dismissed_at
        WHERE (onboardings.dismissed_at IS NULL) <> (EXCLUDED.dismissed_at IS NULL)`,
      [companyId, dismissedAt],
      tx,
    );
    return changed === 1;
  }
}

const FACTS = `SELECT
  EXISTS (SELECT FROM gateway_credentials c LEFT JOIN gateway_secrets s ON s.id = c.secret_id
    WHERE c.company_id = $1 AND c.enabled AND s.rejected_at IS NULL) AS connect_gateway,
  EXISTS (SELECT FROM payments WHERE company_id = $1 AND status IN ('approved', 'authorized', 'refunded')) AS make_payment,
  EXISTS (SELECT FROM webhook_endpoints e, LATERAL (
      SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.status = 'delivered' LIMIT 1) AS delivered
    WHERE e.company_id = $1) AS receive_webhook,
  EXISTS (SELECT FROM payment_links l JOIN checkout_sessions s ON s.payment_link_id = l.id WHERE l.company_id = $1)
    AS share_link`;
