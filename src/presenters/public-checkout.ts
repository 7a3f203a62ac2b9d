import type { Buyer } from '../domain/checkout/checkout-session';
import { documentType, maskDocument } from '../domain/customers/document';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];
type Payment = Schemas['Payment'];

/**
 * A payment as anybody with a link may see it. `buyer` is what the buyer entered; null if the company named the customer, who
 * then sees the whole payment.
 *
 * It must not tell whether a document belongs to a customer, nor what a bank said about a card: that is what card testers
 * want to know.
 */
export function toPublicPayment(payment: Payment, buyer: Buyer | null): Payment {
  if (buyer === null) return payment;
  return {
    ...withBuyerDetails(payment, buyer),
    message: coarseMessage(payment),
    routing: { ignored_first_try: null },
    webhook: null,
    transactions: payment.transactions.map(toPublicTransaction),
    ...(payment.card && { card: { ...payment.card, token: null } }),
  };
}

/** Shows what the buyer entered instead of the stored customer, who is found by document only. */
export function withBuyerDetails<Body extends { readonly customer: Schemas['PaymentCustomer'] | null }>(
  body: Body,
  buyer: Buyer | null,
): Body {
  if (buyer === null || body.customer === null) return body;
  const { name, email, document } = buyer;
  const entered = { name, email, document: maskDocument(document), type: documentType(document) };
  return { ...body, customer: { id: null, token: null, ...entered, phone: null, address: null } };
}

function coarseMessage({ status, code, message }: Payment): string {
  if (status !== 'failed' || code === 'expired') return message;
  return code === 'declined' ? 'declined' : 'not processed';
}

function toPublicTransaction(transaction: Schemas['PaymentTransaction']): Schemas['PaymentTransaction'] {
  return {
    ...transaction,
    gateway_transaction_id: null,
    response_code: null,
    response_message: null,
    decline_type: null,
    authorization_code: null,
  };
}
