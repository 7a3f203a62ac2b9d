import { defaultDueDate, dueDateProblem } from '../../domain/payments/billet-calendar';
import { parseCard, type CardInput, type RawCard } from '../../domain/customers/card';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { CustomerDetails } from '../../domain/customers/customer';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { isPaidLater, type PaymentMethod } from '../../domain/payments/payment';
import type { ChargeInitiation } from '../../domain/shared/charge-initiation';
import { assertNever } from '../../domain/shared/assert-never';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { PurchaseDetails } from '../../domain/shared/purchase-details';
import { splitProblem, type Split } from '../../domain/payments/split';
import { readPayer, type PayerRequest } from './payer-request';
import { FieldErrorCollector, type Validated } from '../../domain/shared/validation';

/** The body of a payment creation, already validated against openapi.yaml. */
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
  readonly initiator: ChargeInitiation['initiator'];
  readonly billing_address?: BillingAddress | null;
  readonly splits?: readonly SplitRequest[] | null;
  readonly installments: number;
  readonly soft_descriptor?: string | null;
  readonly metadata?: Record<string, string> | null;
  readonly pix_expires_in?: number | null;
  readonly billet_due_at?: string | null;
  readonly billet_instructions?: string | null;
  readonly payer?: PayerRequest | null;
  readonly description?: string | null;
  readonly items?: readonly ItemRequest[] | null;
  readonly return_url?: string | null;
}

export interface ItemRequest {
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount: number;
}

/** A saved card by its token, or a card number with its details. */
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
  /** Described by a buyer at a public checkout, who must not change the stored customer. */
  | { readonly kind: 'buyer'; readonly details: CustomerDetails };
export type CardChoice =
  | { readonly kind: 'saved'; readonly token: string }
  | { readonly kind: 'raw'; readonly card: RawCard }
  | { readonly kind: 'none' };

/** A payment request after all checks. */
export interface ReadPaymentRequest {
  readonly customer: CustomerChoice;
  readonly card: CardChoice;
  readonly billingAddress: BillingAddress | null;
  readonly splits: readonly Split[] | null;
  readonly pending: PendingTerms;
  readonly purchase: PurchaseDetails;
}

/** Terms of a payment that is paid later; all null for a card. */
interface PendingTerms {
  /** Seconds. */
  readonly pixExpiresIn: number | null;
  readonly billetDueAt: string | null;
  readonly billetInstructions: string | null;
  /** Whether the request names no expiry or due date. */
  readonly expiryIsDefault: boolean;
}

/** The company's defaults for pix and billets. */
type PaymentTerms = Pick<AuthenticatedCompany, 'pixExpiresInSeconds' | 'billetDueDays'>;

/**
 * Chooses between the request's alternatives (token or fields) and checks the rules that the contract cannot express. It
 * reports every error, not only the first. A checkout does not require a billing address.
 */
export function readPaymentRequest(
  request: PaymentRequest,
  terms: PaymentTerms,
  now: Date,
  checkout?: { readonly guestId: string | null },
): Validated<ReadPaymentRequest> {
  const fieldErrors = new FieldErrorCollector();
  const customer = readCustomer(request.customer, fieldErrors, checkout?.guestId);
  const card = readMethodCard(request, now, fieldErrors, checkout !== undefined);
  const splits = readSplits(request, fieldErrors);
  const pending = readPendingTerms(request, terms, now, fieldErrors);
  const purchase = readPurchase(request, fieldErrors);
  if (fieldErrors.hasErrors || customer === null || card === null)
    return { valid: false, errors: fieldErrors.errors };
  const billingAddress = request.billing_address ?? null;
  return { valid: true, value: { customer, card, billingAddress, splits, pending, purchase } };
}

function readPurchase(request: PaymentRequest, fieldErrors: FieldErrorCollector): PurchaseDetails {
  const items = (request.items ?? []).map(({ name, quantity, unit_amount: unitCents }) => ({
    ...{ name, quantity, unitCents },
  }));
  return {
    payer: readPayer(request.payer, fieldErrors),
    description: request.description ?? null,
    items,
    returnUrl: request.return_url ?? null,
  };
}

const NEEDS_SAVED_CARD =
  'must be customer without a saved card: only such a card is charged without its holder';

