import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import { parseJson } from '../../exchange';
import type { SimulatorResponse } from '../../replies';
import type {
  CallbackKind,
  CallbackMessage,
  CoreError,
  SimulatorCore,
  VendorCall,
  VendorHttpRequest,
  WireAdapter,
} from '../adapter';
import { ownReference } from '../our-reference';
import { cancelBody, captureBody, paymentMethodsBody, refundBody, standaloneCancelBody } from './bodies';
import { createPayment, isForeignAccount } from './create-payment';
import { AdyenDisputeService } from './dispute-service';
import type { AdyenEndpoint, AdyenRequest } from './endpoint';
import { errorOfStatus, invalidMerchantAccount } from './errors';
import { AdyenCalls } from './idempotency';
import { pspReferenceOf, referenceFrom } from './ids';
import { type Modification, modify } from './modifications';
import { AdyenPlatform } from './platform';
import { invalidBody } from './problems';
import { merchantReferenceOf, type ResultEvent } from './record';
import { Webhooks } from './webhooks';

const MODIFICATIONS = {
  captures: { event: 'CAPTURE', schema: captureBody, structure: 'PaymentCaptureRequest' },
  cancels: { event: 'CANCELLATION', schema: cancelBody, structure: 'PaymentCancelRequest' },
  refunds: { event: 'REFUND', schema: refundBody, structure: 'PaymentRefundRequest' },
  reversals: { event: 'CANCEL_OR_REFUND', schema: cancelBody, structure: 'PaymentReversalRequest' },
} as const;

/** Adyen's Checkout API below `/v72`: https://docs.adyen.com/api-explorer/Checkout/72/overview. It has no inquiries. */
export class AdyenAdapter implements WireAdapter {
  private readonly calls: AdyenCalls;
  private readonly webhooks = new Webhooks();
  private readonly platform: AdyenPlatform;
  private readonly disputes: AdyenDisputeService;
  private readonly chargeIds = new Map<string, string>();

  constructor(private readonly core: SimulatorCore) {
    this.calls = new AdyenCalls(core);
    this.platform = new AdyenPlatform(core);
    this.disputes = new AdyenDisputeService(core);
  }

  /** `X-API-Key`, or Basic with the password of the API credential. */
  secretOf({ 'x-api-key': key, authorization = '' }: IncomingHttpHeaders): string | null {
    if (typeof key === 'string' && key !== '') return key;
    const basic = /^Basic (.+)$/.exec(authorization)?.[1];
    return basic === undefined ? null : Buffer.from(basic, 'base64').toString().split(':')[1] || null;
  }

  errorOf(error: CoreError): SimulatorResponse {
    switch (error) {
      case 'unauthenticated':
        return errorOfStatus(401);
      case 'not_found':
        return errorOfStatus(404);
      case 'unavailable':
        return errorOfStatus(503);
    }
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    return this.webhooks.messagesOf(charge, kind, dispute);
  }

  receive(received: VendorHttpRequest): VendorCall | null {
    const { gateway, method, path, headers, body } = received;
    if (path[0] === 'kyc' || path[0] === 'balance') return this.platform.receive(received);
    if (path[0] === 'disputes') return this.disputes.receive(received);
    // The live host has the prefix: https://{PREFIX}-checkout-live.adyenpayments.com/checkout/v72/payments.
    const [version, ...resource] = path[0] === 'checkout' ? path.slice(1) : path;
    if (version !== 'v72' || method !== 'POST') return null;
    const key = headers['idempotency-key'];
    const request: AdyenRequest = {
      gateway,
      body: body === '' ? undefined : parseJson(body),
      idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    };
    const endpoint = this.endpoint(request, resource);
    if (endpoint === null) return null;
    const checked = request.body === undefined ? { ...endpoint, check: () => errorOfStatus(400) } : endpoint;
    return {
      ...endpoint.summary,
      idempotencyKey: request.idempotencyKey,
      prepare: (account, behavior) => this.calls.prepare(request, checked, account, behavior),
    };
  }

