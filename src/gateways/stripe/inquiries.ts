import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { assertNever } from '../../domain/shared/assert-never';
import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, GatewayContext, InquiryResult, InquirySubject, Outcome } from '../gateway';
import { chargeReferenceOf, operationOf } from '../own-references';
import { get } from './calls';
import type { RequestParams } from './form';
import { chargeOutcome, methodOf } from './outcomes';
import { CAPTURE_KEY, REFERENCE_KEY } from './references';
import { refundedAmount, refundOutcome, refundsOf } from './refunds';
import { EXPAND } from './request-bodies';
import { intentList, intentReply, type ListedIntent, type StripeIntent } from './wire';

export const PAGE = 100;
/** Of the list around the time of a request. If there are more objects, it proves nothing. */
export const MAX_PAGES = 20;
/** How far the clocks may differ, in ms, with the time that a request may take. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
  const { reference, gatewayTransactionId: id } = subject;
  const isCharge = operationOf(reference) === 'charge';
  const intent = id === null ? null : await intentById(ctx, id);
  // A key of the test mode does not know the live mode's payments, so this proves no absence.
  if (id !== null && intent === null) return unclear('the gateway does not know its own id');
  if (intent?.metadata[REFERENCE_KEY] === chargeReferenceOf(reference)) {
    return isCharge ? chargeResult(ctx, intent) : operationResult(ctx, intent, reference);
  }
  return isCharge ? chargeByReference(ctx, subject) : unclear('the operation is on another charge');
}

/** Null if Stripe itself answers that it does not know the id. */
async function intentById(ctx: GatewayContext, id: string): Promise<StripeIntent | null> {
  try {
    return await get(ctx, `payment_intents/${encodeURIComponent(id)}`, { expand: EXPAND }, intentReply);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'resource_missing') return null;
    throw error;
  }
}

/**
 * The search knows a new payment only after up to a minute, in an outage an hour, but all older ones
 * (https://docs.stripe.com/search#data-freshness). The list knows all at once, but not our reference.
 */
async function chargeByReference(
  ctx: GatewayContext,
  { reference, sentAt }: InquirySubject,
): Promise<InquiryResult> {
  const query = `metadata['${REFERENCE_KEY}']:'${reference}'`;
  const found = await pageOf(ctx, 'payment_intents/search', { query });
  const searched = found.data.filter((intent) => intent.metadata[REFERENCE_KEY] === reference);
  if (searched.length > 0) return oneOf(ctx, searched);
  if (sentAt === null) return unclear('the gateway’s search may not know a new payment');
  const listed = await listedSince(ctx, sentAt, reference);
  if (listed === null) return unclear('the account has too many payments at that time');
  return listed.length > 0 ? oneOf(ctx, listed) : { kind: 'not_found' };
}

/** The payments with the reference that were created when the request was sent; null if there are too many to read. */
async function listedSince(
  ctx: GatewayContext,
  sentAt: Date,
  reference: string,
): Promise<readonly ListedIntent[] | null> {
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  const created = {
    gte: seconds(sentAt.getTime() - CLOCK_TOLERANCE_MS),
    lte: seconds(sentAt.getTime() + CLOCK_TOLERANCE_MS),
  };
  const matches: ListedIntent[] = [];
  let last: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, has_more } = await pageOf(ctx, 'payment_intents', { created, starting_after: last });
    matches.push(...data.filter((intent) => intent.metadata[REFERENCE_KEY] === reference));
    if (!has_more) return matches;
    last = data.at(-1)?.id;
  }
  return null;
}

/** Nothing is expanded: a hundred charges with their refunds could exceed the largest answer that is read. */
function pageOf(ctx: GatewayContext, path: string, query: RequestParams) {
  return get(ctx, path, { ...query, limit: PAGE }, intentList);
}

/** Two payments of one reference: a key was repeated after Stripe had forgotten it. A person decides. */
async function oneOf(
  ctx: GatewayContext,
  [first, ...others]: readonly ListedIntent[],
): Promise<InquiryResult> {
  if (first === undefined || others.length > 0) return unclear('several payments have this reference');
  const intent = await intentById(ctx, first.id);
  return intent === null ? unclear('the gateway does not know its own id') : chargeResult(ctx, intent);
}

async function chargeResult(ctx: GatewayContext, intent: StripeIntent): Promise<InquiryResult> {
  const refunded = intent.amount_received === 0 ? 0 : refundedAmount(intent, await refundsOf(ctx, intent));
  const outcome = chargeOutcome(intent, refunded);
  if (outcome === null) return unclear('the gateway is still processing the payment');
  if (outcome.kind === 'declined') return { kind: 'found', outcome };
  const { kind, responseMessage } = outcome;
  const received = intent.amount_received;
  const chargeState: ReportedChargeState = {
    status: responseMessage === 'expired' ? 'expired' : kind,
    capturedCents: received,
    refundedCents: refunded,
    paidCents: methodOf(intent) === 'card' ? 0 : received,
  };
  return { kind: 'found', outcome: { ...outcome, chargeState } };
}

/** An operation has no object of its own at Stripe, except a refund. */
async function operationResult(
  ctx: GatewayContext,
  intent: StripeIntent,
  reference: string,
): Promise<InquiryResult> {
  const operation = operationOf(reference);
  switch (operation) {
    case 'capture':
      return foundIf(capturedBy(intent, reference));
    case 'cancel':
      // Cancels take no metadata. A PaymentIntent is canceled once, whoever did it.
      return foundIf(canceledOutcome(intent));
    case 'refund': {
      const refunds = await refundsOf(ctx, intent);
      const own = refunds.filter(({ metadata }) => metadata[REFERENCE_KEY] === reference);
      const [refund, ...others] = own;
      if (refund === undefined) return { kind: 'not_found' };
      if (others.length > 0) return unclear('several refunds have this reference');
      return { kind: 'found', outcome: refundOutcome(refund, intent.id) };
    }
    case 'charge':
      throw new Error('a charge is no operation');
    default:
      return assertNever(operation);
  }
}

/** Null if the PaymentIntent was not captured by the operation of this reference. */
export function capturedBy(intent: StripeIntent, reference: string): Accepted | null {
  if (intent.status !== 'succeeded' || intent.metadata[CAPTURE_KEY] !== reference) return null;
  return followUpOutcome('approved', intent.id, intent.amount_received);
}

/** Null if it is not canceled. */
export function canceledOutcome(intent: StripeIntent): Accepted | null {
  if (intent.status !== 'canceled') return null;
  return followUpOutcome('canceled', intent.id, intent.amount);
}

function foundIf(outcome: Outcome | null): InquiryResult {
  return outcome === null ? { kind: 'not_found' } : { kind: 'found', outcome };
}

function unclear(reason: string): InquiryResult {
  return { kind: 'inconclusive', reason };
}
