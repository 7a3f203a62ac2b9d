import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { PreparedWork, SimulatorCore, WorkResult } from '../adapter';
import { type AdyenEndpoint, type AdyenRequest, type AdyenWork, isWork } from './endpoint';
import { errorOfStatus, inProgress, serviceError } from './errors';
import { modificationObject, paymentObject } from './payment-object';

const MAX_KEY_CHARACTERS = 64;
/** "Valid for a minimum period of 31 days after first submission." */
const WINDOW_MS = 31 * 24 * 60 * 60 * 1000;
const MAX_STORED = 10_000;

/**
 * Adyen's rules for `Idempotency-Key` (https://docs.adyen.com/development-resources/api-idempotency): the first answer is
 * repeated; a request whose first one is not finished is 422 with 704. The description of `RequestedTestErrorResponseCode` in
 * Adyen/adyen-openapi: an error that is not transient is the final answer to its key, and after a transient one the key is new.
 * Not documented, and answered here: another body with the same key (the first answer); an invalid request is not kept.
 */
export class AdyenCalls {
  private readonly errors = new Map<string, SimulatorResponse>();

  constructor(private readonly core: SimulatorCore) {}

  prepare(request: AdyenRequest, endpoint: AdyenEndpoint, account: string, behavior: Behavior): PreparedWork {
    const { gateway, idempotencyKey } = request;
    const key = behavior.ignore_idempotency === true ? null : idempotencyKey;
    const earlier = key === null ? null : this.answerWithoutWork(request, key);
    if (earlier !== null) return answered(earlier, request);
    const work = endpoint.check(account);
    if (!isWork(work)) return answered(work, request);
    return {
      run: () => this.run(request, work, { account, behavior, key }),
      fail: (status) => this.fail(request, key, status),
      finish: this.core.inFlight.begin({
        gateway,
        reference: work.reference,
        chargeId: work.chargeId,
        idempotencyKey: key,
      }),
    };
  }

  private run(
    request: AdyenRequest,
    work: AdyenWork,
    { account, behavior, key }: { account: string; behavior: Behavior; key: string | null },
  ): WorkResult {
    // What goes to no recipient is the platform's.
    const rules = { partialSplits: true };
    const result = work.run({ gateway: request.gateway, account, idempotencyKey: key, behavior, ...rules });
    if ('response' in result) return { response: withKey(result.response, request) };
    const { charge, operation } = result.commit;
    return {
      response: withKey(this.answerTo(result.shown), request),
      charge,
      // A pending one is announced when it has its result.
      announced: operation.pending === undefined,
    };
  }

  /** The error of a script. */
  private fail(request: AdyenRequest, key: string | null, status: number): SimulatorResponse {
    const response = errorOfStatus(status);
    if (key !== null && status >= 500 && response.headers === undefined) {
      this.errors.set(`${request.gateway} ${key}`, response);
      const [oldest] = this.errors.keys();
      if (this.errors.size > MAX_STORED && oldest !== undefined) this.errors.delete(oldest);
    }
    return withKey(response, request);
  }

  /** The answer to a known key; null if the request is to be processed. */
  private answerWithoutWork({ gateway }: AdyenRequest, key: string): SimulatorResponse | null {
    if (key.length > MAX_KEY_CHARACTERS)
      return serviceError(422, '702', `Idempotency-Key: at most ${MAX_KEY_CHARACTERS} characters`);
    if (this.core.inFlight.hasKey(gateway, key)) return inProgress();
    const committed = this.core.store.withKey(gateway, key, new Date(), WINDOW_MS);
    return committed === null ? (this.errors.get(`${gateway} ${key}`) ?? null) : this.answerTo(committed);
  }

  private answerTo(commit: SimulatorCommit): SimulatorResponse {
    const { operation } = commit.operation;
    return operation === 'charge' || operation === 'authorize'
      ? { status: 200, body: paymentObject(commit, this.core.origin) }
      : { status: 201, body: modificationObject(commit) };
  }
}

/** An answer that needs no work. */
function answered(response: SimulatorResponse, request: AdyenRequest): PreparedWork {
  return {
    run: () => ({ response: withKey(response, request) }),
    fail: (status) => withKey(errorOfStatus(status), request),
    finish: () => undefined,
  };
}

/** "Present if the key was provided in the request." */
function withKey(response: SimulatorResponse, { idempotencyKey }: AdyenRequest): SimulatorResponse {
  return idempotencyKey === null
    ? response
    : { ...response, headers: { ...response.headers, 'idempotency-key': idempotencyKey } };
}
