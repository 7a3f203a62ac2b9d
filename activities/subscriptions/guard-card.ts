import { cardIdentity, permissionFor } from '../../src/domain/subscriptions/charge-guard';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from '../payments/payment-deps';

/** `busy`: the answers of other charges of the card must come first. */
export type CardPermission = 'allowed' | 'busy' | 'forbidden';

/**
 * Whether the card's network allows another attempt at a subscription's charge, decided where it is sent. The subscription has
 * asked before it opened the charge, but charges that were opened together may have been declined since, and each failover is
 * one more attempt. Charges that are sent and not answered count as declines if the card has never been approved for this
 * subscription, or was declined in the longest window of a limit. Until `tx` ends, no other charge of the card is claimed.
 */
export async function cardPermission(
  deps: Pick<PaymentDeps, 'cardDeclines'>,
  tx: Tx,
  payment: PaymentRecord,
  now: Date,
): Promise<CardPermission> {
  const { companyId, card, billedAt, createdAt, amountCents, initiation } = payment;
  const identity = chargedCardOf(payment);
  if (identity === null || card === null || billedAt === null) return 'allowed';
  const charged = { companyId, identity };
  await deps.cardDeclines.lock(charged, tx);
  // By the subscription's clock, like the times of the declines.
  const at = new Date(+billedAt + (+now - +createdAt));
  const { declines, open } = await deps.cardDeclines.list(charged, at, tx);
  const charge = { brand: card.brand, amountCents, at, initiator: 'person' } as const;
  if (permissionFor(charge, declines).kind !== 'allowed') return 'forbidden';
  const isProven = initiation.initiator === 'merchant' && declines.length === 0;
  if (isProven || permissionFor(charge, [...declines, ...open]).kind === 'allowed') return 'allowed';
  return 'busy';
}

/** By which networks count the declines of subscriptions' charges; null for a one-off payment. */
export function chargedCardOf({ subscriptionId, cardFingerprint, card }: PaymentRecord): string | null {
  if (subscriptionId === null || cardFingerprint === null || card === null) return null;
  const { expireMonth, expireYear } = card;
  return cardIdentity({ fingerprint: cardFingerprint, expireMonth, expireYear });
}
