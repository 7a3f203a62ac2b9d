import type { IncomingHttpHeaders } from 'node:http';
import type { StoredCharge } from '../../charge-store';
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
import { CardTokens } from './card-tokens';
import { validateCard } from './card-validation';
import { Chargebacks } from './chargebacks';
import { createPayment } from './create-payment';
import { type MercadoPagoEndpoint, type MercadoPagoRequest, NO_PAYMENT } from './endpoint';
import { badRequest, errorOf, METHOD_NOT_ALLOWED, resourceNotFound, UNAUTHENTICATED } from './errors';
import { webhooksOf } from './events';
import { createRefund, updatePayment } from './follow-ups';
import { MercadoPagoKeys } from './idempotency';
import { PaymentIndex } from './ids';
import { OAuth, sellerAccountOf } from './oauth';
import type { Shown } from './payment-object';
import { MercadoPagoReads } from './reads';

/** Mercado Pago's payments API (`/v1/payments`): https://www.mercadopago.com.br/developers/en/reference */
export class MercadoPagoAdapter implements WireAdapter {
  private readonly tokens = new CardTokens();
  private readonly oauth: OAuth;
  private readonly disputed = new Set<string>();
  private readonly payments: PaymentIndex;
  private readonly calls: MercadoPagoKeys;
  private readonly reads: MercadoPagoReads;
  private readonly chargebacks: Chargebacks;

  constructor(
    private readonly core: SimulatorCore,
    options: { readonly searchLagMs: number },
  ) {
    const showing: Shown = { core, disputed: this.disputed };
    this.oauth = new OAuth(core.accounts);
    this.payments = new PaymentIndex(core.store);
    this.calls = new MercadoPagoKeys(core, showing);
    this.chargebacks = new Chargebacks(core);
    this.reads = new MercadoPagoReads(core, this.payments, showing, options.searchLagMs);
  }

  secretOf({ authorization = '' }: IncomingHttpHeaders): string | null {
    return /^Bearer (.+)$/.exec(authorization)?.[1] ?? null;
  }

  errorOf(error: CoreError): SimulatorResponse {
    switch (error) {
      case 'unauthenticated':
        return UNAUTHENTICATED;
      case 'not_found':
        return errorOf(404);
      case 'unavailable':
        return errorOf(503);
    }
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind): readonly CallbackMessage[] {
    if (kind === 'chargeback') this.disputed.add(charge.id);
    return webhooksOf(charge, kind);
  }

  receive(received: VendorHttpRequest): VendorCall | null {
    const upload = this.chargebacks.uploadCall(received);
    if (upload !== null) return upload;
    const { gateway, method, path, query, headers, body } = received;
    const key = headers['x-idempotency-key'];
    // The first spelling is that of the official SDKs.
    const expand = headers['x-expand-responde-nodes'] ?? headers['x-expand-response-nodes'] ?? '';
    const request: MercadoPagoRequest = {
      gateway,
      method,
      path,
      query,
      body: bodyOf(body, headers),
      idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
      accessToken: this.secretOf(headers),
      validatesCard: headers['x-card-validation'] === 'card_validation',
      expands: String(expand).includes('gateway.reference'),
    };
    const endpoint = this.endpoint(request);
    if (endpoint === null) return null;
    const isMalformed = request.body === undefined;
    const checked = isMalformed ? { ...endpoint, check: () => MALFORMED } : endpoint;
    return {
      ...endpoint.summary,
      idempotencyKey: request.idempotencyKey,
      isPublic: endpoint.isPublic === true,
      prepare: (account, behavior) =>
        this.calls.prepare(request, checked, sellerAccountOf(request.accessToken) ?? account, behavior),
    };
  }

  private endpoint(request: MercadoPagoRequest): MercadoPagoEndpoint | null {
    const { method, path, query, body } = request;
    const [version, resource, id, action, last, ...rest] = path;
    switch (path.join('/')) {
      case 'auth/authorization':
        return method === 'GET' ? this.oauth.authorize(query) : REFUSED;
      case 'oauth/token':
        return method === 'POST' ? this.oauth.token(body) : REFUSED;
      case 'users/me':
        return method === 'GET' ? this.reads.me() : REFUSED;
    }
    if (version !== 'v1' || rest.length > 0) return null;
    switch (resource) {
      case 'card_tokens':
        return action === undefined ? this.cardTokens(request, id) : null;
      case 'payment_methods':
        return method === 'GET' && id === undefined ? this.reads.paymentMethods() : null;
      case 'chargebacks':
        if (method !== 'GET' || id === undefined) return null;
        return id === 'search'
          ? this.reads.chargebacks(request)
          : this.reads.chargeback(request, id, this.chargebacks.find(request.gateway, id));
      case 'payments':
        return action === undefined ? this.onePayment(request, id) : this.refunds(request, id, action, last);
      default:
        return null;
    }
  }

  /** A public key in the query takes the place of the access token. */
  private cardTokens({ method, query, body }: MercadoPagoRequest, id?: string): MercadoPagoEndpoint {
    const isPublic = query.has('public_key');
    if (id === undefined) return method === 'POST' ? { ...this.tokens.create(body), isPublic } : REFUSED;
    return method === 'GET' ? { ...this.tokens.show(id), isPublic } : REFUSED;
  }

  private onePayment(request: MercadoPagoRequest, id?: string): MercadoPagoEndpoint {
    const { method } = request;
    if (id === undefined) {
      if (method !== 'POST') return REFUSED;
      return request.validatesCard
        ? validateCard(this.tokens, request)
        : createPayment(this.core, this.tokens, request);
    }
    if (method === 'PUT') return updatePayment(this.core, this.payments, request, id);
    if (method !== 'GET') return REFUSED;
    return id === 'search' ? this.reads.search(request) : this.reads.payment(request, id);
  }

  private refunds(
    request: MercadoPagoRequest,
    id: string | undefined,
    action: string,
    refundId?: string,
  ): MercadoPagoEndpoint {
    const { method, path } = request;
    if (action !== 'refunds' || id === undefined)
      return { summary: NO_PAYMENT, check: () => resourceNotFound(path.slice(1)) };
    if (method === 'GET') return this.reads.refunds(request, id, refundId);
    return method === 'POST' && refundId === undefined
      ? createRefund(this.core, this.payments, request, id)
      : REFUSED;
  }
}

/** Recorded `failed-void`: another method of a known path. */
const REFUSED: MercadoPagoEndpoint = { summary: NO_PAYMENT, check: () => METHOD_NOT_ALLOWED };
const MALFORMED = badRequest(1, 'Params Error');

/** JSON, or a form for the OAuth token. */
function bodyOf(text: string, headers: IncomingHttpHeaders): unknown {
  if (text === '') return {};
  return headers['content-type']?.includes('application/x-www-form-urlencoded') === true
    ? Object.fromEntries(new URLSearchParams(text))
    : parseJson(text);
}
