import { DateTime } from 'luxon';
import { brazilianPhone } from '../../domain/customers/phone';
import { assertNever } from '../../domain/shared/assert-never';
import type { ChargeInitiation } from '../../domain/shared/charge-initiation';
import { BRASILIA } from '../../domain/time/timezone';
import { GatewayError } from '../errors';
import type {
  ChargeRequest,
  FollowUp,
  GatewayAddress,
  GatewayCard,
  GatewaySplit,
  RefundBankAccount,
} from '../gateway';
import { requiredDocument } from '../customers/required-document';

/** Lengths: https://docs.pagar.me/reference/criar-pedido-2, /clientes-1, /boleto-1 and /cartão-de-crédito-1. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 256;
const MAX_INSTRUCTIONS = 256;
/** Of a customer of the payment service provider; 22 of one of the gateway. */
const MAX_DESCRIPTOR = 13;

/** `POST /orders`: one payment of the whole amount. */
export function orderBody(request: ChargeRequest, operation: 'charge' | 'authorize'): object {
  const { reference, amountCents, currency, purchase } = request;
  return {
    code: reference,
    closed: true,
    currency,
    // One item, because the items of a purchase need not sum to its amount.
    items: [
      {
        amount: amountCents,
        quantity: 1,
        code: reference,
        description: purchase.description.slice(0, MAX_DESCRIPTION),
      },
    ],
    customer: customerOf(request),
    ...(purchase.payerIp !== null && { ip: purchase.payerIp }),
    payments: [paymentOf(request, operation)],
  };
}

function paymentOf(request: ChargeRequest, operation: 'charge' | 'authorize'): object {
  const { amountCents: amount, splits } = request;
  const common = { amount, ...(splits.length > 0 && { split: splitRules(splits) }) };
  switch (request.paymentMethod) {
    case 'card':
      return { payment_method: 'credit_card', ...common, credit_card: cardPayment(request, operation) };
    case 'pix':
      return { payment_method: 'pix', ...common, pix: { expires_in: request.pix?.expiresInSeconds } };
    case 'billet':
      return { payment_method: 'boleto', ...common, boleto: boletoPayment(request) };
    default:
      return assertNever(request.paymentMethod);
  }
}

