import type { FollowUpBody, WireSplit } from '../../../gateways/simulator/wire';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import { post } from '../../ledger';
import type { SimulatorResponse } from '../../replies';
import { declineReason } from '../../test-cards';
import type { SimulatorCore } from '../adapter';
import { followUpReference, ownReference } from '../our-reference';
import { isReadable } from '../readable-charge';
import type { AdyenSplitBody } from './bodies';
import { isForeignAccount } from './create-payment';
import type { AdyenEndpoint, AdyenRequest, AdyenResult } from './endpoint';
import { invalidMerchantAccount, serviceError, unknownPayment } from './errors';
import { type ModificationData, paymentDataOf, type ResultEvent } from './record';
import { bookedSplits, capturedSplits, refundedSplits, refundSplitsProblem, splitsProblem } from './splits';

/** A valid body in the words that all kinds of modification share. */
export interface Modification {
  readonly event: ResultEvent;
  readonly merchantAccount: string;
  readonly reference: string | null;
  /** Null: all that is left. */
  readonly amount: { readonly currency: string; readonly value: number } | null;
  readonly reason: string | null;
  /** Null if the request has none. */
  readonly splits: readonly AdyenSplitBody[] | null;
}

type Kind = 'capture' | 'cancel' | 'refund';

/** Transaction not permitted: kept with a modification that the payment's state does not allow. */
const REFUSED_CODE = '57';

/**
 * A capture, cancel, refund or reversal. A valid one is only `received`: its result is a webhook, also if the payment does not
 * allow it (https://docs.adyen.com/online-payments/capture, /cancel, /refund and /reverse).
 */
export function modify(
  core: SimulatorCore,
  request: AdyenRequest,
  payment: StoredCharge | null,
  read: Modification | SimulatorResponse,
): AdyenEndpoint {
  const modification = 'status' in read ? null : read;
  const kind = payment === null ? 'cancel' : kindOf(modification?.event ?? 'CANCELLATION', payment);
  const given = modification?.reference ?? null;
  const own = given === null ? null : ownReference(given);
  const reference = payment && followUpReference(payment, kind, [own, request.idempotencyKey]);
  const amount = modification?.amount?.value ?? (payment === null ? null : leftOf(payment, kind));
  return {
    summary: { operation: kind, amount, reference: reference ?? own },
    check: (account) => {
      if ('status' in read) return read;
      if (isForeignAccount(read.merchantAccount)) return invalidMerchantAccount();
      if (!isReadable(core, account, payment)) return unknownPayment();
      if (paymentDataOf(payment).merchant_account !== read.merchantAccount) return unknownPayment();
      if (read.amount !== null && read.amount.value === 0)
        return serviceError(422, '137', 'Invalid amount specified');
      const wrong = wrongSplits(kind, payment, read);
      if (wrong !== null) return wrong;
      return {
        reference: reference ?? '',
        chargeId: payment.id,
        run: (context) => {
          const now = core.store.find(payment.gateway, payment.id) ?? payment;
          return run(core, context, now, read, reference ?? '');
        },
      };
    },
  };
}

function wrongSplits(kind: Kind, payment: StoredCharge, { amount, splits }: Modification) {
  if (amount === null || splits === null) return null;
  return splitsProblem(splits, amount) ?? (kind === 'refund' ? refundSplitsProblem(splits, payment) : null);
}

function kindOf(event: ResultEvent, { captured }: StoredCharge): Kind {
  switch (event) {
    case 'CAPTURE':
      return 'capture';
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return 'cancel';
    case 'REFUND':
      return 'refund';
    case 'CANCEL_OR_REFUND':
      return captured > 0 ? 'refund' : 'cancel';
  }
}

function leftOf({ amount, captured, refunded }: StoredCharge, kind: Kind): number {
  return kind === 'refund' ? captured - refunded : amount;
}

function run(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  payment: StoredCharge,
  { event, amount, reference: given, reason, splits: instructions }: Modification,
  reference: string,
): AdyenResult {
  const kind = kindOf(event, payment);
  const value = amount?.value ?? leftOf(payment, kind);
  const data: ModificationData = {
    event,
    reference: given,
    merchant_refund_reason: reason,
    refusal: null,
    splits: [...(instructions ?? [])],
  };
  const booked = instructions && bookedSplits(instructions, payment.gateway, core.recipients);
  const splits = splitsOf(kind, booked, payment, value);
  const body: FollowUpBody = { reference, amount: value, splits, reason, bank_account: null };
  const problem = problemOf(kind, payment, amount?.currency ?? payment.currency);
  // The core takes the payment's own splits for a capture without any.
  const divided = kind === 'capture' ? { ...payment, splits } : payment;
  const result =
    problem === null ? core.charges[kind]({ ...context, wireData: { ...data } }, divided, body) : null;
  if (result !== null && !('rejected' in result)) return { commit: result, shown: result };
  const refusal = problem ?? explain(kind, payment);
  const refused = refuse(core, context, payment, { kind, body, data: { ...data, refusal } });
  return { commit: refused, shown: refused };
}

/** How a modification divides its amount between recipients. */
function splitsOf(kind: Kind, given: readonly WireSplit[] | null, payment: StoredCharge, value: number) {
  switch (kind) {
    case 'capture':
      return [...capturedSplits(given, payment, value)];
    case 'refund':
      return refundedSplits(given, payment, value);
    case 'cancel':
      return [];
  }
}

/** What the core would allow, but Adyen does not. */
function problemOf(kind: Kind, payment: StoredCharge, currency: string): string | null {
  if (currency !== payment.currency) return 'Currency is not the currency of the payment';
  // A cancel releases an authorization; a pix or boleto has none before it is paid (https://docs.adyen.com/online-payments/cancel).
  return kind === 'cancel' && payment.method !== 'card' ? 'Transaction hasn’t been authorised' : null;
}

/** The examples of REFUND in Adyen/adyen-openapi, Webhooks-v1, and of CAPTURE in Adyen/adyen-dotnet-api-library. The words of the others are ours. */
function explain(kind: Kind, { status, captured, method }: StoredCharge): string {
  if (kind === 'refund')
    return captured === 0
      ? "Transaction hasn't been captured, refund not possible"
      : method === 'billet'
        ? 'Refund is not supported for this payment method'
        : 'Insufficient balance on payment';
  return status === 'authorized'
    ? 'Insufficient balance on payment'
    : `The payment can not be changed any more`;
}

/** Keeps a modification that changes nothing, so that its webhook and its key can tell. */
function refuse(
  core: SimulatorCore,
  { idempotencyKey }: SimulatorRequestContext,
  payment: StoredCharge,
  { kind, body, data }: { kind: Kind; body: FollowUpBody; data: ModificationData },
) {
  const now = new Date();
  const operation: StoredOperation = {
    operation: kind,
    reference: body.reference,
    idempotencyKey,
    status: 'declined',
    amount: body.amount,
    ...declineReason(REFUSED_CODE),
    at: now.toISOString(),
    wireData: { ...data },
  };
  const charge: StoredCharge = { ...payment, operations: [...payment.operations, operation] };
  core.store.commit(charge, body.reference, [post.memo('declined', body.amount)], now);
  return { charge, operation };
}
