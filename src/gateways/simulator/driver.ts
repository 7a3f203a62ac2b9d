import type { z } from 'zod';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { mayAuthorizeOnly, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Capabilities } from '../../domain/routing/routing';
import { GatewayError } from '../errors';
import type {
  CallbackHint,
  ChargeRequest,
  FollowUp,
  GatewayContext,
  GatewayDriver,
  GatewaySplit,
  InquiryResult,
  InquirySubject,
  Outcome,
  RawCallback,
  Recipient,
  SubaccountInformation,
} from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { isSignedBy, SIGNATURE_HEADER } from './callback-signature';
import { findOutcome, ownReply, toOutcome, type Expected } from './outcomes';
import { idempotencySupport, looksUp, REPLAY_WINDOW_MS, replaysKeys } from './profiles';
import {
  callbackBody,
  chargeList,
  chargeReply,
  errorReply,
  operationReply,
  recipientList,
  recipientReply,
  type CallbackBody,
  type ChargeReply,
} from './wire';

const PLURALS = { capture: 'captures', cancel: 'cancels', refund: 'refunds' } as const;

/** The driver of the gateway simulator, which stands for every slug in the sandbox. */
export class SimulatorDriver implements GatewayDriver {
  readonly name = 'simulator';

  capabilities(slug: GatewaySlug): Capabilities {
    return {
      methods: ['card', 'pix', 'billet'],
      authorizeOnly: mayAuthorizeOnly(slug),
      partialCapture: true,
      partialRefund: true,
      refundMethods: ['card', 'pix', 'billet'],
      splits: true,
      subAccounts: true,
      idempotency: idempotencySupport(slug),
      replayWindowMs: replaysKeys(slug) ? REPLAY_WINDOW_MS : 0,
    };
  }

  charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    const taken = request.paymentMethod === 'card' ? 'approved' : 'pending';
    return this.create(ctx, '/charges', request, [taken, 'declined']);
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (!this.capabilities(ctx.gateway).authorizeOnly || request.paymentMethod !== 'card') {
      throw new GatewayError('unsupported', 'this gateway does not authorize without capturing');
    }
    return this.create(ctx, '/authorizations', request, ['authorized', 'declined']);
  }

  capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.follow(ctx, 'capture', operation, 'approved');
  }

  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.follow(ctx, 'cancel', operation, 'canceled');
  }

  refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.follow(ctx, 'refund', operation, 'refunded');
  }

  async inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    try {
      const known = subject.gatewayTransactionId;
      const byId = known === null ? null : await this.inquireById(ctx, subject.reference, known);
      if (byId?.kind === 'found' || !looksUp(ctx.gateway)) {
        return byId ?? { kind: 'inconclusive', reason: 'this gateway does not look up references' };
      }
      return await this.inquireByReference(ctx, subject.reference);
    } catch (error) {
      if (error instanceof GatewayError) return { kind: 'inconclusive', reason: error.message };
      throw error;
    }
  }

  async createRecipient(
    ctx: GatewayContext,
    reference: string,
    information: SubaccountInformation,
  ): Promise<Recipient> {
    const reply = await post(ctx, '/recipients', { ...information, reference }, recipientReply);
    if (reply.reference !== reference) throw mistaken();
    return { recipientId: reply.id, status: reply.status, message: reply.message };
  }

  async findRecipient(ctx: GatewayContext, reference: string): Promise<Recipient | null> {
    const path = `/recipients?reference=${encodeURIComponent(reference)}`;
    const { data, in_progress } = await get(ctx, path, recipientList);
    const reply = data.find((recipient) => recipient.reference === reference);
    if (reply !== undefined) return { recipientId: reply.id, status: reply.status, message: reply.message };
    if (in_progress) throw new GatewayError('ambiguous', 'the gateway is still making the recipient');
    return null;
  }

  readCallback({ body }: RawCallback): CallbackHint | null {
    const callback = callbackBody.safeParse(parseJson(body.toString('utf8')));
    if (!callback.success) return null;
    const { id, kind, reference, charge_id } = callback.data;
    return {
      eventId: id,
      kind: kind === 'chargeback' ? 'chargeback' : 'status',
      reference,
      gatewayTransactionId: charge_id,
      standing: standingOf(callback.data),
    };
  }

  verifyCallback(
    { body, headers }: RawCallback,
    secrets: readonly string[],
    now: Date,
  ): 'valid' | 'invalid' | 'unsigned' {
    const signature = headers[SIGNATURE_HEADER];
    if (signature === undefined || secrets.length === 0) return 'unsigned';
    return isSignedBy(body, signature, secrets, now) ? 'valid' : 'invalid';
  }

  private async create(
    ctx: GatewayContext,
    path: string,
    request: ChargeRequest,
    statuses: Expected['statuses'],
  ): Promise<Outcome> {
    const { methods } = this.capabilities(ctx.gateway);
    if (!methods.includes(request.paymentMethod)) {
      throw new GatewayError('unsupported', `this gateway does not take ${request.paymentMethod}`);
    }
    const reply = await post(ctx, path, chargeBodyOf(request), operationReply);
    const { reference, amountCents } = request;
    return toOutcome(ownReply(reply, { reference, amountCents, chargeId: null, statuses }));
  }

  private async follow(
    ctx: GatewayContext,
    operation: keyof typeof PLURALS,
    { reference, gatewayTransactionId, amountCents, splits, reason, bankAccount }: FollowUp,
    accepted: Expected['statuses'][number],
  ): Promise<Outcome> {
    const path = `/charges/${encodeURIComponent(gatewayTransactionId)}/${PLURALS[operation]}`;
    const body = {
      reference,
      amount: amountCents,
      splits: splits.map(splitOf),
      reason,
      bank_account: bankAccount,
    };
    const reply = await post(ctx, path, body, operationReply);
    return toOutcome(
      ownReply(reply, {
        reference,
        // A cancel releases whatever is held.
        amountCents: operation === 'cancel' ? null : amountCents,
        chargeId: gatewayTransactionId,
        statuses: [accepted, 'declined'],
      }),
    );
  }

  /** By the gateway's id, which works everywhere. It tells of a follow-up too: a charge lists what was done to it. */
  private async inquireById(ctx: GatewayContext, reference: string, id: string): Promise<InquiryResult> {
    const response = await send(ctx, 'GET', `/charges/${encodeURIComponent(id)}`, null);
    if (response.status === 404)
      return { kind: 'inconclusive', reason: 'the gateway does not know its own id' };
    const charge: ChargeReply = read(response, chargeReply);
    return findOutcome([charge], reference, charge.in_progress);
  }

  private async inquireByReference(ctx: GatewayContext, reference: string): Promise<InquiryResult> {
    const path = `/charges?reference=${encodeURIComponent(reference)}`;
    const { data, in_progress } = await get(ctx, path, chargeList);
    return findOutcome(data, reference, in_progress);
  }
}

