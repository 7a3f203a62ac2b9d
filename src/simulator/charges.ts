import { randomInt, randomUUID } from 'node:crypto';
import { isPaidLater } from '../domain/payments/payment';
import { supportsAuthorizeOnly, type GatewaySlug } from '../domain/shared/gateway-slug';
import { billetCodes, freeFieldOf, MAX_BILLET_CENTS } from './billet-codes';
import type { StoredCharge, StoredOperation, ChargeStore, SimulatorCommit, WireData } from './charge-store';
import { post, type Posting } from './ledger';
import { pixCode } from './pix-codes';
import type { RecipientStore } from './recipients';
import type { Behavior } from './scripts';
import { decideOnCard, declineReason, declineWithoutCode, type DeclineReason } from './test-cards';
import type {
  ChargeBody,
  ChargeStatus,
  FollowUpBody,
  SimulatorErrorCode,
  WireSplit,
} from '../gateways/simulator/wire';

/** A rejected request. It changes nothing. */
export interface RejectedOperation {
  readonly rejected: { readonly code: SimulatorErrorCode; readonly message: string };
}

export type OperationResult = SimulatorCommit | RejectedOperation;

export interface SimulatorRequestContext {
  readonly gateway: GatewaySlug;
  readonly account: string;
  /** Null if the gateway ignores keys. */
  readonly idempotencyKey: string | null;
  readonly behavior: Behavior;
  /** Stored with the operation. */
  readonly wireData?: WireData;
  /** Whether splits may sum to less than the amount; the rest stays with the merchant. */
  readonly partialSplits?: boolean;
  /** Whether a declined charge may be canceled, so that nobody tries it again. */
  readonly cancelsDeclined?: boolean;
}

const CAPTURE_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
const FOLLOW_UP_STATUS = { capture: 'approved', cancel: 'canceled', refund: 'refunded' } as const;
const DEFAULT_EXPIRY_SECONDS = 24 * 60 * 60;

const reject = (code: SimulatorErrorCode, message: string): RejectedOperation => ({
  rejected: { code, message },
});

const total = (splits: readonly WireSplit[]): number => splits.reduce((sum, split) => sum + split.amount, 0);

