import { randomInt, randomUUID } from 'node:crypto';
import { isPaidLater } from '../domain/payments/payment';
import { supportsAuthorizeOnly, type GatewaySlug } from '../domain/shared/gateway-slug';
import { billetCodes, freeFieldOf, MAX_BILLET_CENTS } from './billet-codes';
import type {
  ChargeStore,
  FollowUpRules,
  PendingFollowUp,
  SimulatorCommit,
  StoredCharge,
  StoredOperation,
  WireData,
} from './charge-store';
import { post, type Posting } from './ledger';
import { pixCode } from './pix-codes';
import type { RecipientStore } from './recipients';
import {
  type FollowUpKind,
  type FollowUpPlan,
  planFollowUp,
  reject,
  type RejectedOperation,
  splitsProblem,
} from './operations/plan-follow-up';
import { missingNetworkId, newNetworkIds } from './network-ids';
import type { Behavior, PendingResult } from './scripts';
import { decideOnCard, declineReason, declineWithoutCode, type DeclineReason } from './test-cards';
import type { ChargeBody, ChargeStatus, FollowUpBody } from '../gateways/simulator/wire';

export type OperationResult = SimulatorCommit | RejectedOperation;

export interface SimulatorRequestContext extends FollowUpRules {
  readonly gateway: GatewaySlug;
  readonly account: string;
  /** Null if the gateway ignores keys. */
  readonly idempotencyKey: string | null;
  readonly behavior: Behavior;
  /** Stored with the operation. */
  readonly wireData?: WireData;
  /** Whether a merchant-initiated charge is refused without the ids that its network gave. */
  readonly requiresNetworkIds?: boolean;
}

