import { setTimeout as delay } from 'node:timers/promises';
import { CHARGE_WINDOW_MS } from './domain/payment';
import type { Logger } from './log';
import type { OverduePayment } from './persistence/payment-repository';

/** Takes up to `limit` items up again; returns how many there were. */
type Takes = (limit: number) => Promise<number>;

/** What a crash can leave behind, and how it is taken up again. Each item is bounded and put off before it is worked on. */
export interface SweeperDeps {
  readonly takeOverduePayments: (limit: number) => Promise<OverduePayment[]>;
  readonly startPayment: (payment: OverduePayment) => Promise<void>;
  /** Has workflows look at callbacks that were stored and never looked at. */
  readonly wakeForCallbacks: Takes;
  /** Ends a payment nobody attempted while the customer could still be there. */
  readonly failNotAttempted: (payment: OverduePayment) => Promise<void>;
  readonly wakeOverdueSubscriptions: Takes;
  readonly startOverdueSubAccounts: Takes;
  readonly startOverdueDeliveries: Takes;
  readonly sweepExpiredCvvs: Takes;
  /** Forgets buyers who never paid. */
  readonly eraseUnusedSessions: Takes;
  /** Folds changes of the counters that lists go by, at most `limit` of each kind. */
  readonly foldCounters: Takes;
  readonly now: () => Date;
  readonly log: Pick<Logger, 'warn'>;
}

const BATCH = 50;
/** Lists are exact without it, and quick as long as little is left to fold. */
const FOLD_BATCH = 2_000;
/** A backlog, as a Temporal that was away leaves one, is worked off batch by batch; but nothing keeps the rest waiting for long. */
const BATCHES_PER_SWEEP = 20;

/**
 * Starts what was committed and never started, or whose workflow was ended from outside: rows carry `wake_by`, and
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
    await this.takeAll('cvv', deps.sweepExpiredCvvs);
    await this.takeAll('checkout_session', deps.eraseUnusedSessions);
    await this.takeAll('counters', deps.foldCounters, FOLD_BATCH);
    await this.takeAll('payment', (limit) => this.wakePayments(limit));
    await this.takeAll('callback', deps.wakeForCallbacks);
    await this.takeAll('subscription', deps.wakeOverdueSubscriptions);
    await this.takeAll('sub_account', deps.startOverdueSubAccounts);
    await this.takeAll('webhook', deps.startOverdueDeliveries);
  }

  private async wakePayments(limit: number): Promise<number> {
    const overdue = await this.deps.takeOverduePayments(limit);
    await Promise.all(overdue.map((payment) => this.take('payment', () => this.wake(payment))));
    return overdue.length;
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

  private async takeAll(subject: string, takes: Takes, batch = BATCH): Promise<void> {
    await this.take(subject, async () => {
      for (let batches = 0; batches < BATCHES_PER_SWEEP && !this.stopping.signal.aborted; batches += 1) {
        if ((await takes(batch)) < batch) return;
      }
    });
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
