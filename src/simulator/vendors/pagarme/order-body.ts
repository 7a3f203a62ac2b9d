import { DateTime } from 'luxon';
import type { ChargeBody } from '../../../gateways/simulator/wire';
import type { CreditCardBody, OrderBody, OrderPayment } from './parameters';
import type { ReadOrder } from './read-order';
import type { OrderData } from './record';
import { splitsOf } from './splits';

const METHODS = { credit_card: 'card', pix: 'pix', boleto: 'billet' } as const;
const ZONE = 'America/Sao_Paulo';
/** Not documented: the days until a boleto without `due_at` is due. */
const DEFAULT_DUE_DAYS = 3;

/** https://docs.pagar.me/reference/cartão-de-crédito-1: `operation_type`, by default `auth_and_capture`. */
export function operationOf({ payment_method, credit_card: card }: OrderPayment): 'charge' | 'authorize' {
  if (payment_method !== 'credit_card') return 'charge';
  return card?.operation_type === 'auth_only' || (card?.operation_type === null && card?.capture === false)
    ? 'authorize'
    : 'charge';
}

/** Who initiates a charge, by the fields for external recurrence of the page above. */
export function initiationOf({ credit_card: card }: OrderPayment): ChargeBody['initiation'] {
  if (card === null) return { initiator: 'customer', reason: 'one_off' };
  const cycle = card.recurrence_cycle ?? card.recurrency_cycle ?? null;
  if (cycle === 'first') return { initiator: 'customer', reason: 'first_recurring' };
  const reason = cycle === 'subsequent' ? 'recurring' : card.initiated_type === null ? null : 'unscheduled';
  if (reason === null)
    return { initiator: 'customer', reason: card.card_id === null ? 'one_off' : 'saved_card' };
  return { initiator: 'merchant', reason, network_ids: networkIdsOf(card) };
}

/** SDK 7.0.2, `createPaymentOriginRequest`: `brand_id` is the network's id of the first transaction. */
function networkIdsOf({ payment_origin: origin }: CreditCardBody) {
  const id = origin?.brand_id ?? null;
  return id === null || id === ''
    ? null
    : { network_transaction_id: id, transaction_link_id: null, elo_reference: null };
}

/** What the order tells about the purchase, without the card. */
export function purchaseOf(order: OrderBody | null): object {
  const { phones = null, address = null } = order?.customer ?? { phones: null, address: null };
  return { ip: order?.ip ?? null, items: order?.items ?? [], phones, address };
}

/** The order in the core's words. */
export function chargeBodyOf({ order, code, payment, amount, card }: ReadOrder): ChargeBody {
  const { pix, boleto, credit_card: method, payment_method } = payment;
  const due = dueDateOf(boleto?.due_at ?? null);
  return {
    reference: code,
    amount,
    currency: order.currency ?? 'BRL',
    method: METHODS[payment_method],
    installments: method?.installments ?? 1,
    soft_descriptor: method?.statement_descriptor ?? null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card:
      card === null
        ? null
        : {
            number: card.card.number,
            cvv: card.card.cvv ?? null,
            holder_name: card.card.holder_name,
            expire_month: card.card.exp_month,
            expire_year: card.card.exp_year,
            brand: card.facts.brand.toLowerCase().replace('american express', 'amex'),
          },
    billing_address: null,
    splits: splitsOf(payment.split ?? [], amount),
    ...(payment_method === 'pix' && pix !== null && { expires_at: pixExpiry(pix) }),
    ...(payment_method === 'boleto' && {
      due_at: due.toISODate() ?? '',
      expires_at: utc(due.plus({ days: boleto?.max_days_to_pay_past_due ?? 0 }).endOf('day')),
    }),
    instructions: boleto?.instructions ?? null,
    initiation: initiationOf(payment),
  };
}

/** What answers repeat of an order. */
export function orderDataFrom(
  { order, code, payment, customerId, card }: ReadOrder,
  marks: Pick<OrderData, 'gateway_errors' | 'in_review'>,
): OrderData {
  const { credit_card: method, boleto } = payment;
  const origin = method?.payment_origin ?? null;
  return {
    code,
    metadata: order.metadata ?? {},
    items: order.items.map(({ amount, description, quantity, code }) => ({
      amount,
      description,
      quantity,
      code: code ?? null,
    })),
    customer_id: customerId,
    closed: order.closed ?? true,
    card: card?.facts ?? null,
    installments: method?.installments ?? 1,
    statement_descriptor: method?.statement_descriptor ?? null,
    payment_origin: origin && { charge_id: origin.charge_id, brand_id: origin.brand_id },
    split: (payment.split ?? []).map(({ type, amount, recipient_id, options }) => ({
      type,
      amount,
      recipient_id,
      options: {
        liable: options.liable,
        charge_processing_fee: options.charge_processing_fee,
        charge_remainder_fee: options.charge_remainder_fee,
      },
    })),
    document_number: boleto?.document_number ?? null,
    max_days_to_pay_past_due: boleto?.max_days_to_pay_past_due ?? null,
    antifraud: order.antifraud_enabled === true || marks.in_review,
    ...marks,
  };
}

/** https://docs.pagar.me/reference/pix-2: seconds, or an instant without zone (taken as UTC). */
function pixExpiry({ expires_in, expires_at }: NonNullable<OrderPayment['pix']>): string {
  if (expires_in === null && expires_at !== null) return utc(DateTime.fromISO(expires_at, { zone: 'utc' }));
  return utc(DateTime.now().plus({ seconds: expires_in ?? 0 }));
}

function dueDateOf(dueAt: string | null): DateTime {
  return dueAt === null
    ? DateTime.now().setZone(ZONE).plus({ days: DEFAULT_DUE_DAYS })
    : DateTime.fromISO(dueAt.slice(0, 10), { zone: ZONE });
}

function utc(at: DateTime): string {
  return at.toUTC().toISO() ?? '';
}
