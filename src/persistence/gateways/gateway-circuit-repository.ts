import { CLOSED_CIRCUIT, withFailure, type Circuit } from '../../domain/routing/circuit';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Database, Tx } from '../sql/transaction';

/** Owns `gateway_circuits`. Per company, so that one company's failures do not affect another's routing. */
export class GatewayCircuitRepository {
  constructor(private readonly db: Database) {}

  async recordFailure(
    tx: Tx,
    gateway: { readonly companyId: number; readonly slug: GatewaySlug },
    failure: Parameters<typeof withFailure>[1],
  ): Promise<void> {
    await this.db.query(
      `INSERT INTO gateway_circuits (company_id, gateway_slug) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      [gateway.companyId, gateway.slug],
      tx,
    );
    const stored = await this.db.queryOne<Circuit>(
      `SELECT recent_failures AS "recentFailures", open_until AS "openUntil", reason
       FROM gateway_circuits WHERE company_id = $1 AND gateway_slug = $2 FOR UPDATE`,
      [gateway.companyId, gateway.slug],
      tx,
    );
    const circuit = withFailure(stored ?? CLOSED_CIRCUIT, failure);
    await this.db.query(
      `UPDATE gateway_circuits SET recent_failures = $3, open_until = $4, reason = $5, updated_at = now()
       WHERE company_id = $1 AND gateway_slug = $2`,
      [gateway.companyId, gateway.slug, circuit.recentFailures, circuit.openUntil, circuit.reason],
      tx,
    );
  }
}
