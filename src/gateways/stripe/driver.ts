import { isPaidLater, PAYMENT_METHODS } from '../../domain/payments/payment';
import { assertNever } from '../../domain/shared/assert-never';
import { SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
import type { AccountFeature } from '../../domain/routing/learned-limits';
import type { Capabilities } from '../../domain/routing/routing';
import type { CallbackHint, CallbackProof, CallbackReading, RawCallback } from '../callback';
import { GatewayError } from '../errors';
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
  VerifiedCard,
} from '../gateway';
import { inquiryResult } from '../inquiry-result';
import { readStripeEvent, SIGNATURE_HEADER, verifyStripeSignature } from './callback';
import { get, postPayment } from './calls';
import { chargeCard } from './card-charge';
import { verifyCard } from './card-verification';
import { requireCreated } from './created-intent';
import { declined, wordsOfError } from './declines';
import { stripeDisputes } from './dispute-answers';
import type { RequestParams } from './form';
import { canceledOutcome, capturedBy, inquire } from './inquiries';
import { stripeAmount } from './money';
import { CAPTURE_KEY, REFERENCE_KEY } from './references';
import { isRefundOf, refundOutcome } from './refunds';
import { createRecipient, findRecipient } from './recipients';
import { boletoParams, pixParams } from './request-bodies';
import { requireRecipientOfCharge, requireWholeSplit } from './splits';
import { anyList, intentReply, refundReply, type StripeIntent } from './wire';

/** At least 24 hours: https://docs.stripe.com/api/idempotent_requests */
const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;
/** A request that Stripe is still processing is in no list. Stripe's own SDKs wait 80 seconds for an answer. */
const LOOKUP_SETTLES_MS = 60_000;
/** Characters of a metadata value: https://docs.stripe.com/api/metadata */
const MAX_METADATA_VALUE = 500;

/** Stripe, by its API with raw card numbers, without 3-D Secure. */
export class StripeDriver implements GatewayDriver {
  readonly name = 'stripe';
  readonly callbackProof: CallbackProof = {
    kind: 'signature',
    coversBody: true,
    coversTime: true,
    headers: ['content-type', SIGNATURE_HEADER],
  };
  readonly disputes = stripeDisputes;
  readonly credentialFields = [
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description: 'Stripe Dashboard, Developers, API keys: the secret key, or a restricted key.',
      descriptionPt:
        'Dashboard da Stripe, Desenvolvedores, Chaves de API: a chave secreta, ou uma chave restrita.',
      shape: {
        pattern: /^(?:sk|rk)_(?:live|test)_\w{8,247}$/,
        rule: 'must be sk_live_, sk_test_, rk_live_ or rk_test_ and at least 8 letters or digits',
      },
    },
  ];
  readonly createRecipient = createRecipient;
  readonly findRecipient = findRecipient;

  /** Lists one payment: the permission that every charge needs. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    await get(ctx, 'payment_intents', { limit: 1 }, anyList);
  }

  capabilities(): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: true,
      verifiesCards: true,
      // Stripe's installments are not for cards of Brazil: https://docs.stripe.com/payments/installments
      maxInstallments: 1,
      partialCapture: true,
      partialRefund: true,
      // A boleto cannot be refunded: https://docs.stripe.com/payments/boleto#refunds
      refundMethods: ['card', 'pix'],
      // Pix: OpenAPI of 2026-08-26, expires_after_seconds. Boleto: https://docs.stripe.com/payments/boleto#custom-expiration
      pixExpiry: { kind: 'seconds', minSeconds: 10, maxSeconds: 1_209_600 },
      billetDueDays: { min: 0, max: 60 },
      payableAfterExpiry: [],
      requires: { billet: ['billing_address'] },
      // Destination charges: https://docs.stripe.com/connect/destination-charges
      splits: 'fee',
      maxRecipients: 1,
      splitCosts: 'platform',
      subAccounts: true,
      idempotency: 'both',
      replayWindowMs: REPLAY_WINDOW_MS,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      pendingOperations: ['refund'],
      disputeAnswers: ['accept', 'evidence'],
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    requireSupported(request);
    switch (request.paymentMethod) {
      case 'card':
        return chargeCard(ctx, request, { manualCapture: false });
      case 'pix':
        return createPending(ctx, request, { feature: 'pix', params: pixParams(request) });
      case 'billet':
        return createPending(ctx, request, { feature: 'billet', params: boletoParams(request, new Date()) });
      default:
        return assertNever(request.paymentMethod);
    }
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    }
    requireSupported(request);
    return chargeCard(ctx, request, { manualCapture: true });
  }

  verifyCard(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined> {
    return verifyCard(ctx, request);
  }

  async capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    const { reference, gatewayTransactionId: id, amountCents } = operation;
    await requireRecipientOfCharge(ctx, operation);
    const params = {
      amount_to_capture: amountCents,
      metadata: { [CAPTURE_KEY]: reference },
    };
    return operate(ctx, { path: `${intentPath(id)}/capture`, params, id }, (intent) => {
      const outcome = capturedBy(intent, reference);
      return outcome?.amountCents === amountCents ? outcome : null;
    });
  }

  /** Voids all that is authorized, whatever `amountCents` says. */
  cancel(ctx: GatewayContext, { gatewayTransactionId: id }: FollowUp): Promise<Outcome> {
    const params = { cancellation_reason: 'requested_by_customer' };
    return operate(ctx, { path: `${intentPath(id)}/cancel`, params, id }, canceledOutcome);
  }

  async refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    const { reference, gatewayTransactionId: id, amountCents, reason } = operation;
    requireWholeSplit(operation);
    const params = {
      payment_intent: id,
      amount: amountCents,
      // The recipient gives back what the customer gets; without it the platform would pay.
      reverse_transfer: operation.splits.length > 0 ? true : null,
      metadata: { [REFERENCE_KEY]: reference, reason: reason?.slice(0, MAX_METADATA_VALUE) },
    };
    const { idempotencyKey, sendBefore } = ctx;
    const sent = { path: 'refunds', params, idempotencyKey, sendBefore };
    const answer = await postPayment(ctx, sent, refundReply);
    if ('failure' in answer) return declined(wordsOfError(answer.failure.error), id);
    return isRefundOf(answer.object, operation) ? refundOutcome(answer.object, id) : unknownOutcome();
  }

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(() => inquire(ctx, subject));
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readStripeEvent(raw);
  }

  verifyCallback(
    raw: RawCallback,
    _hint: CallbackHint,
    secrets: readonly string[],
    now: Date,
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyStripeSignature(raw, secrets, now);
  }
}

