import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { RouteId } from '../../../src/http/server/route';
import {
  expectStatus,
  type RouteAnswer,
  type ApiClient,
  type RequestOptions,
} from '../../api/support/api-client';

type PaymentRoute =
  | 'createCardPayment'
  | 'createPixPayment'
  | 'createBilletPayment'
  | 'capturePayment'
  | 'cancelPayment'
  | 'refundPayment';

/** A request that moves money. Every send uses the same idempotency key and body. */
export interface PaymentRouteRequest {
  readonly route: PaymentRoute;
  /** The payment of an operation; undefined for a creation. */
  readonly transactionId?: string;
  readonly body?: object;
  readonly key: string;
}

/** The final response to a request. `reason` is the error code. */
export type PaymentRouteResult =
  | { readonly status: 200; readonly payment: PaymentBody; readonly replayed: boolean }
  | {
      readonly status: 409 | 422;
      readonly reason: string;
      readonly body: object;
      readonly replayed: boolean;
    };

type UntypedAnswer = { readonly status: number; readonly body: unknown };

interface CompletedRequest {
  readonly request: PaymentRouteRequest;
  readonly result: PaymentRouteResult;
}

const RESEND_AFTER_MS = 150;
const REQUEST_TIMEOUT_MS = 18_000;
const RESULT_WITHIN_MS = 180_000;
const CONCURRENT_RESENDS = 8;
/** The names of the errors that `fetch` throws for a broken connection or a timeout. */
const CONNECTION_ERRORS: ReadonlySet<string> = new Set(['TypeError', 'TimeoutError', 'AbortError']);

export function newKey(): string {
  return randomUUID();
}

/**
 * A merchant's backend on the client of the API tests, which checks every response against the contract. It sends with
 * an idempotency key, and resends until it has the result.
 */
export class MerchantBackend {
  /** Every request that has a result. */
  readonly completed: CompletedRequest[] = [];

  /** `resultWithinMs`: how long an outcome may stay unknown. */
  constructor(
    private readonly client: ApiClient,
    private readonly resultWithinMs = RESULT_WITHIN_MS,
  ) {}

  /** Sends until there is a result. Throws on a response that a merchant must never get. */
  async send(request: PaymentRouteRequest): Promise<PaymentRouteResult> {
    const result = await this.retryUntilResult(request.route, () => this.sendOnce(request));
    this.completed.push({ request, result });
    return result;
  }

  /** Sends a request that may be repeated until there is a response other than 503. Throws unless it has this status. */
  call<Id extends RouteId, Status extends number>(
    id: Id,
    status: Status,
    options: RequestOptions = {},
  ): Promise<Extract<RouteAnswer<Id>, { readonly status: Status }>['body']> {
    return this.retryUntilResult(id, async () => {
      const answer = (await this.client(id, { ...options, signal: requestTimeout() })) as UntypedAnswer;
      if (answer.status === 503) return 'retry';
      return expectStatus(answer, status).body as Extract<
        RouteAnswer<Id>,
        { readonly status: Status }
      >['body'];
    });
  }

  /** Sends a request that may be repeated until there is a response other than 202 and 503. */
  callAny<Id extends RouteId>(id: Id, options: RequestOptions = {}): Promise<RouteAnswer<Id>> {
    return this.retryUntilResult(id, async () => {
      const answer = await this.client(id, { ...options, signal: requestTimeout() });
      const { status } = answer as UntypedAnswer;
      return status === 202 || status === 503 ? 'retry' : answer;
    });
  }

  find(transactionId: string): Promise<PaymentBody> {
    return this.call('getPayment', 200, { params: { id: transactionId } });
  }

  /** Sends every completed request once more. Returns descriptions of the results that differ from the first ones. */
  async resendAll(): Promise<string[]> {
    const violations: string[] = [];
    const remaining = [...this.completed];
    const sender = async (): Promise<void> => {
      for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) {
        violations.push(...(await this.resend(next)));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_RESENDS }, sender));
    return violations;
  }

  private async resend({ request, result }: CompletedRequest): Promise<string[]> {
    const again = await this.retryUntilResult(request.route, () => this.sendOnce(request));
    const { route, transactionId = '', key } = request;
    if (isSameResult(result, again)) return [];
    // Neither is recorded under the key: the state may allow the request now, for example once another refund has failed.
    const isUnrecorded =
      result.status !== 200 && (result.status === 409 || result.reason === 'validation_error');
    if (isUnrecorded && !again.replayed) return [];
    if (!again.replayed && (await this.wasRefusedUnsent(request, result, again))) return [];
    return [
      `${route} ${transactionId} with the key ${key} got ${JSON.stringify(result)}; ` +
        `resent, it got ${JSON.stringify(again)}`,
    ];
  }

  /** Whether the gateway's capabilities refused an operation, so that nothing was sent or recorded, either time. */
  private async wasRefusedUnsent(
    { route, transactionId }: PaymentRouteRequest,
    first: PaymentRouteResult,
    again: PaymentRouteResult,
  ): Promise<boolean> {
    if (route !== 'cancelPayment' || transactionId === undefined) return false;
    if (first.status !== 422 || again.status !== 422 || !isSameBody(first.body, again.body)) return false;
    const { transactions } = await this.find(transactionId);
    return !transactions.some(({ operation }) => operation === 'cancel');
  }

  private async retryUntilResult<T>(what: string, attempt: () => Promise<T | 'retry'>): Promise<T> {
    const deadline = Date.now() + this.resultWithinMs;
    while (Date.now() < deadline) {
      try {
        const result = await attempt();
        if (result !== 'retry') return result;
      } catch (error) {
        if (!(error instanceof Error) || !CONNECTION_ERRORS.has(error.name)) throw error;
      }
      await delay(RESEND_AFTER_MS);
    }
    throw new Error(`${what}: no result within ${this.resultWithinMs / 1000} s`);
  }

  private async sendOnce({
    route,
    transactionId,
    body,
    key,
  }: PaymentRouteRequest): Promise<PaymentRouteResult | 'retry'> {
    const options: RequestOptions = {
      headers: { 'Idempotency-Key': key },
      signal: requestTimeout(),
      ...(body === undefined ? {} : { body }),
      ...(transactionId === undefined ? {} : { params: { id: transactionId } }),
    };
    const answer = await this.client(route, options);
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    if (answer.status === 200) return { status: 200, payment: answer.body, replayed };
    if (answer.status === 202 || answer.status === 503) return 'retry';
    if (answer.status === 409 || answer.status === 422) {
      return { status: answer.status, reason: answer.body.code, body: answer.body, replayed };
    }
    throw new Error(`${route} ${transactionId ?? ''} got ${JSON.stringify(answer)}`);
  }
}

function requestTimeout(): AbortSignal {
  return AbortSignal.timeout(REQUEST_TIMEOUT_MS);
}

/** A recorded result is replayed unchanged. A request that was rejected before it was recorded is validated again. */
function isSameResult(first: PaymentRouteResult, again: PaymentRouteResult): boolean {
  if (first.status === 200) {
    return again.status === 200 && again.replayed && isSameBody(first.payment, again.payment);
  }
  if (again.status === 200) return false;
  return first.reason !== 'gateway_refused' || (again.replayed && isSameBody(first.body, again.body));
}

function isSameBody(first: object, again: object): boolean {
  return JSON.stringify(withoutRequestId(first)) === JSON.stringify(withoutRequestId(again));
}

function withoutRequestId(body: object): object {
  return { ...body, request_id: null };
}
