import { applyChange, type Change } from '../../domain/shared/change';
import {
  identityOf,
  type Customer,
  type CustomerDetails,
  type StoredCustomer,
} from '../../domain/customers/customer';
import { documentType } from '../../domain/customers/document';
import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import { newCustomerToken } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Database, Tx } from '../sql/transaction';
import { CustomerNames, type LookupHash } from './customer-names';

/** What is sealed: a customer's details with null for what is missing. */
type PersonalData = Pick<
  Customer,
  'name' | 'email' | 'document' | 'phone' | 'address' | 'metadata' | 'guestId'
>;

/** The document names the customer and never changes. */
export type CustomerChange = Change<Omit<PersonalData, 'document' | 'guestId'>>;

interface CustomerRow {
  readonly id: number;
  readonly token: string;
  readonly type: Customer['type'];
  readonly key: CustomerKey | null;
  readonly personalData: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The key of `customers c` as JSON; null once the customer is erased. */
export const CUSTOMER_KEY = `CASE WHEN c.sealed_key IS NOT NULL THEN jsonb_build_object(
  'companyId', c.company_id, 'token', c.token, 'sealed', c.sealed_key) END`;

const COLUMNS = `c.id, c.token, c.type, ${CUSTOMER_KEY} AS key, c.personal_data AS "personalData",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

export interface CustomerFilter {
  readonly email?: string | undefined;
  /** Parsed (`parseDocument`). */
  readonly document?: string | undefined;
}

/**
 * Owns `customers`. Reads within a transaction lock the customer (`FOR KEY SHARE`), so that it is not erased before what
 * the transaction inserts for it is committed.
 */
export class CustomerRepository {
  private readonly names: CustomerNames;

  constructor(
    private readonly database: Database,
    private readonly cipher: PersonalDataCipher,
    private readonly hash: LookupHash,
  ) {
    this.names = new CustomerNames(database, hash);
  }

  /**
   * Inserts a customer or updates the one with this document; a document is unique within a company.
   * Omitted fields keep their values.
   */
  async upsert(tx: Tx, companyId: number, details: CustomerDetails): Promise<Customer> {
    const { customer, isNew } = await this.findOrInsert(tx, companyId, details);
    const { name, email, phone, address, metadata } = details;
    const change = {
      ...{ name, email, phone: phone ?? undefined },
      ...{ address: address ?? undefined, metadata: metadata ?? undefined },
    };
    return isNew ? customer : this.change(tx, companyId, customer, change);
  }

  /**
   * Inserts a customer unless the company has one with this document. An existing customer is not changed; it is returned
   * with the given name and email and without its other data, because the caller is an unauthenticated buyer.
   */
  async findOrInsertBuyer(
    tx: Tx,
    companyId: number,
    { name, email, document, guestId }: Pick<CustomerDetails, 'name' | 'email' | 'document' | 'guestId'>,
  ): Promise<Customer> {
    const { customer, isNew } = await this.findOrInsert(tx, companyId, { name, email, document, guestId });
    return isNew ? customer : { ...customer, name, email, phone: null, address: null, metadata: null };
  }

  async findByToken(companyId: number, token: string, tx?: Tx): Promise<Customer | null> {
    const row = await this.database.queryOne<CustomerRow>(
      `SELECT ${COLUMNS} FROM customers c
        WHERE c.company_id = $1 AND c.token = $2 AND c.erased_at IS NULL ${tx === undefined ? '' : 'FOR KEY SHARE'}`,
      [companyId, token],
      tx,
    );
    return row && this.toCustomer(row);
  }

  /** By internal ids, which are only referenced by rows of the same company. Includes erased customers. */
  async listByIds(ids: readonly number[], tx?: Tx): Promise<StoredCustomer[]> {
    const rows = await this.database.query<CustomerRow>(
      `SELECT ${COLUMNS} FROM customers c WHERE c.id = ANY($1)`,
      [ids],
      tx,
    );
    return Promise.all(rows.map((row) => this.toStored(row)));
  }

  /** Newest first. */
  async list(
    companyId: number,
    { email, document }: CustomerFilter,
    page: PageRequest,
  ): Promise<Page<Customer>> {
    const { limit, offset } = pageBounds(page);
    const filter = [
      companyId,
      email === undefined ? null : this.emailHashes(companyId, email),
      document === undefined ? null : this.hash(companyId, 'document', document),
    ];
    const [rows, counted] = await Promise.all([
      this.database.query<CustomerRow>(
        `SELECT ${COLUMNS} ${FILTERED} ORDER BY c.created_at DESC, c.id DESC LIMIT $4 OFFSET $5`,
        [...filter, limit, offset],
      ),
      this.database.queryOne<{ total: number }>(`SELECT count(*) AS total ${FILTERED}`, filter),
    ]);
    return {
      rows: await Promise.all(rows.map((row) => this.toCustomer(row))),
      total: counted?.total ?? 0,
    };
  }

  private async findOrInsert(
    tx: Tx,
    companyId: number,
    details: CustomerDetails,
  ): Promise<{ readonly customer: Customer; readonly isNew: boolean }> {
    const identity = identityOf(details);
    const found =
      (await this.findByIdentity(tx, companyId, identity)) ??
      (await this.findLocked(tx, companyId, identity));
    if (found !== null) return { customer: found, isNew: false };
    const inserted = await this.insertUnlessKnown(tx, companyId, details);
    if (inserted !== null) return { customer: inserted, isNew: true };
    // Another transaction has inserted the customer meanwhile.
    const customer = await this.findByIdentity(tx, companyId, identity);
    if (customer === null) throw new Error('the customer was erased in the moment it was inserted');
    return { customer, isNew: false };
  }

  /** While a key is replaced, the unique index does not keep processes from inserting the same document by different keys. */
  private async findLocked(tx: Tx, companyId: number, identity: string): Promise<Customer | null> {
    const hashes = this.documentHashes(companyId, identity);
    if (hashes.length === 1) return null;
    for (const hash of [...hashes].sort()) {
      await this.database.query(
        'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
        [`customer ${hash}`],
        tx,
      );
    }
    return this.findByIdentity(tx, companyId, identity);
  }

  private async findByIdentity(tx: Tx, companyId: number, identity: string): Promise<Customer | null> {
    const row = await this.database.queryOne<CustomerRow>(
      `SELECT ${COLUMNS} FROM customers c WHERE c.company_id = $1 AND c.document_hash = ANY($2) FOR KEY SHARE`,
      [companyId, this.documentHashes(companyId, identity)],
      tx,
    );
    return row && this.toCustomer(row);
  }

  private async insertUnlessKnown(
    tx: Tx,
    companyId: number,
    { name, email, document, guestId, phone = null, address = null, metadata = null }: CustomerDetails,
  ): Promise<Customer | null> {
    const token = newCustomerToken();
    const sealed = await this.cipher.newKey({ companyId, token });
    const guest = document === null && guestId !== undefined ? { guestId } : {};
    const personal = { name, email, document, phone, address, metadata, ...guest };
    const row = await this.database.queryOne<CustomerRow>(
      `WITH c AS (
         INSERT INTO customers
           (token, company_id, type, sealed_key, personal_data, document_hash, email_hash, updated_at, name_hashed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now(), now()) ON CONFLICT DO NOTHING RETURNING *),
       names AS (
         INSERT INTO customer_names (company_id, hash, customer_id) SELECT c.company_id, hash, c.id FROM c, unnest($8::text[]) AS hash)
       SELECT ${COLUMNS} FROM c`,
      [
        token,
        companyId,
        document === null ? 'individual' : documentType(document),
        JSON.stringify(sealed),
        await this.seal({ companyId, token, sealed }, personal),
        this.documentHashes(companyId, identityOf({ document, guestId }))[0],
        this.emailHashes(companyId, email)[0],
        this.names.hashesOf(companyId, name),
      ],
      tx,
    );
    return row && { ...withoutSealed(row), ...personal, key: keyOf(row) };
  }

  /** Writes nothing if nothing changes. */
  async change(tx: Tx, companyId: number, known: Customer, change: CustomerChange): Promise<Customer> {
    if (!changes(known, change)) return known;
    // Locked, because two requests may each change a part of it.
    const before = await this.lock(tx, known.id);
    const after = applyChange<PersonalData>(personalOf(before), change);
    const isRenamed = after.name !== before.name;
    const row = await this.database.queryOne<CustomerRow>(
      `UPDATE customers AS c SET personal_data = $2, email_hash = $3, updated_at = now(),
         name_hashed_at = CASE WHEN $4 OR c.name_hashed_at >= c.updated_at THEN now() END
        WHERE c.id = $1 RETURNING ${COLUMNS}`,
      [known.id, await this.seal(before.key, after), this.emailHashes(companyId, after.email)[0], isRenamed],
      tx,
    );
    if (row === null) throw new Error('the customer does not exist');
    if (isRenamed) await this.names.replace(tx, { id: known.id, companyId }, after.name);
    return { ...withoutSealed(row), ...after, key: keyOf(row) };
  }

  private async lock(tx: Tx, id: number): Promise<Customer> {
    const row = await this.database.queryOne<CustomerRow>(
      `SELECT ${COLUMNS} FROM customers c WHERE c.id = $1 FOR NO KEY UPDATE`,
      [id],
      tx,
    );
    if (row === null) throw new Error('the customer does not exist');
    return this.toCustomer(row);
  }

  private async toStored(row: CustomerRow): Promise<StoredCustomer> {
    const { key, personalData } = row;
    const opened = await openPersonal<PersonalData>(this.cipher, key, personalData, recordOf(row));
    return { ...withoutSealed(row), ...(opened ?? ERASED), key };
  }

  private async toCustomer(row: CustomerRow): Promise<Customer> {
    const stored = await this.toStored(row);
    const { name, email, key } = stored;
    if (name === null || email === null || key === null) throw new Error('the customer is erased');
    return { ...stored, name, email, key };
  }

  private seal(key: CustomerKey, personal: PersonalData): Promise<string> {
    return this.cipher.seal(key, personal, recordOf(key));
  }

  /** Every hash by which rows may know the document, or what stands in for it (`identityOf`). */
  documentHashes(companyId: number, identity: string): ReturnType<LookupHash> {
    return this.hash(companyId, 'document', identity);
  }

  emailHashes(companyId: number, email: string): ReturnType<LookupHash> {
    return this.hash(companyId, 'email', email.trim().toLowerCase());
  }
}

const FILTERED = `FROM customers c WHERE c.company_id = $1 AND c.erased_at IS NULL
  AND ($2::text[] IS NULL OR c.email_hash = ANY($2)) AND ($3::text[] IS NULL OR c.document_hash = ANY($3))`;

const ERASED = { name: null, email: null, document: null, phone: null, address: null, metadata: null };

function withoutSealed({ id, token, type, createdAt, updatedAt }: CustomerRow) {
  return { id, token, type, createdAt, updatedAt };
}

function keyOf({ key }: CustomerRow): CustomerKey {
  if (key === null) throw new Error('the customer is erased');
  return key;
}

function personalOf({ name, email, document, guestId, phone, address, metadata }: Customer): PersonalData {
  return { name, email, document, phone, address, metadata, ...(guestId && { guestId }) };
}

function changes(before: Customer, change: CustomerChange): boolean {
  const personal = personalOf(before);
  const after = applyChange<PersonalData>(personal, change);
  return JSON.stringify(after) !== JSON.stringify(personal);
}

function recordOf({ token }: Pick<CustomerRow, 'token'>): string {
  return `customers:${token}`;
}
