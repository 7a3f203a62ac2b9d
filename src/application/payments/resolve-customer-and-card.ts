import { isExpired, type RawCard } from '../../domain/customers/card';
import type { Customer } from '../../domain/customers/customer';
import { validationError } from '../../domain/shared/errors';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import type { CustomerChoice } from './payment-request';

export interface PartyDeps {
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly vault: CardVault<Tx>;
}

/**
 * The customer a request names, or describes and so makes or updates. A buyer at a checkout is the known customer with
 * that document, in the buyer's own words: what is known stays, and is not told.
 *
 * @throws ApiError `validation_error` on `customer.token`
 */
export async function resolveCustomer(
  { customers }: PartyDeps,
  tx: Tx,
  companyId: number,
  customer: CustomerChoice,
): Promise<Customer> {
  if (customer.kind === 'described') return customers.upsertCustomer(tx, companyId, customer.details);
  if (customer.kind === 'buyer') return customers.findOrInsert(tx, companyId, customer.details);
  const known = await customers.findCustomerByToken(companyId, customer.token, tx);
  if (known === null) throw validationError({ 'customer.token': ['names no customer of yours'] });
  return known;
}

/**
 * A saved card of that customer; it cannot be deleted before `tx` has ended.
 *
 * @throws ApiError `validation_error` on `card.token`
 */
export async function resolveSavedCard(
  { customerCards }: PartyDeps,
  tx: Tx,
  owner: { readonly companyId: number; readonly customerId: number },
  token: string,
  now: Date,
): Promise<CardOnFile> {
  const saved = await customerCards.findCustomerCard(owner.companyId, token, tx);
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
  };
}

/** A raw card goes into the vault here and nowhere else. Its CVV goes with it only where it is used soon. */
export async function storeRawCard(
  { vault }: PartyDeps,
  tx: Tx,
  companyId: number,
  { number, cvv, ...summary }: RawCard,
  keepsCvv: boolean,
): Promise<CardOnFile> {
  const vaultCardId = await vault.put(tx, { companyId, number, cvv: keepsCvv ? cvv : null });
  const fingerprint = vault.fingerprint(companyId, number);
  return { card: { token: null, ...summary }, fingerprint, vaultCardId, billingAddress: null };
}
