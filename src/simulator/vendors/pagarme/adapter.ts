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
import type { Showing } from './charge-object';
import { createOrder } from './create-order';
import { CustomerStore } from './customers';
import { createCard, createCustomer, listCards, showCard, showCustomer } from './customer-endpoints';
import type { PagarmeEndpoint, PagarmeRequest } from './endpoint';
import { errorOfStatus } from './errors';
import { webhooksOf } from './events';
import { cancelCharge, captureCharge } from './follow-ups';
import { KeyedCalls } from './idempotency';
import { answer, PagarmeReads } from './reads';
import { createKycLink, createRecipient, showRecipient } from './recipients';
import { WebhookKeys } from './signature';

/** Pagar.me's API below `/core/v5`: https://docs.pagar.me/reference */
export class PagarmeAdapter implements WireAdapter {
  private readonly customers = new CustomerStore();
  private readonly keys = new WebhookKeys();
  private readonly showing: Showing;
  private readonly calls: KeyedCalls;
  private readonly reads: PagarmeReads;

  constructor(
    private readonly core: SimulatorCore,
    options: { readonly searchLagMs: number },
  ) {
    this.showing = { origin: core.origin, customers: this.customers };
    this.calls = new KeyedCalls(core, this.showing);
    this.reads = new PagarmeReads(core, this.showing, options.searchLagMs);
  }

  /** https://docs.pagar.me/reference/autenticação-2: Basic, with the secret key as user and no password. */
  secretOf({ authorization = '' }: IncomingHttpHeaders): string | null {
    const basic = /^Basic (.+)$/.exec(authorization)?.[1];
    if (basic === undefined) return null;
    return Buffer.from(basic, 'base64').toString().split(':', 1)[0] || null;
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

  callbacksOf(charge: StoredCharge, kind: CallbackKind): readonly CallbackMessage[] {
    return webhooksOf(charge, kind, this.showing, this.keys);
  }

  receive({ gateway, method, path, query, headers, body }: VendorHttpRequest): VendorCall | null {
    const isKeySet = /^(?:keys\/)?\.well-known\/jwks\.json$/.test(path.join('/'));
    if (method === 'GET' && isKeySet) return this.publishedKeys();
    const [product, version, resource = '', ...rest] = path;
    if (product !== 'core' || version !== 'v5') return null;
    const key = headers['idempotency-key'];
    const request: PagarmeRequest = {
      gateway,
      method,
      path: [resource.toLowerCase(), ...rest],
      query,
      body: body === '' ? undefined : parseJson(body),
      idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    };
    const endpoint = this.endpoint(request);
    if (endpoint === null) return null;
    // A body that is not JSON: 400 in the table of https://docs.pagar.me/reference/erros-1.
    const isMalformed = body !== '' && request.body === undefined;
    const checked = isMalformed ? { ...endpoint, check: () => errorOfStatus(400) } : endpoint;
    return {
      ...endpoint.summary,
      idempotencyKey: request.idempotencyKey,
      prepare: (account, behavior) => this.calls.prepare(request, checked, account, behavior),
    };
  }

  private endpoint(request: PagarmeRequest): PagarmeEndpoint | null {
    const [resource = '', id, action, last, ...rest] = request.path;
    if (rest.length > 0) return null;
    switch (resource) {
      case 'orders':
        return action === undefined ? this.orders(request, id) : null;
      case 'charges':
        return last === undefined ? this.charges(request, id, action) : null;
      case 'customers':
        return this.customerEndpoint(request, id, action, last);
      case 'recipients':
        return last === undefined ? this.recipients(request, id, action) : null;
      default:
        return null;
    }
  }

  private orders(request: PagarmeRequest, id: string | undefined): PagarmeEndpoint | null {
    if (request.method === 'GET')
      return id === undefined ? this.reads.orders(request) : this.reads.order(request, id);
    return request.method === 'POST' && id === undefined
      ? createOrder(this.core, this.customers, request)
      : null;
  }

  private charges(
    request: PagarmeRequest,
    id: string | undefined,
    action: string | undefined,
  ): PagarmeEndpoint | null {
    if (id === undefined) return request.method === 'GET' ? this.reads.charges(request) : null;
    switch (`${request.method} ${action ?? ''}`) {
      case 'GET ':
        return this.reads.charge(request, id);
      case 'GET transactions':
        return this.reads.transactions(request, id);
      case 'POST capture':
        return captureCharge(this.core, request, id);
      case 'DELETE ':
        return cancelCharge(this.core, request, id);
      default:
        return null;
    }
  }

  private customerEndpoint(
    request: PagarmeRequest,
    id: string | undefined,
    action: string | undefined,
    cardId: string | undefined,
  ): PagarmeEndpoint | null {
    const { method } = request;
    if (id === undefined) return method === 'POST' ? createCustomer(this.customers, request) : null;
    if (action === undefined) return method === 'GET' ? showCustomer(this.customers, id) : null;
    if (action !== 'cards') return null;
    if (cardId !== undefined) return method === 'GET' ? showCard(this.customers, id, cardId) : null;
    if (method === 'GET') return listCards(this.customers, request, id);
    return method === 'POST' ? createCard(this.customers, request, id) : null;
  }

  private recipients(
    request: PagarmeRequest,
    id: string | undefined,
    action: string | undefined,
  ): PagarmeEndpoint | null {
    const { method } = request;
    if (id === undefined) return method === 'POST' ? createRecipient(this.core, request) : null;
    if (action === undefined) return method === 'GET' ? showRecipient(this.core, request, id) : null;
    return action === 'kyc_link' && method === 'POST' ? createKycLink(this.core, request, id) : null;
  }

  /** `GET /.well-known/jwks.json`: needs no key. */
  private publishedKeys(): VendorCall {
    const { summary } = answer(() => ({ status: 200, body: {} }));
    return {
      ...summary,
      idempotencyKey: null,
      isPublic: true,
      prepare: () => ({
        run: () => ({ response: { status: 200, body: this.keys.jwks() } }),
        fail: errorOfStatus,
        finish: () => undefined,
      }),
    };
  }
}
