import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { OperationId } from '../../../src/http/server/operation';
import { expectStatus, type Answer, type ApiClient, type RequestOptions } from '../../api/support/api-client';

type MoneyOperation =
  | 'createCardPayment'
  | 'createPixPayment'
  | 'createBilletPayment'
  | 'capturePayment'
  | 'cancelPayment'
  | 'refundPayment';

/** A request that moves money: one key and one body, however often it is sent. */
export interface MoneyRequest {
  readonly operation: MoneyOperation;
  /** The payment it is about; not for a creation. */
  readonly transactionId?: string;
  readonly body?: object;
  readonly key: string;
}

/** What a request came to. `reason` is the error's code. */
export type Result =
  | { readonly status: 200; readonly payment: PaymentBody; readonly replayed: boolean }
  | {
      readonly status: 409 | 422;
      readonly reason: string;
      readonly body: object;
      readonly replayed: boolean;
    };

type AnyAnswer = { readonly status: number; readonly body: unknown };

interface Answered {
  readonly request: MoneyRequest;
  readonly result: Result;
}

const SEND_AGAIN_AFTER_MS = 150;
const PATIENCE_MS = 18_000;
const RESULT_WITHIN_MS = 180_000;
/** What a client's own side of a broken connection is called. */
const CONNECTION_TROUBLE: ReadonlySet<string> = new Set(['TypeError', 'TimeoutError', 'AbortError']);

export function newKey(): string {
  return randomUUID();
}

/** A shop's backend: it sends with an idempotency key, and sends the same again until it knows what came of it. */
export class Backend {
  /** Every request that has its result. */
  readonly answered: Answered[] = [];

  constructor(private readonly client: ApiClient) {}

  /** Sends until there is a result. Throws on an answer that a shop must never get. */
  async send(request: MoneyRequest): Promise<Result> {
    const result = await this.insist(request.operation, () => this.sendOnce(request));
    this.answered.push({ request, result });
    return result;
  }

  /** Asks, until there is an answer with this status, for what may be asked for twice. */
  ask<Id extends OperationId, Status extends number>(
    id: Id,
    status: Status,
    options: RequestOptions = {},
  ): Promise<Extract<Answer<Id>, { readonly status: Status }>['body']> {
    return this.insist(id, async () => {
      const answer = (await this.client(id, { ...options, signal: patience() })) as AnyAnswer;
      if (answer.status === 503) return 'not now';
      return expectStatus(answer, status).body as Extract<Answer<Id>, { readonly status: Status }>['body'];
    });
  }

  find(transactionId: string): Promise<PaymentBody> {
    return this.ask('getPayment', 200, { params: { id: transactionId } });
  }

  /** Sends every request once more and tells, in words, which is not answered as before. */
  async sendEverythingAgain(): Promise<string[]> {
    const violations: string[] = [];
    const rest = [...this.answered];
    const sender = async (): Promise<void> => {
      for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
        violations.push(...(await this.sendAgain(next)));
      }
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    return violations;
  }

  private async sendAgain({ request, result }: Answered): Promise<string[]> {
    const again = await this.insist(request.operation, () => this.sendOnce(request));
    const { operation, transactionId = '', key } = request;
    if (sameAnswer(result, again)) return [];
    // A refusal before anything was made of the request leaves its key free: what the state allows by now is done.
    if (result.status === 409 && !again.replayed) return [];
    return [
      `${operation} ${transactionId} with the key ${key} was answered ${JSON.stringify(result)}, ` +
        `sent again ${JSON.stringify(again)}`,
    ];
  }

  private async insist<T>(what: string, ask: () => Promise<T | 'not now'>): Promise<T> {
    const deadline = Date.now() + RESULT_WITHIN_MS;
    while (Date.now() < deadline) {
      try {
        const answer = await ask();
        if (answer !== 'not now') return answer;
      } catch (error) {
        if (!(error instanceof Error) || !CONNECTION_TROUBLE.has(error.name)) throw error;
      }
      await delay(SEND_AGAIN_AFTER_MS);
    }
    throw new Error(`${what}: no result within ${RESULT_WITHIN_MS / 1000} s`);
  }

  private async sendOnce({ operation, transactionId, body, key }: MoneyRequest): Promise<Result | 'not now'> {
    const options: RequestOptions = {
      headers: { 'Idempotency-Key': key },
      signal: patience(),
      ...(body === undefined ? {} : { body }),
      ...(transactionId === undefined ? {} : { params: { id: transactionId } }),
    };
    // All of them answer alike: a payment, or an error.
    const answer = await this.client(operation, options);
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    if (answer.status === 200) return { status: 200, payment: answer.body, replayed };
    if (answer.status === 202 || answer.status === 503) return 'not now';
    if (answer.status === 409 || answer.status === 422) {
      return { status: answer.status, reason: answer.body.code, body: answer.body, replayed };
    }
    throw new Error(`${operation} ${transactionId ?? ''} was answered ${JSON.stringify(answer)}`);
  }
}

function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}

/** A result is kept word by word; a request that was refused before it was taken on is judged anew, by what is true now. */
function sameAnswer(first: Result, again: Result): boolean {
  if (first.status === 200) {
    return again.status === 200 && again.replayed && isSame(first.payment, again.payment);
  }
  if (again.status === 200) return false;
  return first.reason !== 'gateway_refused' || (again.replayed && isSame(first.body, again.body));
}

function isSame(first: object, again: object): boolean {
  return JSON.stringify(withoutRequestId(first)) === JSON.stringify(withoutRequestId(again));
}

function withoutRequestId(body: object): object {
  return { ...body, request_id: null };
}
