import luhn from 'card-validator/dist/luhn-10';
import cardType from 'credit-card-type';
import { DateTime } from 'luxon';
import type { ChargeBody } from '../../../gateways/simulator/wire';
import type { SimulatorResponse } from '../../replies';
import { ownReference } from '../our-reference';
import type { AdyenCard, AdyenPaymentBody } from './bodies';
import { noAcquirer, serviceError } from './errors';
import type { PaymentData } from './record';
import { splitsProblem } from './splits';

const ZONE = 'America/Sao_Paulo';
/** Not documented: the days until a boleto without `deliveryDate` is due. */
const DEFAULT_DUE_DAYS = 3;

/** A valid payment, in the core's words. */
export interface ReadPayment {
  readonly charge: ChargeBody;
  readonly operation: 'charge' | 'authorize' | 'verify';
  readonly data: PaymentData;
}

/** The payment, or what is wrong with it. */
export function readPayment(body: AdyenPaymentBody): ReadPayment | SimulatorResponse {
  const problem = unsupported(body) ?? methodProblem(body) ?? splitsProblem(body.splits ?? [], body.amount);
  if (problem !== null) return problem;
  const { paymentMethod, amount } = body;
  const card = cardIn(paymentMethod);
  if (card !== null) {
    const wrong = cardProblem(card);
    if (wrong !== null) return wrong;
  }
  const due = DateTime.fromISO(body.deliveryDate ?? DateTime.now().plus({ days: DEFAULT_DUE_DAYS }).toISO(), {
    zone: ZONE,
  });
  const method = card !== null ? 'card' : paymentMethod.type === 'pix' ? 'pix' : 'billet';
  const charge: ChargeBody = {
    reference: ownReference(body.reference),
    amount: amount.value,
    currency: amount.currency,
    method,
    installments: body.installments?.value ?? 1,
    soft_descriptor: body.shopperStatement ?? null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card: card === null ? null : coreCardOf(card),
    billing_address: null,
    // Who gets them depends on the accounts of the day of the payment.
    splits: [],
    ...(method === 'pix' &&
      body.sessionValidity !== undefined && { expires_at: new Date(body.sessionValidity).toISOString() }),
    ...(method === 'billet' && {
      due_at: due.toISODate() ?? '',
      expires_at: due.endOf('day').toUTC().toISO() ?? '',
    }),
    instructions: method === 'billet' ? (body.shopperStatement?.slice(0, 255) ?? null) : null,
    initiation: initiationOf(body),
  };
  return { charge, operation: operationOf(body), data: dataOf(body, card) };
}

/** What has an effect on the money that this fake does not have. */
function unsupported(body: AdyenPaymentBody): SimulatorResponse | null {
  const names = [
    ...((body.captureDelayHours ?? 0) > 0 ? ['captureDelayHours'] : []),
    ...(body.order !== undefined ? ['order'] : []),
    ...(body.storePaymentMethod === true ? ['storePaymentMethod'] : []),
    ...(body.threeDSAuthenticationOnly === true || body.authenticationData?.authenticationOnly === true
      ? ['authenticationOnly']
      : []),
  ];
  return names.length === 0
    ? null
    : serviceError(422, '187', `This fake does not support ${names.join(', ')}.`, 'configuration');
}

/** What https://docs.adyen.com/payment-methods/pix/api-only and /boleto-bancario/api-only demand of these methods. */
function methodProblem(body: AdyenPaymentBody): SimulatorResponse | null {
  const { paymentMethod, amount } = body;
  if (cardIn(paymentMethod) !== null) return null;
  if (amount.value === 0) return serviceError(422, '137', 'Invalid amount specified');
  if (amount.currency !== 'BRL') return noAcquirer(paymentMethod.type, amount.currency);
  const required = ['shopperName', 'socialSecurityNumber'] as const;
  const needed = paymentMethod.type === 'pix' ? required : ([...required, 'billingAddress'] as const);
  const missing = needed.find((name) => body[name] === undefined);
  return missing === undefined
    ? null
    : serviceError(422, '132', `Required field '${missing}' is not provided.`);
}

