import { randomInt, randomUUID } from 'node:crypto';
import { declineRule } from '../domain/payments/decline';
import { mayAuthorizeOnly, type GatewaySlug } from '../domain/shared/gateway-slug';
import { billetCodes, freeFieldOf, MAX_BILLET_CENTS } from './billet-codes';
import type { Charge, ChargeOperation, ChargeStore, Committed } from './charge-store';
import { post, type Posting } from './ledger';
import { pixCode } from './pix-codes';
import type { RecipientStore } from './recipients';
import type { Behavior } from './scripts';
import { judgeCard, type Refused } from './test-cards';
import type {
  ChargeBody,
  ChargeStatus,
  FollowUpBody,
  MoneyOperation,
  SplitPart,
} from '../gateways/simulator/wire';

/** A request that changes nothing and says why. */
export interface Refusal {
  readonly refused: { readonly status: 404 | 422 | 503; readonly code: string; readonly message: string };
}

export type Done = Committed | Refusal;

export interface Requested {
  readonly gateway: GatewaySlug;
  readonly account: string;
  /** Null where the gateway ignores keys. */
  readonly idempotencyKey: string | null;
  readonly behavior: Behavior;
}

const CAPTURE_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
const PENDING_SECONDS = 24 * 60 * 60;

const refuse = (status: Refusal['refused']['status'], code: string, message: string): Refusal => ({
  refused: { status, code, message },
});

const total = (splits: readonly SplitPart[]): number => splits.reduce((sum, part) => sum + part.amount, 0);

