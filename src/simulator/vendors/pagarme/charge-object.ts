import type { StoredCharge } from '../../charge-store';
import type { CustomerStore } from './customers';
import { instant, type PagarmeObject } from './endpoint';
import { gatewayIdOf, itemIdOf, orderIdOf, pagarmeChargeIdOf } from './ids';
import { chargeCodeOf, orderCodeOf, orderDataOf } from './record';
import { chargeStateOf, orderStateOf } from './states';
import { lastTransactionObject, PAYMENT_METHODS } from './transaction-object';

/** What objects show beside the charge. */
export interface Showing {
  /** The simulator's base URL. */
  readonly origin: string;
  readonly customers: CustomerStore;
}

/** SDK 7.0.2: `getChargeResponse`. An order shows its charges without `order`. */
export function chargeObject(charge: StoredCharge, showing: Showing): PagarmeObject {
  const data = orderDataOf(charge);
  const status = chargeStateOf(charge);
  const created = charge.operations[0]?.at ?? '';
  const updated = charge.disputes?.at(-1)?.changedAt ?? charge.operations.at(-1)?.at ?? created;
  const canceled = charge.status === 'canceled' ? charge.amount : charge.refunded;
  // The webhook `charge.refunded` of a charge that is refunded in full has neither `paid_amount` nor `paid_at`.
  const isPaid = charge.captured > 0 && charge.status !== 'refunded';
  return {
    id: pagarmeChargeIdOf(charge.id),
    code: chargeCodeOf(charge),
    gateway_id: gatewayIdOf(charge.id),
    amount: charge.amount,
    ...(isPaid && { paid_amount: charge.captured }),
    ...(canceled > 0 && { canceled_amount: canceled }),
    status,
    currency: charge.currency,
    payment_method: PAYMENT_METHODS[charge.method],
    ...(charge.billet !== null && { due_at: `${charge.billet.dueAt}T23:59:59Z` }),
    ...(isPaid && { paid_at: instant(paidAt(charge)) }),
    ...(status === 'canceled' && { canceled_at: instant(updated) }),
    created_at: instant(created),
    updated_at: instant(updated),
    customer: showing.customers.show(data.customer_id, created),
    last_transaction: lastTransactionObject(charge, showing.origin),
    metadata: data.metadata,
    ...(data.payment_origin !== null && { payment_origin: data.payment_origin }),
  };
}

/** `GET /charges/{id}` and webhooks: with the order, as in Pagar.me's webhook `charge.refunded`. */
export function chargeWithOrder(charge: StoredCharge, showing: Showing): PagarmeObject {
  return { ...chargeObject(charge, showing), order: orderHead(charge) };
}

/** SDK 7.0.2: `getOrderResponse`. */
export function orderObject(charge: StoredCharge, showing: Showing): PagarmeObject {
  const { items, customer_id } = orderDataOf(charge);
  const created = charge.operations[0]?.at ?? '';
  return {
    ...orderHead(charge),
    items: items.map(({ code, ...item }, position) => ({
      id: itemIdOf(charge.id, position),
      type: 'product',
      ...item,
      ...(code !== null && { code }),
      status: 'active',
      created_at: instant(created),
      updated_at: instant(created),
    })),
    customer: showing.customers.show(customer_id, created),
    charges: [chargeObject(charge, showing)],
  };
}

/** An order without items, customer and charges. */
export function orderHead(charge: StoredCharge): PagarmeObject {
  const { closed, metadata } = orderDataOf(charge);
  const created = charge.operations[0]?.at ?? '';
  return {
    id: orderIdOf(charge.id),
    code: orderCodeOf(charge),
    amount: charge.amount,
    currency: charge.currency,
    closed,
    status: orderStateOf(charge),
    created_at: instant(created),
    updated_at: instant(charge.operations.at(-1)?.at ?? created),
    ...(closed && { closed_at: instant(created) }),
    metadata,
  };
}

/** When it was captured; of a pix or boleto the ledger does not know more than when it was created. */
function paidAt({ operations }: StoredCharge): string {
  const captured = operations.find(
    ({ operation, status }) => operation === 'capture' && status === 'approved',
  );
  return (captured ?? operations[0])?.at ?? '';
}
