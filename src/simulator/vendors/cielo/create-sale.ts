import { randomUUID } from 'node:crypto';
import { assertNever } from '../../../domain/shared/assert-never';
import type { ChargeBody, WireInitiation } from '../../../gateways/simulator/wire';
import { ONE_OFF } from '../../../gateways/simulator/wire';
import type { SimulatorRequestContext } from '../../charges';
import type { RejectedOperation } from '../../operations/plan-follow-up';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore, WorkResult } from '../adapter';
import { ownReference } from '../our-reference';
import { type CardSale, type CieloCard, type CieloSale, isSaleType, SALE_BODIES } from './bodies';
import type { CieloEndpoint, CieloRequest } from './endpoint';
import { failure, invalidBody } from './errors';
import { saleObject } from './payment-object';
import { saleDataFrom } from './record';
import { withSandboxDecline } from './return-codes';
import { STATUS } from './states';

/** https://developercielo.github.io/manual/cielo-ecommerce#pix: a code expires after two hours. */
const PIX_SECONDS = 7_200;
/** Not documented: until when a boleto can be paid. Here until the end of its day in Brasilia. */
const END_OF_DAY = 'T23:59:59.999-03:00';
const BRADESCO_ORDER = 27;
/** Of an account without pix: the manual's table of errors of pix. */
const NO_PIX = { ReturnCode: '422', ReturnMessage: 'Error on Merchant Integration' };

/** `POST /1/sales/` */
export function createSale(core: SimulatorCore, { gateway, body }: CieloRequest): CieloEndpoint {
  const read = readSale(body);
  const sale = 'status' in read ? null : read;
  return {
    summary: {
      operation: sale !== null && !isCapturedAtOnce(sale) ? 'authorize' : 'charge',
      amount: sale?.Payment.Amount ?? null,
      reference: ownReference(orderIn(body)) || null,
      ...(sale !== null && { initiation: initiationOf(sale), purchase: purchaseOf(sale) }),
    },
    run: (context) => {
      if ('status' in read) return { response: read };
      const previous = context.behavior.duplicate_id === true ? core.store.newestChargeAt(gateway) : null;
      const work = create(core, context, read);
      return previous === null || work.charge === undefined
        ? work
        : { ...work, response: created(saleObject(previous, core.origin)) };
    },
  };
}

const created = (body: object): SimulatorResponse => ({ status: 201, body });

function readSale(body: unknown): CieloSale | SimulatorResponse {
  if (body === undefined) return failure(184);
  const { Payment }: { Payment?: unknown } = typeof body === 'object' && body !== null ? body : {};
  const { Type }: { Type?: unknown } = typeof Payment === 'object' && Payment !== null ? Payment : {};
  if (Type !== undefined && !isSaleType(Type)) return failure(173);
  const parsed = SALE_BODIES[Type ?? 'CreditCard'].safeParse(body);
  if (!parsed.success) return invalidBody(parsed.error);
  return problemOf(parsed.data) ?? parsed.data;
}

/** What the types of the fields cannot say; null if nothing is wrong. */
function problemOf({ MerchantOrderId, Payment }: CieloSale): SimulatorResponse | null {
  switch (Payment.Type) {
    case 'CreditCard':
      // A recurring sale has one installment and no authentication (the manual, on the card's request).
      return Payment.Authenticate || (Payment.Recurrent && Payment.Installments > 1) ? failure(186) : null;
    case 'Boleto':
      return Payment.Provider === 'Bradesco2' && MerchantOrderId.length > BRADESCO_ORDER
        ? failure(122, 400, ` (at most ${BRADESCO_ORDER})`)
        : null;
    case 'Pix':
      return null;
    default:
      return assertNever(Payment);
  }
}

const isCapturedAtOnce = ({ Payment }: CieloSale): boolean =>
  Payment.Type !== 'CreditCard' || Payment.Capture;

function create(core: SimulatorCore, context: SimulatorRequestContext, sale: CieloSale): WorkResult {
  const { behavior } = context;
  const { Payment } = sale;
  const seen =
    Payment.Type === 'CreditCard' ? withSandboxDecline(behavior, Payment.CreditCard.CardNumber) : behavior;
  const operation = isCapturedAtOnce(sale) ? 'charge' : 'authorize';
  const charged = { ...context, behavior: seen, wireData: saleDataFrom(sale) };
  const result = core.charges.create(charged, operation, chargeBodyOf(sale));
  if ('rejected' in result) return { response: rejected(result, sale) };
  const { charge } = result;
  const answer = created(saleObject(charge, core.origin, sale.Customer));
  // The manual's events of a card: capture, cancellation and inquiry.
  return { response: answer, charge, announced: charge.captured > 0 };
}