/** What the gateway does with money. Each method decides and commits in one go, with nothing awaited between. */
export class Charges {
  constructor(
    private readonly store: ChargeStore,
    private readonly recipients: RecipientStore,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** `charge` takes the money at once; `authorize` only reserves it. */
  create(requested: Requested, operation: 'charge' | 'authorize', body: ChargeBody): Done {
    const { gateway, behavior } = requested;
    if (operation === 'authorize' && (!mayAuthorizeOnly(gateway) || body.method !== 'card')) {
      return refuse(422, 'unsupported', 'this gateway does not authorize without capturing');
    }
    const splitsProblem = this.splitsProblem(gateway, body.splits, body.amount);
    if (splitsProblem !== null) return splitsProblem;
    if (body.method !== 'card') return this.createPending(requested, body);
    if (body.card === null) return refuse(422, 'card_required', 'a card charge needs a card');
    const verdict = judgeCard(body.card, body.recurring, this.now());
    if (verdict.kind === 'outage') return refuse(503, 'unavailable', 'the gateway is out of service');
    const refusal = scriptedRefusal(behavior) ?? (verdict.kind === 'decline' ? verdict : null);
    if (refusal !== null) {
      const { code, adviceCode } = refusal;
      return this.open(requested, operation, body, { status: 'declined', code, adviceCode }, [
        post.note('declined', body.amount),
      ]);
    }
    const reserved = [post.authorized(body.amount)];
    if (operation === 'authorize') {
      return this.open(requested, operation, body, { status: 'authorized', code: '00' }, reserved);
    }
    const taken = post.captured(body.amount, body.splits, behavior.fee ?? 0);
    return this.open(requested, operation, body, { status: 'approved', code: '00' }, [...reserved, ...taken]);
  }

  /** Takes the held amount, or a part of it; the rest is released. */
  capture(requested: Requested, charge: Charge, body: FollowUpBody): Done {
    if (charge.status !== 'authorized') return invalidState(charge, 'captured');
    if (body.amount > charge.amount) return refuse(422, 'amount_too_large', 'more than was authorized');
    if (charge.captureBefore !== null && this.now().toISOString() > charge.captureBefore) {
      return refuse(422, 'capture_window_passed', 'the authorization can no longer be captured');
    }
    const splits = body.splits.length > 0 ? body.splits : charge.splits;
    const splitsProblem = this.splitsProblem(charge.gateway, splits, body.amount);
    if (splitsProblem !== null) return splitsProblem;
    const rest = charge.amount - body.amount;
    const postings = post.captured(body.amount, splits, requested.behavior.fee ?? charge.fee);
    if (rest > 0) postings.push(post.released(rest));
    const change = { status: 'approved', captured: body.amount, splits } as const;
    return this.follow(requested, charge, 'capture', body, change, postings);
  }

  /** Releases an authorization, or withdraws an unpaid pix or billet. */
  cancel(requested: Requested, charge: Charge, body: FollowUpBody): Done {
    if (charge.status !== 'authorized' && charge.status !== 'pending')
      return invalidState(charge, 'canceled');
    const whole = { ...body, amount: charge.amount };
    const posting =
      charge.status === 'authorized' ? post.released(charge.amount) : post.note('canceled', charge.amount);
    return this.follow(requested, charge, 'cancel', whole, { status: 'canceled' }, [posting]);
  }

  refund(requested: Requested, charge: Charge, body: FollowUpBody): Done {
    const left = charge.captured - charge.refunded;
    if (left === 0) return invalidState(charge, 'refunded');
    if (body.amount > left) return refuse(422, 'amount_too_large', 'more than is left of what was captured');
    if (body.splits.length > 0 && total(body.splits) !== body.amount) {
      return refuse(422, 'splits_mismatch', 'the parts do not sum to the amount');
    }
    if (body.splits.some((part) => charge.splits.every((own) => own.recipient_id !== part.recipient_id))) {
      return refuse(422, 'unknown_recipient', 'a part names nobody who got a part of the charge');
    }
    if (charge.method === 'billet' && body.bank_account === null) {
      return refuse(422, 'bank_account_required', 'the money of a billet goes back to a bank account');
    }
    const refunded = charge.refunded + body.amount;
    const change = { status: refunded === charge.captured ? 'refunded' : charge.status, refunded } as const;
    return this.follow(requested, charge, 'refund', body, change, post.refunded(body.amount, body.splits));
  }

  private createPending(requested: Requested, body: ChargeBody): Done {
    if (body.currency !== 'BRL') return refuse(422, 'unsupported', `${body.method} needs BRL`);
    if (body.method === 'billet') {
      if (body.due_at === undefined || body.expires_at === undefined)
        return refuse(422, 'date_required', 'a billet needs due_at and expires_at');
      if (body.amount > MAX_BILLET_CENTS)
        return refuse(422, 'amount_too_large', 'more than a billet can say');
    }
    const refusal = scriptedRefusal(requested.behavior);
    const result =
      refusal === null
        ? { status: 'pending' as const, code: '00' }
        : { status: 'declined' as const, ...refusal };
    return this.open(requested, 'charge', body, result, [post.note(result.status, body.amount)]);
  }

  private open(
    { gateway, account, behavior, idempotencyKey }: Requested,
    kind: 'charge' | 'authorize',
    body: ChargeBody,
    result: { status: ChargeStatus; code: string; adviceCode?: string | null },
    postings: readonly Posting[],
  ): Committed {
    const now = this.now();
    const { status, code, adviceCode = null } = result;
    const good = status === 'approved' || status === 'authorized';
    const message = status === 'declined' ? declineRule(code).message : status;
    const later = (ms: number): string => new Date(now.getTime() + ms).toISOString();
    const { reference, amount } = body;
    const operation: ChargeOperation = {
      operation: kind,
      reference,
      idempotencyKey,
      status,
      amount,
      code,
      message,
      adviceCode,
      at: now.toISOString(),
    };
    const uuid = randomUUID();
    const pending = status === 'pending';
    const charge: Charge = {
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
      recurring: body.recurring,
      authorizationCode: good ? String(randomInt(1_000_000)).padStart(6, '0') : null,
      networkTransactionId: good ? String(randomInt(2 ** 47)).padStart(15, '0') : null,
      captureBefore: status === 'authorized' ? later(CAPTURE_WINDOW_MS) : null,
      expiresAt: pending ? (body.expires_at ?? later((body.expires_in ?? PENDING_SECONDS) * 1000)) : null,
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

  private follow(
    { behavior, idempotencyKey }: Requested,
    charge: Charge,
    kind: MoneyOperation,
    body: FollowUpBody,
    change: Partial<Pick<Charge, 'status' | 'captured' | 'refunded' | 'splits'>>,
    postings: readonly Posting[],
  ): Committed {
    const now = this.now();
    const refusal = scriptedRefusal(behavior);
    const declined = refusal !== null;
    const code = refusal?.code ?? '00';
    const accepted = kind === 'capture' ? 'approved' : kind === 'cancel' ? 'canceled' : 'refunded';
    const status = declined ? 'declined' : accepted;
    const operation: ChargeOperation = {
      operation: kind,
      reference: body.reference,
      idempotencyKey,
      status,
      amount: body.amount,
      code,
      message: declined ? declineRule(code).message : status,
      adviceCode: refusal?.adviceCode ?? null,
      at: now.toISOString(),
    };
    const operations = [...charge.operations, operation];
    const callbacks = charge.callbacks && (behavior.callback ?? true);
    const changed: Charge = { ...charge, ...(declined ? {} : change), callbacks, operations };
    const entries = declined ? [post.note('declined', body.amount)] : postings;
    this.store.commit(changed, body.reference, entries, now);
    return { charge: changed, operation };
  }

  private splitsProblem(gateway: GatewaySlug, splits: readonly SplitPart[], amount: number): Refusal | null {
    if (splits.length === 0) return null;
    if (total(splits) !== amount) return refuse(422, 'splits_mismatch', 'the parts do not sum to the amount');
    const stranger = splits.find(
      (part) => this.recipients.find(gateway, part.recipient_id)?.status !== 'active',
    );
    return stranger === undefined
      ? null
      : refuse(422, 'unknown_recipient', 'a part names no active recipient of this gateway');
  }
}

function scriptedRefusal({ decline, advice }: Behavior): Refused | null {
  return decline === undefined ? null : { code: decline, adviceCode: advice ?? null };
}

function billetOf({ amount, due_at: dueAt, instructions }: ChargeBody, uuid: string): Charge['billet'] {
  if (dueAt === undefined) return null;
  return { ...billetCodes(amount, dueAt, freeFieldOf(uuid)), dueAt, instructions };
}

function invalidState(charge: Charge, wanted: string): Refusal {
  return refuse(422, 'invalid_state', `a charge that is ${charge.status} cannot be ${wanted}`);
}
