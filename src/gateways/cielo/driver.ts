import { isPaidLater } from '../../domain/payments/payment';
import { CLIENT_ID_FIELD, SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import { assertNever } from '../../domain/shared/assert-never';
import type { CallbackHint, CallbackProof, CallbackReading, RawCallback } from '../callback';
import { verifyStaticToken } from '../callbacks/static-token';
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
import { readCieloNotification, TOKEN_HEADER } from './callback';
import { BOLETO_PROVIDER, chargeCard, createBoleto, createPix } from './charge';
import { DOCUMENTED_ANSWERS } from './errors';
import { inquire } from './inquiries';
import { cancel, capture, refund } from './operations';
import { PIX_EXPIRES_SECONDS } from './outcomes';
import { verifyCard } from './verification';

/** Cielo does not say when a query shows a new sale. */
const LOOKUP_SETTLES_MS = 10 * 60_000;
/** `Payment.Installments` has two digits; Cielo's products end at twelve. */
const MAX_INSTALLMENTS = 12;
/** Cielo asks the bank about boletos whose due date is at most 30 days away: https://developercielo.github.io/tutorial/manual-boleto */
const BILLET_DUE_DAYS = { min: 1, max: 30 } as const;

/** Cielo's API E-commerce 3.0, with raw card numbers: https://developercielo.github.io/manual/cielo-ecommerce */
export class CieloDriver implements GatewayDriver {
  readonly name = 'cielo';
  readonly documentedAnswers = DOCUMENTED_ANSWERS;
  readonly callbackProof: CallbackProof = {
    kind: 'static_token',
    coversBody: false,
    coversTime: false,
    headers: [TOKEN_HEADER],
  };
  readonly credentialFields = [
    {
      name: CLIENT_ID_FIELD,
      required: true,
      secret: false,
      description: 'Cielo on the web, E-commerce, settings of the API E-commerce: the MerchantId.',
      descriptionPt: 'Site da Cielo, E-commerce, configurações da API E-commerce: o MerchantId.',
      shape: {
        pattern: /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
        rule: 'must be a GUID of 36 characters',
      },
    },
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description: 'Cielo on the web, E-commerce, settings of the API E-commerce: the MerchantKey.',
      descriptionPt: 'Site da Cielo, E-commerce, configurações da API E-commerce: a MerchantKey.',
      shape: { pattern: /^[A-Za-z0-9]{40}$/, rule: 'must be 40 letters and digits' },
    },
    {
      name: BOLETO_PROVIDER,
      required: false,
      secret: false,
      description:
        'Only for boletos: `Bradesco2`, once Bradesco has enabled registered boletos for the company and Cielo’s support has its bank data.',
      descriptionPt:
        'Só para boletos: `Bradesco2`, depois que o Bradesco habilitar boletos registrados para a empresa e o suporte da Cielo tiver os dados bancários dela.',
      // At Banco do Brasil Cielo does not learn that a boleto was paid.
      shape: {
        pattern: /^(?:Bradesco2|Simulado)$/,
        rule: 'must be Bradesco2, or Simulado in Cielo’s sandbox',
      },
    },
  ];

  capabilities(): Capabilities {
    return {
      methods: ['card', 'pix', 'billet'],
      authorizeOnly: true,
      verifiesCards: true,
      maxInstallments: MAX_INSTALLMENTS,
      partialCapture: true,
      partialRefund: true,
      refundMethods: ['card', 'pix'],
      uncancelable: ['pix', 'billet'],
      pixExpiry: { kind: 'fixed', seconds: PIX_EXPIRES_SECONDS },
      billetDueDays: BILLET_DUE_DAYS,
      requires: { billet: ['billing_address'] },
      payableAfterExpiry: ['billet'],
      splits: 'none',
      maxRecipients: 0,
      splitCosts: 'flagged',
      subAccounts: false,
      idempotency: 'lookup',
      replayWindowMs: 0,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      provesAbsence: false,
      pendingOperations: ['refund'],
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    requireSupported(request);
    switch (request.paymentMethod) {
      case 'card':
        return chargeCard(ctx, request, { capture: true });
      case 'pix':
        return createPix(ctx, request);
      case 'billet':
        return createBoleto(ctx, request);
      default:
        return assertNever(request.paymentMethod);
    }
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    }
    requireSupported(request);
    return chargeCard(ctx, request, { capture: false });
  }

  verifyCard(ctx: GatewayContext, request: CardVerificationRequest): Promise<VerifiedCard | Declined> {
    return verifyCard(ctx, request);
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

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(() => inquire(ctx, subject));
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readCieloNotification(raw);
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
function requireSupported({ currency, splits, installments }: ChargeRequest): void {
  if (currency !== 'BRL') throw new GatewayError('unsupported', 'this gateway charges reais only');
  if (splits.length > 0) throw new GatewayError('unsupported', 'this gateway does not support splits');
  if (installments > MAX_INSTALLMENTS)
    throw new GatewayError('unsupported', 'this gateway does not support so many installments');
}