/** Fields of other payment methods are ignored. A payment that is paid later cannot be authorized only. */
function readPendingTerms(
  request: PaymentRequest,
  { pixExpiresInSeconds, billetDueDays }: PaymentTerms,
  now: Date,
  fieldErrors: FieldErrorCollector,
): PendingTerms {
  const { payment_method: method, pix_expires_in: pixExpiresIn, billet_instructions: instructions } = request;
  const none = { pixExpiresIn: null, billetDueAt: null, billetInstructions: null, expiryIsDefault: false };
  if (!isPaidLater(method)) return none;
  if (request.initiator === 'merchant') fieldErrors.add('initiator', NEEDS_SAVED_CARD);
  if (request.currency !== 'BRL') fieldErrors.add('currency', `must be BRL for ${method}`);
  if (!request.capture)
    fieldErrors.add('capture', `must not be false for ${method}: only a card can be authorized`);
  switch (method) {
    case 'pix':
      return {
        ...none,
        pixExpiresIn: pixExpiresIn ?? pixExpiresInSeconds,
        expiryIsDefault: (pixExpiresIn ?? null) === null,
      };
    case 'billet': {
      const billetDueAt = request.billet_due_at ?? defaultDueDate(now, billetDueDays);
      const problem = dueDateProblem(billetDueAt, now);
      if (problem !== null) fieldErrors.add('billet_due_at', problem);
      const expiryIsDefault = (request.billet_due_at ?? null) === null;
      return { ...none, billetDueAt, billetInstructions: instructions ?? null, expiryIsDefault };
    }
    default:
      return assertNever(method);
  }
}

/** The customer by token or by details; null if the details are incomplete. Only a buyer with a `guestId` needs no document. */
export function readCustomer(
  customer: PaymentRequest['customer'],
  fieldErrors: FieldErrorCollector,
  guestId: string | null = null,
): CustomerChoice | null {
  if (hasText(customer.token)) return { kind: 'known', token: customer.token };
  const { name, email } = customer;
  const document = hasText(customer.document) ? parseDocument(customer.document) : null;
  if (!hasText(name)) fieldErrors.add('customer.name', 'is required without customer.token');
  if (!hasText(email)) fieldErrors.add('customer.email', 'is required without customer.token');
  const isGuest = !hasText(customer.document) && guestId !== null;
  if (!isGuest && !hasText(customer.document))
    fieldErrors.add('customer.document', 'is required without customer.token');
  else if (!isGuest && document === null) fieldErrors.add('customer.document', DOCUMENT_RULE);
  if (!hasText(name) || !hasText(email) || (document === null && !isGuest)) return null;
  const { phone, address, metadata } = customer;
  const identity =
    document === null ? { document, guestId: guestId ?? undefined } : { document: document.value };
  return {
    kind: 'described',
    details: { name, email, ...identity, phone, address: address && { ...address }, metadata },
  };
}

function readMethodCard(
  request: PaymentRequest,
  now: Date,
  fieldErrors: FieldErrorCollector,
  atCheckout: boolean,
): CardChoice | null {
  if (isPaidLater(request.payment_method)) return { kind: 'none' };
  const { card } = request;
  if (card === null || card === undefined) {
    fieldErrors.add('card', 'is required when payment_method is card');
    return null;
  }
  if (request.initiator === 'merchant' && !hasText(card.token))
    fieldErrors.add('initiator', NEEDS_SAVED_CARD);
  if (!hasText(card.token) && !request.billing_address && !atCheckout) {
    fieldErrors.add('billing_address', 'is required without card.token');
  }
  return readCard(card, now, fieldErrors);
}

/** The card by token or by its details; null if the details are invalid. */
export function readCard(
  card: CardRequest,
  now: Date,
  fieldErrors: FieldErrorCollector,
): Exclude<CardChoice, { kind: 'none' }> | null {
  if (hasText(card.token)) return { kind: 'saved', token: card.token };
  const parsed = parseCard(card, now, 'card');
  if (!parsed.valid) fieldErrors.addAll(parsed.errors);
  return parsed.valid ? { kind: 'raw', card: parsed.value } : null;
}

function readSplits(
  { splits, amount }: PaymentRequest,
  fieldErrors: FieldErrorCollector,
): readonly Split[] | null {
  const read = toSplits(splits);
  const problem = read && splitProblem(read, amount);
  if (problem !== null) fieldErrors.add('splits', problem);
  return read;
}

/** An empty list means no splits: null. */
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
