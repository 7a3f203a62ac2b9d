import type { Customer, StoredCustomer } from '../../domain/customers/customer';
import { isNameFound } from '../../domain/search/name-words';
import type { SearchText } from '../../domain/search/search-text';
import type { Database } from '../sql/transaction';
import { CustomerNames, type LookupHash } from './customer-names';
import type { CustomerRepository } from './customer-repository';

/** By what a customer was found. */
export type CustomerMatch = 'token' | 'email' | 'document' | 'name' | 'card';

export interface FoundCustomer {
  readonly customer: Customer;
  readonly match: CustomerMatch;
}

interface Match {
  readonly id: number;
  readonly match: CustomerMatch;
}

/** Customers with a searched name that are opened, to compare what is not hashed. */
const OPENED = 50;

/** Finds customers by what is sealed, and by their saved cards. */
export class CustomerSearch {
  private readonly names: CustomerNames;

  constructor(
    private readonly db: Database,
    private readonly customers: Pick<CustomerRepository, 'listByIds' | 'emailHashes' | 'documentHashes'>,
    hash: LookupHash,
  ) {
    this.names = new CustomerNames(db, hash);
  }

  /** The newest ones, those of the surest match first: at most `limit` of each match. */
  async find(companyId: number, search: SearchText, limit: number): Promise<FoundCustomer[]> {
    const certain = await this.findCertain(companyId, search, limit);
    const names = await this.names.find(companyId, search.nameBeginnings, OPENED);
    const matches = [...certain, ...names.map((id): Match => ({ id, match: 'name' }))];
    const first = matches.filter(({ id }, index) => matches.findIndex((other) => other.id === id) === index);
    if (first.length === 0) return [];
    const stored = new Map(
      (await this.customers.listByIds(first.map(({ id }) => id))).map((each) => [each.id, each]),
    );
    const found = first.flatMap(({ id, match }) => {
      const customer = stored.get(id);
      if (customer === undefined || !isPresent(customer)) return [];
      return match === 'name' && !isNameFound(customer.name, search.text) ? [] : [{ customer, match }];
    });
    const named = found.filter(({ match }) => match === 'name').slice(0, limit);
    return [...found.filter(({ match }) => match !== 'name'), ...named];
  }

  /** Writes the hashes of names that lack them, of at most `limit` customers. Returns how many. */
  async hashNames(limit: number): Promise<number> {
    return this.db.inTransaction(async (tx) => {
      const missing = await this.names.lockMissing(tx, limit);
      if (missing.length === 0) return 0;
      const ids = missing.map(({ id }) => id);
      const names = new Map((await this.customers.listByIds(ids, tx)).map(({ id, name }) => [id, name]));
      for (const customer of missing) await this.names.replace(tx, customer, names.get(customer.id) ?? '');
      await this.names.markHashed(tx, ids);
      return ids.length;
    });
  }

  private async findCertain(companyId: number, search: SearchText, limit: number): Promise<Match[]> {
    const values: unknown[] = [companyId, limit];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const of = (match: CustomerMatch, condition: string) =>
      `(SELECT id, '${match}' AS match FROM customers
         WHERE company_id = $1 AND erased_at IS NULL AND ${condition} ORDER BY id DESC LIMIT $2)`;
    const { text, email, document, lastFour } = search;
    const parts = [of('token', `token = ${parameter(text)}`)];
    if (email !== null)
      parts.push(of('email', `email_hash = ANY(${parameter(this.customers.emailHashes(companyId, email))})`));
    if (document !== null)
      parts.push(
        of(
          'document',
          `document_hash = ANY(${parameter(this.customers.documentHashes(companyId, document))})`,
        ),
      );
    if (lastFour !== null)
      parts.push(`(SELECT customer_id AS id, 'card' AS match FROM customer_cards
        WHERE company_id = $1 AND deleted_at IS NULL AND last_4_digits = ${parameter(lastFour)} ORDER BY id DESC LIMIT $2)`);
    return this.db.queryComposed<Match>(parts.join(' UNION ALL '), values);
  }
}

function isPresent(customer: StoredCustomer): customer is Customer {
  return customer.name !== null && customer.email !== null && customer.key !== null;
}
