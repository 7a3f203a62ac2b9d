import { nameBeginnings } from '../../domain/search/name-words';
import type { Database, Tx } from '../sql/transaction';

/** Finds equal emails, documents and beginnings of names of a company's customers without storing them: by each key, the first one is stored. */
export type LookupHash = (
  companyId: number,
  field: 'email' | 'document' | 'name',
  value: string,
) => readonly [current: string, ...older: string[]];

/** 66 of a hash's bits: enough to find a name by, because the name itself is compared in the end. */
const HASH_LENGTH = 11;

/** Customers with the rarest word of a search that are compared with its other words. Bounds the work for common names. */
const COMPARED = 10_000;

/** The same by each key; the first one is stored. */
type Hashes = readonly [current: string, ...older: string[]];

export interface NamedCustomer {
  readonly id: number;
  readonly companyId: number;
}

/** Owns `customer_names`: keyed hashes by which customers are found by the beginnings of their names' words. */
export class CustomerNames {
  constructor(
    private readonly db: Database,
    private readonly hash: LookupHash,
  ) {}

  /** What `customer_names` stores for the name. */
  hashesOf(companyId: number, name: string): string[] {
    return nameBeginnings(name).map((beginning) => this.hashed(companyId, beginning)[0]);
  }

  /** Replaces the hashes of a customer that `tx` has locked. */
  async replace(tx: Tx, { id, companyId }: NamedCustomer, name: string): Promise<void> {
    await this.db.execute('DELETE FROM customer_names WHERE customer_id = $1', [id], tx);
    await this.db.execute(
      `INSERT INTO customer_names (company_id, hash, customer_id) SELECT $1, unnest($2::text[]), $3`,
      [companyId, this.hashesOf(companyId, name), id],
      tx,
    );
  }

  /**
   * The newest customers whose names have words with all these beginnings, at least one. If each of them is the beginning of more
   * than `COMPARED` customers' names, the newest of those are searched.
   */
  async find(companyId: number, beginnings: readonly string[], limit: number): Promise<number[]> {
    const [rarest, ...others] = await this.rarestFirst(
      companyId,
      beginnings.map((beginning) => this.hashed(companyId, beginning)),
    );
    if (rarest === undefined) return [];
    const values: unknown[] = [companyId, limit];
    const conditions = others.map(
      (hashes) => `EXISTS (SELECT 1 FROM customer_names o
        WHERE o.company_id = $1 AND o.hash = ANY($${values.push(hashes)}) AND o.customer_id = n.customer_id)`,
    );
    const rows = await this.db.queryComposed<{ id: number }>(
      `SELECT n.customer_id AS id FROM (${newestWith(rarest, values)}) n
        WHERE ${['true', ...conditions].join(' AND ')} ORDER BY n.customer_id DESC LIMIT $2`,
      values,
    );
    return rows.map(({ id }) => id);
  }

  /** Of words that customers have in different numbers, the rarest leaves the fewest to compare. */
  private async rarestFirst(companyId: number, hashes: readonly Hashes[]): Promise<Hashes[]> {
    if (hashes.length < 2) return [...hashes];
    const values: unknown[] = [companyId];
    const counts = hashes.map((each) => `(SELECT count(*) FROM (${newestWith(each, values)}) n)`);
    const [row] = await this.db.queryComposed<{ counts: number[] }>(
      `SELECT ARRAY[${counts.join(', ')}]::integer[] AS counts`,
      values,
    );
    return hashes
      .map((each, index) => ({ each, count: row?.counts[index] ?? 0 }))
      .sort((one, other) => one.count - other.count)
      .map(({ each }) => each);
  }

  private hashed(companyId: number, beginning: string): Hashes {
    const [current, ...older] = this.hash(companyId, 'name', beginning);
    return [current.slice(0, HASH_LENGTH), ...older.map((hash) => hash.slice(0, HASH_LENGTH))];
  }

  /** Locks customers without hashes of their present name: of before this table, or changed by an earlier release. */
  async lockMissing(tx: Tx, limit: number): Promise<NamedCustomer[]> {
    return this.db.query<NamedCustomer>(
      `SELECT id, company_id AS "companyId" FROM customers
        WHERE erased_at IS NULL AND (name_hashed_at IS NULL OR name_hashed_at < updated_at)
        ORDER BY id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED`,
      [limit],
      tx,
    );
  }

  async markHashed(tx: Tx, ids: readonly number[]): Promise<void> {
    await this.db.execute('UPDATE customers SET name_hashed_at = updated_at WHERE id = ANY($1)', [ids], tx);
  }
}

/** SQL for the newest customers with any of these hashes. Adds its parameters to `values`, whose first one is the company. */
function newestWith(hashes: Hashes, values: unknown[]): string {
  const lists = hashes.map(
    (hash) => `(SELECT customer_id FROM customer_names WHERE company_id = $1 AND hash = $${values.push(hash)}
      ORDER BY customer_id DESC LIMIT ${COMPARED})`,
  );
  return lists.join(' UNION ');
}
