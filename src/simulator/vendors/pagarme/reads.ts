import type { StoredCharge } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { chargeObject, chargeWithOrder, orderObject, type Showing } from './charge-object';
import { NO_PAYMENT, type PagarmeEndpoint, type PagarmeObject, type PagarmeRequest, reply } from './endpoint';
import { invalidBody, notFound } from './errors';
import { chargeIdOf, orderIdOf } from './ids';
import { type ListQuery, listQuery } from './parameters';
import { chargeCodeOf, orderCodeOf, orderDataOf } from './record';
import { chargeStateOf, orderStateOf } from './states';
import { PAYMENT_METHODS, transactionsOf } from './transaction-object';

/** The endpoints that only read. They show the charges of the secret key's account. */
export class PagarmeReads {
  constructor(
    private readonly core: SimulatorCore,
    private readonly showing: Showing,
    /** How long lists do not know a new order, in ms. */
    private readonly searchLagMs: number,
  ) {}

  /** `GET /orders/{id}`: https://docs.pagar.me/reference/obter-pedido-1 */
  order(request: PagarmeRequest, id: string): PagarmeEndpoint {
    return this.one(request, 'Order', chargeIdOf('or', id), (charge) => orderObject(charge, this.showing));
  }

  /** `GET /charges/{id}`: https://docs.pagar.me/reference/obter-cobrança */
  charge(request: PagarmeRequest, id: string): PagarmeEndpoint {
    return this.one(request, 'Charge', chargeIdOf('ch', id), (charge) =>
      chargeWithOrder(charge, this.showing),
    );
  }

  /** `GET /charges/{id}/transactions`, newest first. */
  transactions(request: PagarmeRequest, id: string): PagarmeEndpoint {
    return this.one(request, 'Charge', chargeIdOf('ch', id), (charge) =>
      pageOf(transactionsOf(charge, this.showing.origin), request),
    );
  }

  /** `GET /orders`: https://docs.pagar.me/reference/listar-pedidos-1. `code` is the merchant's reference. */
  orders(request: PagarmeRequest): PagarmeEndpoint {
    return this.list(
      request,
      ({ code, status }, charge) =>
        (code === undefined || orderCodeOf(charge) === code) &&
        (status === undefined || orderStateOf(charge) === status),
      (charge) => orderObject(charge, this.showing),
    );
  }

  /** `GET /charges`: https://docs.pagar.me/reference/listar-cobranças */
  charges(request: PagarmeRequest): PagarmeEndpoint {
    return this.list(
      request,
      ({ code, status, payment_method, order_id }, charge) =>
        (code === undefined || chargeCodeOf(charge) === code) &&
        (status === undefined || chargeStateOf(charge) === status) &&
        (payment_method === undefined || PAYMENT_METHODS[charge.method] === payment_method) &&
        (order_id === undefined || orderIdOf(charge.id) === order_id),
      (charge) => ({ ...chargeObject(charge, this.showing), order: { id: orderIdOf(charge.id) } }),
    );
  }

  private one(
    { gateway }: PagarmeRequest,
    kind: 'Order' | 'Charge',
    chargeId: string | null,
    render: (charge: StoredCharge) => PagarmeObject,
  ): PagarmeEndpoint {
    const find = (): StoredCharge | null =>
      chargeId === null ? null : this.core.store.find(gateway, chargeId);
    return {
      summary: { operation: 'inquiry', amount: null, reference: find()?.reference ?? null },
      check: (account) =>
        reply(() => {
          const charge = find();
          return charge !== null && this.core.accounts.canRead(account, charge.account)
            ? { status: 200, body: render(charge) }
            : notFound(kind);
        }),
    };
  }

  private list(
    request: PagarmeRequest,
    matches: (query: ListQuery, charge: StoredCharge) => boolean,
    render: (charge: StoredCharge) => PagarmeObject,
  ): PagarmeEndpoint {
    const values = Object.fromEntries(request.query);
    const parsed = listQuery.safeParse(values);
    const code = request.query.get('code');
    return {
      summary: { ...NO_PAYMENT, operation: 'inquiry', reference: code },
      check: (account) => {
        if (!parsed.success) return invalidBody(parsed.error, 'request', values);
        const query = parsed.data;
        return reply(() => {
          const found = this.visible(request, account).filter(
            (charge) => isWithin(query, charge) && matches(query, charge),
          );
          return { status: 200, body: pageOf(found.map(render), request, query) };
        });
      },
    };
  }

  /** Newest first. */
  private visible({ gateway }: PagarmeRequest, account: string): StoredCharge[] {
    const indexed = Date.now() - this.searchLagMs;
    return this.core.store
      .newestFirst(gateway)
      .filter(
        (charge) => createdAt(charge) <= indexed && this.core.accounts.canRead(account, charge.account),
      );
  }
}

const createdAt = ({ operations: [first] }: StoredCharge): number => Date.parse(first?.at ?? '');

function isWithin({ created_since, created_until, customer_id }: ListQuery, charge: StoredCharge): boolean {
  return (
    (created_since === undefined || createdAt(charge) >= Date.parse(created_since)) &&
    (created_until === undefined || createdAt(charge) <= Date.parse(created_until)) &&
    (customer_id === undefined || orderDataOf(charge).customer_id === customer_id)
  );
}

/** One page of objects. SDK 7.0.2: `paging` has the total, and the addresses of the pages around. */
export function pageOf(
  objects: readonly PagarmeObject[],
  request: PagarmeRequest,
  { page, size }: { page: number; size: number } = pagingOf(request),
): PagarmeObject {
  const start = (page - 1) * size;
  const hasNext = objects.length > start + size;
  return {
    data: objects.slice(start, start + size),
    paging: {
      total: objects.length,
      ...(page > 1 && { previous: addressOf(request, page - 1) }),
      ...(hasNext && { next: addressOf(request, page + 1) }),
    },
  };
}

function pagingOf({ query }: PagarmeRequest): { page: number; size: number } {
  const parsed = listQuery.safeParse({ page: query.get('page') ?? 1, size: query.get('size') ?? 10 });
  return parsed.success ? parsed.data : { page: 1, size: 10 };
}

function addressOf({ path, query }: PagarmeRequest, page: number): string {
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `https://api.pagar.me/core/v5/${path.join('/')}?${parameters.toString()}`;
}

/** An answer that needs no charge. */
export function answer(respond: () => SimulatorResponse): PagarmeEndpoint {
  return { summary: NO_PAYMENT, check: () => reply(respond) };
}
