import { isExpired, type RawCard } from '../../domain/customers/card';
import type { Customer } from '../../domain/customers/customer';
import { validationError } from '../../domain/shared/errors';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type {
  CustomerCardRepository,
  PayableCard,
} from '../../persistence/customers/customer-card-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { PreparedChange } from '../../persistence/sql/prepared-table';
import type { Tx } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import type { CustomerChoice } from './payment-request';

export interface CustomerAndCardDeps {
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly vault: CardVault<Tx>;
}

/**
 * Finds the customer by token, or creates or updates it from details. A buyer at a public checkout is matched by document,
 * but never changes or reveals the stored customer.
 *
 * @throws ApiError `validation_error` on `customer.token`
 */
export async function resolveCustomer(
  { customers }: CustomerAndCardDeps,
  tx: Tx,
  companyId: number,
  customer: CustomerChoice,
): Promise<Customer> {
  if (customer.kind === 'described') return customers.upsert(tx, companyId, customer.details);
  if (customer.kind === 'buyer') return customers.findOrInsertBuyer(tx, companyId, customer.details);
  const known = await customers.findByToken(companyId, customer.token, tx);
  if (known === null) throw validationError({ 'customer.token': ['names no customer of yours'] });
  return known;
}

export interface SavedCardOnFile extends CardOnFile, Pick<PayableCard, 'networkIds'> {}

/**
 * Finds a saved card of the customer and locks it, so that it cannot be deleted before `tx` ends.
 *
 * @throws ApiError `validation_error` on `card.token`
 */
export async function resolveSavedCard(
  { customerCards }: CustomerAndCardDeps,
  tx: Tx,
  owner: { readonly companyId: number; readonly customerId: number },
  token: string,
  now: Date,
): Promise<SavedCardOnFile> {
  const saved = await customerCards.findByToken(owner.companyId, token, tx);
  if (saved === null || saved.customerId !== owner.customerId) {
    throw validationError({ 'card.token': ['names no card of this customer'] });
  }
  if (isExpired(saved, now)) throw validationError({ 'card.token': ['the card has expired'] });
  const { brand, first6Digits, last4Digits, holderName, expireMonth, expireYear } = saved;
  return {
    card: { token, brand, first6Digits, last4Digits, holderName, expireMonth, expireYear },
    fingerprint: saved.fingerprint,
    vaultCardId: saved.vaultCardId,
    billingAddress: saved.billingAddress,
    networkIds: saved.networkIds,
  };
}

/** Stores a card in the vault. The CVV is stored only if a charge follows immediately. */
export async function storeRawCard(
  { vault }: CustomerAndCardDeps,
  tx: Tx,
  companyId: number,
  { number, cvv, ...summary }: RawCard,
  keepsCvv: boolean,
): Promise<CardOnFile> {
  const vaultCardId = await vault.put(tx, { companyId, number, cvv: keepsCvv ? cvv : null });
  const fingerprint = await vault.fingerprint(companyId, number, tx);
  return { card: { token: null, ...summary }, fingerprint, vaultCardId, billingAddress: null };
}

/** A card that `insertion` stores in the vault with its CVV, together with the payment that charges it. */
export async function sealRawCard(
  { vault }: CustomerAndCardDeps,
  tx: Tx,
  companyId: number,
  { number, cvv, ...summary }: RawCard,
): Promise<CardOnFile & { readonly insertion: PreparedChange }> {
  const { id: vaultCardId, insertion } = await vault.seal({ companyId, number, cvv });
  const fingerprint = await vault.fingerprint(companyId, number, tx);
  return { card: { token: null, ...summary }, fingerprint, vaultCardId, billingAddress: null, insertion };
}