/** https://docs.pagar.me/reference/cartão-de-crédito-1 */
function cardPayment(request: ChargeRequest, operation: 'charge' | 'authorize'): object {
  const { card, installments, softDescriptor, billingAddress, initiation } = request;
  if (card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  const descriptor = descriptorOf(softDescriptor);
  return {
    operation_type: operation === 'authorize' ? 'auth_only' : 'auth_and_capture',
    installments,
    ...(descriptor !== null && { statement_descriptor: descriptor }),
    card: cardOf(card, billingAddress),
    ...initiationOf(initiation),
  };
}

function cardOf(card: GatewayCard, billingAddress: GatewayAddress | null): object {
  return {
    number: card.number,
    holder_name: card.holderName.slice(0, MAX_NAME),
    exp_month: card.expireMonth,
    exp_year: card.expireYear,
    ...(card.cvv !== null && { cvv: card.cvv }),
    ...(billingAddress !== null && { billing_address: addressOf(billingAddress) }),
  };
}

/**
 * https://docs.pagar.me/docs/api-v5-identificador-de-recorrência-para-assinaturas-externas. No field tells a charge without a
 * schedule from a later one of a series, and none a card that is saved or was saved by its holder.
 */
function initiationOf(initiation: ChargeInitiation): object {
  switch (initiation.reason) {
    case 'one_off':
    case 'first_saved':
    case 'saved_card':
      return {};
    case 'first_recurring':
      return { recurrence_cycle: 'first', recurrence_model: 'subscription' };
    case 'recurring':
    case 'unscheduled': {
      const brandId = initiation.networkIds?.transactionId ?? null;
      return {
        recurrence_cycle: 'subsequent',
        ...(initiation.reason === 'recurring' && { recurrence_model: 'subscription' }),
        ...(brandId !== null && { payment_origin: { brand_id: brandId } }),
      };
    }
    default:
      return assertNever(initiation);
  }
}

/** https://docs.pagar.me/reference/boleto-1 */
function boletoPayment({ billet }: ChargeRequest): object {
  if (billet === null) throw new GatewayError('invalid_request', 'a boleto needs a due date');
  const { dueAt, expiresAt, instructions } = billet;
  return {
    // In the evening in Brasília, so that it is the same day there and in UTC.
    due_at: `${dueAt}T23:59:59Z`,
    ...(instructions !== null && { instructions: instructions.slice(0, MAX_INSTRUCTIONS) }),
    max_days_to_pay_past_due: daysBetween(dueAt, expiresAt),
  };
}

/** The days after the due date on which it can be paid, up to the instant of its expiry. */
function daysBetween(dueAt: string, expiresAt: string): number {
  const due = DateTime.fromISO(dueAt, { zone: BRASILIA });
  const last = DateTime.fromISO(expiresAt, { zone: BRASILIA }).minus({ milliseconds: 1 }).startOf('day');
  return Math.max(0, Math.round(last.diff(due, 'days').days));
}

/** https://docs.pagar.me/reference/clientes-1. A customer of the payment service provider needs a phone. */
function customerOf({ customer, purchase, billingAddress }: ChargeRequest): object {
  const { name, email } = customer;
  const document = requiredDocument(customer);
  const isPerson = /^\d{11}$/.test(document);
  return {
    name: name.slice(0, MAX_NAME),
    // Never cut: it would be somebody else's.
    email,
    document,
    document_type: isPerson ? 'CPF' : 'CNPJ',
    type: isPerson ? 'individual' : 'company',
    phones: phonesOf(purchase.payerPhone),
    ...(billingAddress !== null && { address: addressOf(billingAddress) }),
  };
}

function phonesOf(payerPhone: string | null): object {
  if (payerPhone === null) return {};
  const brazilian = brazilianPhone(payerPhone);
  const [, country = '', area = '', number = ''] = /^\+(\d{1,3}?)(\d{2})(\d{6,})$/.exec(payerPhone) ?? [];
  return {
    mobile_phone:
      brazilian === null
        ? { country_code: country, area_code: area, number }
        : { country_code: '55', area_code: brazilian.areaCode, number: brazilian.number },
  };
}

/** `line_1`: number, street and neighborhood, in this order. */
function addressOf(address: GatewayAddress): object {
  const { street, number, complementary, neighborhood, city, state, zip_code, country } = address;
  return {
    line_1: [number, street, neighborhood].join(', '),
    ...(complementary && { line_2: complementary }),
    zip_code: zip_code.replaceAll(/\D/g, ''),
    city,
    state,
    country: country ?? 'BR',
  };
}

/** Latin letters, digits and blanks; null if nothing is left. */
function descriptorOf(softDescriptor: string | null): string | null {
  const plain = (softDescriptor ?? '').normalize('NFD').replaceAll(/[^A-Za-z0-9 ]/g, '');
  return plain.trim().slice(0, MAX_DESCRIPTOR).trim() || null;
}

/**
 * https://docs.pagar.me/reference/split-1: exact cents, and somebody must bear each cost. If the request flags nobody, all
 * recipients do, by their shares.
 */
export function splitRules(splits: readonly GatewaySplit[]): object[] {
  const isNobody = (flag: 'liable' | 'chargeProcessingFee'): boolean => !splits.some((split) => split[flag]);
  const [nobodyLiable, nobodyPays] = [isNobody('liable'), isNobody('chargeProcessingFee')];
  return splits.map(({ recipientId, amountCents, liable, chargeProcessingFee }, index) => ({
    type: 'flat',
    amount: amountCents,
    recipient_id: recipientId,
    options: {
      liable: liable || nobodyLiable,
      charge_processing_fee: chargeProcessingFee || nobodyPays,
      // Exact parts leave no remainder, but one recipient must be named for it.
      charge_remainder_fee: index === 0,
    },
  }));
}

/**
 * `POST /charges/{id}/capture`. Its `code` becomes the charge's, by which the capture is recognized later: no answer repeats
 * `operation_reference`.
 */
export function captureBody({ reference, amountCents, splits }: FollowUp): object {
  return {
    amount: amountCents,
    code: reference,
    operation_reference: reference,
    ...(splits.length > 0 && { split: splitRules(splits) }),
  };
}

/** `DELETE /charges/{id}` without an amount voids all. */
export function cancelBody({ reference }: FollowUp): object {
  return { operation_reference: reference };
}

/** `DELETE /charges/{id}` with an amount */
export function refundBody({ reference, amountCents, splits, bankAccount }: FollowUp): object {
  return {
    amount: amountCents,
    operation_reference: reference,
    ...(splits.length > 0 && { split: splitRules(splits) }),
    ...(bankAccount !== null && { bank_account: bankAccountOf(bankAccount) }),
  };
}

/** SDK 7.0.2: `createBankAccountRefundingDTO`; a recipient's account has the same fields. */
export function bankAccountOf({ bank_code: bank, ...account }: RefundBankAccount): object {
  return { ...account, bank };
}
