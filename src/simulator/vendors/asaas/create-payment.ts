import { randomUUID } from 'node:crypto';
import type { ChargeBody } from '../../../gateways/simulator/wire';
import { ONE_OFF } from '../../../gateways/simulator/wire';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore, WorkResult } from '../adapter';
import { leaveInReview } from '../manual-review';
import { dayOf, endOf } from './amounts';
import { presented, withSandboxDecline } from './cards';
import type { AsaasCustomers, AsaasTokenizedCard } from './customers';
import { type AsaasEndpoint, type AsaasRequest, ok, withData } from './endpoint';
import { declined, invalid, invalidBody, invalidCustomer, refused } from './errors';
import { type AsaasPaymentBody, MAX_INSTALLMENTS, paymentBody } from './parameters';
import { paymentObject } from './payment-object';
import type { AsaasPaymentData, AsaasSplit } from './record';
import { readSplits, wireSplitsOf } from './splits';

const METHODS = { CREDIT_CARD: 'card', PIX: 'pix', BOLETO: 'billet' } as const;
/** Not documented: how long after its due date a boleto is payable without `daysAfterDueDateToRegistrationCancellation`. */
const DEFAULT_BOLETO_DAYS = 60;
/** https://docs.asaas.com/reference/get-qr-code-for-payments-via-pix: a code expires 12 months after the due date. */
const PIX_MONTHS = 12;

/** A valid request, and what it is paid with. */
interface ReadPayment {
  readonly body: AsaasPaymentBody;
  readonly amount: number;
  readonly fee: number;
  readonly card: AsaasTokenizedCard | null;
  readonly splits: readonly AsaasSplit[];
}

/** `POST /v3/payments`: https://docs.asaas.com/reference/create-new-payment-with-credit-card */
export function createPayment(
  core: SimulatorCore,
  customers: AsaasCustomers,
  { gateway, body }: AsaasRequest,
): AsaasEndpoint {
  const parsed = paymentBody.safeParse(body);
  const payment = parsed.success ? parsed.data : null;
  return {
    summary: {
      operation: payment?.authorizeOnly === true ? 'authorize' : 'charge',
      amount: payment === null ? null : amountOf(payment),
      reference: payment?.externalReference ?? referenceIn(body),
      ...(payment !== null && { initiation: ONE_OFF, purchase: purchaseOf(payment) }),
    },
    run: (context) => {
      if (!parsed.success) return { response: invalidBody(parsed.error) };
      const read = readPayment(parsed.data, customers, context);
      if ('status' in read) return { response: read };
      const previous = context.behavior.duplicate_id === true ? core.store.newestChargeAt(gateway) : null;
      const result = create(core, context, read);
      const work = resultOf(result, read.body.billingType, core.origin);
      return previous === null || work.charge === undefined
        ? work
        : { ...work, response: ok(paymentObject({ charge: previous, part: 1 }, core.origin)) };
    },
  };
}

/** What the request tells about the purchase, without the card. */
function purchaseOf({ description, remoteIp, creditCardHolderInfo: holder }: AsaasPaymentBody): object {
  return { description, remoteIp, phone: holder?.phone, postalCode: holder?.postalCode };
}

/** The payment, or what is wrong with it. */
function readPayment(
  body: AsaasPaymentBody,
  customers: AsaasCustomers,
  { account, behavior }: SimulatorRequestContext,
): ReadPayment | SimulatorResponse {
  if (customers.find(account, body.customer) === null) return invalidCustomer();
  // The text of https://docs.asaas.com/reference/http-response-codes.
  if (body.dueDate < dayOf(new Date()))
    return invalid('invalid_dueDate', 'The due date cannot be earlier than today');
  const amount = amountOf(body);
  const fee = behavior.fee ?? feeOf(body.billingType, amount);
  const splits = readSplits(body.split ?? [], { netCents: amount - fee, account });
  if ('status' in splits) return splits;
  if (body.billingType !== 'CREDIT_CARD') return { body, amount, fee, card: null, splits };
  const card = readCard(body, customers);
  return 'status' in card ? card : { body, amount, fee, card, splits };
}

function readCard(body: AsaasPaymentBody, customers: AsaasCustomers): AsaasTokenizedCard | SimulatorResponse {
  const { creditCard, creditCardToken: token, customer, installmentCount } = body;
  // Recorded `pay-with-token-and-ccv`: 400 for a token with a security code.
  if (token !== null && creditCard !== null)
    return invalid('invalid_creditCard', 'Informe o token ou os dados do cartão.');
  if (token !== null) {
    // Recorded `pay-with-unknown-token` and `pay-with-token-of-another-customer`.
    const stored = customers.findCard(customer, token);
    return stored ?? invalid('invalid_creditCard', `CreditCardToken ${token} não encontrado.`);
  }
  if (creditCard === null)
    return invalid('invalid_creditCard', 'Este simulador precisa dos dados do cartão ou de um token.');
  const card = customers.tokenize(customer, creditCard);
  const isWide = ['VISA', 'MASTERCARD'].includes(card.facts.creditCardBrand);
  return (installmentCount ?? 1) > MAX_INSTALLMENTS[isWide ? 'master_and_visa' : 'others']
    ? invalid('invalid_installmentCount', 'O número de parcelas excede o limite da bandeira.')
    : card;
}

