import { SECRET_KEY_FIELD } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import { isPaidLater, PAYMENT_METHODS } from '../../domain/payments/payment';
import type {
  CallbackHint,
  CallbackKeySource,
  CallbackProof,
  CallbackReading,
  RawCallback,
} from '../callback';
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
import { inquiryResult } from '../inquiry-result';
import { readPagarmeEvent } from './callback';
import { change, get } from './calls';
import { requireCreated } from './created-order';
import { cancel, capture, refund } from './follow-ups';
import { inquire } from './inquiries';
import { createRecipient, findRecipient } from './recipients';
import { orderBody } from './request-bodies';
import { keyIdOf, SIGNATURE_HEADER, verifyPagarmeCallback } from './signature';
import { orderList, orderReply } from './wire';

/** https://docs.pagar.me/docs/o-que-é. In the test environment merchants report five minutes. */
const REPLAY_WINDOW_MS = 24 * 60 * 60 * 1000;
/** How soon the list of orders shows a new one is not documented. A request in progress is in no list. */
const LOOKUP_SETTLES_MS = 10 * 60_000;
/** https://docs.pagar.me/reference/pix-2 */
const MAX_PIX_SECONDS = 10 * 365 * 24 * 60 * 60;
/** The due factor of a boleto's barcode has four digits. */
const MAX_DUE_DAYS = 8_999;
/** As many as a payment of the API has at most. */
const MAX_SPLITS = 50;

/** Pagar.me, by its API core v5 with raw card numbers, without 3-D Secure. */
export class PagarmeDriver implements GatewayDriver {
  readonly name = 'pagarme';
  readonly callbackProof: CallbackProof = {
    kind: 'signature',
    coversBody: true,
    coversTime: false,
    headers: ['content-type', SIGNATURE_HEADER],
  };
  readonly callbackKeys: CallbackKeySource = {
    url: ({ keys = '' }) => `${keys}/.well-known/jwks.json`,
    keyId: keyIdOf,
  };
  readonly credentialFields = [
    {
      name: SECRET_KEY_FIELD,
      required: true,
      secret: true,
      description: 'Pagar.me Dashboard, Configurações, Chaves: the secret key.',
      descriptionPt: 'Dashboard da Pagar.me, Configurações, Chaves: a chave secreta.',
      shape: {
        pattern: /^sk_(?:test_)?\w{8,247}$/,
        rule: 'must be sk_ or sk_test_ and at least 8 letters or digits',
      },
    },
  ];
  readonly createRecipient = createRecipient;
  readonly findRecipient = findRecipient;

  /** Lists one order: the permission that every charge needs. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    await get(ctx, { path: 'orders', query: { size: 1 } }, orderList);
  }

  capabilities(): Capabilities {
    return {
      methods: PAYMENT_METHODS,
      authorizeOnly: true,
      // `verify_card` holds money for a moment and saves the card in Pagar.me's vault: docs/gateways/pagarme.md
      verifiesCards: false,
      partialCapture: true,
      partialRefund: true,
      refundMethods: PAYMENT_METHODS,
      uncancelable: ['pix'],
      pixExpiry: { kind: 'seconds', minSeconds: 1, maxSeconds: MAX_PIX_SECONDS },
      billetDueDays: { min: 0, max: MAX_DUE_DAYS },
      payableAfterExpiry: [],
      requires: {
        card: ['payer.phone'],
        pix: ['payer.phone'],
        billet: ['payer.phone', 'billing_address'],
      },
      splits: 'exact',
      maxRecipients: MAX_SPLITS,
      splitCosts: 'flagged',
      subAccounts: true,
      idempotency: 'both',
      replayWindowMs: REPLAY_WINDOW_MS,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      pendingOperations: ['refund'],
    };
  }

  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    const expected = isPaidLater(request.paymentMethod) ? 'pending' : 'approved';
    return requireCreated(await createOrder(ctx, request, 'charge'), request, expected);
  }

  async authorize(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    if (isPaidLater(request.paymentMethod)) {
      throw new GatewayError('unsupported', 'this gateway authorizes only cards');
    }
    return requireCreated(await createOrder(ctx, request, 'authorize'), request, 'authorized');
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
    return readPagarmeEvent(raw);
  }

  verifyCallback(
    raw: RawCallback,
    _hint: CallbackHint,
    secrets: readonly string[],
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyPagarmeCallback(raw, secrets);
  }
}

/** Nothing says that the order's `currency` is followed, so an amount of another currency could be charged in BRL. */
async function createOrder(ctx: GatewayContext, request: ChargeRequest, operation: 'charge' | 'authorize') {
  if (request.currency !== 'BRL') throw new GatewayError('unsupported', 'this gateway charges in BRL only');
  const body = orderBody(request, operation);
  return change(ctx, { method: 'POST', path: 'orders', body }, orderReply);
}
