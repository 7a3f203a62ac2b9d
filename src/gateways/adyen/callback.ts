import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { assertNever } from '../../domain/shared/assert-never';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { parseJson } from '../parse-json';
import { readAdyenDispute } from './disputes';
import { readReference, type ChargeKind, type NamedReference } from './references';
import { isUnequivocal, verifyItem } from './signature';
import { notification, type NotificationItem } from './wire';

/**
 * What an event means. `succeeded` and `failed` are the results of requests; `undone` comes later and takes a success back.
 * https://docs.adyen.com/development-resources/webhooks/webhook-types
 */
type EventMeaning = ChargeEvent | { readonly kind: 'dispute' } | { readonly kind: 'other' };
type ChargeEvent =
  | { readonly kind: 'authorisation' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'result'; readonly of: 'capture' | 'cancel' | 'refund' }
  | { readonly kind: 'undone'; readonly of: 'capture' | 'refund' };

const DISPUTE = { kind: 'dispute' } as const;
const OTHER = { kind: 'other' } as const;

/** All event codes of the OpenAPI document of the standard webhooks. */
export const EVENT_CODES: Readonly<Record<string, EventMeaning>> = {
  ACH_NOTIFICATION_OF_CHANGE: OTHER,
  AUTHENTICATION: OTHER,
  AUTHORISATION: { kind: 'authorisation' },
  AUTHORISATION_ADJUSTMENT: OTHER,
  AUTORESCUE: OTHER,
  CANCELLATION: { kind: 'result', of: 'cancel' },
  CANCEL_AUTORESCUE: OTHER,
  CANCEL_OR_REFUND: { kind: 'result', of: 'cancel' },
  CAPTURE: { kind: 'result', of: 'capture' },
  CAPTURE_FAILED: { kind: 'undone', of: 'capture' },
  CHARGEBACK: DISPUTE,
  CHARGEBACK_REVERSED: DISPUTE,
  DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION: OTHER,
  DISPUTE_DEFENSE_PERIOD_ENDED: DISPUTE,
  EXPIRE: { kind: 'expired' },
  HANDLED_EXTERNALLY: OTHER,
  INFORMATION_SUPPLIED: DISPUTE,
  ISSUER_COMMENTS: DISPUTE,
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: DISPUTE,
  MANUAL_REVIEW_ACCEPT: OTHER,
  MANUAL_REVIEW_REJECT: OTHER,
  NOTIFICATION_OF_CHARGEBACK: DISPUTE,
  NOTIFICATION_OF_FRAUD: DISPUTE,
  OFFER_CLOSED: { kind: 'expired' },
  ORDER_CLOSED: OTHER,
  ORDER_OPENED: OTHER,
  PAIDOUT_REVERSED: OTHER,
  PAYOUT_DECLINE: OTHER,
  PAYOUT_EXPIRE: OTHER,
  PAYOUT_THIRDPARTY: OTHER,
  POSTPONED_REFUND: OTHER,
  PREARBITRATION_ACCEPTED: DISPUTE,
  PREARBITRATION_DECLINED: DISPUTE,
  PREARBITRATION_ISSUER_WITHDRAWN: DISPUTE,
  PREARBITRATION_LOST: DISPUTE,
  PREARBITRATION_OPEN: DISPUTE,
  PREARBITRATION_WON: DISPUTE,
  RECURRING_CONTRACT: OTHER,
  REFUND: { kind: 'result', of: 'refund' },
  REFUNDED_REVERSED: { kind: 'undone', of: 'refund' },
  REFUND_FAILED: { kind: 'undone', of: 'refund' },
  REFUND_WITH_DATA: OTHER,
  REPORT_AVAILABLE: OTHER,
  REQUEST_FOR_INFORMATION: DISPUTE,
  SCHEME_ARBITRATION: DISPUTE,
  SCHEME_ARBITRATION_LOST: DISPUTE,
  SCHEME_ARBITRATION_WON: DISPUTE,
  SECOND_CHARGEBACK: DISPUTE,
  TECHNICAL_CANCEL: { kind: 'result', of: 'cancel' },
  VOID_PENDING_REFUND: OTHER,
};

const NONE = { capturedCents: 0, refundedCents: 0, paidCents: 0 } as const;
const DECLINED: ReportedChargeState = { status: 'declined', ...NONE };
const CANCELED: ReportedChargeState = { status: 'canceled', ...NONE };

/** An item about anything else than our references is not for this service: the account may serve other systems. */
export function readAdyenNotification({ body }: RawCallback): CallbackReading {
  const items = itemsOf(body);
  if (items === null) return { kind: 'unreadable' };
  const hints = items.flatMap((item) => hintOf(item) ?? []);
  return hints.length === 0 ? foreign(items) : { kind: 'hints', hints };
}

