import type { DisputeKind, DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeHint } from '../callback';
import type { DisputeData, NotificationItem } from './wire';

/**
 * What an event says about a dispute. The event, the amount and the dispute's id are signed; `disputeStatus` is not, so it only tells
 * an `undecided` dispute that waits for the company from one that Adyen has the defense of. Money moves by neither.
 */
type Meaning =
  | { readonly kind: DisputeKind; readonly status: 'undecided' }
  /** `ofAny`: the same event is about a chargeback and about a request for information, which moves no money. */
  | { readonly kind: DisputeKind | 'ofAny'; readonly status: DisputeStatus };

/**
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications and the descriptions of the webhooks' OpenAPI document.
 * Events that are not here change no dispute: a notification of fraud and an issuer's comments only inform, and an accepted
 * pre-arbitration does not say who accepted it.
 */
const MEANING: Readonly<Record<string, Meaning>> = {
  REQUEST_FOR_INFORMATION: { kind: 'retrieval', status: 'undecided' },
  NOTIFICATION_OF_CHARGEBACK: { kind: 'chargeback', status: 'undecided' },
  CHARGEBACK: { kind: 'chargeback', status: 'undecided' },
  INFORMATION_SUPPLIED: { kind: 'ofAny', status: 'submitted' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { kind: 'ofAny', status: 'lost' },
  // The money is back. The issuer may go on.
  CHARGEBACK_REVERSED: { kind: 'chargeback', status: 'won' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { kind: 'chargeback', status: 'won' },
  SECOND_CHARGEBACK: { kind: 'chargeback', status: 'lost' },
  PREARBITRATION_OPEN: { kind: 'chargeback', status: 'opened' },
  PREARBITRATION_DECLINED: { kind: 'chargeback', status: 'submitted' },
  PREARBITRATION_ISSUER_WITHDRAWN: { kind: 'chargeback', status: 'won' },
  PREARBITRATION_WON: { kind: 'chargeback', status: 'won' },
  PREARBITRATION_LOST: { kind: 'chargeback', status: 'lost' },
  SCHEME_ARBITRATION: { kind: 'chargeback', status: 'submitted' },
  SCHEME_ARBITRATION_WON: { kind: 'chargeback', status: 'won' },
  SCHEME_ARBITRATION_LOST: { kind: 'chargeback', status: 'lost' },
};

/** `disputes.reason_code` */
const MAX_REASON = 64;

/** The dispute that an event reports; null unless it changes one and has all of it. */
export function readAdyenDispute(item: NotificationItem): DisputeHint | null {
  const { pspReference, eventCode, success, amount, additionalData } = item;
  const meaning = MEANING[eventCode];
  const at = instantOf(item.eventDate);
  if (meaning === undefined || success !== 'true' || at === null || !amount || amount.value <= 0) return null;
  const data: DisputeData = additionalData ?? {};
  const { kind, status } = stateOf(meaning, data);
  const waits = status === 'opened' && data.defendable !== 'false';
  return {
    // All events of a dispute have the same.
    gatewayDisputeId: pspReference,
    currency: amount.currency,
    kind,
    status,
    amountCents: amount.value,
    reasonCode: reasonOf(data),
    evidenceDueAt: waits ? instantOf(data.defensePeriodEndsAt) : null,
    at,
  };
}

function stateOf(
  meaning: Meaning,
  data: DisputeData,
): { readonly kind: DisputeKind; readonly status: DisputeStatus } {
  const kind = meaning.kind === 'ofAny' ? kindOf(data) : meaning.kind;
  if (meaning.status !== 'undecided') return { kind, status: meaning.status };
  const { disputeStatus, autoDefended } = data;
  const isDefended = disputeStatus === 'Pending' || disputeStatus === 'Responded' || autoDefended === 'true';
  return { kind, status: isDefended ? 'submitted' : 'opened' };
}

function kindOf({ rfiReasonCode, chargebackReasonCode }: DisputeData): DisputeKind {
  return rfiReasonCode && !chargebackReasonCode ? 'retrieval' : 'chargeback';
}

/** Adyen's examples have a space in front. */
function reasonOf({ chargebackReasonCode, rfiReasonCode }: DisputeData): string | null {
  const reason = (chargebackReasonCode ?? rfiReasonCode ?? '').trim();
  return reason === '' || reason.length > MAX_REASON ? null : reason;
}

function instantOf(text: string | null | undefined): Date | null {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
