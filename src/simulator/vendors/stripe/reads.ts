import type { z } from 'zod';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { expandedRefund } from './answers';
import { chargeObject, latestChargeOf } from './charge-object';
import { NO_PAYMENT, reply, type StripeEndpoint, type StripeRequest } from './endpoint';
import { invalidParameters, invalidRequest, missing } from './errors';
import { chargeIdOf, refundedChargeOf } from './ids';
import { intentObject } from './intent-object';
import { isCreatedIn, pageOf, referenceInQuery, searchMatcher, searchPage } from './lists';
import { listParams, retrieveParams, searchParams } from './parameters';
import { refundObject, refundsOf, type StripeObject } from './refund-object';

/** The endpoints that only read. They show the charges of the secret key's account. */
export class StripeReads {
  constructor(
    private readonly core: SimulatorCore,
    /** How long the search does not know a new PaymentIntent, in ms. */
    private readonly searchLagMs: number,
  ) {}

  /** `GET /v1/payment_intents/{id}` */
  intent(request: StripeRequest, id: string): StripeEndpoint {
    return this.one(
      request,
      { kind: 'payment_intent', param: 'intent', id },
      chargeIdOf('pi', id),
      (charge, expand) => intentObject(charge, expand, this.core.origin),
    );
  }

  /** `GET /v1/charges/{id}` */
  charge(request: StripeRequest, id: string): StripeEndpoint {
    return this.one(
      request,
      { kind: 'charge', param: 'charge', id },
      chargeIdOf('ch', id),
      (charge, expand) => (latestChargeOf(charge) === null ? null : chargeObject(charge, expand)),
    );
  }

  /** `GET /v1/refunds/{id}` */
  refund(request: StripeRequest, id: string): StripeEndpoint {
    const named = refundedChargeOf(id);
    const object = { kind: 'refund', param: 'refund', id };
    return this.one(request, object, named?.chargeId ?? null, (charge, expand) => {
      const refund = refundObject(charge, named?.position ?? -1);
      return refund === null ? null : expandedRefund(refund, { charge, expand, origin: this.core.origin });
    });
  }

  /** `GET /v1/payment_intents`: without the search's delay. */
  intents(request: StripeRequest): StripeEndpoint {
    return this.list(request, '/v1/payment_intents', null, (charge, expand) => [
      intentObject(charge, expand, this.core.origin),
    ]);
  }

  /** `GET /v1/charges` */
  charges(request: StripeRequest): StripeEndpoint {
    return this.list(request, '/v1/charges', this.filteredCharge(request), (charge, expand) =>
      latestChargeOf(charge) === null ? [] : [chargeObject(charge, expand)],
    );
  }

  /** `GET /v1/refunds` */
  refunds(request: StripeRequest): StripeEndpoint {
    return this.list(request, '/v1/refunds', this.filteredCharge(request), (charge, expand) =>
      refundsOf(charge).map((refund) => expandedRefund(refund, { charge, expand, origin: this.core.origin })),
    );
  }

  /** `GET /v1/payment_intents/search`: https://docs.stripe.com/search#data-freshness */
  search(request: StripeRequest): StripeEndpoint {
    const reference = referenceInQuery(request.params.query);
    return {
      summary: { operation: 'inquiry', amount: null, reference },
      check: (account) =>
        this.checked(searchParams, request, (params) => {
          const matches = searchMatcher(params.query);
          if (matches === null) {
            return invalidRequest('The fake understands metadata, status and currency only.', {
              param: 'query',
            });
          }
          const indexed = Date.now() - this.searchLagMs;
          const found = this.readable(request, account).filter(
            (charge) => Date.parse(charge.operations[0]?.at ?? '') <= indexed && matches(charge),
          );
          const expand = inner(params.expand);
          return searchPage(
            found.map((charge) => intentObject(charge, expand, this.core.origin)),
            params,
          );
        }),
    };
  }

  /** `render` returns null if the charge has no such object. */
  private one(
    request: StripeRequest,
    { kind, param, id }: { kind: string; param: string; id: string },
    chargeId: string | null,
    render: (charge: StoredCharge, expand: readonly string[]) => StripeObject | null,
  ): StripeEndpoint {
    const find = (): StoredCharge | null =>
      chargeId === null ? null : this.core.store.find(request.gateway, chargeId);
    return {
      summary: { operation: 'inquiry', amount: null, reference: find()?.reference ?? null },
      check: (account) =>
        this.checked(retrieveParams, request, ({ expand }) => {
          const charge = find();
          const readable = charge !== null && this.core.accounts.canRead(account, charge.account);
          const body = readable ? render(charge, expand) : null;
          return body === null ? missing(kind, id, param) : { status: 200, body };
        }),
    };
  }

  /** A list of the objects that each charge has. `only` is the charge that a filter names. */
  private list(
    request: StripeRequest,
    url: string,
    only: { readonly charge: StoredCharge | null } | null,
    render: (charge: StoredCharge, expand: readonly string[]) => readonly StripeObject[],
  ): StripeEndpoint {
    return {
      summary: { operation: 'inquiry', amount: null, reference: only?.charge?.reference ?? null },
      check: (account) =>
        this.checked(listParams, request, (params) => {
          const expand = inner(params.expand);
          const objects = this.readable(request, account)
            .filter((charge) => only === null || charge.id === only.charge?.id)
            .flatMap((charge) => render(charge, expand))
            .filter(({ created }) => typeof created === 'number' && isCreatedIn(created, params.created));
          return pageOf(objects, params, url);
        }),
    };
  }

  /** The charge that `payment_intent` or `charge` names; null without such a filter. */
  private filteredCharge({
    gateway,
    params,
  }: StripeRequest): { readonly charge: StoredCharge | null } | null {
    const { payment_intent: intent, charge } = params;
    const id =
      typeof intent === 'string'
        ? chargeIdOf('pi', intent)
        : typeof charge === 'string'
          ? chargeIdOf('ch', charge)
          : undefined;
    return id === undefined ? null : { charge: id === null ? null : this.core.store.find(gateway, id) };
  }

  private checked<Params extends { expand: string[] }>(
    schema: z.ZodType<Params>,
    { params }: StripeRequest,
    respond: (params: Params) => SimulatorResponse,
  ) {
    const parsed = schema.safeParse(params);
    return parsed.success ? reply(() => respond(parsed.data)) : invalidParameters(parsed.error);
  }

  private readable({ gateway }: StripeRequest, account: string): StoredCharge[] {
    const all = this.core.store.newestFirst(gateway);
    return all.filter((charge) => this.core.accounts.canRead(account, charge.account));
  }
}

/** The paths below the items of a list: https://docs.stripe.com/expand#lists */
function inner(expand: readonly string[]): string[] {
  return expand.flatMap((path) => /^data\.(.+)$/.exec(path)?.[1] ?? []);
}

/** An answer that needs nothing of the core, for example `GET /v1/balance`. */
export function constant(body: StripeObject): StripeEndpoint {
  return { summary: NO_PAYMENT, check: () => reply(() => ({ status: 200, body })) };
}