function standingOf(told: CallbackBody): ReportedChargeState | null {
  const { kind: status, captured_amount, refunded_amount, paid_amount } = told;
  if (status !== 'approved' && status !== 'canceled' && status !== 'refunded') return null;
  if (captured_amount === undefined || refunded_amount === undefined) return null;
  return {
    status,
    capturedCents: captured_amount,
    refundedCents: refunded_amount,
    paidCents: paid_amount,
  };
}

function chargeBodyOf(request: ChargeRequest): object {
  const { card, recurring } = request;
  return {
    reference: request.reference,
    amount: request.amountCents,
    currency: request.currency,
    method: request.paymentMethod,
    installments: request.installments,
    soft_descriptor: request.softDescriptor,
    customer: request.customer,
    card: card && {
      number: card.number,
      cvv: card.cvv,
      holder_name: card.holderName,
      expire_month: card.expireMonth,
      expire_year: card.expireYear,
      brand: card.brand,
    },
    billing_address: request.billingAddress,
    splits: request.splits.map(splitOf),
    ...(request.pix && { expires_in: request.pix.expiresInSeconds }),
    ...(request.billet && {
      due_at: request.billet.dueAt,
      expires_at: request.billet.expiresAt,
      instructions: request.billet.instructions,
    }),
    ...(recurring && {
      recurring: {
        initiated_by: recurring.initiatedBy,
        sequence: recurring.sequence,
        network_transaction_id: recurring.networkTransactionId,
      },
    }),
  };
}

function splitOf(split: GatewaySplit): object {
  return {
    recipient_id: split.recipientId,
    amount: split.amountCents,
    liable: split.liable,
    charge_processing_fee: split.chargeProcessingFee,
  };
}

async function post<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  body: object,
  schema: Schema,
): Promise<z.output<Schema>> {
  return read(await send(ctx, 'POST', path, JSON.stringify(body)), schema);
}

async function get<Schema extends z.ZodType>(
  ctx: GatewayContext,
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return read(await send(ctx, 'GET', path, null), schema);
}

/** Only what changes something has a key and a send window; an inquiry may go at any time. */
function send(
  ctx: GatewayContext,
  method: 'GET' | 'POST',
  path: string,
  body: string | null,
): Promise<GatewayHttpResponse> {
  return ctx.http.send({
    method,
    url: `${ctx.baseUrl}${path}`,
    headers: {
      authorization: `Bearer ${ctx.secretKey}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'idempotency-key': ctx.idempotencyKey }),
    },
    ...(body === null ? {} : { body }),
    sendBefore: body === null ? null : ctx.sendBefore,
    timeoutMs: ctx.timeoutMs,
  });
}

/** The reply, or the error family the answer stands for. What cannot be read may have happened all the same. */
function read<Schema extends z.ZodType>(response: GatewayHttpResponse, schema: Schema): z.output<Schema> {
  if (response.status !== 200) throw errorOf(response);
  const reply = schema.safeParse(parseJson(response.text));
  if (!reply.success) throw new GatewayError('ambiguous', 'the gateway gave an unreadable answer', '200');
  return reply.data;
}

function errorOf({ status, text }: GatewayHttpResponse): GatewayError {
  const parsed = errorReply.safeParse(parseJson(text));
  const code = parsed.success ? parsed.data.error.code : String(status);
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('bad_credentials', 'the gateway refused the credentials', code);
    case 429:
      return new GatewayError('rate_limited', 'the gateway takes no more requests now', code);
    case 400:
    case 422:
      return new GatewayError('invalid_request', 'the gateway calls the request invalid', code);
    case 404:
      // A 404 of the gateway's own is definite; one from something in between is not.
      if (parsed.success)
        return new GatewayError('invalid_request', 'the gateway knows no such charge', code);
      break;
  }
  return new GatewayError('ambiguous', `the gateway answered ${status}`, code);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function mistaken(): GatewayError {
  return new GatewayError('ambiguous', 'the gateway answered for something else');
}
