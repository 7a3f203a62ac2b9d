import { isPaidLater, PAYMENT_METHODS } from '../../domain/payments/payment';
import { assertNever } from '../../domain/shared/assert-never';
import { CLIENT_ID_FIELD, SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
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
import { readNotification, REQUEST_ID_HEADER, SIGNATURE_HEADER, verifyNotification } from './callback';
import { get, read, send } from './calls';
import { chargeCard } from './card-charge';
import { verifyCard } from './card-verification';
import { createPayment, declineOf402 } from './create-payment';
import { mercadoPagoDisputes } from './dispute-answers';
import { requireCreated } from './created-payment';
import { canceledOutcome, capturedOutcome, inquire, pathOf } from './inquiries';
import { amountNumber } from './money';
import { isRefundOf, refundOutcome, stateOf } from './refunds';
import { boletoBody, pixBody } from './request-bodies';
import { CLIENT_SECRET_FIELD, FEE_FIELD, requireSeller, SELLER_AUTHORIZATION } from './sellers';
import { paymentPage, paymentReply, refundReply, type MercadoPagoPayment } from './wire';

/** Assumed: how long a key is kept is not documented. No charge is repeated because of it: they are looked up. */
const REPLAY_WINDOW_MS = 60 * 60 * 1000;
/** How long the search lags is not documented. */
const LOOKUP_SETTLES_MS = 10 * 60 * 1000;
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** Mercado Pago in Brazil, by its API v1/payments with raw card numbers, without 3-D Secure. */
export class MercadoPagoDriver implements GatewayDriver {
  readonly name = 'mercadopago';
  readonly callbackProof: CallbackProof = {
    kind: 'signature',
    coversBody: false,
    coversTime: true,
    headers: [SIGNATURE_HEADER, REQUEST_ID_HEADER],
  };
  readonly credentialFields = [
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description:
        'Mercado Pago, Suas integrações, the application, Credenciais de produção (for tests: Credenciais de teste): the Access Token.',
      descriptionPt:
        'Mercado Pago, Suas integrações, a aplicação, Credenciais de produção (para testes: Credenciais de teste): o Access Token.',
      shape: {
        pattern: /^(?:APP_USR|TEST)-[\w-]{10,240}$/,
        rule: 'must be APP_USR- or TEST- and at least 10 letters, digits or hyphens',
      },
    },
  ];

  readonly platformFields = [
    {
      name: CLIENT_ID_FIELD,
      required: false,
      secret: false,
      description:
        'For sellers: Mercado Pago, Suas integrações, the application (model Marketplace), Credenciais de produção: the Client ID.',
      descriptionPt:
        'Para vendedores: Mercado Pago, Suas integrações, a aplicação (modelo Marketplace), Credenciais de produção: o Client ID.',
      shape: { pattern: /^\d{5,20}$/, rule: 'must be 5 to 20 digits' },
    },
    {
      name: CLIENT_SECRET_FIELD,
      required: false,
      secret: true,
      description: 'For sellers: on the same page, the Client Secret.',
      descriptionPt: 'Para vendedores: na mesma página, o Client Secret.',
      shape: { pattern: /^[\w-]{16,128}$/, rule: 'must be 16 to 128 letters, digits or hyphens' },
    },
    {
      name: FEE_FIELD,
      required: false,
      secret: false,
      description: 'What the platform keeps of each payment of a seller, in percent; nothing without it.',
      descriptionPt:
        'O que a plataforma retém de cada pagamento de um vendedor, em porcentagem; nada sem este valor.',
      shape: {
        pattern: /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/,
        rule: 'must be 0 to 100 with at most two decimals',
      },
    },
  ];
  readonly recipientAuthorization = SELLER_AUTHORIZATION;
  readonly disputes = mercadoPagoDisputes;

  /** Lists one payment: the permission that every inquiry needs. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    await get(ctx, 'payments/search?sort=date_created&criteria=desc&limit=1', paymentPage);
  }

  capabilities(): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: true,
      verifiesCards: true,
      partialCapture: true,
      partialRefund: true,
      // A boleto goes back to an account at Mercado Pago that its payer may not have.
      refundMethods: ['card', 'pix'],
      // 30 minutes to 30 days: https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/integration-configuration/integrate-pix
      // With one minute for the way of the request, because the expiry is sent as an instant.
      pixExpiry: { kind: 'seconds', minSeconds: 31 * MINUTE, maxSeconds: 30 * DAY },
      // 1 to 30 days: https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/integration-configuration/other-payment-methods
      billetDueDays: { min: 1, max: 30 },
      requires: { billet: ['billing_address'] },
      payableAfterExpiry: [],
      splits: 'fee',
      maxRecipients: 1,
      // Mercado Pago takes its fees, refunds and chargebacks from the seller:
      // https://www.mercadopago.com.br/developers/en/docs/split-payments/integration-configuration/integrate-marketplace
      splitCosts: 'recipients',
      subAccounts: true,
      idempotency: 'both',
      replayWindowMs: REPLAY_WINDOW_MS,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      pendingOperations: ['refund'],
      disputeAnswers: ['evidence'],
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    requireSupported(ctx, request);
    switch (request.paymentMethod) {
      case 'card':
        return chargeCard(ctx, request, { capture: true });
      case 'pix':
        return createPending(ctx, request, pixBody(ctx, request, new Date()));
      case 'billet':
        return createPending(ctx, request, boletoBody(ctx, request));
      default:
        return assertNever(request.paymentMethod);
    }
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod))
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    requireSupported(ctx, request);
    return chargeCard(ctx, request, { capture: false });
  }

  verifyCard(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined> {
    return verifyCard(ctx, request);
  }

  async capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    requireSeller(ctx, operation);
    const { amountCents } = operation;
    const body = { capture: true, transaction_amount: amountNumber(amountCents, operation.currency) };
    return update(ctx, operation, body, (payment) => {
      const outcome = capturedOutcome(payment);
      return outcome?.amountCents === amountCents ? outcome : null;
    });
  }

  /** Voids all that is authorized, whatever `amountCents` says. */
  async cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return update(ctx, operation, { status: 'cancelled' }, canceledOutcome);
  }

  async refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    requireSeller(ctx, operation);
    const { gatewayTransactionId: id, amountCents } = operation;
    const { idempotencyKey, sendBefore } = ctx;
    const path = `${pathOf(id)}/refunds`;
    const body = { amount: amountNumber(amountCents, operation.currency) };
    const response = await send(ctx, { method: 'POST', path, body, idempotencyKey, sendBefore });
    const refusal = declineOf402(response, id);
    if (refusal !== null) return refusal;
    const refund = read(response, refundReply);
    return isRefundOf(refund, operation) ? refundOutcome(stateOf(refund), operation) : unknownOutcome();
  }

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(() => inquire(ctx, subject));
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readNotification(raw);
  }

  verifyCallback(
    raw: RawCallback,
    hint: CallbackHint,
    secrets: readonly string[],
    now: Date,
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyNotification(raw, hint, secrets, now);
  }
}

/** @throws GatewayError */
function requireSupported(ctx: GatewayContext, request: ChargeRequest): void {
  requireSeller(ctx, request);
  amountNumber(request.amountCents, request.currency);
}

/** Creates a pix or boleto. */
async function createPending(ctx: GatewayContext, request: ChargeRequest, body: object): Promise<Outcome> {
  const answer = await createPayment(ctx, body);
  return 'declined' in answer ? answer.declined : requireCreated(answer.payment, request, 'pending');
}

/** Captures or cancels. `outcomeOf` returns null if the answer is not the operation's result. */
async function update(
  ctx: GatewayContext,
  { gatewayTransactionId: id }: FollowUp,
  body: object,
  outcomeOf: (payment: MercadoPagoPayment) => Outcome | null,
): Promise<Outcome> {
  const { idempotencyKey, sendBefore } = ctx;
  const response = await send(ctx, { method: 'PUT', path: pathOf(id), body, idempotencyKey, sendBefore });
  const refusal = declineOf402(response, id);
  if (refusal !== null) return refusal;
  const payment = read(response, paymentReply);
  return (payment.id === id ? outcomeOf(payment) : null) ?? unknownOutcome();
}

function unknownOutcome(): never {
  throw new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}
