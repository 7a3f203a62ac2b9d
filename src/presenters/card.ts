import type { SavedCard } from '../domain/customers/customer';
import type { CardSnapshot } from '../domain/shared/payment-snapshot';
import type { components } from '../http/generated/openapi';

/** A payment's card; `token` is null unless the card is saved. Month and year are strings of 2 and 4 digits. */
export function presentCard(card: CardSnapshot): components['schemas']['PaymentCard'] {
  return {
    token: card.token,
    brand: card.brand,
    first_6_digits: card.first6Digits,
    last_4_digits: card.last4Digits,
    holder_name: card.holderName,
    expire_month: String(card.expireMonth).padStart(2, '0'),
    expire_year: String(card.expireYear),
  };
}

export function presentSavedCard(card: SavedCard): components['schemas']['SavedCard'] {
  return {
    ...presentCard(card),
    token: card.token,
    holder_name: card.holderName,
    is_default: card.isDefault,
    created_at: card.createdAt.toISOString(),
  };
}
