import { z } from 'zod';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import type { FoundDispute } from '../../operations/answer-dispute';
import { ownReference } from '../our-reference';
import { type MercadoPagoEndpoint, type MercadoPagoRequest, NO_PAYMENT, reply } from './endpoint';
import { errorOf, PAYMENT_NOT_FOUND } from './errors';
import { chargebackIdOf, type PaymentIndex, userIdOf } from './ids';
import { invalidBody } from './parameters';
import { chargebackObject, listedChargeback, paymentObject, refundsOf, type Shown } from './payment-object';
import { paymentDataOf } from './record';
import { stateOf } from './states';
import { isVisible } from './visible-payment';

/** SDK 3.6.1, `PaymentSearchOptions`; limit and offset: mercadopago/openapi. Other filters are ignored. */
const searchQuery = z.looseObject({
  external_reference: z.string().optional(),
  status: z.string().optional(),
  criteria: z.enum(['asc', 'desc']).default('desc'),
  sort: z.enum(['date_approved', 'date_created', 'date_last_updated', 'money_release_date', 'id']).optional(),
  range: z.enum(['date_approved', 'date_created', 'date_last_updated', 'money_release_date']).optional(),
  begin_date: z.string().optional(),
  end_date: z.string().optional(),
  limit: z.coerce.number().int().min(0).max(1_000).default(30),
  offset: z.coerce.number().int().min(0).default(0),
});
type SearchQuery = z.output<typeof searchQuery>;

/** The endpoints that only read. They show the payments of the access token's account. */
export class MercadoPagoReads {
  constructor(
    private readonly core: SimulatorCore,
    private readonly payments: PaymentIndex,
    private readonly showing: Shown,
    /** How long the search does not know a new payment, in ms. */
    private readonly searchLagMs: number,
  ) {}

  /** `GET /v1/payments/{id}` */
  payment(request: MercadoPagoRequest, id: string): MercadoPagoEndpoint {
    return this.one(request, id, (charge) => paymentObject(charge, this.showing, request.expands));
  }

  /** `GET /v1/payments/{id}/refunds`, and `/{refund_id}`. */
  refunds(request: MercadoPagoRequest, id: string, refundId?: string): MercadoPagoEndpoint {
    if (refundId === undefined) return this.one(request, id, refundsOf);
    return this.one(
      request,
      id,
      (charge) => refundsOf(charge).find((refund) => String(refund.id) === refundId) ?? null,
    );
  }

  /** `GET /v1/chargebacks/{id}`: one of the ledger, or one that a callback has made up. */
  chargeback(request: MercadoPagoRequest, id: string, found: FoundDispute | null): MercadoPagoEndpoint {
    if (found !== null) return this.shown(found.charge, (charge) => listedChargeback(charge, found.dispute));
    const charge = [...this.showing.disputed]
      .map((chargeId) => this.core.store.find(request.gateway, chargeId))
      .find((found) => found !== null && String(chargebackIdOf(found.id)) === id);
    return this.shown(charge ?? null, chargebackObject);
  }

  /** `GET /v1/chargebacks/search?payment_id=` */
  chargebacks(request: MercadoPagoRequest): MercadoPagoEndpoint {
    return this.one(request, request.query.get('payment_id') ?? '', (charge) => {
      const results = (charge.disputes ?? []).map((dispute) => listedChargeback(charge, dispute));
      return { paging: { offset: 0, limit: 25, total: results.length }, results };
    });
  }

  /** `GET /v1/payments/search`: https://www.mercadopago.com.br/developers/en/reference/payments/_payments_search/get */
  search(request: MercadoPagoRequest): MercadoPagoEndpoint {
    const parsed = searchQuery.safeParse(Object.fromEntries(request.query));
    return {
      summary: {
        ...NO_PAYMENT,
        operation: 'inquiry',
        reference: ownReference(request.query.get('external_reference') ?? '') || null,
      },
      check: (account) => {
        if (!parsed.success) return invalidBody(parsed.error);
        const query = parsed.data;
        return reply(() => {
          const found = this.visible(request, account).filter((charge) => this.matches(query, charge));
          const sorted = query.criteria === 'asc' ? found.toReversed() : found;
          const { limit, offset } = query;
          const page = sorted.slice(offset, offset + limit);
          const results = page.map((charge) => paymentObject(charge, this.showing));
          return { status: 200, body: { paging: { total: found.length, limit, offset }, results } };
        });
      },
    };
  }