function rejected({ rejected: { code } }: RejectedOperation, sale: CieloSale): SimulatorResponse {
  switch (code) {
    case 'pix_disabled':
      return created({ ...sale, Payment: { ...noPayment(sale), ...NO_PIX } });
    case 'unavailable':
      return failure(0, 500);
    default:
      return failure(173);
  }
}

/** Which state such a sale has is not documented. */
function noPayment({ Payment: { Type, Amount } }: CieloSale) {
  return { PaymentId: randomUUID(), Type, Amount, Status: STATUS.aborted };
}

function chargeBodyOf(sale: CieloSale): ChargeBody {
  const { MerchantOrderId, Payment } = sale;
  const common = {
    reference: ownReference(MerchantOrderId),
    amount: Payment.Amount,
    currency: 'BRL',
    installments: 1,
    soft_descriptor: null,
    // The core keeps no customer data.
    customer: { name: '', email: '', document: '' },
    card: null,
    billing_address: null,
    splits: [],
    instructions: null,
    initiation: initiationOf(sale),
  };
  switch (Payment.Type) {
    case 'CreditCard':
      return {
        ...common,
        method: 'card',
        installments: Payment.Installments,
        card: cardOf(Payment.CreditCard),
      };
    case 'Pix':
      return { ...common, method: 'pix', expires_in: PIX_SECONDS };
    case 'Boleto': {
      const { ExpirationDate: due_at, Instructions: instructions = null } = Payment;
      const expires_at = new Date(`${due_at}${END_OF_DAY}`).toISOString();
      return { ...common, method: 'billet', due_at, expires_at, instructions };
    }
    default:
      return assertNever(Payment);
  }
}

/** What the issuer sees of a card. */
export function cardOf({ CardNumber, Holder, ExpirationDate, SecurityCode, Brand }: CieloCard) {
  const [month, year] = ExpirationDate.split('/').map(Number);
  return {
    number: CardNumber,
    cvv: SecurityCode ?? null,
    holder_name: Holder,
    expire_month: month ?? 0,
    expire_year: year ?? 0,
    brand: Brand === 'Master' ? 'mastercard' : Brand.toLowerCase(),
  };
}

function initiationOf(sale: CieloSale): WireInitiation {
  return sale.Payment.Type === 'CreditCard' ? cardInitiation(sale.Payment) : ONE_OFF;
}

/**
 * `CardOnFile` with Mastercard's indicator: https://developercielo.github.io/manual/cielo-ecommerce#card-on-file. The other networks
 * have no field for the initiator: there a stored card with the id of an earlier transaction is the merchant's.
 */
function cardInitiation(payment: CardSale['Payment']): WireInitiation {
  const { Usage, Reason = null } = payment.CreditCard.CardOnFile ?? {};
  const { IssuerTransactionId: id, InitiatedTransactionIndicator: indicator } = payment;
  const network_ids =
    id === undefined ? null : { network_transaction_id: id, transaction_link_id: null, elo_reference: null };
  if (Usage === undefined) return ONE_OFF;
  if (Usage === 'First') {
    const reason = Reason === 'Recurring' || payment.Recurrent ? 'first_recurring' : 'first_saved';
    return { initiator: 'customer', reason };
  }
  const isMerchants = indicator === undefined ? id !== undefined : indicator.Category !== 'C1';
  if (Reason === 'Recurring') return { initiator: 'merchant', reason: 'recurring', network_ids };
  return isMerchants
    ? { initiator: 'merchant', reason: 'unscheduled', network_ids }
    : { initiator: 'customer', reason: 'saved_card' };
}

/** What the request tells about the purchase, without the card. */
function purchaseOf({ Customer, Payment }: CieloSale): object {
  const { IpAddress, Mobile, Phone, Address, Billing } = Customer ?? {};
  const slip = Payment.Type === 'Boleto' ? { Demonstrative: Payment.Demonstrative } : {};
  return { IpAddress, Mobile, Phone, Address, Billing, ...slip };
}

/** The order even of an invalid request, for the request log. */
function orderIn(body: unknown): string {
  const { MerchantOrderId: order }: { MerchantOrderId?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  return typeof order === 'string' ? order : '';
}
