import type { Database } from '../sql/transaction';

/** A purchase by a checkout session, with its payment link if it came from one. */
export interface CustomerPurchase {
  readonly orderId: string;
  readonly link: { readonly token: string; readonly name: string } | null;
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
  readonly createdAt: Date;
}

/** A customer's newest purchases by checkout sessions, newest first. */
export function listCheckoutPurchases(
  db: Database,
  customerId: number,
  limit: number,
): Promise<CustomerPurchase[]> {
  return db.query<CustomerPurchase>(
    `SELECT s.merchant_order_id AS "orderId", s.transaction_id AS "transactionId", s.subscription_id AS "subscriptionId",
            s.created_at AS "createdAt",
            CASE WHEN l.id IS NOT NULL THEN jsonb_build_object('token', l.token, 'name', l.name) END AS link
       FROM (SELECT checkout_session_id FROM payments WHERE customer_id = $1 AND checkout_session_id IS NOT NULL
              ORDER BY created_at DESC, id DESC LIMIT $2) p
       JOIN checkout_sessions s ON s.id = p.checkout_session_id
       LEFT JOIN payment_links l ON l.id = s.payment_link_id
     UNION
     SELECT s.merchant_order_id, s.transaction_id, s.subscription_id, s.created_at,
            CASE WHEN l.id IS NOT NULL THEN jsonb_build_object('token', l.token, 'name', l.name) END
       FROM (SELECT checkout_session_id FROM subscriptions WHERE customer_id = $1 AND checkout_session_id IS NOT NULL
              ORDER BY created_at DESC, id DESC LIMIT $2) b
       JOIN checkout_sessions s ON s.id = b.checkout_session_id
       LEFT JOIN payment_links l ON l.id = s.payment_link_id
     ORDER BY "createdAt" DESC LIMIT $2`,
    [customerId, limit],
  );
}
