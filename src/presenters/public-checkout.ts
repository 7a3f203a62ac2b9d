import type { Buyer, CheckoutParty } from '../domain/checkout/checkout-session';
import { documentType, maskDocument } from '../domain/customers/document';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];
type Payment = Schemas['Payment'];

/**
 * A payment as anybody with a link may see it. A customer whom the company named sees the whole payment.
 *
 * It must not show whether a document belongs to a customer, nor why an issuer declined a card: that is what card testers
 * want to know.
 */
export function toPublicPayment(payment: Payment, party: CheckoutParty): Payment {
  if (party.customerId !== null) return payment;
  return {
    ...withBuyerDetails(payment, party),
    message: coarseMessage(payment),
    routing: { ignored_first_try: null },
    webhook: null,
    transactions: payment.transactions.map(toPublicTransaction),
    ...(payment.card && { card: { ...payment.card, token: null } }),
  };
}

/**
 * Shows what the buyer entered instead of the stored customer, who is found by document only; nothing if it was erased
 * since. A customer whom the company named is shown.
 */
export function withBuyerDetails<Body extends { readonly customer: Schemas['PaymentCustomer'] | null }>(
  body: Body,
  { customerId, buyer }: CheckoutParty,
): Body {
  if (customerId !== null || body.customer === null) return body;
  const { type } = body.customer;
  const entered = buyer === null ? { ...ERASED, type } : presentBuyer(buyer);
  return { ...body, customer: { id: null, token: null, ...entered, phone: null, address: null } };
}

const ERASED = { name: null, email: null, document: null };

function presentBuyer({ name, email, document }: Buyer) {
  if (document === null) return { name, email, document, type: 'individual' as const };
  return { name, email, document: maskDocument(document), type: documentType(document) };
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
