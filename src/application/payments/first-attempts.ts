import { setTimeout as delay } from 'node:timers/promises';
import type { HttpAnswer } from '../../domain/shared/http-answer';
import { FIRST_TASK_TIMEOUT_MS, type PaymentToStart, type PaymentWorkflows } from '../../temporal/payments';

/** More payments than a process can make at once. The others are left to the workers. */
const MAX_PAYMENTS = 10_000;

type Starter = Pick<PaymentWorkflows, 'startHere'>;

interface Caller {
  readonly answered: Promise<HttpAnswer | null>;
  readonly end: (answer: HttpAnswer | null) => void;
}

/**
 * Makes the first attempts of payments in this process, and answers their callers as soon as the results are committed,
 * before Temporal hears of them. It holds nothing that must survive the process: a caller who is not answered here gets
 * the result from the workflow, which any worker can take over (docs/decisions/first-attempts.md).
 */
export class FirstAttempts {
  /** By transaction id. */
  private readonly callers = new Map<string, Caller>();

  /** @param findStarter what starts workflows at this process's own worker; null while it cannot take first attempts */
  constructor(private readonly findStarter: () => Starter | null) {}

  /**
   * Starts the workflow of a new payment, and waits for the answer while this process makes the first attempt. Null if it
   * does not make it, or has no answer in time: the workflow has the result, or is still to be started.
   */
  async make(payment: PaymentToStart, deadline: Date): Promise<HttpAnswer | null> {
    const starter = this.callers.size < MAX_PAYMENTS ? this.findStarter() : null;
    if (starter === null) return null;
    const { transactionId } = payment;
    const answered = this.register(transactionId);
    const started = starter.startHere(payment).then(
      (isHere) => (isHere ? answered : null),
      () => null,
    );
    try {
      return await inTime(Promise.race([answered, started]), deadline);
    } finally {
      this.release(transactionId);
    }
  }

  /** Waits with the caller whose payment is being made here; null if none is, or as `make`. */
  async join(transactionId: string, deadline: Date): Promise<HttpAnswer | null> {
    const caller = this.callers.get(transactionId);
    return caller === undefined ? null : inTime(caller.answered, deadline);
  }

  answer(transactionId: string, answer: HttpAnswer): void {
    this.end(transactionId, answer);
  }

  release(transactionId: string): void {
    this.end(transactionId, null);
  }

  private register(transactionId: string): Promise<HttpAnswer | null> {
    let end: Caller['end'] = () => undefined;
    const answered = new Promise<HttpAnswer | null>((resolve) => {
      end = resolve;
    });
    this.callers.set(transactionId, { answered, end });
    return answered;
  }

  private end(transactionId: string, answer: HttpAnswer | null): void {
    this.callers.get(transactionId)?.end(answer);
    this.callers.delete(transactionId);
  }
}

/** For a process without a worker of its own. */
export const noFirstAttempts = new FirstAttempts(() => null);

/** Null at the deadline, and when a lost task is given to another worker, whose result only the workflow knows. */
async function inTime(answered: Promise<HttpAnswer | null>, deadline: Date): Promise<HttpAnswer | null> {
  const ended = new AbortController();
  const waitMs = Math.min(deadline.getTime() - Date.now(), FIRST_TASK_TIMEOUT_MS);
  try {
    return await Promise.race([answered, delay(waitMs, null, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}
