import { assertNever } from '../shared/assert-never';
import { CHARGE_WINDOW_MS, type AttemptStatus, type PaymentStatus } from './payment';

/** A request that may be sent again under its idempotency key. All in ms. */
interface RepeatableRequest {
  /** Since the key exists, or longer. */
  readonly ageMs: number;
  /** How long the gateway answers a repeated key with the first result. */
  readonly replayWindowMs: number;
  /** How long the request may take until it arrives. */
  readonly inTransitMs: number;
}

/** Whether the gateway still knows the key when the repeated request arrives: one that it has forgotten is carried out twice. */
export function isKeyKept({ ageMs, replayWindowMs, inTransitMs }: RepeatableRequest): boolean {
  return ageMs + inTransitMs < replayWindowMs;
}

/**
 * Whether a charge of unknown outcome may be sent again. If the first request never arrived, the repeated one charges: so not
 * after the customer has left.
 */
export function mayRepeatCharge(request: RepeatableRequest): boolean {
  return request.ageMs < CHARGE_WINDOW_MS && isKeyKept(request);
}

/**
 * Whether an answer says nothing final, because the request was sent again after it. The later sending may have
 * succeeded, so only a success of the earlier one still holds.
 *
 * @param sendCount how often the request had been sent, including the answered sending
 * @param currentCount how often it has been sent by now
 */
export function isOutdatedAnswer(sendCount: number, currentCount: number, succeeded: boolean): boolean {
  return sendCount !== currentCount && !succeeded;
}

/** What a late approval means: `known` is part of the records; `adopt` makes it the payment's charge; `reverse` returns it. */
export type LateApprovalDecision = 'known' | 'adopt' | 'reverse';

/** An approval of an attempt that already has a result. */
export interface LateApproval {
  readonly paymentStatus: PaymentStatus;
  /** Whether another charge was attempted since. */
  readonly isSuperseded: boolean;
  readonly attempt: {
    readonly status: Exclude<AttemptStatus, 'requested' | 'sent' | 'unknown' | 'accepted'>;
    readonly gatewayTransactionId: string | null;
    /** The gateway said that it has returned the charge already; the attempt is an `error` then. */
    readonly wasReturned: boolean;
  };
  /** The gateway's id of the approved charge. */
  readonly gatewayTransactionId: string;
  /** The gateway's ids of this attempt's charges that have a reversal. */
  readonly reversedIds: readonly (string | null)[];
  /** Cents that the charge holds by an inquiry, and no reversal under way returns; 0 if the gateway does not report it. */
  readonly heldCents: number;
}

/**
 * Decides what happens to an approval that arrives after its attempt got a result. An attempt that was recorded as not
 * charged is adopted while its payment still needs a charge, else reversed. A charge under another gateway id than the
 * recorded one is a second charge for the same request, and always reversed. So is what a charge holds after it was
 * reversed: the customer of a canceled pix can still pay it.
 */
export function decideLateApproval(approval: LateApproval): LateApprovalDecision {
  const { attempt, gatewayTransactionId, reversedIds, paymentStatus, isSuperseded, heldCents } = approval;
  if (reversedIds.includes(gatewayTransactionId)) return heldCents > 0 ? 'reverse' : 'known';
  switch (attempt.status) {
    case 'approved':
    case 'authorized':
    case 'pending':
      // An operator may have confirmed the charge without its id.
      return [null, gatewayTransactionId].includes(attempt.gatewayTransactionId) ? 'known' : 'reverse';
    case 'canceled':
    case 'refunded':
      return attempt.gatewayTransactionId === gatewayTransactionId ? 'known' : 'reverse';
    case 'abandoned':
    case 'declined':
    case 'error':
      if (attempt.wasReturned && attempt.gatewayTransactionId === gatewayTransactionId)
        return heldCents > 0 ? 'reverse' : 'known';
      return paymentStatus === 'processing' && !isSuperseded ? 'adopt' : 'reverse';
    default:
      return assertNever(attempt.status);
  }
}
