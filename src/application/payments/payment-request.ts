import { defaultDueDate, dueDateProblem } from '../../domain/payments/billet-calendar';
import { parseCard, type CardInput, type RawCard } from '../../domain/customers/card';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { CustomerDetails } from '../../domain/customers/customer';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { PaymentMethod } from '../../domain/payments/payment';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import { splitProblem, type Split } from '../../domain/payments/split';
import { FaultCollector, type Validated } from '../../domain/shared/validation';

/** The body of a payment creation, as the contract has let it through (decisions, section 5). */
export interface PaymentRequest {
  readonly merchant_order_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly payment_method: PaymentMethod;
  readonly customer: {
    readonly token?: string | null;
    readonly name?: string | null;
    readonly email?: string | null;
    readonly document?: string | null;
    readonly phone?: string | null;
    readonly address?: BillingAddress | null;
    readonly metadata?: Readonly<Record<string, string>> | null;
  };
  readonly gateway_first_try?: GatewaySlug | null;
  readonly capture: boolean;
  readonly card?: CardRequest | null;
  readonly save_card: boolean;
  readonly billing_address?: BillingAddress | null;
  readonly splits?: readonly SplitRequest[] | null;
  readonly installments: number;
  readonly soft_descriptor?: string | null;
  readonly metadata?: Record<string, string> | null;
  readonly pix_expires_in?: number | null;
  readonly billet_due_at?: string | null;
  readonly billet_instructions?: string | null;
}

/** A saved card by its token, or a raw one. */
export interface CardRequest extends CardInput {
  readonly token?: string | null | undefined;
}

export interface SplitRequest {
  readonly recipient_id: string;
  readonly type: 'percentage' | 'flat';
  readonly amount: number;
  readonly liable?: boolean | null;
  readonly charge_processing_fee?: boolean | null;
  readonly charge_remainder_fee?: boolean | null;
}

export type CustomerChoice =
  | { readonly kind: 'known'; readonly token: string }
  | { readonly kind: 'described'; readonly details: CustomerDetails }
  /** Described by somebody who may not change what is known of a customer. */
  | { readonly kind: 'buyer'; readonly details: CustomerDetails };
export type CardChoice =
  | { readonly kind: 'saved'; readonly token: string }
  | { readonly kind: 'raw'; readonly card: RawCard }
  | { readonly kind: 'none' };

/** What a request asks for, once it makes sense. */
export interface ReadPaymentRequest {
  readonly customer: CustomerChoice;
  readonly card: CardChoice;
  readonly billingAddress: BillingAddress | null;
  readonly splits: readonly Split[] | null;
  readonly pending: PendingTerms;
}

/** Until when a pix or billet can be paid, and what a billet says; all null for a card. */
interface PendingTerms {
  readonly pixExpiresIn: number | null;
  readonly billetDueAt: string | null;
  readonly billetInstructions: string | null;
}

/** What a company's pix and billets have unless a request says otherwise. */
type PaymentTerms = Pick<AuthenticatedCompany, 'pixExpiresInSeconds' | 'billetDueDays'>;

/**
 * Picks between the request's alternatives (token or fields) and checks what the contract cannot; every fault is named.
 * At a checkout nobody has to say where the cardholder lives.
 */
export function readPaymentRequest(
  request: PaymentRequest,
  terms: PaymentTerms,
  now: Date,
  { atCheckout = false }: { readonly atCheckout?: boolean } = {},
): Validated<ReadPaymentRequest> {
  const faults = new FaultCollector();
  const customer = readCustomer(request.customer, faults);
  const card = readMethodCard(request, now, faults, atCheckout);
  const splits = readSplits(request, faults);
  const pending = readPendingTerms(request, terms, now, faults);
  if (faults.found || customer === null || card === null) return { valid: false, errors: faults.errors };
  const billingAddress = request.billing_address ?? null;
  return { valid: true, value: { customer, card, billingAddress, splits, pending } };
}

