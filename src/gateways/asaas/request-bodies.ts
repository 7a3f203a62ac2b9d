import { DateTime } from 'luxon';
import { brazilianPhone } from '../../domain/customers/phone';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import { decimalAmount } from '../decimal-amount';
import { GatewayError } from '../errors';
import type { ChargeRequest, FollowUp, GatewayCard, GatewaySplit } from '../gateway';
import { requiredDocument } from '../customers/required-document';
import type { CardToken } from './card-tokens';

/** Characters of a payment's description: `PaymentSaveRequestDto` */
const MAX_DESCRIPTION = 500;
/** Of a refund's description the models give no length. */
const MAX_REFUND_DESCRIPTION = 250;

/** A card with its holder, as Asaas demands them: `CreditCardRequestDto`, `CreditCardHolderInfoRequestDto`. */
export interface CardData {
  readonly creditCard: object;
  readonly creditCardHolderInfo: object;
  readonly remoteIp: string;
}

/** A card by its token. `ccv` must not be sent with it (recorded 2026-07-14), and the holder need not: `PaymentPayWithCreditCardRequestDto`. */
export interface TokenData {
  readonly creditCardToken: string;
  readonly remoteIp: string;
}

/**
 * What a charge of a card needs besides the payment.
 *
 * @throws GatewayError `unsupported` if the request does not have it
 */
export function cardData(request: ChargeRequest): CardData {
  const { card, billingAddress, customer, purchase } = request;
  if (card === null) throw new GatewayError('invalid_request', 'a card charge needs a card');
  if (card.cvv === null) {
    throw new GatewayError(
      'unsupported',
      'this gateway charges no card without its security code or a token of its own',
    );
  }
  if (billingAddress === null || purchase.payerIp === null || purchase.payerPhone === null) {
    throw new GatewayError('unsupported', 'this gateway needs the payer’s IP, phone and billing address');
  }
  return {
    creditCard: cardOf(card, card.cvv),
    creditCardHolderInfo: {
      name: customer.name,
      email: customer.email,
      cpfCnpj: requiredDocument(customer),
      postalCode: billingAddress.zip_code,
      addressNumber: billingAddress.number,
      ...(billingAddress.complementary && { addressComplement: billingAddress.complementary }),
      phone: phoneOf(purchase.payerPhone),
    },
    remoteIp: purchase.payerIp,
  };
}

/**
 * The same for a card that Asaas knows. Also a renewal has the customer's address: Asaas forbids that of a server.
 *
 * @throws GatewayError `unsupported` if the request does not have it
 */
export function tokenData({ purchase }: ChargeRequest, { token }: CardToken): TokenData {
  if (purchase.payerIp === null) throw new GatewayError('unsupported', 'this gateway needs the payer’s IP');
  return { creditCardToken: token, remoteIp: purchase.payerIp };
}

function cardOf({ holderName, number, expireMonth, expireYear }: GatewayCard, ccv: string): object {
  const expiryMonth = String(expireMonth).padStart(2, '0');
  return { holderName, number, expiryMonth, expiryYear: String(expireYear), ccv };
}

/** Area code and number of a Brazilian phone. */
function phoneOf(international: string): string {
  const brazilian = brazilianPhone(international);
  return brazilian === null ? international.slice(1) : `${brazilian.areaCode}${brazilian.number}`;
}

/** `POST /v3/payments` with a card: https://docs.asaas.com/reference/create-new-payment-with-credit-card */
export function cardPayment(
  request: ChargeRequest,
  { customer, card, authorizeOnly }: { customer: string; card: CardData | TokenData; authorizeOnly: boolean },
  now: Date,
): object {
  return {
    ...commonFields(request, customer, 'CREDIT_CARD'),
    // One installment must not be named: https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito
    ...(request.installments > 1 && {
      installmentCount: request.installments,
      totalValue: decimalAmount(request.amountCents),
    }),
    // The card is charged at once whatever it is. Today could be over when the request arrives.
    dueDate: dateIn(BRASILIA, DateTime.fromJSDate(now).plus({ days: 1 }).toJSDate()),
    ...card,
    ...(authorizeOnly && { authorizeOnly }),
  };
}

/** `POST /v3/payments`: https://docs.asaas.com/docs/payments-via-pix-or-dynamic-qr-code */
export function pixPayment(request: ChargeRequest, customer: string): object {
  const lastDay = request.pix?.lastDay ?? null;
  if (lastDay === null) throw new GatewayError('invalid_request', 'a pix needs its last day');
  return { ...commonFields(request, customer, 'PIX'), dueDate: lastDay };
}

/** `POST /v3/payments`. The bank refuses the boleto after `expiresAt`. */
export function billetPayment(request: ChargeRequest, customer: string): object {
  const { billet, purchase } = request;
  if (billet === null) throw new GatewayError('invalid_request', 'a boleto needs its due date');
  // Asaas has no other text for the boleto.
  const texts = [purchase.description, billet.instructions].filter((text) => text !== null);
  return {
    ...commonFields(request, customer, 'BOLETO'),
    dueDate: billet.dueAt,
    daysAfterDueDateToRegistrationCancellation: daysAfterDueDate(billet.dueAt, billet.expiresAt),
    description: texts.join(' - ').slice(0, MAX_DESCRIPTION),
  };
}

function commonFields(
  request: ChargeRequest,
  customer: string,
  billingType: 'CREDIT_CARD' | 'PIX' | 'BOLETO',
): object {
  const { reference, amountCents, purchase, splits } = request;
  return {
    customer,
    billingType,
    value: decimalAmount(amountCents),
    externalReference: reference,
    description: purchase.description.slice(0, MAX_DESCRIPTION),
    ...(splits.length > 0 && { split: splits.map((split) => splitOf(split, splits.length)) }),
  };
}

/** A part of what is left after Asaas' fee: https://docs.asaas.com/docs/payment-split. One split is the whole. */
function splitOf({ recipientId, percent }: GatewaySplit, count: number): object {
  const percentualValue = count === 1 ? 100 : percent;
  if (percentualValue === undefined) {
    throw new GatewayError('unsupported', 'this gateway splits a payment by percentages only');
  }
  return { walletId: recipientId, percentualValue };
}

/** Calendar days from the due date to the last day on which the boleto can be paid. */
function daysAfterDueDate(dueAt: string, expiresAt: string): number {
  const lastDay = dateIn(BRASILIA, new Date(Date.parse(expiresAt) - 1));
  const due = DateTime.fromISO(dueAt, { zone: 'utc' });
  return Math.max(0, DateTime.fromISO(lastDay, { zone: 'utc' }).diff(due, 'days').days);
}

/** What a refund takes back from a recipient, by the id of its split. */
export interface ReturnedSplit {
  readonly id: string;
  readonly amountCents: number;
}

/** `POST /v3/payments/{id}/refund`. Asaas has no other field for our reference. */
export function refundBody(
  { reference, amountCents, reason }: FollowUp,
  splitRefunds: readonly ReturnedSplit[] = [],
): object {
  const description = `${reference} ${reason ?? ''}`.trim().slice(0, MAX_REFUND_DESCRIPTION);
  const parts = splitRefunds.map((each) => ({ id: each.id, value: decimalAmount(each.amountCents) }));
  return {
    value: decimalAmount(amountCents),
    description,
    ...(parts.length > 0 && { splitRefunds: parts }),
  };
}
