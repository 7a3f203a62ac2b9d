import type { AuthenticatedCompany } from '../../domain/companies/company';
import { parseCard, type CardInput } from '../../domain/customers/card';
import type { Customer, SavedCard } from '../../domain/customers/customer';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import type { Creation } from '../shared/create-once';
import type { Customers } from './customers';
import type { CardToVerify, CardVerification } from './verify-card';

export interface CustomerCardsDeps {
  readonly db: Database;
  readonly customers: Customers;
  readonly cards: CustomerCardRepository;
  readonly vault: CardVault<Tx>;
  readonly verifyCard: (card: CardToVerify) => Promise<CardVerification | null>;
}

/** A customer's token and the company that owns the customer. */
export interface CustomerRef {
  readonly companyId: number;
  readonly token: string;
}

/** Without an amount the currency means little, but gateways demand one. */
const VERIFIED_IN = 'BRL';

/** A customer's saved cards. Every method throws `not_found` for a customer or card of another company. */
export class CustomerCards {
  constructor(private readonly deps: CustomerCardsDeps) {}

  /**
   * Verifies and saves a card. The CVV is used for the verification only.
   *
   * @throws ApiError `validation_error`; `card_declined` if the issuer does not accept the card
   */
  async save(
    company: Pick<AuthenticatedCompany, 'id' | 'clientId'>,
    token: string,
    input: CardInput & { readonly billing_address?: BillingAddress | null },
    now: Date,
  ): Promise<Creation<{ readonly card: SavedCard; readonly customer: Customer }>> {
    const parsed = parseCard(input, now, '');
    if (!parsed.valid) throw validationError(parsed.errors);
    const { id: companyId } = company;
    const verification = await this.deps.verifyCard({
      company,
      customer: await this.deps.customers.get(companyId, token),
      card: parsed.value,
      billingAddress: input.billing_address ?? null,
      currency: VERIFIED_IN,
      reason: 'first_saved',
      firstTry: null,
    });
    const { number, cvv: _cvv, ...card } = parsed.value;
    return async (tx) => {
      const customer = await this.deps.customers.get(companyId, token, tx);
      const saved = await this.deps.cards.upsert(tx, {
        companyId,
        customerId: customer.id,
        customerKey: customer.key,
        vaultCardId: await this.deps.vault.put(tx, { companyId, number, cvv: null }),
        fingerprint: await this.deps.vault.fingerprint(companyId, number, tx),
        card,
        billingAddress: input.billing_address ?? null,
        networkIds: verification?.networkIds ?? null,
      });
      const found = await this.deps.cards.findByToken(companyId, saved, tx);
      if (found === null) throw new Error('the saved card was not found');
      return { card: found, customer };
    };
  }

  async list({ companyId, token }: CustomerRef, page: PageRequest): Promise<Page<SavedCard>> {
    const customer = await this.deps.customers.get(companyId, token);
    return this.deps.cards.list(companyId, customer.id, page);
  }

  /**
   * The card can no longer be charged; the sweeper erases its number once no payment in progress needs it.
   *
   * @throws ApiError `card_in_use` while a live subscription charges the card, or is about to
   */
  async delete({ companyId, token }: CustomerRef, cardToken: string): Promise<void> {
    const { customers, cards, db } = this.deps;
    const customer = await customers.get(companyId, token);
    await db.inTransaction(async (tx) => {
      // The lock keeps a subscription from being created with the card meanwhile.
      if (!(await cards.delete(tx, companyId, customer.id, cardToken))) throw notFound();
      const subscriptionId = await cards.findSubscription(tx, companyId, cardToken);
      if (subscriptionId !== null) throw cardInUse(subscriptionId);
    });
  }
}

function cardInUse(subscriptionId: string): ApiError {
  const message = `The subscription ${subscriptionId} charges the card. Change its card first.`;
  return new ApiError('card_in_use', message, undefined, undefined, {}, subscriptionId);
}
