import type { Charge, Committed } from './charge-store';
import type { StoredRecipient } from './recipients';
import type { ChargeReply, ErrorReply, OperationReply, RecipientReply } from './wire';

/** An HTTP answer before it is written. */
export interface Answer {
  readonly status: number;
  readonly body: OperationReply | ChargeReply | RecipientReply | ErrorReply | object;
}

export function errorAnswer(status: number, code: string, message: string): Answer {
  const body: ErrorReply = { error: { code, message } };
  return { status, body };
}

export function operationReplyOf({ charge, operation }: Committed): OperationReply {
  return {
    id: charge.id,
    authorization_code: charge.authorizationCode,
    network_transaction_id: charge.networkTransactionId,
    capture_before: charge.captureBefore,
    reference: operation.reference,
    operation: operation.operation,
    status: operation.status,
    amount: operation.amount,
    response: { code: operation.code, message: operation.message },
  };
}

export function chargeReplyOf(charge: Charge, inProgress: boolean): ChargeReply {
  return {
    id: charge.id,
    authorization_code: charge.authorizationCode,
    network_transaction_id: charge.networkTransactionId,
    capture_before: charge.captureBefore,
    reference: charge.reference,
    status: charge.status,
    amount: charge.amount,
    captured_amount: charge.captured,
    refunded_amount: charge.refunded,
    paid_amount: charge.paid,
    response: { code: charge.code, message: charge.message },
    in_progress: inProgress,
    operations: charge.operations.map(({ reference, operation, status, amount, code, message }) => ({
      reference,
      operation,
      status,
      amount,
      response: { code, message },
    })),
  };
}

export function recipientReplyOf({ id, reference, status, message }: StoredRecipient): RecipientReply {
  return { id, reference, status, message };
}
