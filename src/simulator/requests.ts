import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { Journal } from './journal';
import type { ScriptedOperation } from './scripts';
import { transactionOf, type WireInitiation } from '../gateways/simulator/wire';

/** The HTTP status of the response, or how the response was lost; null while the request is open. */
export type RequestOutcome = number | 'dropped' | 'hung' | null;

export interface ReceivedRequest {
  readonly time: string;
  readonly gateway: GatewaySlug;
  readonly operation: ScriptedOperation;
  readonly amount: number | null;
  readonly idempotency_key: string | null;
  readonly reference: string;
  /** Set for a charge or authorization. */
  readonly initiation?: WireInitiation;
  /** What a charge or authorization told about the purchase, in the vendor's words. Lost at a restart. */
  readonly purchase?: object;
}

export type LoggedRequest = ReceivedRequest & { answered: RequestOutcome };

type RequestLine =
  | { readonly received: ReceivedRequest }
  | { readonly number: number; readonly answered: RequestOutcome };

/** All received requests in order, with their outcomes. */
export class RequestLog {
  private readonly requests: LoggedRequest[] = [];
  private readonly byTransaction = new Map<string, LoggedRequest[]>();
  private readonly journal: Journal<RequestLine>;

  constructor(path: string) {
    this.journal = Journal.open<RequestLine>(path, (line) => {
      if ('received' in line) this.index(line.received);
      else this.setOutcome(line.number, line.answered);
    });
    // The connections of open requests closed when the process ended.
    for (const request of this.requests) request.answered ??= 'dropped';
  }

  /** Logs a request and returns the function that logs its outcome. */
  recordReceived(request: ReceivedRequest): (answered: RequestOutcome) => void {
    // What it tells about the purchase is personal: only in memory.
    const { purchase: _personal, ...stored } = request;
    this.journal.append({ received: stored });
    const number = this.index(request);
    return (answered) => {
      this.journal.append({ number, answered });
      this.setOutcome(number, answered);
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

  private index(received: ReceivedRequest): number {
    const request: LoggedRequest = { ...received, answered: null };
    const transaction = transactionOf(received.reference);
    const known = this.byTransaction.get(transaction);
    if (known === undefined) this.byTransaction.set(transaction, [request]);
    else known.push(request);
    return this.requests.push(request) - 1;
  }

  private setOutcome(number: number, answered: RequestOutcome): void {
    const request = this.requests[number];
    if (request !== undefined) request.answered = answered;
  }
}
