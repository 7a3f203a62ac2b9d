import { setTimeout as delay } from 'node:timers/promises';

/** The result of one request: an HTTP response, or none because the connection broke or the client timed out. */
export type SendOutcome =
  | { readonly kind: 'none'; readonly reason: string; readonly at: number }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly text: string;
      readonly replayed: boolean;
      readonly retryAfter: string | null;
      readonly at: number;
      readonly tookMs: number;
    };

export type HttpOutcome = Extract<SendOutcome, { kind: 'http' }>;

export interface MerchantRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Longer than the API lets a caller wait. */
const REQUEST_TIMEOUT_MS = 18_000;
const RESEND_AFTER_MS = 150;
/** Longer than any test waits for a result, so that the test fails first and reports the outcomes. */
const STOP_RESENDING_AFTER_MS = 300_000;

/** Sends the request once. A broken connection is an outcome, not an error. */
export async function send({ method, url, headers = {}, body }: MerchantRequest): Promise<SendOutcome> {
  const startedAt = Date.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    return {
      kind: 'http',
      status: response.status,
      text,
      replayed: response.headers.get('idempotency-replayed') === 'true',
      retryAfter: response.headers.get('retry-after'),
      at: Date.now(),
      tookMs: Date.now() - startedAt,
    };
  } catch (error) {
    return { kind: 'none', reason: connectionErrorOf(error), at: Date.now() };
  }
}

/**
 * Resends after a connection error, a timeout, a 202 or a 5xx until the response is final or `signal` aborts. Appends
 * every outcome to `outcomes` and returns the last one.
 */
export async function sendUntilFinal(
  sendOnce: () => Promise<SendOutcome>,
  outcomes: SendOutcome[] = [],
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const deadline = Date.now() + STOP_RESENDING_AFTER_MS;
  for (;;) {
    const outcome = await sendOnce();
    outcomes.push(outcome);
    if (isFinal(outcome) || signal?.aborted === true || Date.now() > deadline) return outcome;
    await delay(RESEND_AFTER_MS);
  }
}

/** Sends until the response is final and returns its body. Throws if its status is another one. */
export async function expectResponse<T>(request: MerchantRequest, status: number): Promise<T> {
  const outcome = await sendUntilFinal(() => send(request));
  if (outcome.kind === 'none' || outcome.status !== status) {
    throw new Error(`${request.method} ${request.url}: ${describeOutcome(outcome)}`);
  }
  return JSON.parse(outcome.text) as T;
}

/** The first 200. Every later request with the same idempotency key must get the same response. */
export function successIn(outcomes: readonly SendOutcome[]): HttpOutcome | undefined {
  return outcomes.find(
    (outcome): outcome is HttpOutcome => outcome.kind === 'http' && outcome.status === 200,
  );
}

/** Whether the last outcome is a 4xx, after which the merchant stops resending. */
export function isRejected(outcomes: readonly SendOutcome[]): boolean {
  const last = outcomes.at(-1);
  return last?.kind === 'http' && last.status >= 400 && last.status < 500;
}

/** The number of outcomes and the last three of them. */
export function describeOutcomes(outcomes: readonly SendOutcome[]): string {
  const last = outcomes.slice(-3).map(describeOutcome);
  return outcomes.length === 0
    ? 'no response yet'
    : `${outcomes.length} responses, the last: ${last.join(', ')}`;
}

export function describeOutcome(outcome: SendOutcome): string {
  return outcome.kind === 'none'
    ? `none (${outcome.reason})`
    : `${outcome.status} ${outcome.text.slice(0, 300)}`;
}

function isFinal(outcome: SendOutcome): boolean {
  return outcome.kind === 'http' && outcome.status !== 202 && outcome.status < 500;
}

/** The message of `fetch` is only "fetch failed"; its cause has the error code of the system. */
function connectionErrorOf(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}
