import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { Journal } from './journal';
import type { ScriptedOperation } from './scripts';
import { type Recurring, transactionOf } from '../gateways/simulator/wire';

/** The HTTP status, or how the answer was lost; null while there is none. */
export type Answered = number | 'dropped' | 'hung' | null;

export interface ReceivedRequest {
  readonly time: string;
  readonly gateway: GatewaySlug;
  readonly operation: ScriptedOperation;
  readonly amount: number | null;
  readonly idempotency_key: string | null;
  readonly reference: string;
  /** Of a charge on a card on file. */
  readonly recurring?: Recurring;
}

export type LoggedRequest = ReceivedRequest & { answered: Answered };

type RequestLine =
  { readonly received: ReceivedRequest } | { readonly number: number; readonly answered: Answered };

/** Every request received for a payment, in order, whatever became of it. */
export class RequestLog {
  private readonly requests: LoggedRequest[] = [];
  private readonly byTransaction = new Map<string, LoggedRequest[]>();
  private readonly journal: Journal<RequestLine>;

  constructor(path: string) {
    this.journal = Journal.open<RequestLine>(path, (line) => {
      if ('received' in line) this.remember(line.received);
      else this.settle(line.number, line.answered);
    });
    // Whoever waited for an answer when the process ended saw the connection close.
    for (const request of this.requests) request.answered ??= 'dropped';
  }

  /** Logs a request and returns the function that logs how it was answered. */
  received(request: ReceivedRequest): (answered: Answered) => void {
    this.journal.append({ received: request });
    const number = this.remember(request);
    return (answered) => {
      this.journal.append({ number, answered });
      this.settle(number, answered);
    };
  }

  all(): readonly LoggedRequest[] {
    return this.requests;
  }

  ofTransaction(transactionId: string): readonly LoggedRequest[] {
    return this.byTransaction.get(transactionOf(transactionId)) ?? [];
  }

  close(): void {
    this.journal.close();
  }

  private remember(received: ReceivedRequest): number {
    const request: LoggedRequest = { ...received, answered: null };
    const transaction = transactionOf(received.reference);
    const known = this.byTransaction.get(transaction);
    if (known === undefined) this.byTransaction.set(transaction, [request]);
    else known.push(request);
    return this.requests.push(request) - 1;
  }

  private settle(number: number, answered: Answered): void {
    const request = this.requests[number];
    if (request !== undefined) request.answered = answered;
  }
}
