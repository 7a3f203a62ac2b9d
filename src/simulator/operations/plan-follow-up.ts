import type { FollowUpBody, SimulatorErrorCode, WireSplit } from '../../gateways/simulator/wire';
import type { FollowUpRules, StoredCharge } from '../charge-store';
import { post, type Posting } from '../ledger';

/** A rejected request. It changes nothing. */
export interface RejectedOperation {
  readonly rejected: { readonly code: SimulatorErrorCode; readonly message: string };
}

export const reject = (code: SimulatorErrorCode, message: string): RejectedOperation => ({
  rejected: { code, message },
});

export type FollowUpKind = 'capture' | 'cancel' | 'refund';

export interface FollowUpRequest {
  readonly kind: FollowUpKind;
  readonly charge: StoredCharge;
  readonly body: FollowUpBody;
  readonly rules: FollowUpRules;
  /** The gateway's fee at a capture, in cents. */
  readonly fee: number;
  readonly now: Date;
  readonly isActiveRecipient: (recipientId: string) => boolean;
}

/** What a capture, cancel or refund does to its charge and to the ledger when it is executed. */
export interface FollowUpPlan {
  /** With the whole amount for a cancel. */
  readonly body: FollowUpBody;
  readonly change: Partial<Pick<StoredCharge, 'status' | 'captured' | 'refunded' | 'splits'>>;
  readonly postings: readonly Posting[];
}

/** Also checks it against the operations that are accepted and have no result. */
export function planFollowUp(request: FollowUpRequest): FollowUpPlan | RejectedOperation {
  switch (request.kind) {
    case 'capture':
      return planCapture(request);
    case 'cancel':
      return planCancel(request);
    case 'refund':
      return planRefund(request);
  }
}

function planCapture({ charge, body, rules, fee, now, isActiveRecipient }: FollowUpRequest) {
  if (charge.status !== 'authorized' || isClosing(charge)) return invalidState(charge, 'captured');
  if (body.amount > charge.amount)
    return reject('amount_too_large', 'the amount exceeds the authorized amount');
  if (charge.captureBefore !== null && now.toISOString() > charge.captureBefore)
    return reject('capture_window_passed', 'the authorization can no longer be captured');
  const splits = body.splits.length > 0 ? body.splits : charge.splits;
  const problem = splitsProblem(splits, body.amount, rules, isActiveRecipient);
  if (problem !== null) return problem;
  const rest = charge.amount - body.amount;
  const postings = post.captured(body.amount, splits, fee);
  if (rest > 0) postings.push(post.released(rest));
  return { body, change: { status: 'approved', captured: body.amount, splits } as const, postings };
}

function planCancel({ charge, body, rules }: FollowUpRequest) {
  const open = charge.status === 'authorized' || charge.status === 'pending';
  const closable = charge.status === 'declined' && rules.cancelsDeclined === true;
  if ((!open && !closable) || isClosing(charge)) return invalidState(charge, 'canceled');
  const posting =
    charge.status === 'authorized' ? post.released(charge.amount) : post.memo('canceled', charge.amount);
  const whole = { ...body, amount: charge.amount };
  return { body: whole, change: { status: 'canceled' } as const, postings: [posting] };
}

function planRefund({ charge, body, rules }: FollowUpRequest) {
  const left = charge.captured - charge.refunded - pendingCents(charge);
  if (left === 0) return invalidState(charge, 'refunded');
  if (body.amount > left)
    return reject('amount_too_large', 'the amount exceeds the captured amount that is left');
  if (body.splits.length > 0 && !splitsFit(body.splits, body.amount, rules))
    return reject('splits_mismatch', 'the splits do not sum to the amount');
  const received = new Set(charge.splits.map((split) => split.recipient_id));
  if (body.splits.some((split) => !received.has(split.recipient_id)))
    return reject('unknown_recipient', 'a split names a recipient without a split of the charge');
  const refunded = charge.refunded + body.amount;
  const status = refunded === charge.captured ? 'refunded' : charge.status;
  return { body, change: { status, refunded } as const, postings: post.refunded(body.amount, body.splits) };
}

/** Null if the splits may be charged. */
export function splitsProblem(
  splits: readonly WireSplit[],
  amount: number,
  rules: FollowUpRules,
  isActiveRecipient: (recipientId: string) => boolean,
): RejectedOperation | null {
  if (splits.length === 0) return null;
  if (!splitsFit(splits, amount, rules))
    return reject('splits_mismatch', 'the splits do not sum to the amount');
  return splits.every(({ recipient_id }) => isActiveRecipient(recipient_id))
    ? null
    : reject('unknown_recipient', 'a split names no active recipient of this gateway');
}

function splitsFit(
  splits: readonly WireSplit[],
  amount: number,
  { partialSplits = false }: FollowUpRules,
): boolean {
  const total = splits.reduce((sum, split) => sum + split.amount, 0);
  return partialSplits ? total <= amount : total === amount;
}

/** Whether a capture or cancel of the charge is accepted and has no result. */
function isClosing({ operations }: StoredCharge): boolean {
  return operations.some(({ pending, operation }) => pending !== undefined && operation !== 'refund');
}

/** The cents of refunds that are accepted and have no result. */
function pendingCents({ operations }: StoredCharge): number {
  return operations
    .filter(({ pending, operation }) => pending !== undefined && operation === 'refund')
    .reduce((sum, { amount }) => sum + amount, 0);
}

function invalidState(charge: StoredCharge, wanted: string): RejectedOperation {
  return reject('invalid_state', `a charge that is ${charge.status} cannot be ${wanted}`);
}
