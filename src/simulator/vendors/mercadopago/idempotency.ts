import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { PreparedWork, SimulatorCore, WorkResult } from '../adapter';
import { isWork, type MercadoPagoEndpoint, type MercadoPagoRequest, type MercadoPagoWork } from './endpoint';
import { errorOf, KEY_LOCKED, KEY_MISSING } from './errors';
import { paymentObject, refundObject, type Shown } from './payment-object';

/**
 * Mercado Pago's rules for `X-Idempotency-Key`. "If the payment has already been created, your information is returned without
 * creating a new payment" (https://www.mercadopago.com.br/developers/en/docs/wallet-connect/payment-flow/idempotency), a
 * declined one included; an answer that created nothing is not kept. A repeated refund is answered with 200 and without
 * content: measured at the real API on 2026-09-15 (public notes of probe 22 in a repository about payments). Not documented,
 * and answered here: another body with the same key (the first result), and how long a key is known (24 hours).
 */
export class MercadoPagoKeys {
  constructor(
    private readonly core: SimulatorCore,
    private readonly showing: Shown,
  ) {}

  prepare(
    request: MercadoPagoRequest,
    endpoint: MercadoPagoEndpoint,
    account: string,
    behavior: Behavior,
  ): PreparedWork {
    const { gateway, method, idempotencyKey } = request;
    // Before everything else: the same notes, probe 18.
    if (endpoint.needsKey === true && idempotencyKey === null) return answered(KEY_MISSING);
    const key = method === 'GET' || behavior.ignore_idempotency === true ? null : idempotencyKey;
    const earlier = key === null ? null : this.answerWithoutWork(request, key);
    if (earlier !== null) return answered(earlier);
    const work = endpoint.check(account);
    if (!isWork(work)) return answered(work);
    return {
      run: () => this.run(request, work, { account, behavior, key }),
      fail: (status) => errorOf(status),
      finish: this.core.inFlight.begin({
        gateway,
        reference: work.reference,
        chargeId: work.chargeId,
        idempotencyKey: key,
      }),
    };
  }

  private run(
    request: MercadoPagoRequest,
    work: MercadoPagoWork,
    { account, behavior, key }: { account: string; behavior: Behavior; key: string | null },
  ): WorkResult {
    const { gateway } = request;
    const result = work.run({ gateway, account, idempotencyKey: key, behavior });
    if ('response' in result) return { response: result.response };
    const { charge, operation } = result.commit;
    // A pending one is announced when it has its result.
    return {
      response: this.answerTo(result.shown, request),
      charge,
      announced: operation.pending === undefined,
    };
  }

  /** The answer to a known key; null if the request is to be processed. */
  private answerWithoutWork(request: MercadoPagoRequest, key: string): SimulatorResponse | null {
    const { gateway } = request;
    if (this.core.inFlight.hasKey(gateway, key)) return KEY_LOCKED;
    const committed = this.core.store.withKey(gateway, key, new Date());
    if (committed === null) return null;
    if (committed.operation.operation === 'refund') return { status: 200, body: {} };
    return { ...this.answerTo(committed, request), status: 200 };
  }

  /** 201 also for a declined payment (page on the states): `status` tells it. */
  private answerTo({ charge, operation }: SimulatorCommit, request: MercadoPagoRequest): SimulatorResponse {
    if (operation.operation === 'refund') return { status: 201, body: refundObject(charge, operation) };
    const isNew = operation.operation === 'charge' || operation.operation === 'authorize';
    return { status: isNew ? 201 : 200, body: paymentObject(charge, this.showing, request.expands) };
  }
}

/** An answer that needs no work. */
function answered(response: SimulatorResponse): PreparedWork {
  return { run: () => ({ response }), fail: (status) => errorOf(status), finish: () => undefined };
}
