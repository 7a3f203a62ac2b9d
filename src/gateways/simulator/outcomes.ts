import { declineRule } from '../../domain/payments/decline';
import { GatewayError } from '../errors';
import type { InquiryResult, Outcome } from '../gateway';
import { type ChargeReply, type ChargeStatus, type OperationReply, transactionOf } from './wire';

/** What an answer must echo to be the answer to our request. */
export interface Expected {
  readonly reference: string;
  /** Null where the gateway decides it. */
  readonly amountCents: number | null;
  /** The charge acted on; null for a new one. */
  readonly chargeId: string | null;
  readonly statuses: readonly ChargeStatus[];
}

/** What an outcome is made of: an operation's own result, or a charge as it stands. */
type Result = Omit<OperationReply, 'reference' | 'operation'>;

/** The reply, proven to be ours: a gateway that answers with another charge has told nothing about this one. */
export function ownReply(reply: OperationReply, expected: Expected): OperationReply {
  const ours =
    reply.reference === expected.reference &&
    (expected.amountCents === null || reply.amount === expected.amountCents) &&
    (expected.chargeId === null || reply.id === expected.chargeId) &&
    expected.statuses.includes(reply.status);
  if (!ours) throw new GatewayError('ambiguous', 'the gateway answered for something else');
  return reply;
}

export function toOutcome(result: Result): Outcome {
  const { pix, billet } = result;
  const { code, message, advice_code: adviceCode } = result.response;
  if (result.status === 'declined') {
    return {
      kind: 'declined',
      class: declineRule(code).class,
      code,
      message,
      adviceCode,
      gatewayTransactionId: result.id,
    };
  }
  return {
    kind: result.status === 'expired' ? 'canceled' : result.status,
    gatewayTransactionId: result.id,
    amountCents: result.amount,
    responseCode: code,
    responseMessage: message,
    authorizationCode: result.authorization_code,
    networkTransactionId: result.network_transaction_id,
    captureBefore: result.capture_before,
    paidAmountCents: result.paid_amount,
    pix: pix && { qrCode: pix.qr_code, expiresAt: pix.expires_at, endToEndId: pix.end_to_end_id },
    billet: billet && {
      line: billet.line,
      barcode: billet.barcode,
      url: billet.url,
      dueAt: billet.due_at,
    },
  };
}

/**
 * What the charges a gateway shows say of a reference: a charge's own reference gives the charge as it stands, an
 * operation's gives that operation's result. Absence counts only among charges of the same payment with nothing in progress.
 */
export function findOutcome(
  charges: readonly ChargeReply[],
  reference: string,
  inProgress: boolean,
): InquiryResult {
  const results = charges.flatMap((charge) => resultsFor(charge, reference));
  const live = results.filter((result) => result.status !== 'declined');
  if (live.length > 1) return { kind: 'inconclusive', reason: 'several operations carry the reference' };
  const result = live[0] ?? results.at(-1);
  if (inProgress && live.length === 0) {
    return { kind: 'inconclusive', reason: 'the gateway is still working on a request' };
  }
  if (result !== undefined) return { kind: 'found', outcome: toOutcome(result) };
  const samePayment = (charge: ChargeReply) => transactionOf(charge.reference) === transactionOf(reference);
  if (charges.every(samePayment)) return { kind: 'not_found' };
  return { kind: 'inconclusive', reason: 'the gateway showed a charge of another payment' };
}

function resultsFor(charge: ChargeReply, reference: string): Result[] {
  if (charge.reference === reference) return [{ ...charge, amount: standingAmount(charge) }];
  return charge.operations
    .filter((operation) => operation.reference === reference)
    .map(({ status, amount, response }) => ({ ...charge, status, amount, response }));
}

/** What a card's charge is worth now: what was captured once it is, the whole amount before. A pix or billet stays what was asked for. */
function standingAmount(charge: ChargeReply): number {
  const isCard = charge.paid_amount === null;
  return isCard && charge.captured_amount > 0 ? charge.captured_amount : charge.amount;
}
