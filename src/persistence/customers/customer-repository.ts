import type { Customer, CustomerDetails } from '../../domain/customers/customer';
import { newCustomerToken } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import { CustomerModel } from '../models/customer';
import type { Database, Tx } from '../sql/transaction';

const COLUMNS = `id, token, name, email, document, phone, address, metadata,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Owns `customers`. */
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Inserts a customer or updates the one with this document; a document is unique within a company.
   * Omitted fields keep their values.
   */
  async upsert(tx: Tx, companyId: number, details: CustomerDetails): Promise<Customer> {
    const { name, email, document, phone = null, address = null, metadata = null } = details;
    const row = await this.database.queryOne<Customer>(
      `INSERT INTO customers AS c (token, company_id, name, email, document, phone, address, metadata)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (company_id, document) DO UPDATE
          SET name = EXCLUDED.name, email = EXCLUDED.email,
              phone = COALESCE(EXCLUDED.phone, c.phone), address = COALESCE(EXCLUDED.address, c.address),
              metadata = COALESCE(EXCLUDED.metadata, c.metadata), updated_at = now()
       RETURNING ${COLUMNS}`,
      [newCustomerToken(), companyId, name, email, document, phone, json(address), json(metadata)],
      tx,
    );
    if (row === null) throw new Error('an upsert returned no row');
    return row;
  }

  /**
   * Inserts a customer unless the company has one with this document. An existing customer is not changed; it is returned
   * with the given name and email and without its other data, because the caller is an unauthenticated buyer.
   */
  async findOrInsert(
    tx: Tx,
    companyId: number,
    { name, email, document }: Pick<CustomerDetails, 'name' | 'email' | 'document'>,
  ): Promise<Customer> {
    const inserted = await this.database.queryOne<Customer>(
      `INSERT INTO customers (token, company_id, name, email, document) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (company_id, document) DO NOTHING RETURNING ${COLUMNS}`,
      [newCustomerToken(), companyId, name, email, document],
      tx,
    );
    if (inserted !== null) return inserted;
    const existing = await this.database.queryOne<Customer>(
      `SELECT ${COLUMNS} FROM customers WHERE company_id = $1 AND document = $2`,
      [companyId, document],
      tx,
    );
    if (existing === null) throw new Error('a customer is never deleted');
    return { ...existing, name, email, phone: null, address: null, metadata: null };
  }

  async findByToken(companyId: number, token: string, tx?: Tx): Promise<Customer | null> {
    return this.database.queryOne<Customer>(
      `SELECT ${COLUMNS} FROM customers WHERE company_id = $1 AND token = $2`,
      [companyId, token],
      tx,
    );
  }

  /** By internal ids, which are only referenced by rows of the same company. */
  async listByIds(ids: readonly number[], tx?: Tx): Promise<Customer[]> {
    return this.database.query<Customer>(`SELECT ${COLUMNS} FROM customers WHERE id = ANY($1)`, [ids], tx);
  }

  /** Newest first. */
  async list(companyId: number, page: PageRequest): Promise<Page<Customer>> {
    const { rows, count } = await CustomerModel.findAndCountAll({
      where: { companyId },
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      ...pageBounds(page),
    });
    return { rows: rows.map(toCustomer), total: count };
  }
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value);
}

function toCustomer(row: CustomerModel): Customer {
  const { id, token, name, email, document, phone, address, metadata, createdAt, updatedAt } = row;
  return { id, token, name, email, document, phone, address, metadata, createdAt, updatedAt };
}
