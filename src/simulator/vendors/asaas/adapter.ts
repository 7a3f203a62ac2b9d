import type { IncomingHttpHeaders } from 'node:http';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import { parseJson } from '../../exchange';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type {
  CallbackKind,
  CallbackMessage,
  CoreError,
  PreparedWork,
  SimulatorCore,
  VendorCall,
  VendorHttpRequest,
  WireAdapter,
} from '../adapter';
import { AsaasAccounts, balance, ownWallet } from './accounts';
import { createPayment } from './create-payment';
import { createCustomer, listCustomers, showCustomer, tokenizeCard } from './customer-endpoints';
import { AsaasCustomers } from './customers';
import { type AsaasEndpoint, type AsaasRequest, reply } from './endpoint';
import { errorOfStatus, failure, invalid, unauthenticated, type UNAUTHENTICATED } from './errors';
import { webhooksOf } from './events';
import { capturePayment, deletePayment, refundBoleto, refundPayment } from './follow-ups';
import { installmentEndpoint } from './installments';
import { AsaasQuota } from './quota';
import { AsaasReads } from './reads';

const SANDBOX_KEY = '$aact_hmlg_';

/** Asaas' API below `/v3`: https://docs.asaas.com/reference. Asaas has no idempotency keys. */
export class AsaasAdapter implements WireAdapter {
  private readonly customers = new AsaasCustomers();
  private readonly quota = new AsaasQuota();
  private readonly accounts: AsaasAccounts;
  private readonly reads: AsaasReads;

  constructor(
    private readonly core: SimulatorCore,
    options: { readonly searchLagMs: number },
  ) {
    this.accounts = new AsaasAccounts(core);
    this.reads = new AsaasReads(core, options.searchLagMs);
  }

  /** https://docs.asaas.com/docs/autenticação-1: the header `access_token`; keys of the sandbox begin with `$aact_hmlg_`. */
  secretOf({ access_token: key }: IncomingHttpHeaders): string | null {
    return typeof key === 'string' && key.startsWith(SANDBOX_KEY) ? key : null;
  }

  errorOf(error: CoreError): SimulatorResponse {
    switch (error) {
      case 'unauthenticated':
        return unauthenticated('invalid_access_token');
      case 'not_found':
        return errorOfStatus(404);
      case 'unavailable':
        return errorOfStatus(503);
    }
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    return webhooksOf(charge, kind, this.core.origin, dispute);
  }

  receive({ gateway, method, path, query, headers, body }: VendorHttpRequest): VendorCall | null {
    const [version, ...rest] = path;
    if (version !== 'v3') return null;
    const problem = headerProblem(method, headers, body);
    if (problem !== null)
      return this.callOf(
        gateway,
        reply(() => problem),
        { isPublic: true },
      );
    const key = this.secretOf(headers) ?? '';
    const json = body === '' ? undefined : parseJson(body);
    const endpoint = this.endpoint({ gateway, method, path: rest, query, key, body: json });
    if (endpoint === null) return null;
    const isMalformed = body !== '' && json === undefined;
    const malformed = () => ({ response: invalid('invalid_object', 'O corpo da requisição não é JSON.') });
    return this.callOf(gateway, isMalformed ? { ...endpoint, run: malformed } : endpoint);
  }

  private callOf(
    gateway: VendorHttpRequest['gateway'],
    endpoint: AsaasEndpoint,
    options: { readonly isPublic?: true } = {},
  ): VendorCall {
    return {
      ...endpoint.summary,
      ...options,
      idempotencyKey: null,
      prepare: (account, behavior) => this.prepare(gateway, endpoint, account, behavior),
    };
  }

  private prepare(
    gateway: VendorHttpRequest['gateway'],
    { summary, chargeId = null, run }: AsaasEndpoint,
    account: string,
    behavior: Behavior,
  ): PreparedWork {
    const { isSpent, answer } = this.quota.take(account);
    const rules = { partialSplits: true, pendingRecipients: true };
    return {
      run: () => {
        if (isSpent) return { response: answer(errorOfStatus(429)) };
        const result = run({ gateway, account, idempotencyKey: null, behavior, ...rules });
        return { ...result, response: answer(result.response) };
      },
      fail: (status) => answer(errorOfStatus(status)),
      finish: this.core.inFlight.begin({
        gateway,
        reference: summary.reference ?? '',
        chargeId,
        idempotencyKey: null,
      }),
    };
  }

