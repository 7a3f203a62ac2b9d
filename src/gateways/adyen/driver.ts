import type { Capabilities } from '../../domain/routing/routing';
import { isPaidLater, PAYMENT_METHODS, type PaymentMethod } from '../../domain/payments/payment';
import { assertNever } from '../../domain/shared/assert-never';
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
  Outcome,
  VerifiedCard,
} from '../gateway';
import { readAdyenNotification, verifyAdyenNotification } from './callback';
import { post, readSuccess } from './calls';
import { CREDENTIAL_FIELDS, PLATFORM_FIELDS } from './credentials';
import { authenticationRequired, declined, declinedCardData } from './declines';
import { adyenDisputes } from './dispute-answers';
import { ownError } from './errors';
import { chargeOutcome, isPartial, networkIdsOf, receivedOutcome } from './outcomes';
import { kindOfCharge, verificationReference } from './references';
import { createRecipient, findRecipient } from './recipients';
import {
  amountBody,
  boletoBody,
  cancelBody,
  cardBody,
  pixBody,
  verificationBody,
  type AdyenBody,
} from './request-bodies';
import { MAX_RECIPIENTS, splitsField } from './splits';
import { methodsReply, modificationReply, paymentReply, type PaymentReply } from './wire';

/**
 * Adyen keeps a key for some days (https://docs.adyen.com/development-resources/api-idempotency); the driver counts on one.
 */
const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;
const DAY_SECONDS = 24 * 60 * 60;

const PAYMENT = { status: 200, schema: paymentReply } as const;
const MODIFICATION = { status: 201, schema: modificationReply } as const;

/** Adyen, by the Checkout API with raw card numbers, without 3-D Secure. It answers no inquiries: its webhooks are the facts. */
export class AdyenDriver implements GatewayDriver {
  readonly name = 'adyen';
  /** The signature covers all that a report is made of: both ids, our reference, the amount, the event and its success. */
  readonly callbackProof: CallbackProof = {
    kind: 'signature',
    coversBody: true,
    coversTime: false,
    headers: ['content-type'],
  };
  readonly credentialFields = CREDENTIAL_FIELDS;
  readonly platformFields = PLATFORM_FIELDS;
  readonly createRecipient = createRecipient;
  readonly findRecipient = findRecipient;
  readonly disputes = adyenDisputes;

