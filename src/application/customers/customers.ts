import type { Customer, CustomerDetails } from '../../domain/customers/customer';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import { notFound, validationError } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { Creation } from '../shared/create-once';

/** A company's customers. Another company's customer gives the same `not_found` as an unknown one. */
export class Customers {
  constructor(private readonly customers: CustomerRepository) {}

  /** Creates a customer, or updates the company's customer with the same document. @throws ApiError `validation_error` */
  save(companyId: number, details: CustomerDetails): Creation<Customer> {
    const document = parseDocument(details.document);
    if (document === null) throw validationError({ document: [DOCUMENT_RULE] });
    return (tx) => this.customers.upsert(tx, companyId, { ...details, document: document.value });
  }

  /** @throws ApiError `not_found` */
  async get(companyId: number, token: string): Promise<Customer> {
    const customer = await this.customers.findByToken(companyId, token);
    if (customer === null) throw notFound();
    return customer;
  }

  async list(companyId: number, page: PageRequest): Promise<Page<Customer>> {
    return this.customers.list(companyId, page);
  }
}
