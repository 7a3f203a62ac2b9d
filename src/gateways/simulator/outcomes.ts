import { GatewayError } from '../errors';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { Declined, InquiryResult, Outcome, VerifiedCard } from '../gateway';
import {
  type ChargeReply,
  type ChargeStatus,
  type OperationReply,
  transactionOf,
  type VerificationReply,
  type WireNetworkIds,
} from './wire';

/** The values that a reply must echo to count as the reply to our request. */
export interface ExpectedReply {
  readonly reference: string;
  /** Null if the gateway decides the amount. */
  readonly amountCents: number | null;
  /** The charge of the operation; null for a new charge. */
  readonly chargeId: string | null;
  readonly statuses: readonly ChargeStatus[];
}

/** The common fields of an operation's result and of a charge's current state. */
type Result = Omit<OperationReply, 'reference' | 'operation'> & {
  /** Of the charge itself; missing in an operation's result. */
  readonly state?: ReportedChargeState;
};

/** Returns the reply if it belongs to our request; throws `ambiguous` otherwise. */
export function requireMatchingReply(reply: OperationReply, expected: ExpectedReply): OperationReply {
  const matches =
    reply.reference === expected.reference &&
    (expected.amountCents === null || reply.amount === expected.amountCents) &&
    (expected.chargeId === null || reply.id === expected.chargeId) &&
    expected.statuses.includes(reply.status);
  if (!matches) throw new GatewayError('ambiguous', 'the gateway answered for another request');
  return reply;
}

export function toOutcome(result: Result): Outcome {
  const { pix, billet } = result;
  const { code, message } = result.response;
  if (result.status === 'declined') return toDecline(result);
  if (code === null) throw new GatewayError('ambiguous', 'the gateway accepted without a response code');
  return {
    kind: result.status === 'expired' ? 'canceled' : result.status,
    gatewayTransactionId: result.id,
    amountCents: result.amount,
    responseCode: code,
    responseMessage: message,
    authorizationCode: result.authorization_code,
    networkIds: result.network_ids && networkIdsOf(result.network_ids),
    captureBefore: result.capture_before,
    paidAmountCents: result.paid_amount,
    pix: pix && { qrCode: pix.qr_code, expiresAt: pix.expires_at, endToEndId: pix.end_to_end_id },
    billet: billet && {
      line: billet.line,
      barcode: billet.barcode,
      url: billet.url,
      dueAt: billet.due_at,
    },
    chargeState: result.state ?? null,
  };
}

function toDecline({
  id: gatewayTransactionId,
  response,
}: Pick<Result, 'response'> & { readonly id: string | null }): Declined {
  const { code, message, advice_code: adviceCode, decline_class: declineClass } = response;
  const decline = { kind: 'declined', message, adviceCode, gatewayTransactionId } as const;
  if (code !== null) return { ...decline, code };
  if (declineClass === null) throw new GatewayError('ambiguous', 'the gateway declined without a reason');
  return { ...decline, code, declineClass };
}

export function toVerification({
  status,
  network_ids: ids,
  response,
}: VerificationReply): VerifiedCard | Declined {
  if (status === 'declined') return toDecline({ id: null, response });
  return { kind: 'verified', networkIds: ids && networkIdsOf(ids) };
}

function networkIdsOf(ids: WireNetworkIds): NetworkIds {
  const { network_transaction_id: transactionId, transaction_link_id: transactionLinkId } = ids;
  return { transactionId, transactionLinkId, eloReference: ids.elo_reference };
}

/**
 * Finds a reference among charges. A charge's reference gives the charge's current state, an operation's reference gives
 * that operation's result. `not_found` requires that all charges belong to the same payment and nothing is in progress.
 */
export function findOutcome(
  charges: readonly ChargeReply[],
  reference: string,
  inProgress: boolean,
): InquiryResult {
  const results = charges.flatMap((charge) => resultsFor(charge, reference));
  const accepted = results.filter((result) => result.status !== 'declined');
  if (accepted.length > 1) return { kind: 'inconclusive', reason: 'several operations have this reference' };
  const result = accepted[0] ?? results.at(-1);
  if (inProgress && accepted.length === 0) {
    return { kind: 'inconclusive', reason: 'the gateway is still processing a request' };
  }
  if (result !== undefined) return { kind: 'found', outcome: toOutcome(result) };
  const samePayment = (charge: ChargeReply) => transactionOf(charge.reference) === transactionOf(reference);
  if (charges.every(samePayment)) return { kind: 'not_found' };
  return { kind: 'inconclusive', reason: 'the gateway returned a charge of another payment' };
}

function resultsFor(charge: ChargeReply, reference: string): Result[] {
  if (charge.reference === reference)
    return [{ ...charge, amount: currentAmount(charge), state: stateOf(charge) }];
  return charge.operations
    .filter((operation) => operation.reference === reference)
    .map(({ status, amount, response }) => ({ ...charge, status, amount, response }));
}

function stateOf({
  status,
  captured_amount,
  refunded_amount,
  paid_amount,
}: ChargeReply): ReportedChargeState {
  return {
    status,
    capturedCents: captured_amount,
    refundedCents: refunded_amount,
    paidCents: paid_amount ?? 0,
  };
}

/** A card charge: the captured amount once captured, else the requested amount. A pix or billet: always the requested amount. */
function currentAmount(charge: ChargeReply): number {
  const isCard = charge.paid_amount === null;
  return isCard && charge.captured_amount > 0 ? charge.captured_amount : charge.amount;
}
