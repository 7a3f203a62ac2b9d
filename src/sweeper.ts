import { setTimeout as delay } from 'node:timers/promises';
import { CHARGE_WINDOW_MS } from './domain/payments/payment';
import type { Logger } from './log';
import type { OverduePayment } from './persistence/payments/payment-repository';

/** What a crash can leave behind, and how it is taken up again. Each item is bounded and put off before it is worked on. */
export interface SweeperDeps {
  readonly takeOverduePayments: (limit: number) => Promise<OverduePayment[]>;
  readonly startPayment: (payment: OverduePayment) => Promise<void>;
  /** Has workflows look at callbacks that were stored and never looked at. */
  readonly wakeForCallbacks: (limit: number) => Promise<void>;
  /** Ends a payment nobody attempted while the customer could still be there. */
  readonly failNotAttempted: (payment: OverduePayment) => Promise<void>;
  readonly wakeOverdueSubscriptions: (limit: number) => Promise<void>;
  readonly startOverdueSubAccounts: (limit: number) => Promise<void>;
  readonly startOverdueDeliveries: (limit: number) => Promise<void>;
  readonly sweepExpiredCvvs: (limit: number) => Promise<number>;
  /** Forgets buyers who never paid. */
  readonly eraseUnusedSessions: (limit: number) => Promise<number>;
  /** Folds changes of the counters that lists go by, at most `limit` of each kind; returns how many there were. */
  readonly foldCounters: (limit: number) => Promise<number>;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn'>;
}

/** Of each kind: what has piled up while Temporal was away comes back at a pace that leaves room for new payments. */
const BATCH = 50;
/** Lists are exact without it, and quick as long as little is left to fold. */
const FOLD_BATCH = 2_000;
const FOLDS_PER_SWEEP = 20;

/**
 * Starts what was committed and never started, or whose workflow was ended from outside: rows carry `recover_after`, and
 * starting a workflow that runs already does nothing. Runs in every worker; rows are taken by one at a time.
 */
export class Sweeper {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly deps: SweeperDeps) {}

  start(intervalMs: number): void {
    this.running = this.loop(intervalMs);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async sweepOnce(): Promise<void> {
    const { deps } = this;
    await this.take('cvv', () => deps.sweepExpiredCvvs(BATCH));
    await this.take('checkout_session', () => deps.eraseUnusedSessions(BATCH));
    await this.take('counters', () => this.fold());
    await this.take('payment', () => this.wakePayments());
    await this.take('callback', () => deps.wakeForCallbacks(BATCH));
    await this.take('subscription', () => deps.wakeOverdueSubscriptions(BATCH));
    await this.take('sub_account', () => deps.startOverdueSubAccounts(BATCH));
    await this.take('webhook', () => deps.startOverdueDeliveries(BATCH));
  }

  private async wakePayments(): Promise<void> {
    const overdue = await this.deps.takeOverduePayments(BATCH);
    await Promise.all(overdue.map((payment) => this.take('payment', () => this.wake(payment))));
  }

  private async fold(): Promise<void> {
    for (let folds = 0; folds < FOLDS_PER_SWEEP && !this.stopping.signal.aborted; folds += 1) {
      if ((await this.deps.foldCounters(FOLD_BATCH)) < FOLD_BATCH) return;
    }
  }

  private async wake(payment: OverduePayment): Promise<void> {
    const ageMs = this.deps.now().getTime() - payment.createdAt.getTime();
    if (payment.status === 'processing' && payment.attempts === 0 && ageMs >= CHARGE_WINDOW_MS) {
      await this.deps.failNotAttempted(payment);
      return;
    }
    await this.deps.startPayment(payment);
  }

  private async loop(intervalMs: number): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.take('sweep', () => this.sweepOnce());
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** One item's trouble never keeps the others waiting: it comes round again. */
  private async take(subject: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.log.warn({ operation: subject, err: error }, 'a sweep failed and comes round again');
    }
  }
}
