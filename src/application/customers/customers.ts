import type { Customer, CustomerDetails } from '../../domain/customers/customer';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import { notFound, validationError } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import type {
  CustomerChange,
  CustomerFilter,
  CustomerRepository,
} from '../../persistence/customers/customer-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { Creation } from '../shared/create-once';

/** A company's customers. Another company's customer gives the same `not_found` as an unknown one. */
export class Customers {
  constructor(
    private readonly db: Database,
    private readonly customers: CustomerRepository,
  ) {}

  /** Creates a customer, or updates the company's customer with the same document. @throws ApiError `validation_error` */
  save(companyId: number, details: CustomerDetails): Creation<Customer> {
    const document = parseDocument(details.document ?? '');
    if (document === null) throw validationError({ document: [DOCUMENT_RULE] });
    return (tx) => this.customers.upsert(tx, companyId, { ...details, document: document.value });
  }

  /** @throws ApiError `not_found` */
  async get(companyId: number, token: string, tx?: Tx): Promise<Customer> {
    const customer = await this.customers.findByToken(companyId, token, tx);
    if (customer === null) throw notFound();
    return customer;
  }

  /**
   * Changes some of a customer's data.
   *
   * @throws ApiError `not_found`; `validation_error` on `document`, which never changes
   */
  async update(
    { companyId, token }: { readonly companyId: number; readonly token: string },
    { document, ...change }: CustomerChange & { readonly document?: string | undefined },
  ): Promise<Customer> {
    return this.db.inTransaction(async (tx) => {
      const customer = await this.get(companyId, token, tx);
      if (document !== undefined && parseDocument(document)?.value !== customer.document) {
        throw validationError({ document: ['never changes: create another customer'] });
      }
      return this.customers.change(tx, companyId, customer, change);
    });
  }

  /** @throws ApiError `validation_error` on `document` */
  async list(
    companyId: number,
    { email, document }: CustomerFilter,
    page: PageRequest,
  ): Promise<Page<Customer>> {
    if (document === undefined) return this.customers.list(companyId, { email }, page);
    const parsed = parseDocument(document);
    if (parsed === null) throw validationError({ document: [DOCUMENT_RULE] });
    return this.customers.list(companyId, { email, document: parsed.value }, page);
  }
}