/** Each item has a signature of its own. */
function foreign([item]: readonly NotificationItem[]): CallbackReading {
  if (item === undefined) return { kind: 'foreign' };
  const subject = { reference: null, gatewayTransactionId: item.pspReference };
  return { kind: 'foreign', verifiedBy: { eventId: eventIdOf(item), subject } };
}

export function verifyAdyenNotification(
  { body }: RawCallback,
  { eventId }: CallbackHint,
  secrets: readonly string[],
): 'valid' | 'invalid' | 'unsigned' {
  const results = (itemsOf(body) ?? [])
    .filter((item) => eventIdOf(item) === eventId)
    .map((item) => verifyItem(item, secrets));
  // Two items of one event must not vouch for each other.
  const [first, ...others] = new Set(results);
  return first === undefined || others.length > 0 ? 'invalid' : first;
}

function itemsOf(body: Buffer): readonly NotificationItem[] | null {
  const read = notification.safeParse(parseJson(body.toString('utf8')));
  return read.success ? read.data.notificationItems.map((each) => each.NotificationRequestItem) : null;
}

/** Adyen sends an event again with the same ids. */
function eventIdOf({ pspReference, eventCode, success }: NotificationItem): string {
  return `${pspReference}:${eventCode}:${success}`;
}

function hintOf(item: NotificationItem): CallbackHint | null {
  const named = readReference(item.merchantReference);
  const meaning = EVENT_CODES[item.eventCode] ?? OTHER;
  if (named === null || !isUnequivocal(item) || meaning.kind === 'other') return null;
  const eventId = eventIdOf(item);
  if (meaning.kind === 'dispute') {
    const reference = named.kind === 'operation' ? named.chargeReference : named.reference;
    const subject = { reference, gatewayTransactionId: item.originalReference || null };
    const dispute = readAdyenDispute(item);
    return { eventId, kind: 'chargeback', subject, reportedState: null, ...(dispute && { dispute }) };
  }
  const report = reportOf(item, meaning, named);
  const { reference } = named;
  // A modification has an id of its own, and so may the expiry of an authorization: it does not tell another charge from ours.
  const hasOwnId = named.kind === 'operation' || item.eventCode === 'EXPIRE';
  const ownId = hasOwnId ? null : item.pspReference;
  const subject = { reference, gatewayTransactionId: item.originalReference || ownId };
  return report && { eventId, kind: 'status', subject, ...report };
}

/** The state of the charge or operation, or one refund of all. */
type Report = Pick<CallbackHint, 'reportedState' | 'refundCents'>;

const stated = (reportedState: ReportedChargeState): Report => ({ reportedState });
const refunded = (refundCents: number): Report => ({ reportedState: null, refundCents });

/** Null if the event changes nothing. */
function reportOf(item: NotificationItem, meaning: ChargeEvent, named: NamedReference): Report | null {
  const succeeded = item.success === 'true';
  const cents = item.amount?.value ?? 0;
  if (named.kind === 'operation') {
    if (meaning.kind !== 'result' && meaning.kind !== 'undone') return null;
    if (meaning.of !== named.operation) return null;
    return stated(meaning.kind === 'result' && succeeded ? doneOperation(meaning.of, cents) : DECLINED);
  }
  switch (meaning.kind) {
    case 'authorisation':
      return stated(succeeded ? authorised(named.kind, cents) : DECLINED);
    case 'expired':
      return succeeded ? stated({ status: 'expired', ...NONE }) : null;
    case 'result':
      return succeeded ? madeAtAdyen(meaning.of, named.kind, cents) : null;
    case 'undone':
      // Adyen captures a sale by itself, so its failure names the charge.
      return meaning.of === 'capture' ? stated(DECLINED) : refunded(-cents);
    default:
      return assertNever(meaning);
  }
}

function doneOperation(operation: 'capture' | 'cancel' | 'refund', cents: number): ReportedChargeState {
  switch (operation) {
    case 'capture':
      return { status: 'approved', ...NONE, capturedCents: cents };
    case 'cancel':
      return CANCELED;
    case 'refund':
      return { status: 'refunded', ...NONE, refundedCents: cents };
  }
}

function authorised(kind: ChargeKind, cents: number): ReportedChargeState {
  // An issuer may reserve a part only.
  return kind === 'authorization'
    ? { status: 'authorized', ...NONE, authorizedCents: cents }
    : captured(kind, cents);
}

function captured(kind: ChargeKind, cents: number): ReportedChargeState {
  const isPaidLater = kind === 'pix' || kind === 'billet';
  return {
    status: 'approved',
    capturedCents: cents,
    refundedCents: 0,
    paidCents: isPaidLater ? cents : 0,
  };
}

/** What was done in the Customer Area, which names the payment and not a request of ours. */
function madeAtAdyen(operation: 'capture' | 'cancel' | 'refund', kind: ChargeKind, cents: number): Report {
  switch (operation) {
    case 'capture':
      return stated(captured(kind, cents));
    case 'cancel':
      return stated(CANCELED);
    case 'refund':
      return refunded(cents);
  }
}