  /** `GET /users/me`: the account of the access token. */
  me(): MercadoPagoEndpoint {
    return {
      summary: NO_PAYMENT,
      check: (account) =>
        reply(() => ({
          status: 200,
          body: { id: userIdOf(account), nickname: 'LOJA', site_id: 'MLB', country_id: 'BR', status: {} },
        })),
    };
  }

  /** `GET /v1/payment_methods`: mock `payment_methods_list_all` of mercadopago/sdk-python. */
  paymentMethods(): MercadoPagoEndpoint {
    const method = (id: string, name: string, payment_type_id: string) => ({
      id,
      name,
      payment_type_id,
      status: 'active',
    });
    const cards = [
      ['visa', 'Visa'],
      ['master', 'Mastercard'],
      ['elo', 'Elo'],
      ['amex', 'American Express'],
      ['hipercard', 'Hipercard'],
    ] as const;
    const body = [
      ...cards.map(([id, name]) => method(id, name, 'credit_card')),
      method('pix', 'PIX', 'bank_transfer'),
      method('bolbradesco', 'Boleto', 'ticket'),
    ];
    return { summary: NO_PAYMENT, check: () => reply(() => ({ status: 200, body })) };
  }

  private one(
    { gateway }: MercadoPagoRequest,
    id: string,
    render: (charge: StoredCharge) => object | null,
  ): MercadoPagoEndpoint {
    return this.shown(this.payments.find(gateway, id), render);
  }

  private shown(
    charge: StoredCharge | null,
    render: (charge: StoredCharge) => object | null,
  ): MercadoPagoEndpoint {
    return {
      summary: { operation: 'inquiry', amount: null, reference: charge?.reference ?? null },
      check: (account) =>
        reply(() => {
          if (!isVisible(this.core, account, charge)) return PAYMENT_NOT_FOUND;
          const body = render(this.core.store.find(charge.gateway, charge.id) ?? charge);
          return body === null ? REFUND_NOT_FOUND : { status: 200, body };
        }),
    };
  }

  private matches({ external_reference, status, ...query }: SearchQuery, charge: StoredCharge): boolean {
    const created = createdAt(charge);
    return (
      (external_reference === undefined || paymentDataOf(charge).external_reference === external_reference) &&
      (status === undefined || stateOf(charge, this.showing.disputed.has(charge.id)).status === status) &&
      created >= instantOf(query.begin_date, -Infinity) &&
      created <= instantOf(query.end_date, Infinity)
    );
  }

  /** Newest first. */
  private visible({ gateway }: MercadoPagoRequest, account: string): StoredCharge[] {
    const indexed = Date.now() - this.searchLagMs;
    return this.core.store
      .newestFirst(gateway)
      .filter((charge) => createdAt(charge) <= indexed && isVisible(this.core, account, charge));
  }
}

const REFUND_NOT_FOUND: SimulatorResponse = errorOf(404, { code: 2032, description: 'Refund not found' });

const createdAt = ({ operations: [first] }: StoredCharge): number => Date.parse(first?.at ?? '');

const UNIT_MS: Readonly<Record<string, number>> = {
  HOUR: 3_600_000,
  DAY: 86_400_000,
  WEEK: 7 * 86_400_000,
  MONTH: 30 * 86_400_000,
  YEAR: 365 * 86_400_000,
};

/** The page on the search: an instant, `NOW`, or `NOW-30DAYS`. */
function instantOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const [, count = '0', unit = 'DAY'] = /^NOW(?:-(\d+)(HOUR|DAY|WEEK|MONTH|YEAR)S?)?$/.exec(text) ?? [];
  if (text.startsWith('NOW')) return Date.now() - Number(count) * (UNIT_MS[unit] ?? 0);
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? otherwise : instant;
}
