import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { isPaidLater, PAYMENT_METHODS } from '../../domain/payments/payment';
import { supportsAuthorizeOnly, type GatewaySlug } from '../../domain/shared/gateway-slug';
import { CLIENT_ID_FIELD, SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import { GatewayError } from '../errors';
import type { CallbackHint, CallbackProof, CallbackReading, RawCallback } from '../callback';
import type {
  CardVerificationRequest,
  ChargeRequest,
  Declined,
  FollowUp,
  GatewayContext,
  GatewayDriver,
  InquiryResult,
  InquirySubject,
  Outcome,
  Recipient,
  SubaccountInformation,
  VerifiedCard,
} from '../gateway';
import { parseJson } from '../parse-json';
import { inquiryResult } from '../inquiry-result';
import { get, getCharge, post } from './calls';
import { listSimulatorChanges } from './changes';
import { simulatorDisputes } from './disputes';
import { simulatorStatements } from './statements';
import { callbackBody, reportedDisputeOf, type CallbackBody } from './wire-callback';
import { isSignedBy, SIGNATURE_HEADER } from './callback-signature';
import { findOutcome, requireMatchingReply, toOutcome, toVerification, type ExpectedReply } from './outcomes';
import {
  disputeAnswers,
  idempotencySupport,
  providesStatements,
  supportsLookup,
  REPLAY_WINDOW_MS,
  replaysKeys,
  verifiesCards,
} from './profiles';
import { chargeBodyOf, splitOf, verificationBodyOf } from './request-bodies';
import {
  accountReply,
  chargeList,
  operationReply,
  recipientList,
  recipientReply,
  verificationReply,
  type RecipientReply,
} from './wire';

/** The longest `pix_expires_in` of the API: 14 days. */
const MAX_PIX_SECONDS = 1_209_600;
/** The due factor of a boleto's barcode has four digits. */
const MAX_DUE_FACTOR = 9_999;
/** As many as a payment of the API has at most. */
const MAX_SPLITS = 50;
const FOLLOW_UP_PATHS = { capture: 'captures', cancel: 'cancels', refund: 'refunds' } as const;

/** The driver of the gateway simulator, which serves every slug in the sandbox. */
export class SimulatorDriver implements GatewayDriver {
  readonly name = 'simulator';
  readonly callbackProof: CallbackProof = {
    kind: 'signature',
    coversBody: true,
    coversTime: true,
    headers: ['content-type', SIGNATURE_HEADER],
  };
  readonly disputes = simulatorDisputes;
  readonly listChanges = listSimulatorChanges;
  readonly statements = simulatorStatements;
  readonly credentialFields = [
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description: 'Any text: the simulator has an account for each.',
      descriptionPt: 'Qualquer texto: o simulador tem uma conta para cada um.',
      shape: null,
    },
    {
      name: CLIENT_ID_FIELD,
      required: false,
      secret: false,
      description: 'Any text: the simulator does not use it.',
      descriptionPt: 'Qualquer texto: o simulador não o usa.',
      shape: null,
    },
  ];

  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    await get(ctx, '/account', accountReply);
  }

  capabilities(slug: GatewaySlug): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: supportsAuthorizeOnly(slug),
      verifiesCards: verifiesCards(slug),
      partialCapture: true,
      partialRefund: true,
      refundMethods: PAYMENT_METHODS,
      pixExpiry: { kind: 'seconds', minSeconds: 1, maxSeconds: MAX_PIX_SECONDS },
      billetDueDays: { min: 0, max: MAX_DUE_FACTOR },
      payableAfterExpiry: [],
      splits: 'exact',
      maxRecipients: MAX_SPLITS,
      splitCosts: 'flagged',
      subAccounts: true,
      idempotency: idempotencySupport(slug),
      replayWindowMs: replaysKeys(slug) ? REPLAY_WINDOW_MS : 0,
      lookupSettlesMs: 0,
      pendingOperations: ['capture', 'cancel', 'refund'],
      statements: providesStatements(slug),
      disputeAnswers: disputeAnswers(slug),
    };
  }

  charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    const accepted = isPaidLater(request.paymentMethod) ? 'pending' : 'approved';
    return this.create(ctx, '/charges', request, [accepted, 'declined']);
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (!this.capabilities(ctx.gateway).authorizeOnly || isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway does not support authorization without capture');
    }
    return this.create(ctx, '/authorizations', request, ['authorized', 'declined']);
  }

  async verifyCard(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined> {
    if (!verifiesCards(ctx.gateway))
      throw new GatewayError('unsupported', 'this gateway does not verify cards');
    const reply = await post(ctx, '/verifications', verificationBodyOf(request), verificationReply);
    if (reply.reference !== request.reference) throw mismatchedReply();
    return toVerification(reply);
  }

  capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.sendFollowUp(ctx, 'capture', operation, 'approved');
  }

  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.sendFollowUp(ctx, 'cancel', operation, 'canceled');
  }

  refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return this.sendFollowUp(ctx, 'refund', operation, 'refunded');
  }

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(async () => {
      const id = subject.gatewayTransactionId;
      const byId = id === null ? null : await this.inquireById(ctx, subject.reference, id);
      if (byId?.kind === 'found' || !supportsLookup(ctx.gateway)) {
        return byId ?? { kind: 'inconclusive', reason: 'this gateway does not look up references' };
      }
      return this.inquireByReference(ctx, subject.reference);
    });
  }

  async createRecipient(
    ctx: GatewayContext,
    reference: string,
    information: SubaccountInformation,
  ): Promise<Recipient> {
    const reply = await post(ctx, '/recipients', { ...information, reference }, recipientReply);
    if (reply.reference !== reference) throw mismatchedReply();
    return recipientOf(reply);
  }

  async findRecipient(ctx: GatewayContext, reference: string): Promise<Recipient | null> {
    const path = `/recipients?reference=${encodeURIComponent(reference)}`;
    const list = await get(ctx, path, recipientList);
    if (list.reference !== reference) throw mismatchedReply();
    const reply = list.data.find((recipient) => recipient.reference === reference);
    if (reply !== undefined) return recipientOf(reply);
    if (list.in_progress) throw new GatewayError('ambiguous', 'the gateway is still creating the recipient');
    return null;
  }

  readCallback({ body }: RawCallback): CallbackReading {
    const callback = callbackBody.safeParse(parseJson(body.toString('utf8')));
    if (!callback.success) return { kind: 'unreadable' };
    const { id, kind, reference, charge_id, dispute } = callback.data;
    const hint: CallbackHint = {
      eventId: id,
      kind: kind === 'chargeback' ? 'chargeback' : 'status',
      subject: { reference, gatewayTransactionId: charge_id },
      reportedState: reportedStateOf(callback.data),
      ...(dispute !== undefined && { dispute: reportedDisputeOf(dispute) }),
    };
    return { kind: 'hints', hints: [hint] };
  }

  verifyCallback(
    { body, headers }: RawCallback,
    _hint: CallbackHint,
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
    statuses: ExpectedReply['statuses'],
  ): Promise<Outcome> {
    const { methods } = this.capabilities(ctx.gateway);
    if (!methods.includes(request.paymentMethod)) {
      throw new GatewayError('unsupported', `this gateway does not support ${request.paymentMethod}`);
    }
    const reply = await post(ctx, path, chargeBodyOf(request), operationReply);
    const { reference, amountCents } = request;
    return toOutcome(requireMatchingReply(reply, { reference, amountCents, chargeId: null, statuses }));
  }

  private async sendFollowUp(
    ctx: GatewayContext,
    operation: keyof typeof FOLLOW_UP_PATHS,
    { reference, gatewayTransactionId, amountCents, splits, reason, bankAccount }: FollowUp,
    accepted: ExpectedReply['statuses'][number],
  ): Promise<Outcome> {
    const path = `/charges/${encodeURIComponent(gatewayTransactionId)}/${FOLLOW_UP_PATHS[operation]}`;
    const body = {
      reference,
      amount: amountCents,
      splits: splits.map(splitOf),
      reason,
      bank_account: bankAccount,
    };
    const reply = await post(ctx, path, body, operationReply);
    return toOutcome(
      requireMatchingReply(reply, {
        reference,
        // A cancel releases the whole held amount, which the request does not have to match.
        amountCents: operation === 'cancel' ? null : amountCents,
        chargeId: gatewayTransactionId,
        statuses: [accepted, 'pending', 'declined'],
      }),
    );
  }

  /** Every slug supports lookup by the gateway's id. The charge lists its operations, so this also finds a follow-up. */
  private async inquireById(ctx: GatewayContext, reference: string, id: string): Promise<InquiryResult> {
    const charge = await getCharge(ctx, id);
    if (charge === null) return { kind: 'inconclusive', reason: 'the gateway does not know its own id' };
    return findOutcome([charge], reference, charge.in_progress);
  }

  private async inquireByReference(ctx: GatewayContext, reference: string): Promise<InquiryResult> {
    const path = `/charges?reference=${encodeURIComponent(reference)}`;
    const list = await get(ctx, path, chargeList);
    if (list.reference !== reference) throw mismatchedReply();
    return findOutcome(list.data, reference, list.in_progress);
  }
}

/** Null unless the callback carries the whole state of the charge. */
function reportedStateOf(callback: CallbackBody): ReportedChargeState | null {
  const { kind: status, captured_amount, refunded_amount, paid_amount } = callback;
  if (status !== 'approved' && status !== 'canceled' && status !== 'refunded') return null;
  if (captured_amount === undefined || refunded_amount === undefined) return null;
  return {
    status,
    capturedCents: captured_amount,
    refundedCents: refunded_amount,
    paidCents: paid_amount,
  };
}

function recipientOf({
  id,
  status,
  message,
  consent_url: consentUrl,
  api_key: secret,
}: RecipientReply): Recipient {
  return { recipientId: id, status, message, ...(consentUrl && { consentUrl }), ...(secret && { secret }) };
}

function mismatchedReply(): GatewayError {
  return new GatewayError('ambiguous', 'the gateway answered for another request');
}
