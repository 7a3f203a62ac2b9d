import { createHash, randomBytes } from 'node:crypto';
import { REPLAY_WINDOW_MS } from '../../../gateways/simulator/profiles';
import type { SimulatorCommit } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import type { PreparedWork, SimulatorCore, WorkResult } from '../adapter';
import { answerTo } from './answers';
import {
  API_VERSION,
  expandOf,
  isWork,
  type StripeEndpoint,
  type StripeRequest,
  type StripeWork,
} from './endpoint';
import { errorOfStatus, errorResponse, invalidRequest } from './errors';
import type { FormValue } from './form';
import { requestHashOf } from './record';

interface StoredAnswer {
  readonly hash: string;
  readonly response: SimulatorResponse;
  /** Epoch ms. */
  readonly at: number;
}

const MAX_KEY_CHARACTERS = 255;
const MAX_STORED = 10_000;

/**
 * Stripe's rules for `Idempotency-Key` (https://docs.stripe.com/api/idempotent_requests): the first answer is repeated for 24
 * hours, errors and 500s included; other parameters are an error; nothing is stored of a request that failed validation, or
 * whose key was in use. An answer that committed something is made again from the journal, so it survives a restart; the
 * others are kept in memory.
 */
export class IdempotentCalls {
  private readonly answers = new Map<string, StoredAnswer>();

  constructor(private readonly core: SimulatorCore) {}

  prepare(
    request: StripeRequest,
    endpoint: StripeEndpoint,
    account: string,
    behavior: Behavior,
  ): PreparedWork {
    const key =
      request.method === 'POST' && behavior.ignore_idempotency !== true ? request.idempotencyKey : null;
    const earlier = key === null ? null : this.answerWithoutWork(request, key);
    if (earlier !== null) return answered(earlier, request);
    const work = endpoint.check(account);
    if (!isWork(work)) return answered(work, request);
    const hash = hashOf(request);
    return {
      run: () => this.run(request, work, { account, behavior, key, hash }),
      fail: (status) => {
        const response = errorOfStatus(status);
        // An error in front of the API, for example a 503 or a 429, is no answer of the endpoint.
        if (status === 500) this.store(request, key, hash, response);
        return withHeaders(response, request);
      },
      finish: this.core.inFlight.begin({
        gateway: request.gateway,
        reference: work.reference,
        chargeId: work.chargeId,
        idempotencyKey: key,
      }),
    };
  }

  private run(
    request: StripeRequest,
    work: StripeWork,
    call: { account: string; behavior: Behavior; key: string | null; hash: string },
  ): WorkResult {
    const result = work.run({
      gateway: request.gateway,
      account: call.account,
      idempotencyKey: call.key,
      behavior: call.behavior,
      wireData: { request_hash: call.hash },
      partialSplits: true,
      cancelsDeclined: true,
    });
    if ('response' in result) {
      this.store(request, call.key, call.hash, result.response);
      const response = withHeaders(result.response, request);
      return result.answered === undefined ? { response } : { response, ...result.answered, announced: true };
    }
    return {
      response: withHeaders(this.answer(result.shown, request), request),
      charge: result.commit.charge,
      announced: true,
    };
  }

  /** The stored answer to a key, or an error; null if the request is to be processed. */
  private answerWithoutWork(request: StripeRequest, key: string): SimulatorResponse | null {
    if (key.length > MAX_KEY_CHARACTERS) return invalidRequest('Idempotency key is too long.');
    const { gateway } = request;
    if (this.core.inFlight.hasKey(gateway, key)) return inProgress(key);
    const committed = this.core.store.withKey(gateway, key, new Date());
    const stored = this.answers.get(`${gateway} ${key}`);
    const fresh = stored !== undefined && Date.now() - stored.at < REPLAY_WINDOW_MS ? stored : null;
    const hash = committed === null ? fresh?.hash : requestHashOf(committed.operation);
    if (hash === undefined) return null;
    if (hash !== hashOf(request)) return otherParameters(key);
    const response = committed === null ? fresh?.response : this.answer(committed, request);
    return response === undefined ? null : replayed(response);
  }

  private answer(commit: SimulatorCommit, request: StripeRequest): SimulatorResponse {
    return answerTo(commit, expandOf(request.params), this.core.origin);
  }

  private store(request: StripeRequest, key: string | null, hash: string, response: SimulatorResponse): void {
    if (key === null) return;
    this.answers.set(`${request.gateway} ${key}`, { hash, response, at: Date.now() });
    const [oldest] = this.answers.keys();
    if (this.answers.size > MAX_STORED && oldest !== undefined) this.answers.delete(oldest);
  }
}

/** An answer that needs no work. */
function answered(response: SimulatorResponse, request: StripeRequest): PreparedWork {
  return {
    run: () => ({ response: withHeaders(response, request) }),
    fail: (status) => withHeaders(errorOfStatus(status), request),
    finish: () => undefined,
  };
}

function withHeaders(response: SimulatorResponse, { idempotencyKey }: StripeRequest): SimulatorResponse {
  const headers = {
    'request-id': `req_${randomBytes(7).toString('hex')}`,
    'stripe-version': API_VERSION,
    ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
  };
  return { ...response, headers: { ...headers, ...response.headers } };
}

function replayed(response: SimulatorResponse): SimulatorResponse {
  return { ...response, headers: { 'idempotent-replayed': 'true' } };
}

/** https://docs.stripe.com/error-codes#idempotency-key-in-use */
function inProgress(key: string): SimulatorResponse {
  const response = errorResponse(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Stripe Idempotency Key: ${key}. Please try again later.`,
  });
  return { ...response, headers: { 'stripe-should-retry': 'true' } };
}

function otherParameters(key: string): SimulatorResponse {
  return errorResponse(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

/** Of endpoint and parameters. A card's data is left out, because the hash is stored. */
function hashOf({ method, path, params }: StripeRequest): string {
  const text = JSON.stringify([method, path, params], (name, value: FormValue) =>
    name === 'card' && typeof value === 'object' && 'number' in value ? null : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
