import { isPaidLater } from '../domain/payments/payment';
import type { StoredCharge, StoredOperation, SimulatorCommit } from './charge-store';
import type { DeclineReason } from './test-cards';
import type { StoredRecipient } from './recipients';
import {
  type ChargeReply,
  ERROR_STATUSES,
  type ErrorReply,
  type OperationReply,
  type RecipientReply,
  SCRIPTED_ERROR,
  type SimulatorErrorCode,
} from '../gateways/simulator/wire';

/** The status and body of an HTTP response. */
export interface SimulatorResponse {
  readonly status: number;
  /** Beside content type and length. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: OperationReply | ChargeReply | RecipientReply | ErrorReply | object;
  /** Sends no body. */
  readonly isEmpty?: true;
}

/** An error of a gateway route. */
export function gatewayErrorResponse(code: SimulatorErrorCode, message: string): SimulatorResponse {
  const body: ErrorReply = { error: { code, message } };
  return { status: ERROR_STATUSES[code], body };
}

/** An error of the gateway with the status of a script. */
export function scriptedErrorResponse(status: number): SimulatorResponse {
  const body: ErrorReply = { error: { code: SCRIPTED_ERROR, message: 'scripted error' } };
  return { status, body };
}

/** An error of a control route. */
export function controlErrorResponse(status: number, code: string, message: string): SimulatorResponse {
  return { status, body: { error: { code, message } } };
}

/** `origin` is the simulator's base URL, used in billet links. */
export function operationReplyOf({ charge, operation }: SimulatorCommit, origin: string): OperationReply {
  return {
    ...chargeFactsOf(charge, origin),
    reference: operation.reference,
    operation: operation.operation,
    status: operation.status,
    amount: operation.amount,
    response: responseDetailsOf(operation),
  };
}

export function chargeReplyOf(charge: StoredCharge, inProgress: boolean, origin: string): ChargeReply {
  return {
    ...chargeFactsOf(charge, origin),
    reference: charge.reference,
    status: charge.status,
    amount: charge.amount,
    captured_amount: charge.captured,
    refunded_amount: charge.refunded,
    response: responseDetailsOf(charge),
    initiation: charge.initiation,
    in_progress: inProgress,
    operations: charge.operations.map((operation) => ({
      reference: operation.reference,
      operation: operation.operation,
      status: operation.status,
      amount: operation.amount,
      response: responseDetailsOf(operation),
    })),
  };
}

function responseDetailsOf({
  code,
  message,
  adviceCode,
  declineClass,
}: Pick<StoredOperation, keyof DeclineReason>): OperationReply['response'] {
  return { code, decline_class: declineClass, message, advice_code: adviceCode };
}

export function recipientReplyOf(recipient: StoredRecipient, origin: string): RecipientReply {
  const { id, reference, status, message } = recipient;
  if (status !== 'pending' || recipient.needsConsent !== true) return { id, reference, status, message };
  return { id, reference, status: 'needs_consent', message, consent_url: `${origin}/consent/${id}` };
}

/** The answer to the creation, which alone has the recipient's key. */
export function newRecipientReplyOf(recipient: StoredRecipient, origin: string): RecipientReply {
  return { ...recipientReplyOf(recipient, origin), api_key: `sk_of_${recipient.id}` };
}

type ChargeFacts = Pick<
  ChargeReply,
  'id' | 'authorization_code' | 'network_ids' | 'capture_before' | 'paid_amount' | 'pix' | 'billet'
>;

function chargeFactsOf(charge: StoredCharge, origin: string): ChargeFacts {
  const { pix, billet, expiresAt } = charge;
  return {
    id: charge.id,
    authorization_code: charge.authorizationCode,
    network_ids: charge.networkIds,
    capture_before: charge.captureBefore,
    paid_amount: isPaidLater(charge.method) ? charge.paid : null,
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
