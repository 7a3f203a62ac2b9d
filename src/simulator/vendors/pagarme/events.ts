import { randomBytes } from 'node:crypto';
import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { chargeWithOrder, orderHead, orderObject, type Showing } from './charge-object';
import { instant, type PagarmeObject } from './endpoint';
import { orderDataOf } from './record';
import { isReview, reviewOf, transactionPositions } from './states';
import type { WebhookKeys } from './signature';

/** The webhooks about the last change of a charge: https://docs.pagar.me/reference/eventos-de-webhook-1. Of the charge, and of its order where that changes too. */
export function webhooksOf(
  charge: StoredCharge,
  kind: CallbackKind,
  showing: Showing,
  keys: WebhookKeys,
): CallbackMessage[] {
  const message = (type: string, data: PagarmeObject) => webhook(type, data, charge, keys);
  const { customer_id } = orderDataOf(charge);
  const shown = {
    ...chargeWithOrder(charge, showing),
    // Two fields that only webhooks have: https://connect-stone.stone.com.br/reference/retorno-webhook.
    order: { ...orderHead(charge), customer_id },
    pending_cancellation: isCancelPending(charge),
  };
  if (kind === 'chargeback') return [message('charge.chargedback', chargedBack(shown))];
  const order = orderEventOf(charge, kind);
  return [
    message(`charge.${chargeEventOf(charge, kind)}`, shown),
    ...(order === null ? [] : [message(`order.${order}`, orderObject(charge, showing))]),
  ];
}

/** State and transaction: pagarme/ecommerce-module-core, `ChargeStatus` and `TransactionStatus`. */
function chargedBack(charge: PagarmeObject): PagarmeObject {
  const { last_transaction: last } = charge;
  const transaction = typeof last === 'object' && last !== null ? last : {};
  return {
    ...charge,
    status: 'chargedback',
    last_transaction: { ...transaction, status: 'chargedback', success: true },
  };
}

function chargeEventOf(charge: StoredCharge, status: StoredCharge['status']): string {
  const last = charge.operations[transactionPositions(charge).at(-1) ?? 0];
  if (last?.operation === 'refund' && status !== 'refunded')
    return last.status === 'declined' || last.pending !== undefined ? 'updated' : 'partial_canceled';
  if (last !== undefined && last.operation !== 'charge' && last.operation !== 'authorize') {
    if (last.status === 'declined' || last.pending !== undefined) return 'updated';
  }
  const review = charge.operations.some(isReview) ? reviewOf(charge) : null;
  if (review === 'pending') return 'antifraud_manual';
  if (reviewOf(charge) === 'reproved') return 'antifraud_reproved';
  switch (status) {
    case 'approved':
      return charge.paid > charge.amount ? 'overpaid' : 'paid';
    case 'authorized':
      return 'pending';
    case 'pending':
      return charge.paid > 0 ? 'underpaid' : 'pending';
    case 'declined':
    case 'expired':
      return 'payment_failed';
    case 'canceled':
    case 'refunded':
      return 'refunded';
    default:
      return assertNever(status);
  }
}

/** Null if the order's state does not change. */
function orderEventOf(charge: StoredCharge, status: StoredCharge['status']): string | null {
  const { operation } = charge.operations.at(-1) ?? {};
  if (status === 'approved') return operation === 'refund' ? null : 'paid';
  if (status === 'declined' || status === 'expired') return 'payment_failed';
  if (status === 'canceled') return reviewOf(charge) === 'reproved' ? 'payment_failed' : 'canceled';
  return status === 'refunded' ? 'canceled' : null;
}

function isCancelPending({ operations }: StoredCharge): boolean {
  return operations.some(({ pending, operation }) => pending !== undefined && operation !== 'capture');
}

/** https://docs.pagar.me/reference/exemplo-de-webhook-1 */
function webhook(
  type: string,
  data: PagarmeObject,
  charge: StoredCharge,
  keys: WebhookKeys,
): CallbackMessage {
  const event = {
    id: `hook_${randomBytes(8).toString('hex')}`,
    account: { id: `acc_${charge.account.slice(0, 16)}`, name: 'Loja do Simulador' },
    type,
    created_at: instant(new Date()),
    data,
  };
  const body = Buffer.from(JSON.stringify(event));
  return { body, sign: (secret, _, forged) => keys.headersOf(body, secret, forged) };
}