function create(core: SimulatorCore, context: SimulatorRequestContext, read: ReadPayment): OperationResult {
  const { body, card, splits } = read;
  const { fee: _, ...behavior } = context.behavior;
  const isReviewed = behavior.pending_then !== undefined && card !== null && body.authorizeOnly !== true;
  const operation = body.authorizeOnly === true || isReviewed ? 'authorize' : 'charge';
  const seen = card === null ? behavior : withSandboxDecline(behavior, card.card.number);
  // With splits the core would take its fee from them; at Asaas the account of the payment pays it.
  const fee = splits.length === 0 ? context.behavior.fee : undefined;
  const charged = { ...context, behavior: { ...seen, ...(fee !== undefined && { fee }) } };
  const data = { ...paymentDataFrom(read), in_review: isReviewed };
  const created = core.charges.create(withData(charged, data), operation, chargeBodyOf(read));
  return isReviewed && 'charge' in created && created.charge.status === 'authorized'
    ? leaveInReview(core, context, created)
    : created;
}

function resultOf(result: OperationResult, billingType: string, origin: string): WorkResult {
  if ('rejected' in result) return { response: rejected(result.rejected, billingType) };
  const { charge } = result;
  if (charge.status === 'declined') return { response: declined() };
  return { response: ok(paymentObject({ charge, part: 1 }, origin)), charge, announced: true };
}

/** https://docs.asaas.com/docs/payments-1: `invalid_billingType` until an account may charge cards. The other texts are not documented. */
function rejected(
  { code, message }: { readonly code: string; readonly message: string },
  billingType: string,
) {
  switch (code) {
    case 'raw_cards_disabled':
    case 'pix_disabled':
    case 'billet_disabled':
    case 'unsupported':
      return invalid('invalid_billingType', `Sua conta não permite cobranças do tipo ${billingType}.`);
    case 'splits_disabled':
      return refused('Sua conta não permite split de pagamentos.');
    case 'unknown_recipient':
      return refused('Wallet inexistente.');
    case 'unavailable':
      return { status: 500, body: { errors: [] } };
    default:
      return refused(message);
  }
}

function chargeBodyOf({ body, amount, card, splits }: ReadPayment): ChargeBody {
  const due = body.dueDate;
  const method = METHODS[body.billingType];
  const days = body.daysAfterDueDateToRegistrationCancellation ?? DEFAULT_BOLETO_DAYS;
  return {
    reference: body.externalReference ?? randomUUID(),
    amount,
    currency: 'BRL',
    method,
    installments: body.installmentCount ?? 1,
    soft_descriptor: null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card:
      card === null
        ? null
        : {
            ...presented(card.card),
            cvv: null,
            holder_name: card.card.holderName,
            brand: card.facts.creditCardBrand.toLowerCase(),
          },
    billing_address: null,
    splits: wireSplitsOf(splits),
    ...(method === 'pix' && { expires_at: endOf(due, { months: PIX_MONTHS }) }),
    ...(method === 'billet' && { due_at: due, expires_at: endOf(due, { days }) }),
    instructions: body.description,
    initiation: ONE_OFF,
  };
}

function paymentDataFrom({ body, fee, card, splits }: ReadPayment): Omit<AsaasPaymentData, 'in_review'> {
  return {
    external_reference: body.externalReference,
    customer: body.customer,
    description: body.description,
    due_date: body.dueDate,
    installments: body.installmentCount ?? 1,
    card: card?.facts ?? null,
    days_to_cancellation: body.daysAfterDueDateToRegistrationCancellation,
    splits: splits.map(({ walletId, fixedValue, percentualValue, totalFixedValue, ...rest }) => ({
      walletId,
      fixedValue,
      percentualValue,
      totalFixedValue,
      externalReference: rest.externalReference,
      description: rest.description,
      amount: rest.amount,
    })),
    fee,
  };
}

/** `totalValue` of all installments, or the value of each. */
function amountOf({ value, installmentCount, totalValue, installmentValue }: AsaasPaymentBody): number {
  if (installmentCount === null) return value;
  return totalValue ?? (installmentValue ?? 0) * installmentCount;
}

/** Recorded `card-approved`: R$ 3.48 of R$ 100, which is R$ 0.49 and 2.99 %. Pix and boleto: the public price, R$ 1.99. */
function feeOf(billingType: AsaasPaymentBody['billingType'], amount: number): number {
  const fee = billingType === 'CREDIT_CARD' ? 49 + Math.round(amount * 0.0299) : 199;
  return Math.min(fee, amount);
}

/** The reference even of an invalid request, for the request log. */
function referenceIn(body: unknown): string | null {
  const { externalReference: reference }: { externalReference?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  return typeof reference === 'string' && reference !== '' ? reference : null;
}