/** What is for another method than the payment's is ignored; that a pix or billet be authorized only cannot be. */
function readPendingTerms(
  request: PaymentRequest,
  { pixExpiresInSeconds, billetDueDays }: PaymentTerms,
  now: Date,
  faults: FaultCollector,
): PendingTerms {
  const { payment_method: method, pix_expires_in: pixExpiresIn, billet_instructions: instructions } = request;
  const none = { pixExpiresIn: null, billetDueAt: null, billetInstructions: null };
  if (method === 'card') return none;
  if (request.currency !== 'BRL') faults.add('currency', `must be BRL for ${method}`);
  if (!request.capture)
    faults.add('capture', `must not be false for ${method}: only a card can be authorized`);
  if (method === 'pix') return { ...none, pixExpiresIn: pixExpiresIn ?? pixExpiresInSeconds };
  const billetDueAt = request.billet_due_at ?? defaultDueDate(now, billetDueDays);
  const problem = dueDateProblem(billetDueAt, now);
  if (problem !== null) faults.add('billet_due_at', problem);
  return { ...none, billetDueAt, billetInstructions: instructions ?? null };
}

/** The customer a request names or describes; null when it does neither whole. */
export function readCustomer(
  customer: PaymentRequest['customer'],
  faults: FaultCollector,
): CustomerChoice | null {
  if (hasText(customer.token)) return { kind: 'known', token: customer.token };
  const { name, email } = customer;
  const document = hasText(customer.document) ? parseDocument(customer.document) : null;
  if (!hasText(name)) faults.add('customer.name', 'is required without customer.token');
  if (!hasText(email)) faults.add('customer.email', 'is required without customer.token');
  if (!hasText(customer.document)) faults.add('customer.document', 'is required without customer.token');
  else if (document === null) faults.add('customer.document', DOCUMENT_RULE);
  if (!hasText(name) || !hasText(email) || document === null) return null;
  const { phone, address, metadata } = customer;
  return {
    kind: 'described',
    details: { name, email, document: document.value, phone, address: address && { ...address }, metadata },
  };
}

function readMethodCard(
  request: PaymentRequest,
  now: Date,
  faults: FaultCollector,
  atCheckout: boolean,
): CardChoice | null {
  if (request.payment_method !== 'card') return { kind: 'none' };
  const { card } = request;
  if (card === null || card === undefined) {
    faults.add('card', 'is required when payment_method is card');
    return null;
  }
  if (!hasText(card.token) && !request.billing_address && !atCheckout) {
    faults.add('billing_address', 'is required without card.token');
  }
  return readCard(card, now, faults);
}

/** The saved card a request names, or the one it gives; null when neither makes sense. */
export function readCard(
  card: CardRequest,
  now: Date,
  faults: FaultCollector,
): Exclude<CardChoice, { kind: 'none' }> | null {
  if (hasText(card.token)) return { kind: 'saved', token: card.token };
  const parsed = parseCard(card, now, 'card');
  if (!parsed.valid) faults.addAll(parsed.errors);
  return parsed.valid ? { kind: 'raw', card: parsed.value } : null;
}

function readSplits({ splits, amount }: PaymentRequest, faults: FaultCollector): readonly Split[] | null {
  const read = toSplits(splits);
  const problem = read && splitProblem(read, amount);
  if (problem !== null) faults.add('splits', problem);
  return read;
}

/** Null without splits: an empty list asks for none. */
export function toSplits(splits: readonly SplitRequest[] | null | undefined): readonly Split[] | null {
  if (!splits || splits.length === 0) return null;
  return splits.map((split) => ({
    recipientId: split.recipient_id,
    type: split.type,
    amount: split.amount,
    liable: split.liable ?? false,
    chargeProcessingFee: split.charge_processing_fee ?? false,
    chargeRemainderFee: split.charge_remainder_fee ?? false,
  }));
}

function hasText(value: string | null | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The CVV may not be kept, not even hashed (PCI DSS 3.3.1). */
export function withoutCvv<Request extends { readonly card?: CardRequest | null }>(
  request: Request,
): Request {
  if (!request.card) return request;
  const { cvv: _unkept, ...card } = request.card;
  return { ...request, card };
}