  /** Lists the account's payment methods. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    const request = { path: 'paymentMethods', body: {}, idempotencyKey: null, sendBefore: null };
    readSuccess(await post(ctx, request), { status: 200, schema: methodsReply });
  }

  capabilities(): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: true,
      verifiesCards: true,
      partialCapture: true,
      partialRefund: true,
      // A boleto is not refunded: https://docs.adyen.com/payment-methods/boleto-bancario
      refundMethods: ['card', 'pix'],
      // What is not authorised yet cannot be canceled: https://docs.adyen.com/online-payments/cancel
      uncancelable: ['pix', 'billet'],
      pixExpiry: { kind: 'seconds', minSeconds: 60, maxSeconds: DAY_SECONDS },
      billetDueDays: { min: 1, max: 30 },
      payableAfterExpiry: [],
      requires: { billet: ['billing_address'] },
      splits: 'exact',
      maxRecipients: MAX_RECIPIENTS,
      // https://docs.adyen.com/platforms/online-payments/transaction-fees and /marketplaces/split-transactions/split-chargebacks: by
      // default both are the platform's, and no request can make a chargeback another's.
      splitCosts: 'platform',
      subAccounts: true,
      idempotency: 'replay',
      replayWindowMs: REPLAY_WINDOW_MS,
      lookupSettlesMs: 0,
      pendingOperations: ['capture', 'cancel', 'refund'],
      truth: 'signed_callback',
      disputeAnswers: ['accept', 'evidence'],
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    switch (request.paymentMethod) {
      case 'card':
        return pay(ctx, request, cardBody(request, 'sale'));
      case 'pix':
        return pay(ctx, request, pixBody(request));
      case 'billet':
        return pay(ctx, request, boletoBody(request));
      default:
        return assertNever(request.paymentMethod);
    }
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    }
    return pay(ctx, request, cardBody(request, 'authorization'), true);
  }

  async verifyCard(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined> {
    const reply = await sendPayment(ctx, verificationBody(request), 'card');
    if (!('resultCode' in reply)) return reply;
    const isOurs = reply.merchantReference === verificationReference(request.reference);
    switch (isOurs ? reply.resultCode : 'Error') {
      case 'Authorised':
        return { kind: 'verified', networkIds: networkIdsOf(reply.additionalData) };
      case 'Refused':
        return declined(reply, reply.pspReference ?? null);
      case 'ChallengeShopper':
      case 'IdentifyShopper':
      case 'RedirectShopper':
        return authenticationRequired(reply.pspReference ?? null);
      default:
        throw new GatewayError('ambiguous', 'the gateway did not verify the card');
    }
  }

  /** A partial capture without splits would be the platform's alone: https://docs.adyen.com/marketplaces/split-payments/split-at-capture */
  async capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    const body = { ...amountBody(operation), ...splitsField(ctx, operation) };
    return modify(ctx, operation, { path: 'captures', body });
  }

  /** Voids all that is authorized, whatever `amountCents` says. */
  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return modify(ctx, operation, { path: 'cancels', body: cancelBody(operation.reference) });
  }

  async refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    const body = { ...amountBody(operation), ...splitsField(ctx, operation) };
    return modify(ctx, operation, { path: 'refunds', body });
  }

  inquire(): Promise<InquiryResult> {
    return Promise.resolve({ kind: 'inconclusive', reason: 'this gateway answers no inquiries' });
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readAdyenNotification(raw);
  }

  verifyCallback(
    raw: RawCallback,
    hint: CallbackHint,
    secrets: readonly string[],
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyAdyenNotification(raw, hint, secrets);
  }
}

async function pay(
  ctx: GatewayContext,
  request: ChargeRequest,
  body: AdyenBody,
  isAuthorization = false,
): Promise<Outcome> {
  const reply = await sendPayment(ctx, { ...body, ...splitsField(ctx, request) }, request.paymentMethod);
  if (!('resultCode' in reply)) return reply;
  if (isPartial(reply)) await cancelPart(ctx, reply);
  const kind = kindOfCharge(request.paymentMethod, isAuthorization);
  return chargeOutcome(reply, { request, kind, now: new Date() });
}

/** The answer, or the decline of a card whose data Adyen refuses before it asks the issuer. */
async function sendPayment(
  ctx: GatewayContext,
  body: AdyenBody,
  method: PaymentMethod,
): Promise<PaymentReply | Declined> {
  const { idempotencyKey, sendBefore } = ctx;
  const response = await post(ctx, { path: 'payments', body, idempotencyKey, sendBefore });
  const error = ownError(response);
  const refused = error?.errorType === 'validation' ? declinedCardData(error.errorCode) : null;
  const isOneOff = body.shopperInteraction === 'Ecommerce' && body.recurringProcessingModel === undefined;
  return refused ?? readSuccess(response, PAYMENT, { method, isOneOff });
}

/** Nobody asked for a part, so it is released. A failure changes nothing: the outcome is unknown anyway. */
async function cancelPart(ctx: GatewayContext, { pspReference }: PaymentReply): Promise<void> {
  const idempotencyKey = `${ctx.idempotencyKey}-part`;
  const path = `payments/${encodeURIComponent(pspReference ?? '')}/cancels`;
  try {
    await post(ctx, { path, body: {}, idempotencyKey, sendBefore: null });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}

async function modify(
  ctx: GatewayContext,
  operation: FollowUp,
  { path, body }: { readonly path: string; readonly body: AdyenBody },
): Promise<Outcome> {
  const { idempotencyKey, sendBefore } = ctx;
  const id = encodeURIComponent(operation.gatewayTransactionId);
  const response = await post(ctx, { path: `payments/${id}/${path}`, body, idempotencyKey, sendBefore });
  return receivedOutcome(readSuccess(response, MODIFICATION), operation);
}
