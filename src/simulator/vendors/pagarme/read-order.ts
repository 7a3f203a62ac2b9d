import { randomBytes } from 'node:crypto';
import type { SimulatorResponse } from '../../replies';
import { type CustomerStore, readCard, type StoredCard } from './customers';
import type { PagarmeRequest } from './endpoint';
import { errorOfStatus, invalidRequest, notFound } from './errors';
import type { OrderBody, OrderPayment } from './parameters';
import { splitRulesProblem } from './splits';

/** A valid order, and what it is paid with. */
export interface ReadOrder {
  readonly order: OrderBody;
  /** The merchant's reference; Pagar.me gives an order without one a code of ten letters and digits. */
  readonly code: string;
  readonly payment: OrderPayment;
  readonly amount: number;
  readonly customerId: string;
  readonly card: StoredCard | null;
}

/** The order, or what is wrong with it. */
export function readOrder(
  order: OrderBody,
  customers: CustomerStore,
  { body }: PagarmeRequest,
): ReadOrder | SimulatorResponse {
  const [payment] = order.payments;
  if (payment === undefined) return errorOfStatus(422);
  const amount = amountOf(order);
  const wrong = (field: string, message: string) => invalidRequest({ [field]: [message] }, body);
  if ((payment.amount ?? amount) !== amount)
    return wrong('order.payments', 'The sum of the payments must be the amount of the order.');
  const split = splitRulesProblem(payment.split ?? [], amount);
  if (split !== null) return wrong('order.payments[0].split', split);
  if (order.customer_id !== null && customers.find(order.customer_id) === null) return notFound('Customer');
  if (payment.payment_method !== 'credit_card' && (order.currency ?? 'BRL') !== 'BRL')
    return wrong('order.currency', `The payment method ${payment.payment_method} needs BRL.`);
  const card = readCardOf(payment, customers, body);
  if (card !== null && 'status' in card) return card;
  if (
    card !== null &&
    order.customer_id !== null &&
    (card.customerId ?? order.customer_id) !== order.customer_id
  )
    return notFound('Card');
  const customerId =
    order.customer_id ?? card?.customerId ?? (order.customer && customers.create(order.customer));
  // https://docs.pagar.me/reference/erros-1: 404 for an order without a customer.
  if (customerId === null) return notFound('Customer');
  const code = order.code ?? randomBytes(5).toString('hex').toUpperCase();
  return { order, code, payment, amount, customerId, card };
}

/** Null for a payment without a card. A raw card becomes a card of the customer, with an id. */
function readCardOf(
  { payment_method, credit_card: method }: OrderPayment,
  customers: CustomerStore,
  body: unknown,
): StoredCard | SimulatorResponse | null {
  if (payment_method !== 'credit_card' || method === null) return null;
  if (method.card_id !== null) return customers.findCard(method.card_id) ?? notFound('Card');
  const card = readCard(method.card, 'order.payments[0].credit_card.card', body);
  return 'number' in card ? customers.storeCard(card, null) : card;
}

export function amountOf({ items }: OrderBody): number {
  return items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0);
}
