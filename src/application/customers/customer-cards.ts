import { parseCard, type CardInput } from '../../domain/customers/card';
import type { SavedCard } from '../../domain/customers/customer';
import { notFound, validationError } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import type { Customers } from './customers';

export interface CustomerCardsDeps {
  readonly db: Database;
  readonly customers: Customers;
  readonly cards: CustomerCardRepository;
  readonly vault: CardVault<Tx>;
}

/** A customer and the company it must belong to. */
export interface CustomerRef {
  readonly companyId: number;
  readonly token: string;
}

/** A customer's saved cards. Every operation throws `not_found` for a customer or a card that the company does not have. */
export class CustomerCards {
  constructor(private readonly deps: CustomerCardsDeps) {}

  /** Saves a card. Its CVV is checked for shape and not kept: it proves this entry, not later payments. */
  async save(
    { companyId, token }: CustomerRef,
    input: CardInput & { readonly billing_address?: BillingAddress | null },
    now: Date,
  ): Promise<SavedCard> {
    const parsed = parseCard(input, now, '');
    if (!parsed.valid) throw validationError(parsed.errors);
    const customer = await this.deps.customers.get(companyId, token);
    const { number, cvv: _unkept, ...card } = parsed.value;
    return this.deps.db.inTransaction(async (tx) => {
      const saved = await this.deps.cards.saveCustomerCard(tx, {
        companyId,
        customerId: customer.id,
        vaultCardId: await this.deps.vault.put(tx, { companyId, number, cvv: null }),
        fingerprint: this.deps.vault.fingerprint(companyId, number),
        card,
        billingAddress: input.billing_address ?? null,
      });
      const found = await this.deps.cards.findCustomerCard(companyId, saved, tx);
      if (found === null) throw new Error('a card just saved is there');
      return found;
    });
  }

  async list({ companyId, token }: CustomerRef, page: PageRequest): Promise<Page<SavedCard>> {
    const customer = await this.deps.customers.get(companyId, token);
    return this.deps.cards.list(companyId, customer.id, page);
  }

  /** From now on the card cannot be charged; the sweeper erases its number once no payment under way needs it. */
  async delete({ companyId, token }: CustomerRef, cardToken: string): Promise<void> {
    const customer = await this.deps.customers.get(companyId, token);
    const deleted = await this.deps.db.inTransaction((tx) =>
      this.deps.cards.delete(tx, companyId, customer.id, cardToken),
    );
    if (!deleted) throw notFound();
  }
}
