import { maskDocument } from '../domain/customers/document';
import { clientKeyOf } from '../domain/shared/idempotency-scope';
import type { ChargeInitiation } from '../domain/shared/charge-initiation';
import type { AttemptPurpose, AttemptStatus } from '../domain/payments/payment';
import type { DisputeSnapshot } from '../domain/shared/dispute-snapshot';
import type { CardSnapshot, CustomerSnapshot } from '../domain/shared/payment-snapshot';
import type { components } from '../http/generated/openapi';
import { presentCard } from './card';
import { presentDelivery, type PresentableDelivery } from './webhook';

type Schemas = components['schemas'];
export type PaymentBody = Schemas['Payment'];
export type PaymentListItemBody = Schemas['PaymentListItem'];

/** A stored payment; amounts in cents, durations in ms. */
export interface PresentablePayment {
  readonly transactionId: string;
  readonly status: Schemas['PaymentStatus'];
  readonly message: string;
  readonly code: PaymentBody['code'];
  readonly amountCents: number;
  readonly currency: string;
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  readonly paidAmountCents: number | null;
  /** What the customer has got, or may get, by disputes. */
  readonly disputedAmountCents: number;
  /** The newest dispute. */
  readonly dispute: DisputeSnapshot | null;
  readonly captureBefore: Date | null;
  readonly installments: number;
  /** The part of `amountCents` that is interest. */
  readonly interestCents: number;
  /** Why `gateway_first_try` was not tried first; null if it was. */
  readonly ignoredFirstTry: string | null;
  readonly attempts: number;
  readonly paymentMethod: Schemas['PaymentMethod'];
  readonly initiation: ChargeInitiation;
  readonly merchantOrderId: string;
  readonly idempotencyKey: string | null;
  readonly metadata: Record<string, string> | null;
  readonly customer: CustomerSnapshot;
  readonly card: CardSnapshot | null;
  readonly gatewaysRequestMs: number;
  /** The sandbox's test clock: its current time and its target; null until it is first advanced. */
  readonly clockNow: Date | null;
  readonly clockTarget: Date | null;
  readonly requestedAt: Date;
  readonly settledAt: Date | null;
  /** The subscription and cycle that the payment charges; null for a one-off payment. */
  readonly subscriptionId: string | null;
  readonly billingCycleId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A stored attempt. */
export interface PresentableAttempt {
  readonly id: string;
  readonly attempt: number;
  readonly operation: Schemas['PaymentTransaction']['operation'];
  readonly gatewaySlug: Schemas['GatewaySlug'];
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly gatewayTransactionId: string | null;
  readonly responseCode: string | null;
  readonly responseMessage: string | null;
  readonly declineType: Schemas['PaymentTransaction']['decline_type'];
  readonly authorizationCode: string | null;
  readonly pix: {
    readonly qrCode: string;
    readonly qrCodeUrl: string;
    readonly expiresAt: string;
    readonly endToEndId: string | null;
  } | null;
  readonly billet: {
    readonly line: string;
    readonly barcode: string;
    readonly url: string;
    readonly dueAt: string;
  } | null;
  readonly requestMs: number | null;
  readonly purpose: AttemptPurpose;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
}

/** A payment in API responses and webhook bodies. `deliveries` are sorted from oldest to newest. */
export function presentPayment(
  payment: PresentablePayment,
  attempts: readonly PresentableAttempt[],
  deliveries: readonly PresentableDelivery[],
): PaymentBody {
  return {
    status: payment.status,
    transaction_id: payment.transactionId,
    amount: payment.amountCents,
    currency: payment.currency,
    captured_amount: payment.capturedAmountCents,
    refunded_amount: payment.refundedAmountCents,
    disputed_amount: payment.disputedAmountCents,
    dispute: payment.dispute && presentPaymentDispute(payment.dispute),
    paid_amount: payment.paidAmountCents,
    capture_before: payment.captureBefore?.toISOString() ?? null,
    installments: payment.installments,
    interest_amount: payment.interestCents,
    message: payment.message,
    code: payment.code,
    attempts: payment.attempts,
    payment_method: payment.paymentMethod,
    initiator: payment.initiation.initiator,
    charge_reason: payment.initiation.reason,
    merchant_order_id: payment.merchantOrderId,
    idempotency_key: payment.idempotencyKey && clientKeyOf(payment.idempotencyKey),
    ...requestTimes(payment),
    routing: { ignored_first_try: payment.ignoredFirstTry },
    pending_operations: attempts.flatMap(presentPendingOperation),
    metadata: payment.metadata,
    clock: presentClock(payment),
    ...(payment.subscriptionId !== null && { subscription_id: payment.subscriptionId }),
    ...(payment.billingCycleId !== null && { cycle_id: payment.billingCycleId }),
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    transactions: attempts.map(presentAttempt),
    customer: presentPaymentCustomer(payment.customer),
    webhook: newest(deliveries),
    ...(payment.card !== null && payment.status !== 'processing' ? { card: presentCard(payment.card) } : {}),
  };
}

/** A payment in lists. */
export function presentPaymentListItem(
  payment: PresentablePayment,
  attempts: readonly PresentableAttempt[],
  deliveries: readonly PresentableDelivery[],
): PaymentListItemBody {
  return {
    status: payment.status,
    transaction_id: payment.transactionId,
    amount: payment.amountCents,
    currency: payment.currency,
    message: payment.message,
    attempts: payment.attempts,
    payment_method: payment.paymentMethod,
    merchant_order_id: payment.merchantOrderId,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    transactions: attempts.map(presentAttempt),
    webhooks: deliveries.map(presentDelivery),
  };
}

function newest(deliveries: readonly PresentableDelivery[]): PaymentBody['webhook'] {
  const last = deliveries.at(-1);
  return last === undefined ? null : presentDelivery(last);
}

function presentAttempt(attempt: PresentableAttempt): Schemas['PaymentTransaction'] {
  const unresolved =
    attempt.status === 'sent' || attempt.status === 'requested' || attempt.status === 'unknown';
  return {
    id: attempt.id,
    attempt: attempt.attempt,
    operation: attempt.operation,
    gateway: attempt.gatewaySlug,
    status: presentAttemptStatus(attempt.status),
    amount: attempt.amountCents,
    gateway_transaction_id: attempt.gatewayTransactionId,
    response_code: attempt.responseCode,
    response_message: attempt.responseMessage,
    decline_type: unresolved ? 'ambiguous' : attempt.declineType,
    authorization_code: attempt.authorizationCode,
    pix: attempt.pix && {
      qr_code: attempt.pix.qrCode,
      qr_code_url: attempt.pix.qrCodeUrl,
      expires_at: attempt.pix.expiresAt,
      end_to_end_id: attempt.pix.endToEndId,
    },
    billet: attempt.billet && {
      line: attempt.billet.line,
      barcode: attempt.billet.barcode,
      url: attempt.billet.url,
      due_at: attempt.billet.dueAt,
    },
    request_time: attempt.requestMs === null ? null : durationText(attempt.requestMs),
    created_at: attempt.createdAt.toISOString(),
  };
}

export function presentAttemptStatus(status: AttemptStatus): Schemas['PaymentTransaction']['status'] {
  switch (status) {
    case 'requested':
    case 'sent':
      return 'unknown';
    case 'accepted':
      return 'pending';
    default:
      return status;
  }
}

/** A reversal returns a charge that is not part of the payment. */
function presentPendingOperation({
  id,
  operation,
  purpose,
  status,
  amountCents,
  sentAt,
  createdAt,
}: PresentableAttempt): PaymentBody['pending_operations'] {
  if (operation !== 'capture' && operation !== 'cancel' && operation !== 'refund') return [];
  if (status !== 'accepted' || purpose === 'reversal') return [];
  return [{ id, operation, amount: amountCents, since: (sentAt ?? createdAt).toISOString() }];
}

function presentPaymentDispute(dispute: DisputeSnapshot): Schemas['PaymentDispute'] {
  const { id, kind, status, amountCents, returnedCents, reasonCode, evidenceDueAt } = dispute;
  return {
    id,
    kind,
    status,
    amount: amountCents,
    returned_amount: returnedCents,
    reason_code: reasonCode,
    evidence_due_at: evidenceDueAt,
  };
}

function presentClock({ clockNow: now, clockTarget: target }: PresentablePayment): PaymentBody['clock'] {
  if (now === null || target === null) return null;
  return { now: now.toISOString(), target: target.toISOString(), reached: now >= target };
}

export function presentPaymentCustomer(customer: CustomerSnapshot): Schemas['PaymentCustomer'] {
  return {
    id: customer.id,
    token: customer.token,
    name: customer.name,
    email: customer.email,
    document: customer.document && maskDocument(customer.document),
    type: customer.type,
    phone: customer.phone,
    address: customer.address,
  };
}

/** Null until there is a result. The service's time is the total time minus the gateways' time. */
function requestTimes(
  payment: PresentablePayment,
): Pick<PaymentBody, 'service_request_time' | 'total_request_time' | 'gateways_request_time'> {
  if (payment.settledAt === null) {
    return { service_request_time: null, total_request_time: null, gateways_request_time: null };
  }
  const totalMs = payment.settledAt.getTime() - payment.requestedAt.getTime();
  const gatewaysMs = Math.min(payment.gatewaysRequestMs, totalMs);
  return {
    service_request_time: durationText(totalMs - gatewaysMs),
    total_request_time: durationText(totalMs),
    gateways_request_time: durationText(gatewaysMs),
  };
}

/** 412 gives `0.412s`. */
export function durationText(ms: number): string {
  return `${(ms / 1000).toFixed(3)}s`;
}
