import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { StoredCharge, StoredDispute } from '../../charge-store';
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
import { BALANCE, createAccount, createAccountLink, listAccounts, ownAccount, showAccount } from './accounts';
import { createIntent } from './create-intent';
import { API_VERSION, NO_PAYMENT, reply, type StripeEndpoint, type StripeRequest } from './endpoint';
import { BACKEND_FAILED, errorResponse, invalidParameters, invalidRequest, missing } from './errors';
import { DisputeAnswers } from './disputes/dispute-answers';
import { Files } from './disputes/files';
import { eventsOf } from './events';
import { cancelIntent, captureIntent, createRefund } from './follow-ups';
import { parseForm } from './form';
import { IdempotentCalls } from './idempotency';
import { paymentMethodParams } from './parameters';
import { methodProblem, PaymentMethods, storedMethodObject } from './payment-methods';
import { constant, StripeReads } from './reads';
import { SetupIntents } from './setup-intents';

/** Stripe's API below `/v1`: https://docs.stripe.com/api */
export class StripeAdapter implements WireAdapter {
  private readonly methods = new PaymentMethods();
  private readonly calls: IdempotentCalls;
  private readonly reads: StripeReads;
  private readonly setups: SetupIntents;
  private readonly files = new Files();
  private readonly disputes: DisputeAnswers;

  constructor(
    private readonly core: SimulatorCore,
    options: { readonly searchLagMs: number },
  ) {
    this.calls = new IdempotentCalls(core);
    this.reads = new StripeReads(core, options.searchLagMs);
    this.setups = new SetupIntents(core, this.methods);
    this.disputes = new DisputeAnswers(core, this.files);
  }

  /** https://docs.stripe.com/api/authentication: the key as Bearer token, or as the user of Basic authentication. */
  secretOf({ authorization = '' }: IncomingHttpHeaders): string | null {
    const bearer = /^Bearer (.+)$/.exec(authorization)?.[1];
    const basic = /^Basic (.+)$/.exec(authorization)?.[1];
    if (basic === undefined) return bearer ?? null;
    return Buffer.from(basic, 'base64').toString().split(':', 1)[0] || null;
  }

  errorOf(error: CoreError): SimulatorResponse {
    const response = coreError(error);
    const headers = {
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      'stripe-version': API_VERSION,
    };
    return { ...response, headers };
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    return eventsOf(charge, kind, this.core.origin, dispute);
  }

  receive({ gateway, method, path, query, headers, body }: VendorHttpRequest): VendorCall | null {
    const key = headers['idempotency-key'];
    const [version, ...rest] = path[0] === 'files' ? path.slice(1) : path;
    if (version !== 'v1') return null;
    if (path[0] === 'files') return method === 'POST' ? this.files.uploadCall(rest, headers, body) : null;
    const params = parseForm(new URLSearchParams([...query, ...new URLSearchParams(body)]));
    const request: StripeRequest = {
      gateway,
      method,
      path: rest,
      params: params ?? {},
      idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
    };
    const endpoint = this.endpoint(request);
    if (endpoint === null) return null;
    // A JSON body is one malformed key; Stripe's v1 API reads forms only.
    const checked =
      params === null ? { ...endpoint, check: () => invalidRequest('Invalid request body.') } : endpoint;
    return {
      ...endpoint.summary,
      idempotencyKey: request.idempotencyKey,
      prepare: (account, behavior) => this.calls.prepare(request, checked, account, behavior),
    };
  }

  private endpoint(request: StripeRequest): StripeEndpoint | null {
    const [resource = '', id, action, ...rest] = request.path;
    if (rest.length > 0) return null;
    return request.method === 'GET'
      ? this.readEndpoint(request, resource, id, action)
      : request.method === 'POST'
        ? this.writeEndpoint(request, resource, id, action)
        : null;
  }

  private readEndpoint(
    request: StripeRequest,
    resource: string,
    id: string | undefined,
    action: string | undefined,
  ): StripeEndpoint | null {
    if (action !== undefined) return null;
    switch (resource) {
      case 'payment_intents':
        if (id === 'search') return this.reads.search(request);
        return id === undefined ? this.reads.intents(request) : this.reads.intent(request, id);
      case 'charges':
        return id === undefined ? this.reads.charges(request) : this.reads.charge(request, id);
      case 'refunds':
        return id === undefined ? this.reads.refunds(request) : this.reads.refund(request, id);
      case 'disputes':
        return id === undefined ? null : this.disputes.show(request, id);
      case 'payment_methods':
        return id === undefined ? null : this.showMethod(id);
      case 'setup_intents':
        return id === undefined ? null : this.setups.show(request, id);
      case 'accounts':
        return id === undefined ? listAccounts(this.core, request) : showAccount(this.core, request, id);
      case 'account':
        return {
          summary: NO_PAYMENT,
          check: (account) => reply(() => ({ status: 200, body: ownAccount(account) })),
        };
      case 'balance':
        return constant(BALANCE);
      default:
        return null;
    }
  }

  private writeEndpoint(
    request: StripeRequest,
    resource: string,
    id: string | undefined,
    action: string | undefined,
  ): StripeEndpoint | null {
    if (resource === 'payment_intents' && id !== undefined) {
      if (action === 'capture') return captureIntent(this.core, request, id);
      return action === 'cancel' ? cancelIntent(this.core, request, id) : null;
    }
    if (resource === 'setup_intents' && id !== undefined) {
      return action === 'cancel' ? this.setups.cancel(request, id) : null;
    }
    if (resource === 'disputes' && id !== undefined) {
      if (action === 'close') return this.disputes.close(request, id);
      return action === undefined ? this.disputes.update(request, id) : null;
    }
    if (id !== undefined) return null;
    switch (resource) {
      case 'payment_intents':
        return createIntent(this.core, this.methods, request);
      case 'payment_methods':
        return this.createMethod(request);
      case 'setup_intents':
        return this.setups.create(request);
      case 'refunds':
        return createRefund(this.core, request);
      case 'accounts':
        return createAccount(this.core, request);
      case 'account_links':
        return createAccountLink(this.core, request);
      default:
        return null;
    }
  }

  /** `POST /v1/payment_methods`: https://docs.stripe.com/api/payment_methods/create. It moves no money, so no script applies. */
  private createMethod(request: StripeRequest): StripeEndpoint {
    const parsed = paymentMethodParams.safeParse(request.params);
    return {
      summary: NO_PAYMENT,
      check: () => {
        if (!parsed.success) return invalidParameters(parsed.error);
        const problem = methodProblem(parsed.data, new Date());
        if (problem !== null) return problem;
        return reply(() => ({ status: 200, body: storedMethodObject(this.methods.create(parsed.data)) }));
      },
    };
  }

  private showMethod(id: string): StripeEndpoint {
    return {
      summary: NO_PAYMENT,
      check: () =>
        reply(() => {
          const method = this.methods.find(id);
          return method === null
            ? missing('PaymentMethod', id, 'payment_method')
            : { status: 200, body: storedMethodObject(method) };
        }),
    };
  }
}

/** https://docs.stripe.com/api/errors: HTTP status code summary. */
function coreError(error: CoreError): SimulatorResponse {
  switch (error) {
    case 'unauthenticated':
      return errorResponse(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
    case 'not_found':
      return invalidRequest('Unrecognized request URL.', { status: 404 });
    case 'unavailable':
      return errorResponse(503, { type: 'api_error', message: BACKEND_FAILED });
  }
}
