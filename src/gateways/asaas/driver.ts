import { isPaidLater, PAYMENT_METHODS } from '../../domain/payments/payment';
import { SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import { assertNever } from '../../domain/shared/assert-never';
import type { CallbackHint, CallbackProof, CallbackReading, RawCallback } from '../callback';
import { verifyStaticToken } from '../callbacks/static-token';
import { GatewayError } from '../errors';
import type {
  ChargeRequest,
  FollowUp,
  GatewayContext,
  GatewayDriver,
  InquiryResult,
  InquirySubject,
  Outcome,
} from '../gateway';
import type { KnownRecipient, Recipient, SubaccountInformation } from '../recipient';
import { inquiryResult } from '../inquiry-result';
import { readAsaasEvent, TOKEN_HEADER } from './callback';
import { get } from './calls';
import { chargeCard, createPending } from './charge';
import { inquire } from './inquiries';
import { cancel, capture, refund } from './operations';
import { createRecipient, findRecipient } from './recipients';
import { anyList } from './wire';

/** Asaas does not say when a list shows a new payment, and works up to a minute on a card's: https://docs.asaas.com/reference/create-new-payment-with-credit-card */
const LOOKUP_SETTLES_MS = 10 * 60_000;
/** Asaas has no limit; this one bounds a request: https://docs.asaas.com/docs/split */
const MAX_RECIPIENTS = 100;
/** Of all brands; Visa and Mastercard have 21: https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito */
const MAX_INSTALLMENTS = 12;
/** The models give no limit for a boleto's due date; within a year nobody has seen a refusal. */
const MAX_BILLET_DAYS = 365;

/** Asaas, by its API v3 with raw card numbers. */
export class AsaasDriver implements GatewayDriver {
  readonly name = 'asaas';
  readonly callbackProof: CallbackProof = {
    kind: 'static_token',
    coversBody: false,
    coversTime: false,
    headers: [TOKEN_HEADER],
  };
  readonly credentialFields = [
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description:
        'Asaas on the web, Integrations, API keys: the API key. Asaas shows it only when it is created.',
      descriptionPt:
        'Site do Asaas, Integrações, Chaves de API: a chave de API. O Asaas a mostra apenas quando ela é criada.',
      shape: {
        pattern: /^\$aact_[\w:$=+/.-]{8,500}$/,
        rule: 'must start with $aact_, followed by at least 8 letters or digits',
      },
    },
  ];

  /** Lists one payment. It proves the right to read, but not the right to charge. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    await get(ctx, 'payments', anyList, { query: { limit: '1' } });
  }

  capabilities(): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: true,
      verifiesCards: false,
      // `CreditCardRequestDto` demands the code: https://docs.asaas.com/docs/credit-card-tokenization
      savedCards: 'token',
      maxInstallments: MAX_INSTALLMENTS,
      partialCapture: false,
      partialRefund: true,
      // A boleto's refund asks the payer for an account: https://docs.asaas.com/reference/refund-bank-slip
      refundMethods: ['card', 'pix'],
      pixExpiry: { kind: 'day' },
      billetDueDays: { min: 0, max: MAX_BILLET_DAYS },
      // OVERDUE is still payable: https://docs.asaas.com/docs/payments-via-pix-or-dynamic-qr-code
      payableAfterExpiry: ['pix', 'billet'],
      splits: 'net',
      maxRecipients: MAX_RECIPIENTS,
      splitCosts: 'recipients',
      subAccounts: true,
      // No keys: https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito
      idempotency: 'lookup',
      replayWindowMs: 0,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      pendingOperations: ['refund'],
      // `PaymentSaveWithCreditCardRequestDto`, `CreditCardHolderInfoRequestDto`
      requires: { card: ['payer.ip', 'payer.phone', 'billing_address'] },
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    requireSupported(request);
    switch (request.paymentMethod) {
      case 'card':
        return chargeCard(ctx, request, { authorizeOnly: false });
      case 'pix':
      case 'billet':
        return createPending(ctx, request, request.paymentMethod);
      default:
        return assertNever(request.paymentMethod);
    }
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    }
    requireSupported(request);
    // Of installments Asaas does not say what a capture captures.
    if (request.installments > 1) {
      throw new GatewayError('unsupported', 'this gateway authorizes no installments');
    }
    return chargeCard(ctx, request, { authorizeOnly: true });
  }

  capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return capture(ctx, operation);
  }

  cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return cancel(ctx, operation);
  }

  refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    return refund(ctx, operation);
  }

  createRecipient(
    ctx: GatewayContext,
    _reference: string,
    information: SubaccountInformation,
  ): Promise<Recipient> {
    return createRecipient(ctx, information);
  }

  findRecipient(ctx: GatewayContext, _reference: string, known: KnownRecipient): Promise<Recipient | null> {
    return findRecipient(ctx, known);
  }

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(() => inquire(ctx, subject));
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readAsaasEvent(raw);
  }

  verifyCallback(
    raw: RawCallback,
    _hint: CallbackHint,
    secrets: readonly string[],
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyStaticToken(raw.headers[TOKEN_HEADER], secrets);
  }
}

/** @throws GatewayError `unsupported` */
function requireSupported({ installments, currency }: ChargeRequest): void {
  if (currency !== 'BRL') throw new GatewayError('unsupported', 'this gateway charges reais only');
  if (installments > MAX_INSTALLMENTS) {
    throw new GatewayError('unsupported', 'this gateway does not support so many installments');
  }
}
