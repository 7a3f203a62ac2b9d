import type { Customer, SavedCard } from '../../domain/customers/customer';
import type { components } from '../../http/generated/openapi';
import { presentSavedCard } from '../card';
import { presentCustomer } from '../customer';

/** A purchase by a checkout session. */
interface PresentablePurchase {
  readonly orderId: string;
  readonly link: { readonly token: string; readonly name: string } | null;
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
}

export function presentUserCustomer(
  customer: Customer,
  cards: readonly SavedCard[],
  purchases: readonly PresentablePurchase[],
): components['schemas']['UserCustomer'] {
  return {
    customer: presentCustomer(customer),
    cards: cards.map(presentSavedCard),
    checkout_purchases: purchases.map(({ orderId, link, transactionId, subscriptionId, createdAt }) => ({
      merchant_order_id: orderId,
      payment_link: link,
      transaction_id: transactionId,
      subscription_id: subscriptionId,
      created_at: createdAt.toISOString(),
    })),
  };
}
