import { setTimeout as delay } from 'node:timers/promises';
import type { HttpAnswer } from '../../domain/shared/http-answer';
import type { PaymentFirstTasks } from '../../temporal/first-tasks/payment-first-tasks';
import type { OperationUpdateInput, PaymentToStart } from '../../temporal/payments';

/** What the caller of a payment gets from its first attempt. */
export type FirstAttemptResult =
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }
  /** The workflow has started. Its result comes from another process, or later, or at the deadline not at all. */
  | { readonly kind: 'started' }
  /** The workflow is still to be started, as far as this process knows. */
  | { readonly kind: 'not_started' };

type Starter = Pick<PaymentFirstTasks, 'startHere'>;

interface Caller {
  readonly transactionId: string;
  readonly ended: Promise<FirstAttemptResult>;
  readonly end: (result: FirstAttemptResult) => void;
}

/** After this time the first task of a payment has ended, wherever it went: a gateway's answer takes less. */
const LONGEST_ATTEMPT_MS = 150_000;
const STARTED = { kind: 'started' } as const;
const NOT_STARTED = { kind: 'not_started' } as const;

/**
 * Makes the first attempts of payments in this process, and answers their callers as soon as the results are committed,
 * before the workflow task is completed at Temporal. It holds nothing that must survive the process: a caller who is not answered here gets
 * the result from the workflow, which any worker can take over (docs/decisions/first-attempts.md).
 */
export class FirstAttempts {
  /** By transaction id, those of operations by attempt id. */
  private readonly callers = new Map<string, Caller>();
  /** When the first attempts in progress began, by transaction id. They outlast their callers. */
  private readonly begun = new Map<string, number>();

  /**
   * @param findStarter what starts workflows whose first tasks this process makes; null while it must not
   * @param mostAtOnce first attempts at the same time; more are left to the workers
   */
  constructor(
    private readonly findStarter: () => Starter | null,
    private readonly mostAtOnce: number,
  ) {}

  /**
   * Starts the workflow of a new payment, and waits for the answer while this process makes the first attempt. With an
   * operation: the workflow of a payment that has none, for the operation that is committed.
   */
  async make(
    payment: PaymentToStart,
    deadline: Date,
    operation?: OperationUpdateInput,
  ): Promise<FirstAttemptResult> {
    const starter = this.hasRoom() ? this.findStarter() : null;
    if (starter === null) return NOT_STARTED;
    const { transactionId } = payment;
    const key = operation?.attemptId ?? transactionId;
    const ended = this.register(key, transactionId);
    const loseTask = (): void => this.end(key, STARTED);
    const started = starter.startHere(payment, operation?.operation, loseTask).then(
      (isHere) => (isHere ? ended : this.notHere(transactionId, STARTED)),
      () => this.notHere(transactionId, NOT_STARTED),
    );
    try {
      return await inTime(Promise.race([ended, started]), deadline);
    } finally {
      this.end(key, STARTED);
    }
  }

  /**
   * Waits with the caller whose payment is being made here, if one is. Else the payment is being made elsewhere, unless its first
   * request ended before the start: a workflow that is started twice would make a second run.
   */
  async join(transactionId: string, deadline: Date): Promise<FirstAttemptResult> {
    const caller = this.callers.get(transactionId);
    return caller === undefined ? STARTED : inTime(caller.ended, deadline);
  }

  /** Answers those who wait for a payment or, by its attempt id, an operation. Call it when the answer is committed. */
  answer(id: string, answer: HttpAnswer): void {
    this.end(id, { kind: 'answered', answer });
  }

  /** Lets those who still wait get the result from the workflow. Call it when the first attempt has ended. */
  release(transactionId: string): void {
    this.begun.delete(transactionId);
    for (const [key, caller] of this.callers)
      if (caller.transactionId === transactionId) this.end(key, STARTED);
  }

  private hasRoom(): boolean {
    if (this.begun.size < this.mostAtOnce) return true;
    const lost = Date.now() - LONGEST_ATTEMPT_MS;
    for (const [transactionId, begunAt] of this.begun) if (begunAt < lost) this.begun.delete(transactionId);
    return this.begun.size < this.mostAtOnce;
  }

  private notHere(transactionId: string, result: FirstAttemptResult): FirstAttemptResult {
    this.begun.delete(transactionId);
    return result;
  }

  private register(key: string, transactionId: string): Promise<FirstAttemptResult> {
    let end: Caller['end'] = () => undefined;
    const ended = new Promise<FirstAttemptResult>((resolve) => {
      end = resolve;
    });
    this.callers.set(key, { transactionId, ended, end });
    this.begun.set(transactionId, Date.now());
    return ended;
  }

  private end(key: string, result: FirstAttemptResult): void {
    this.callers.get(key)?.end(result);
    this.callers.delete(key);
  }
}

/** For a process that makes none. */
export const noFirstAttempts = new FirstAttempts(() => null, 0);

/** Ends at the deadline. A task that is lost ends before: its result comes from the workflow. */
async function inTime(ended: Promise<FirstAttemptResult>, deadline: Date): Promise<FirstAttemptResult> {
  const isOver = new AbortController();
  const waitMs = Math.max(deadline.getTime() - Date.now(), 0);
  try {
    return await Promise.race([ended, delay(waitMs, STARTED, { signal: isOver.signal })]);
  } finally {
    isOver.abort();
  }
}
