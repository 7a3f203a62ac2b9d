import type { IncomingHttpHeaders } from 'node:http';
import type { StoredCharge } from '../../charge-store';
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
import { createSale } from './create-sale';
import type { CieloEndpoint, CieloRequest } from './endpoint';
import { errorOfStatus, failure, notFound } from './errors';
import { captureSale, voidSale } from './follow-ups';
import { notificationsOf } from './notifications';
import { findSales, showSale } from './reads';
import { zeroAuth } from './zero-auth';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The first segment of the path stands for the host: https://developercielo.github.io/manual/cielo-ecommerce#sobre-o-sandbox */
const QUERY_HOSTS: readonly string[] = ['query', 'apiquery'];

/** Cielo's API E-commerce 3.0 below `/1`. It has no idempotency keys. */
export class CieloAdapter implements WireAdapter {
  constructor(
    private readonly core: SimulatorCore,
    private readonly options: { readonly searchLagMs: number },
  ) {}

  /** The `MerchantKey` of 40 characters, beside a `MerchantId`. */
  secretOf({ merchantid: id, merchantkey: key }: IncomingHttpHeaders): string | null {
    return typeof id === 'string' && GUID.test(id) && typeof key === 'string' && key.length === 40
      ? key
      : null;
  }

  /** The manual names 401 for a wrong `MerchantKey`, without its body. */
  errorOf(error: CoreError): SimulatorResponse {
    switch (error) {
      case 'unauthenticated':
        return failure(132, 401);
      case 'not_found':
        return notFound();
      case 'unavailable':
        return errorOfStatus(503);
    }
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind): readonly CallbackMessage[] {
    return notificationsOf(charge, kind);
  }

  receive({ gateway, method, path, query, headers, body }: VendorHttpRequest): VendorCall | null {
    const [host = ''] = path;
    const isQuery = QUERY_HOSTS.includes(host);
    const [version, ...rest] = isQuery || host === 'api' ? path.slice(1) : path;
    if (version !== '1') return null;
    const { requestid } = headers;
    const request: CieloRequest = {
      gateway,
      method,
      // The manual writes `/1/sales/` for the creation.
      path: rest.filter((segment) => segment !== ''),
      query: new Map([...query].map(([name, value]) => [name.toLowerCase(), value])),
      body: body === '' ? undefined : parseJson(body),
      requestId: typeof requestid === 'string' && GUID.test(requestid) ? requestid : null,
    };
    const endpoint = isQuery ? this.queryEndpoint(request) : this.endpoint(request);
    if (endpoint === null) return null;
    const problem = headerProblem(headers, body);
    const run = problem === null ? endpoint.run : () => ({ response: problem });
    return {
      ...endpoint.summary,
      idempotencyKey: null,
      prepare: (account, behavior) => this.prepare(request, { ...endpoint, run }, account, behavior),
    };
  }

  private endpoint(request: CieloRequest): CieloEndpoint | null {
    const [resource, id, action, ...rest] = request.path;
    if (rest.length > 0) return null;
    switch (`${request.method} ${resource}`) {
      case 'POST sales':
        return id === undefined ? createSale(this.core, request) : null;
      case 'POST zeroauth':
        return id === undefined ? zeroAuth(request) : null;
      case 'PUT sales':
        if (id === undefined) return null;
        if (action === 'capture') return captureSale(this.core, request, id);
        return action === 'void' ? voidSale(this.core, request, id) : null;
      default:
        return null;
    }
  }

  private queryEndpoint(request: CieloRequest): CieloEndpoint | null {
    const [resource, id, ...rest] = request.path;
    if (request.method !== 'GET' || resource !== 'sales' || rest.length > 0) return null;
    return id === undefined
      ? findSales(this.core, request, this.options.searchLagMs)
      : showSale(this.core, request, id);
  }

  private prepare(
    { gateway }: CieloRequest,
    { summary, chargeId = null, run }: CieloEndpoint,
    account: string,
    behavior: Behavior,
  ): PreparedWork {
    return {
      run: () => run({ gateway, account, idempotencyKey: null, behavior }),
      fail: errorOfStatus,
      finish: this.core.inFlight.begin({
        gateway,
        reference: summary.reference ?? '',
        chargeId,
        idempotencyKey: null,
      }),
    };
  }
}

/** What is wrong with the headers of a request; null if nothing is. The table of each request demands these. */
function headerProblem(headers: IncomingHttpHeaders, body: string): SimulatorResponse | null {
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  return body === '' || isJson ? null : failure(184, 400, ' (Content-Type)');
}