  private endpoint(request: AsaasRequest): AsaasEndpoint | null {
    const [resource = '', id, action, last, ...rest] = request.path;
    if (rest.length > 0) return null;
    switch (resource) {
      case 'payments':
        return this.payments(
          request,
          id,
          action === undefined ? '' : [action, last].filter(Boolean).join('/'),
        );
      case 'customers':
        return action === undefined ? this.customerEndpoint(request, id) : null;
      case 'creditCard':
        return request.method === 'POST' && id === 'tokenizeCreditCard' && action === undefined
          ? tokenizeCard(this.customers, request)
          : null;
      case 'installments':
        return id === undefined || last !== undefined
          ? null
          : installmentEndpoint(this.core, request, id, action ?? '');
      case 'accounts':
        return action === undefined ? this.accountEndpoint(request, id) : null;
      case 'myAccount':
      case 'wallets':
      case 'finance':
        return request.method === 'GET' && action === undefined ? this.own(request, resource, id) : null;
      case 'pix':
        return request.method === 'GET' && id === 'transactions' && action !== undefined
          ? this.reads.pixTransaction(request, action)
          : null;
      default:
        return null;
    }
  }

  private payments(request: AsaasRequest, id: string | undefined, action: string): AsaasEndpoint | null {
    const { core } = this;
    const { method } = request;
    if (id === undefined) {
      if (method === 'GET') return this.reads.list(request);
      return method === 'POST' ? createPayment(core, this.customers, request) : null;
    }
    switch (`${method} ${action}`) {
      case 'GET ':
        return this.reads.payment(request, id);
      case 'GET status':
        return this.reads.status(request, id);
      case 'GET refunds':
        return this.reads.refunds(request, id);
      case 'GET pixQrCode':
        return this.reads.pixQrCode(request, id);
      case 'GET identificationField':
        return this.reads.identificationField(request, id);
      case 'POST captureAuthorizedPayment':
        return capturePayment(core, request, id);
      case 'POST refund':
        return refundPayment(core, request, id);
      case 'POST bankSlip/refund':
        return refundBoleto(core, request, id);
      case 'DELETE ':
        return deletePayment(core, request, id);
      default:
        return null;
    }
  }

  private accountEndpoint(request: AsaasRequest, id: string | undefined): AsaasEndpoint | null {
    if (request.method === 'POST') return id === undefined ? this.accounts.create(request) : null;
    if (request.method !== 'GET') return null;
    return id === undefined ? this.accounts.list(request) : this.accounts.one(request, id);
  }

  /** About the account of the key. */
  private own(request: AsaasRequest, resource: string, id = ''): AsaasEndpoint | null {
    switch (`${resource}/${id}`) {
      case 'myAccount/status':
        return this.accounts.status(request.gateway, request.key);
      case 'wallets/':
        return ownWallet();
      case 'finance/balance':
        return balance();
      default:
        return null;
    }
  }

  private customerEndpoint(request: AsaasRequest, id: string | undefined): AsaasEndpoint | null {
    if (request.method === 'POST') return id === undefined ? createCustomer(this.customers, request) : null;
    if (request.method !== 'GET') return null;
    return id === undefined ? listCustomers(this.customers, request) : showCustomer(this.customers, id);
  }
}

/** What is wrong with the headers of a request; null if nothing is. */
function headerProblem(method: string, headers: IncomingHttpHeaders, body: string): SimulatorResponse | null {
  const code = keyProblem(headers.access_token);
  if (code !== null) return unauthenticated(code);
  // The page on authentication: obligatory for root accounts since 2024-06-13. Status and text are not documented.
  if ((headers['user-agent'] ?? '') === '')
    return invalid('user_agent_not_found', "O cabeçalho 'User-Agent' é obrigatório.");
  // https://docs.asaas.com/reference/http-response-codes: 403 for a GET with a body.
  if (method === 'GET' && body !== '') return failure(403, 'forbidden', 'GET não aceita corpo.');
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  return body === '' || isJson
    ? null
    : invalid('invalid_object', 'O Content-Type deve ser application/json.');
}

function keyProblem(key: string | readonly string[] | undefined): keyof typeof UNAUTHENTICATED | null {
  if (typeof key !== 'string' || key === '') return 'access_token_not_found';
  if (key.startsWith('$aact_prod_')) return 'invalid_environment';
  return key.startsWith(SANDBOX_KEY) ? null : 'invalid_access_token_format';
}