  private endpoint(request: AdyenRequest, path: readonly string[]): AdyenEndpoint | null {
    const [resource, pspReference, action, ...rest] = path;
    if (rest.length > 0) return null;
    if (resource === 'paymentMethods') return pspReference === undefined ? listMethods(request) : null;
    if (resource === 'cancels') return pspReference === undefined ? this.cancelByReference(request) : null;
    if (resource !== 'payments') return null;
    if (pspReference === undefined) return createPayment(this.core, request);
    return action !== undefined && action in MODIFICATIONS
      ? this.modification(request, pspReference, action as keyof typeof MODIFICATIONS)
      : null;
  }

  /** `POST /payments/{paymentPspReference}/captures`, `/cancels`, `/refunds` and `/reversals`. */
  private modification(
    request: AdyenRequest,
    pspReference: string,
    name: keyof typeof MODIFICATIONS,
  ): AdyenEndpoint {
    const { event, schema, structure } = MODIFICATIONS[name];
    const read = readModification(event, schema.safeParse(request.body), structure);
    return modify(this.core, request, this.findPayment(request, pspReference), read);
  }

  /** `POST /cancels`: by the merchant's reference, for a payment whose answer was lost. */
  private cancelByReference(request: AdyenRequest): AdyenEndpoint {
    const parsed = standaloneCancelBody.safeParse(request.body);
    const read = readModification('TECHNICAL_CANCEL', parsed, 'StandalonePaymentCancelRequest');
    const { paymentReference = '' } = parsed.success ? parsed.data : {};
    const payments = this.core.store
      .withReference(request.gateway, ownReference(paymentReference))
      .filter((charge) => merchantReferenceOf(charge) === paymentReference);
    const payment = payments.findLast(({ status }) => status === 'authorized') ?? payments.at(-1) ?? null;
    const endpoint = modify(this.core, request, payment, read);
    if (payment !== null || 'status' in read) return endpoint;
    // Also of an unknown reference it is only told that the request was received; what a webhook says of it is not documented.
    const { merchantAccount, reference } = read;
    const body = {
      merchantAccount,
      paymentReference,
      pspReference: referenceFrom(`cancel ${paymentReference}`),
      ...(reference !== null && { reference }),
      status: 'received',
    };
    const summary = { ...endpoint.summary, reference: ownReference(paymentReference) };
    return { summary, check: () => ({ status: 201, body }) };
  }

  /** References are made from ids, so a charge that is not known by its own yet is found among all. */
  private findPayment({ gateway }: AdyenRequest, pspReference: string): StoredCharge | null {
    if (!this.chargeIds.has(pspReference))
      for (const { id } of this.core.store.newestFirst(gateway)) this.chargeIds.set(pspReferenceOf(id), id);
    return this.core.store.find(gateway, this.chargeIds.get(pspReference) ?? '');
  }
}

/** `POST /paymentMethods`: https://docs.adyen.com/api-explorer/Checkout/72/post/paymentMethods. The same for every account. */
function listMethods({ body }: AdyenRequest): AdyenEndpoint {
  const parsed = paymentMethodsBody.safeParse(body);
  return {
    summary: { operation: 'inquiry', amount: null, reference: null },
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error, 'PaymentMethodsRequest');
      if (isForeignAccount(parsed.data.merchantAccount)) return invalidMerchantAccount();
      const paymentMethods = METHODS.map(([type, name]) => ({ type, name }));
      return { status: 200, body: { paymentMethods } };
    },
  };
}

const METHODS = [
  ['scheme', 'Cards'],
  ['pix', 'Pix'],
  ['boletobancario', 'Boleto Bancario'],
] as const;

type ModificationBody = z.output<typeof cancelBody> &
  Partial<Pick<z.output<typeof refundBody>, 'amount' | 'merchantRefundReason' | 'splits'>>;

function readModification(
  event: ResultEvent,
  parsed: z.ZodSafeParseResult<ModificationBody>,
  structure: string,
): Modification | SimulatorResponse {
  if (!parsed.success) return invalidBody(parsed.error, structure);
  const { merchantAccount, reference = null, amount = null, splits = null } = parsed.data;
  const { merchantRefundReason: reason = null } = parsed.data;
  return { event, merchantAccount, reference, amount, reason, splits };
}
