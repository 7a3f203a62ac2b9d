import type { Charge, ChargeOperation, Committed } from './charge-store';
import type { StoredRecipient } from './recipients';
import type { ChargeReply, ErrorReply, OperationReply, RecipientReply } from '../gateways/simulator/wire';

/** An HTTP answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly body: OperationReply | ChargeReply | RecipientReply | ErrorReply | object;
}

export function errorAnswer(status: number, code: string, message: string): Answer {
  const body: ErrorReply = { error: { code, message } };
  return { status, body };
}

/** `origin` is the simulator's own address, where billets are shown. */
export function operationReplyOf({ charge, operation }: Committed, origin: string): OperationReply {
  return {
    ...chargeFactsOf(charge, origin),
    reference: operation.reference,
    operation: operation.operation,
    status: operation.status,
    amount: operation.amount,
    response: verdictOf(operation),
  };
}

export function chargeReplyOf(charge: Charge, inProgress: boolean, origin: string): ChargeReply {
  return {
    ...chargeFactsOf(charge, origin),
    reference: charge.reference,
    status: charge.status,
    amount: charge.amount,
    captured_amount: charge.captured,
    refunded_amount: charge.refunded,
    response: verdictOf(charge),
    recurring: charge.recurring,
    in_progress: inProgress,
    operations: charge.operations.map((operation) => ({
      reference: operation.reference,
      operation: operation.operation,
      status: operation.status,
      amount: operation.amount,
      response: verdictOf(operation),
    })),
  };
}

function verdictOf({
  code,
  message,
  adviceCode,
}: Pick<ChargeOperation, 'code' | 'message' | 'adviceCode'>): OperationReply['response'] {
  return { code, message, advice_code: adviceCode };
}

export function recipientReplyOf({ id, reference, status, message }: StoredRecipient): RecipientReply {
  return { id, reference, status, message };
}

type ChargeFacts = Pick<
  ChargeReply,
  'id' | 'authorization_code' | 'network_transaction_id' | 'capture_before' | 'paid_amount' | 'pix' | 'billet'
>;

function chargeFactsOf(charge: Charge, origin: string): ChargeFacts {
  const { pix, billet, expiresAt } = charge;
  return {
    id: charge.id,
    authorization_code: charge.authorizationCode,
    network_transaction_id: charge.networkTransactionId,
    capture_before: charge.captureBefore,
    paid_amount: charge.method === 'card' ? null : charge.paid,
    pix:
      pix && expiresAt !== null
        ? { qr_code: pix.qrCode, expires_at: expiresAt, end_to_end_id: pix.endToEndId }
        : null,
    billet: billet && {
      line: billet.line,
      barcode: billet.barcode,
      url: `${origin}/${charge.gateway}/billets/${charge.id}`,
      due_at: billet.dueAt,
    },
  };
}