/** The operations of a gateway. Each method validates and commits synchronously, so that no other request interleaves. */
export class ChargeOperations {
  constructor(
    private readonly store: ChargeStore,
    private readonly recipients: RecipientStore,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** `charge` captures at once; `authorize` only reserves. */
  create(
    context: SimulatorRequestContext,
    operation: 'charge' | 'authorize',
    body: ChargeBody,
  ): OperationResult {
    const { gateway, behavior } = context;
    if (operation === 'authorize' && (!supportsAuthorizeOnly(gateway) || isPaidLater(body.method))) {
      return reject('unsupported', 'this gateway does not support authorization without capture');
    }
    const findSplitsProblem = this.splitsProblem(context, body.splits, body.amount);
    if (findSplitsProblem !== null) return findSplitsProblem;
    if (isPaidLater(body.method)) return this.createPending(context, body);
    if (body.card === null) return reject('card_required', 'a card charge needs a card');
    const decision = decideOnCard(body.card, body.recurring, this.now());
    if (decision.kind === 'outage') return reject('unavailable', 'the gateway is out of service');
    const decline = scriptedDecline(behavior) ?? (decision.kind === 'decline' ? decision : null);
    if (decline !== null) {
      const postings = [post.memo('declined', body.amount)];
      return this.createCharge(context, operation, body, { status: 'declined', ...decline }, postings);
    }
    const reserved = [post.authorized(body.amount)];
    if (operation === 'authorize') {
      return this.createCharge(context, operation, body, accept('authorized'), reserved);
    }
    const captured = post.captured(body.amount, body.splits, behavior.fee ?? 0);
    return this.createCharge(context, operation, body, accept('approved'), [...reserved, ...captured]);
  }

  /** Captures the held amount, or part of it and releases the rest. */
  capture(context: SimulatorRequestContext, charge: StoredCharge, body: FollowUpBody): OperationResult {
    if (charge.status !== 'authorized') return invalidState(charge, 'captured');
    if (body.amount > charge.amount)
      return reject('amount_too_large', 'the amount exceeds the authorized amount');
    if (charge.captureBefore !== null && this.now().toISOString() > charge.captureBefore) {
      return reject('capture_window_passed', 'the authorization can no longer be captured');
    }
    const splits = body.splits.length > 0 ? body.splits : charge.splits;
    const splitsProblem = this.splitsProblem(context, splits, body.amount);
    if (splitsProblem !== null) return splitsProblem;
    const rest = charge.amount - body.amount;
    const postings = post.captured(body.amount, splits, context.behavior.fee ?? charge.fee);
    if (rest > 0) postings.push(post.released(rest));
    const change = { status: 'approved', captured: body.amount, splits } as const;
    return this.applyFollowUp(context, charge, 'capture', body, change, postings);
  }

  /** Voids an authorization, or cancels an unpaid pix or billet. */
  cancel(context: SimulatorRequestContext, charge: StoredCharge, body: FollowUpBody): OperationResult {
    const open = charge.status === 'authorized' || charge.status === 'pending';
    const closable = charge.status === 'declined' && context.cancelsDeclined === true;
    if (!open && !closable) return invalidState(charge, 'canceled');
    const whole = { ...body, amount: charge.amount };
    const posting =
      charge.status === 'authorized' ? post.released(charge.amount) : post.memo('canceled', charge.amount);
    return this.applyFollowUp(context, charge, 'cancel', whole, { status: 'canceled' }, [posting]);
  }

  refund(context: SimulatorRequestContext, charge: StoredCharge, body: FollowUpBody): OperationResult {
    const left = charge.captured - charge.refunded;
    if (left === 0) return invalidState(charge, 'refunded');
    if (body.amount > left)
      return reject('amount_too_large', 'the amount exceeds the captured amount that is left');
    if (body.splits.length > 0 && !splitsFit(context, body.splits, body.amount)) {
      return reject('splits_mismatch', 'the splits do not sum to the amount');
    }
    const received = new Set(charge.splits.map((split) => split.recipient_id));
    if (body.splits.some((split) => !received.has(split.recipient_id))) {
      return reject('unknown_recipient', 'a split names a recipient without a split of the charge');
    }
    if (charge.method === 'billet' && body.bank_account === null) {
      return reject('bank_account_required', 'the refund of a billet needs a bank account');
    }
    const refunded = charge.refunded + body.amount;
    const change = { status: refunded === charge.captured ? 'refunded' : charge.status, refunded } as const;
    return this.applyFollowUp(
      context,
      charge,
      'refund',
      body,
      change,
      post.refunded(body.amount, body.splits),
    );
  }

  private createPending(context: SimulatorRequestContext, body: ChargeBody): OperationResult {
    if (body.currency !== 'BRL') return reject('unsupported', `${body.method} needs BRL`);
    if (body.method === 'billet') {
      if (body.due_at === undefined || body.expires_at === undefined)
        return reject('date_required', 'a billet needs due_at and expires_at');
      if (body.amount > MAX_BILLET_CENTS)
        return reject('amount_too_large', 'the amount exceeds the limit of a billet');
    }
    const decline = scriptedDecline(context.behavior);
    const result = decline === null ? accept('pending') : { status: 'declined' as const, ...decline };
    return this.createCharge(context, 'charge', body, result, [post.memo(result.status, body.amount)]);
  }

  private createCharge(
    { gateway, account, behavior, idempotencyKey, wireData }: SimulatorRequestContext,
    kind: 'charge' | 'authorize',
    body: ChargeBody,
    result: DeclineReason & { readonly status: ChargeStatus },
    postings: readonly Posting[],
  ): SimulatorCommit {
    const now = this.now();
    const { status, code, adviceCode, declineClass, message } = result;
    const accepted = status === 'approved' || status === 'authorized';
    const later = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    const { reference, amount } = body;
    const operation: StoredOperation = {
      operation: kind,
      reference,
      idempotencyKey,
      status,
      amount,
      code,
      message,
      adviceCode,
      declineClass,
      at: now.toISOString(),
      ...(wireData !== undefined && { wireData }),
    };
    const uuid = randomUUID();
    const pending = status === 'pending';
    const charge: StoredCharge = {
      id: `ch_${uuid}`,
      gateway,
      account,
      reference,
      method: body.method,
      currency: body.currency,
      amount,
      status,
      captured: status === 'approved' ? amount : 0,
      refunded: 0,
      paid: 0,
      code,
      message,
      adviceCode,
      declineClass,
      recurring: body.recurring,
      authorizationCode: accepted ? String(randomInt(1_000_000)).padStart(6, '0') : null,
      networkTransactionId: accepted ? String(randomInt(2 ** 47)).padStart(15, '0') : null,
      captureBefore: status === 'authorized' ? later(CAPTURE_WINDOW_MS) : null,
      expiresAt: pending
        ? (body.expires_at ?? later((body.expires_in ?? DEFAULT_EXPIRY_SECONDS) * 1000))
        : null,
      pix: pending && body.method === 'pix' ? { qrCode: pixCode(amount, uuid), endToEndId: null } : null,
      billet: pending ? billetOf(body, uuid) : null,
      fee: behavior.fee ?? 0,
      splits: body.splits,
      callbacks: behavior.callback ?? true,
      operations: [operation],
    };
    this.store.commit(charge, reference, postings, now);
    return { charge, operation };
  }

  private applyFollowUp(
    { behavior, idempotencyKey, wireData }: SimulatorRequestContext,
    charge: StoredCharge,
    kind: keyof typeof FOLLOW_UP_STATUS,
    body: FollowUpBody,
    change: Partial<Pick<StoredCharge, 'status' | 'captured' | 'refunded' | 'splits'>>,
    postings: readonly Posting[],
  ): SimulatorCommit {
    const now = this.now();
    const decline = scriptedDecline(behavior);
    const declined = decline !== null;
    const result =
      decline === null ? accept(FOLLOW_UP_STATUS[kind]) : { status: 'declined' as const, ...decline };
    const operation: StoredOperation = {
      operation: kind,
      reference: body.reference,
      idempotencyKey,
      ...result,
      amount: body.amount,
      at: now.toISOString(),
      ...(wireData !== undefined && { wireData }),
    };
    const operations = [...charge.operations, operation];
    const callbacks = charge.callbacks && (behavior.callback ?? true);
    const changed: StoredCharge = { ...charge, ...(declined ? {} : change), callbacks, operations };
    const entries = declined ? [post.memo('declined', body.amount)] : postings;
    this.store.commit(changed, body.reference, entries, now);
    return { charge: changed, operation };
  }

  private splitsProblem(
    context: SimulatorRequestContext,
    splits: readonly WireSplit[],
    amount: number,
  ): RejectedOperation | null {
    if (splits.length === 0) return null;
    if (!splitsFit(context, splits, amount))
      return reject('splits_mismatch', 'the splits do not sum to the amount');
    const isActive = ({ recipient_id }: WireSplit): boolean =>
      this.recipients.find(context.gateway, recipient_id)?.status === 'active';
    return splits.every(isActive)
      ? null
      : reject('unknown_recipient', 'a split names no active recipient of this gateway');
  }
}

function splitsFit(
  { partialSplits = false }: SimulatorRequestContext,
  splits: readonly WireSplit[],
  amount: number,
): boolean {
  return partialSplits ? total(splits) <= amount : total(splits) === amount;
}

function scriptedDecline({ decline, decline_class, advice }: Behavior): DeclineReason | null {
  if (decline_class !== undefined) return declineWithoutCode(decline_class);
  return decline === undefined ? null : declineReason(decline, advice);
}

/** The result of an operation that succeeds. */
function accept<S extends ChargeStatus>(status: S): DeclineReason & { readonly status: S } {
  return { status, code: '00', adviceCode: null, declineClass: null, message: status };
}

function billetOf({ amount, due_at: dueAt, instructions }: ChargeBody, uuid: string): StoredCharge['billet'] {
  if (dueAt === undefined) return null;
  return { ...billetCodes(amount, dueAt, freeFieldOf(uuid)), dueAt, instructions };
}

function invalidState(charge: StoredCharge, wanted: string): RejectedOperation {
  return reject('invalid_state', `a charge that is ${charge.status} cannot be ${wanted}`);
}