export function cardIn(method: AdyenPaymentBody['paymentMethod']): AdyenCard | null {
  return 'number' in method ? method : null;
}

/** Codes 101 and 103: recorded (`failed-purchase`, `failed-cvc-validation`). An expired card is refused by its issuer. */
function cardProblem({ number, cvc, expiryMonth, expiryYear }: AdyenCard): SimulatorResponse | null {
  if (!/^\d{13,19}$/.test(number) || !luhn(number)) return serviceError(422, '101', 'Invalid card number');
  if (!/^(0?[1-9]|1[0-2])$/.test(expiryMonth))
    return serviceError(422, '140', 'Expiry month should be between 1 and 12 inclusive');
  if (!/^20\d\d$/.test(expiryYear)) return serviceError(422, '141', 'Expiry year should be a 4 digit number');
  const digits = cardType(number)[0]?.code.size ?? 3;
  return cvc === undefined || new RegExp(`^\\d{${digits}}$`).test(cvc)
    ? null
    : serviceError(422, '103', 'The length of the CVC code is not correct for the given card number');
}

function coreCardOf({ number, cvc, holderName, expiryMonth, expiryYear }: AdyenCard): ChargeBody['card'] {
  const type = cardType(number)[0]?.type ?? '';
  return {
    number,
    cvv: cvc ?? null,
    holder_name: holderName ?? '',
    expire_month: Number(expiryMonth),
    expire_year: Number(expiryYear),
    brand: type === 'american-express' ? 'amex' : type,
  };
}

/**
 * `amount` 0 asks the issuer without money ("For BIN or card verification requests, set amount to 0"). `manualCapture` only
 * authorizes; otherwise the account captures at once, which is Adyen's default
 * (https://docs.adyen.com/online-payments/capture).
 */
export function operationOf({
  amount,
  paymentMethod,
  additionalData,
}: AdyenPaymentBody): ReadPayment['operation'] {
  if (cardIn(paymentMethod) === null) return 'charge';
  if (amount.value === 0) return 'verify';
  return additionalData.manualCapture === 'true' ? 'authorize' : 'charge';
}

/**
 * Who initiates a charge: the descriptions of `shopperInteraction` and `recurringProcessingModel`. `ContAuth` with
 * `CardOnFile` is a returning customer, with another model the merchant's own charge; `networkTxReference` links it.
 */
export function initiationOf({
  shopperInteraction = 'Ecommerce',
  recurringProcessingModel: model,
  additionalData,
  paymentMethod,
}: AdyenPaymentBody): ChargeBody['initiation'] {
  if (model === undefined) return { initiator: 'customer', reason: 'one_off' };
  if (shopperInteraction !== 'ContAuth')
    return { initiator: 'customer', reason: model === 'Subscription' ? 'first_recurring' : 'first_saved' };
  if (model === 'CardOnFile') return { initiator: 'customer', reason: 'saved_card' };
  const id = additionalData.networkTxReference ?? cardIn(paymentMethod)?.networkPaymentReference ?? null;
  const link = additionalData.transactionLinkId ?? null;
  return {
    initiator: 'merchant',
    reason: model === 'Subscription' ? 'recurring' : 'unscheduled',
    network_ids:
      id === null && link === null
        ? null
        : { network_transaction_id: id, transaction_link_id: link, elo_reference: null },
  };
}

const BRANDS: Readonly<Record<string, string>> = {
  mastercard: 'mc',
  'american-express': 'amex',
  hipercard: 'hipercard',
};

function dataOf(body: AdyenPaymentBody, card: AdyenCard | null): PaymentData {
  const type = card === null ? '' : (cardType(card.number)[0]?.type ?? '');
  return {
    reference: body.reference,
    merchant_account: body.merchantAccount,
    type: card === null ? body.paymentMethod.type : 'scheme',
    card:
      card === null
        ? null
        : {
            brand: BRANDS[type] ?? type,
            summary: card.number.slice(-4),
            expiry: `${Number(card.expiryMonth)}/${card.expiryYear}`,
          },
    installments: body.installments?.value ?? null,
    splits: body.splits ?? [],
  };
}