const CAPTURE_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
const FOLLOW_UP_STATUS = { capture: 'approved', cancel: 'canceled', refund: 'refunded' } as const;
const DEFAULT_EXPIRY_SECONDS = 24 * 60 * 60;
/** Transaction not permitted: the code of an operation that is refused after it was accepted. */
const REFUSED_CODE = '57';

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
    const { lacks } = behavior;
    if (lacks !== undefined) return reject(`${lacks}_disabled`, `${lacks} is not enabled for this account`);
    const isActiveRecipient = this.isActiveRecipientOf(gateway, context);
    const problem = splitsProblem(body.splits, body.amount, context, isActiveRecipient);
    if (problem !== null) return problem;
    if (isPaidLater(body.method)) return this.createPending(context, body);
    if (body.card === null) return reject('card_required', 'a card charge needs a card');
    const missing =
      context.requiresNetworkIds === true ? missingNetworkId(body.initiation, body.card.brand) : null;
    if (missing !== null)
      return reject('network_ids_required', `a merchant-initiated charge of this card needs its ${missing}`);
    const decision = decideOnCard(body.card, body.initiation, this.now());
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
    return this.followUp('capture', context, charge, body);
  }

  /** Voids an authorization, or cancels an unpaid pix or billet. */
  cancel(context: SimulatorRequestContext, charge: StoredCharge, body: FollowUpBody): OperationResult {
    return this.followUp('cancel', context, charge, body);
  }

  refund(context: SimulatorRequestContext, charge: StoredCharge, body: FollowUpBody): OperationResult {
    return this.followUp('refund', context, charge, body);
  }

  /** Gives a pending operation its result. What the charge no longer allows is refused. */
  finish(charge: StoredCharge, operation: StoredOperation, result?: PendingResult): SimulatorCommit {
    const { pending, operation: kind, ...rest } = operation;
    if (pending === undefined || kind === 'charge' || kind === 'authorize')
      throw new Error('the operation is not pending');
    const without = { ...charge, operations: charge.operations.filter((other) => other !== operation) };
    const { body, rules, then } = pending;
    const plan = this.plan(kind, without, body, rules, charge.fee);
    const executed = (result ?? then) === 'executed' && !('rejected' in plan) ? plan : null;
    const outcome =
      executed === null
        ? { status: 'declined' as const, ...declineReason(REFUSED_CODE) }
        : accept(FOLLOW_UP_STATUS[kind]);
    const finished: StoredOperation = { ...rest, operation: kind, ...outcome };
    const operations = charge.operations.map((other) => (other === operation ? finished : other));
    const changed: StoredCharge = { ...charge, ...executed?.change, operations };
    const postings = executed?.postings ?? [post.memo('declined', body.amount)];
    this.store.commit(changed, operation.reference, postings, this.now());
    return { charge: changed, operation: finished };
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
      ...(body.installments > 1 && { installments: body.installments }),
      status,
      captured: status === 'approved' ? amount : 0,
      refunded: 0,
      paid: 0,
      code,
      message,
      adviceCode,
      declineClass,
      initiation: body.initiation,
      authorizationCode: accepted ? String(randomInt(1_000_000)).padStart(6, '0') : null,
      networkIds: accepted ? newNetworkIds(body.card?.brand ?? null) : null,
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

  private followUp(
    kind: FollowUpKind,
    context: SimulatorRequestContext,
    charge: StoredCharge,
    request: FollowUpBody,
  ): OperationResult {
    const { behavior, idempotencyKey, wireData } = context;
    const { partialSplits, cancelsDeclined, pendingRecipients } = context;
    const rules = {
      ...(partialSplits !== undefined && { partialSplits }),
      ...(cancelsDeclined !== undefined && { cancelsDeclined }),
      ...(pendingRecipients !== undefined && { pendingRecipients }),
    };
    const plan = this.plan(kind, charge, request, rules, behavior.fee ?? charge.fee);
    if ('rejected' in plan) return plan;
    if (kind === 'refund' && charge.method === 'billet' && request.bank_account === null)
      return reject('bank_account_required', 'the refund of a billet needs a bank account');
    const { body } = plan;
    const now = this.now();
    const decline = scriptedDecline(behavior);
    const pending = decline === null ? pendingOf(behavior, body, rules, now) : null;
    const accepted = accept(pending === null ? FOLLOW_UP_STATUS[kind] : 'pending');
    const result = decline === null ? accepted : { status: 'declined' as const, ...decline };
    const operation: StoredOperation = {
      operation: kind,
      reference: body.reference,
      idempotencyKey,
      ...result,
      amount: body.amount,
      at: now.toISOString(),
      ...(wireData !== undefined && { wireData }),
      ...(pending !== null && { pending }),
    };
    const operations = [...charge.operations, operation];
    const callbacks = charge.callbacks && (behavior.callback ?? true);
    const isExecuted = decline === null && pending === null;
    const changed: StoredCharge = { ...charge, ...(isExecuted ? plan.change : {}), callbacks, operations };
    const entries = decline === null ? plan.postings : [post.memo('declined', body.amount)];
    this.store.commit(changed, body.reference, pending === null ? entries : [], now);
    return { charge: changed, operation };
  }

  private plan(
    kind: FollowUpKind,
    charge: StoredCharge,
    body: FollowUpBody,
    rules: FollowUpRules,
    fee: number,
  ): FollowUpPlan | RejectedOperation {
    const isActiveRecipient = this.isActiveRecipientOf(charge.gateway, rules);
    return planFollowUp({ kind, charge, body, rules, fee, now: this.now(), isActiveRecipient });
  }

  private isActiveRecipientOf(
    gateway: GatewaySlug,
    { pendingRecipients = false }: FollowUpRules,
  ): (recipientId: string) => boolean {
    return (id) => {
      const status = this.recipients.find(gateway, id)?.status;
      return status === 'active' || (pendingRecipients && status === 'pending');
    };
  }
}

/** Null if the operation gets its result at once. */
function pendingOf(
  { pending_then: then, pending_ms: ms }: Behavior,
  body: FollowUpBody,
  rules: FollowUpRules,
  now: Date,
): PendingFollowUp | null {
  if (then === undefined) return null;
  const dueAt = ms === undefined ? null : new Date(now.getTime() + ms).toISOString();
  // The bank account has been used, and is not stored.
  return { body: { ...body, bank_account: null }, then, dueAt, rules };
}

/** Null if no script declines. */
export function scriptedDecline({ decline, decline_class, advice }: Behavior): DeclineReason | null {
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
