import type { Database, Tx } from '../sql/transaction';

/** Locks the company's row until `tx` ends: transactions that call this run one after the other. */
export async function lockCompany(db: Database, tx: Tx, companyId: number): Promise<void> {
  await db.query('SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE', [companyId], tx);
}
