import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { PreparedWork, SimulatorCore, WorkResult } from '../adapter';
import { chargeObject, orderObject, type Showing } from './charge-object';
import { isWork, type PagarmeEndpoint, type PagarmeRequest, type PagarmeWork } from './endpoint';
import { errorOfStatus } from './errors';
import { newRecipientObject } from './recipients';

/**
 * Pagar.me's rules for `Idempotency-Key` (https://docs.pagar.me/docs/o-que-é): for 24 hours a key stands for one transaction
 * with its result, a refusal of the issuer included. Not documented, and answered here: another body with the same key (the
 * first result), and a request while the first is in progress (409). An answer that created nothing is not kept.
 */
export class KeyedCalls {
  constructor(
    private readonly core: SimulatorCore,
    private readonly showing: Showing,
  ) {}

  prepare(
    request: PagarmeRequest,
    endpoint: PagarmeEndpoint,
    account: string,
    behavior: Behavior,
  ): PreparedWork {
    const { gateway, method, idempotencyKey } = request;
    const key = method === 'GET' || behavior.ignore_idempotency === true ? null : idempotencyKey;
    const earlier = key === null ? null : this.answerWithoutWork(request, key);
    if (earlier !== null) return answered(earlier);
    const work = endpoint.check(account);
    if (!isWork(work)) return answered(work);
    return {
      run: () => this.run(request, work, { account, behavior, key }),
      fail: errorOfStatus,
      finish: this.core.inFlight.begin({
        gateway,
        reference: work.reference,
        chargeId: work.chargeId,
        idempotencyKey: key,
      }),
    };
  }

  private run(
    { gateway }: PagarmeRequest,
    work: PagarmeWork,
    { account, behavior, key }: { account: string; behavior: Behavior; key: string | null },
  ): WorkResult {
    const result = work.run({
      gateway,
      account,
      idempotencyKey: key,
      behavior,
      // https://docs.pagar.me/page/api-v5-adição-do-fluxo-de-prova-de-vida: it may transact before its proof of life.
      pendingRecipients: true,
    });
    if ('response' in result) return { response: result.response };
    const { charge, operation } = result.commit;
    // A pending one is announced when it has its result.
    return { response: this.answerTo(result.shown), charge, announced: operation.pending === undefined };
  }

  /** The answer to a known key; null if the request is to be processed. */
  private answerWithoutWork({ gateway }: PagarmeRequest, key: string): SimulatorResponse | null {
    if (this.core.inFlight.hasKey(gateway, key))
      return { status: 409, body: { message: 'A request with this idempotency key is in progress.' } };
    const now = new Date();
    const committed = this.core.store.withKey(gateway, key, now);
    if (committed !== null) return this.answerTo(committed);
    const recipient = this.core.recipients.withKey(gateway, key, now);
    return recipient === null ? null : { status: 200, body: newRecipientObject(recipient) };
  }

  /** 200 also for a refused payment (recorded: `failed-authorize`): the order tells by its state. */
  private answerTo({ charge, operation: { operation } }: SimulatorCommit): SimulatorResponse {
    const isOrder = operation === 'charge' || operation === 'authorize';
    return { status: 200, body: (isOrder ? orderObject : chargeObject)(charge, this.showing) };
  }
}

/** An answer that needs no work. */
function answered(response: SimulatorResponse): PreparedWork {
  return { run: () => ({ response }), fail: errorOfStatus, finish: () => undefined };
}
