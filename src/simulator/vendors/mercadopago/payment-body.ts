import { DateTime } from 'luxon';
import { isPaidLater, type PaymentMethod } from '../../../domain/payments/payment';
import type { ChargeBody } from '../../../gateways/simulator/wire';
import type { SimulatorResponse } from '../../replies';
import { ownReference } from '../our-reference';
import type { CardTokens, TokenizedCard } from './card-tokens';
import { badRequest } from './errors';
import { cents, type MercadoPagoPaymentBody } from './parameters';
import type { MercadoPagoData } from './record';

const ZONE = 'America/Sao_Paulo';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * When a payment without `date_of_expiration` expires, and what it may be: a pix 24 hours, 30 minutes to 30 days
 * (https://www.mercadopago.com.br/developers/en/docs/checkout-api/integration-configuration/integrate-with-pix), a boleto
 * 3 days, 1 to 30 (https://www.mercadopago.com.br/developers/en/docs/checkout-api/integration-configuration/other-payment-methods).
 * The ends have a minute of tolerance for the way of the request.
 */
const EXPIRY = {
  pix: { usual: DAY_MS, least: 29 * MINUTE_MS, most: 30 * DAY_MS + MINUTE_MS },
  billet: { usual: 3 * DAY_MS, least: 0, most: 31 * DAY_MS },
} as const;
const BOLETO_FIELDS = [
  'zip_code',
  'street_name',
  'street_number',
  'neighborhood',
  'city',
  'federal_unit',
] as const;

/** A valid request. */
export interface ValidPayment {
  readonly body: MercadoPagoPaymentBody;
  readonly method: PaymentMethod;
  readonly paymentMethodId: string;
  readonly card: TokenizedCard | null;
  /** Of a pix or boleto. */
  readonly expiresAt: string | null;
}

export function methodOf({ payment_method_id }: MercadoPagoPaymentBody): PaymentMethod {
  if (payment_method_id === 'pix') return 'pix';
  return payment_method_id === 'bolbradesco' ? 'billet' : 'card';
}

/** The rules that concern several fields. */
export function readPayment(
  body: MercadoPagoPaymentBody,
  tokens: CardTokens,
): ValidPayment | SimulatorResponse {
  const method = methodOf(body);
  if (method !== 'card') return readPaidLater(body, method);
  if ((body.token ?? null) === null) return badRequest(4000, "token attribute can't be null", 'token');
  if ((body.installments ?? null) === null)
    return badRequest(4004, "installments attribute can't be null", 'installments');
  const card = tokens.find(body.token ?? '');
  if ('status' in card) return card;
  if (Number(body.installments) > 24) return badRequest(4033, 'Invalid installments', 'installments');
  // A token tells its network, so that the name may be left out.
  const paymentMethodId = body.payment_method_id ?? card.paymentMethodId;
  if (!CARD_METHODS.has(paymentMethodId)) return badRequest(3028, 'Invalid payment_method_id');
  return { body, method, paymentMethodId, card, expiresAt: null };
}

const CARD_METHODS: ReadonlySet<string> = new Set(['visa', 'master', 'elo', 'amex', 'hipercard']);

function readPaidLater(
  body: MercadoPagoPaymentBody,
  method: 'pix' | 'billet',
): ValidPayment | SimulatorResponse {
  if ((body.token ?? null) !== null) return badRequest(2131, 'Cannot infer Payment Method', 'token');
  if (body.capture === false) return badRequest(2123, 'Deferred capture not supported', 'capture');
  const missing = method === 'billet' ? missingPayerField(body) : null;
  if (missing !== null) return badRequest(4006, `payer attribute is malformed`, missing);
  const { usual, least, most } = EXPIRY[method];
  const given = body.date_of_expiration ?? null;
  const left = given === null ? usual : Date.parse(given) - Date.now();
  if (left < least || left > most) return badRequest(23, 'Invalid date_of_expiration', 'date_of_expiration');
  const expiresAt = new Date(Date.now() + left).toISOString();
  return { body, method, paymentMethodId: body.payment_method_id ?? '', card: null, expiresAt };
}

/** What the page on boletos asks of the payer. */
function missingPayerField({ payer }: MercadoPagoPaymentBody): string | null {
  for (const name of ['first_name', 'last_name', 'identification'] as const)
    if ((payer[name] ?? null) === null) return `payer.${name}`;
  const field = BOLETO_FIELDS.find((name) => (payer.address?.[name] ?? null) === null);
  return field === undefined ? null : `payer.address.${field}`;
}

/** `capture` false only reserves. */
export function operationOf(body: MercadoPagoPaymentBody): 'charge' | 'authorize' {
  return body.capture === false && !isPaidLater(methodOf(body)) ? 'authorize' : 'charge';
}

/** Who initiates a charge and why: SDK 3.6.1, `PointOfInteractionRequest` and `TransactionDataRequest`. */
export function initiationOf({
  point_of_interaction: point,
  forward_data,
}: MercadoPagoPaymentBody): ChargeBody['initiation'] {
  const data = point?.transaction_data ?? null;
  if (data === null) return { initiator: 'customer', reason: 'one_off' };
  const isSubscription = point?.type === 'SUBSCRIPTIONS';
  const initiator =
    data.transaction_initiator ?? (isSubscription && data.first_time_use === false ? 'merchant' : 'customer');
  if (initiator === 'merchant') {
    const id =
      data.network_data?.transaction_id ??
      data.network_transaction_id ??
      forward_data?.network_transaction_data?.network_transaction_id ??
      null;
    return {
      initiator,
      reason: isSubscription ? 'recurring' : 'unscheduled',
      network_ids:
        id === null
          ? null
          : {
              network_transaction_id: id,
              transaction_link_id: data.network_data?.transaction_link_id ?? null,
              elo_reference: null,
            },
    };
  }
  if (isSubscription) return { initiator, reason: 'first_recurring' };
  return { initiator, reason: data.storage === 'store' ? 'first_saved' : 'saved_card' };
}

/** The payment in the core's words. */
export function chargeBodyOf({ body, method, card, paymentMethodId, expiresAt }: ValidPayment): ChargeBody {
  return {
    reference: ownReference(body.external_reference ?? ''),
    amount: cents(body.transaction_amount),
    currency: 'BRL',
    method,
    installments: body.installments ?? 1,
    soft_descriptor: body.statement_descriptor ?? null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card:
      card === null
        ? null
        : {
            number: card.number,
            cvv: card.securityCode,
            holder_name: card.holderName,
            expire_month: card.month,
            expire_year: card.year,
            brand: paymentMethodId === 'master' ? 'mastercard' : paymentMethodId,
          },
    billing_address: null,
    splits: [],
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(expiresAt !== null &&
      method === 'billet' && { due_at: DateTime.fromISO(expiresAt, { zone: ZONE }).toISODate() ?? '' }),
    instructions: null,
    initiation: initiationOf(body),
  };
}

/** What answers repeat of a payment. */
export function paymentDataFrom(
  { body, card, paymentMethodId }: ValidPayment,
  statusDetail: string | null,
): MercadoPagoData {
  const point = body.point_of_interaction ?? null;
  return {
    external_reference: body.external_reference ?? null,
    payment_method_id: paymentMethodId,
    description: body.description ?? null,
    metadata: body.metadata ?? {},
    installments: body.installments ?? 1,
    binary_mode: body.binary_mode ?? false,
    statement_descriptor: body.statement_descriptor ?? null,
    notification_url: body.notification_url ?? null,
    date_of_expiration: body.date_of_expiration ?? null,
    application_fee: cents(body.application_fee ?? 0),
    card:
      card === null
        ? null
        : {
            first_six_digits: card.number.slice(0, 6),
            last_four_digits: card.number.slice(-4),
            expiration_month: card.month,
            expiration_year: card.year,
          },
    point_of_interaction:
      point === null
        ? null
        : { type: point.type ?? 'UNSPECIFIED', transaction_data: { ...point.transaction_data } },
    status_detail: statusDetail,
  };
}