/** @throws GatewayError `unsupported`, or `invalid_request` for a split of a part */
function requireSupported(request: ChargeRequest): void {
  const { installments, amountCents, currency } = request;
  requireWholeSplit(request);
  // Stripe's installments are not for cards of Brazil: https://docs.stripe.com/payments/installments
  if (installments > 1) throw new GatewayError('unsupported', 'this gateway does not support installments');
  stripeAmount(amountCents, currency);
}

/** Creates a pix or boleto. */
async function createPending(
  ctx: GatewayContext,
  request: ChargeRequest,
  created: { readonly feature: AccountFeature; readonly params: RequestParams },
): Promise<Outcome> {
  const { idempotencyKey, sendBefore } = ctx;
  const sent = { ...created, path: 'payment_intents', idempotencyKey, sendBefore };
  const answer = await postPayment(ctx, sent, intentReply);
  if ('failure' in answer) return declined(wordsOfError(answer.failure.error), answer.failure.intentId);
  return requireCreated(answer.object, request, 'pending');
}

/** Captures or cancels. `read` returns null if the answer is not the operation's result. */
async function operate(
  ctx: GatewayContext,
  { path, params, id }: { readonly path: string; readonly params: RequestParams; readonly id: string },
  read: (intent: StripeIntent) => Outcome | null,
): Promise<Outcome> {
  const { idempotencyKey, sendBefore } = ctx;
  const answer = await postPayment(ctx, { path, params, idempotencyKey, sendBefore }, intentReply);
  if ('failure' in answer) return declined(wordsOfError(answer.failure.error), id);
  const outcome = answer.object.id === id ? read(answer.object) : null;
  return outcome ?? unknownOutcome();
}

function intentPath(id: string): string {
  return `payment_intents/${encodeURIComponent(id)}`;
}

function unknownOutcome(): never {
  throw new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}
