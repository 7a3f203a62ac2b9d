import { setTimeout as delay } from 'node:timers/promises';
import { CHARGE_WINDOW_MS } from './domain/payments/payment';
import type { Logger } from './log';
import type { OverduePayment } from './persistence/payments/payment-repository';

/** What the sweeper found, for metrics. */
export interface SweeperObserver {
  sweeperFound(step: string, count: number): void;
  sweeperFailed(step: string): void;
}

/**
 * The sweeper's steps. Each one claims at most `limit` rows and postpones their next claim before it works on them. It returns how
 * many rows it claimed or deleted.
 */
export interface SweeperDeps {
  readonly claimOverduePayments: (limit: number) => Promise<OverduePayment[]>;
  readonly startPayment: (payment: OverduePayment) => Promise<void>;
  /** Stores callbacks that came before the gateway's id of their charge, once the charge has it. */
  readonly adoptParkedCallbacks: (limit: number) => Promise<number>;
  /** Signals workflows about callbacks that are stored but not processed. */
  readonly wakeForUnprocessedCallbacks: (limit: number) => Promise<number>;
  /** Fails a payment that had no attempt within the charge window. */
  readonly failNotAttempted: (payment: OverduePayment) => Promise<void>;
  readonly wakeOverdueSubscriptions: (limit: number) => Promise<number>;
  /** Signals workflows of disputes whose next step is overdue. */
  readonly wakeOverdueDisputes: (limit: number) => Promise<number>;
  /** Adds the settlements of ended days that accounts lack; returns how many. */
  readonly addDueSettlements: (limit: number) => Promise<number>;
  /** Signals workflows of settlements whose next step is overdue. */
  readonly wakeOverdueSettlements: (limit: number) => Promise<number>;
  /** Has charges that wait for a gateway sent, once gateways answer again. */
  readonly releaseHeldCharges: (limit: number) => Promise<number>;
  readonly startOverdueSubAccounts: (limit: number) => Promise<number>;
  readonly startOverdueDeliveries: (limit: number) => Promise<number>;
  readonly deleteExpiredCvvs: (limit: number) => Promise<number>;
  /** Deletes unsigned callbacks that are processed and older than their retention. */
  readonly deleteOldCallbacks: (limit: number) => Promise<number>;
  /** Deletes the idempotency keys of requests that moved no money, after their lifetime. */
  readonly deleteExpiredKeys: (limit: number) => Promise<number>;
  /** Deletes events and their deliveries, and callbacks' bodies, that are older than their retention. */
  readonly deleteOldEvents: (limit: number) => Promise<number>;
  readonly deleteOldCallbackBodies: (limit: number) => Promise<number>;
  /** Deletes checkout sessions, with the buyers' data, that were never paid. */
  readonly deleteUnusedSessions: (limit: number) => Promise<number>;
  /** Deletes verifications of cards that no network's limit counts any more. */
  readonly deleteOldVerifications: (limit: number) => Promise<number>;
  /** Deletes what test receivers of webhooks have received long ago. */
  readonly deleteOldReceived: (limit: number) => Promise<number>;
  /** Makes customers findable by names that were written before such search, or by another release. */
  readonly hashNames: (limit: number) => Promise<number>;
  /** Erases replaced gateway secrets that no charge needs any more. */
  readonly eraseGatewaySecrets: (limit: number) => Promise<number>;
  /** Tells companies that a gateway rejects their credentials. */
  readonly notifyRejectedCredentials: (limit: number) => Promise<number>;
  /** Tells companies that disputes wait for their answer. */
  readonly notifyDisputes: (limit: number) => Promise<number>;
  /** Sends buyers the receipts of what they paid. */
  readonly sendReceipts: (limit: number) => Promise<number>;
  /** Adds pending counter deltas to the counters of lists, at most `limit` of each kind; returns how many it added. */
  readonly applyCounterDeltas: (limit: number) => Promise<number>;
  /** Posts what the ledger lacks of payments: of before the ledger, or changed by the previous release. */
  readonly postMissingEntries: (limit: number) => Promise<number>;
  /** Adds entries to the ledger's balances by day; returns how many it added. */
  readonly addToBalances: (limit: number) => Promise<number>;
  readonly now: () => Date;
  readonly observer: SweeperObserver;
  readonly log: Pick<Logger, 'warn'>;
}

/** Rows per step and sweep. Limits the rate of recovery after an outage, to leave capacity for new payments. */
const BATCH = 50;
/** Counts are exact without this step, but reading them is fast only while few deltas are pending. */
const DELTA_BATCH = 2_000;
const BATCHES_PER_SWEEP = 20;
/** Rows that one transaction looks at to delete old ones. A worker deletes at most twenty times as many in a sweep. */
const RETENTION_BATCH = 200;
/** Payments of before the ledger that one transaction posts: it locks them for some milliseconds. */
const UNPOSTED_BATCH = 50;

/**
 * Finds rows whose `recover_after` has passed and starts or signals their workflows, for example after a crash between
 * commit and workflow start. Starting a running workflow does nothing. Runs in every worker; `SKIP LOCKED` claims prevent
 * two workers from processing the same row.
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
    await this.runStep('cvv', () => deps.deleteExpiredCvvs(BATCH));
    await this.runStep('old_callback', () => deps.deleteOldCallbacks(BATCH));
    await this.runStep('idempotency_key', () => deps.deleteExpiredKeys(BATCH));
    await this.runStep('checkout_session', () => deps.deleteUnusedSessions(BATCH));
    await this.runStep('card_verification', () => deps.deleteOldVerifications(BATCH));
    await this.runStep('received_webhook', () => deps.deleteOldReceived(BATCH));
    await this.runStep('customer_name', () => this.repeat(BATCH, deps.hashNames));
    await this.runStep('gateway_secret', () => deps.eraseGatewaySecrets(BATCH));
    await this.runStep('rejected_credentials', () => deps.notifyRejectedCredentials(BATCH));
    await this.runStep('dispute_mail', () => deps.notifyDisputes(BATCH));
    await this.runStep('receipt', () => deps.sendReceipts(BATCH));
    await this.runStep('counters', () => this.repeat(DELTA_BATCH, deps.applyCounterDeltas));
    await this.runStep('ledger_entry', () => this.repeat(UNPOSTED_BATCH, deps.postMissingEntries));
    await this.runStep('ledger_balance', () => this.repeat(DELTA_BATCH, deps.addToBalances));
    await this.runStep('payment', () => this.wakePayments());
    await this.runStep('parked_callback', () => deps.adoptParkedCallbacks(BATCH));
    await this.runStep('callback', () => deps.wakeForUnprocessedCallbacks(BATCH));
    await this.runStep('subscription', () => deps.wakeOverdueSubscriptions(BATCH));
    await this.runStep('held_charge', () => deps.releaseHeldCharges(BATCH));
    await this.runStep('dispute', () => deps.wakeOverdueDisputes(BATCH));
    await this.runStep('due_settlement', () => deps.addDueSettlements(BATCH));
    await this.runStep('settlement', () => deps.wakeOverdueSettlements(BATCH));
    await this.runStep('sub_account', () => deps.startOverdueSubAccounts(BATCH));
    await this.runStep('webhook', () => deps.startOverdueDeliveries(BATCH));
    // Last, because nothing waits for it.
    await this.runStep('old_event', () => this.repeat(RETENTION_BATCH, deps.deleteOldEvents));
    await this.runStep('old_callback_body', () => this.repeat(RETENTION_BATCH, deps.deleteOldCallbackBodies));
  }

  private async wakePayments(): Promise<number> {
    const overdue = await this.deps.claimOverduePayments(BATCH);
    await Promise.all(overdue.map((payment) => this.attempt('payment', () => this.wake(payment))));
    return overdue.length;
  }

  /** Until less than a whole batch is left, at most so often that the other steps do not wait for long. */
  private async repeat(limit: number, work: (limit: number) => Promise<number>): Promise<number> {
    let done = 0;
    for (let batch = 0; batch < BATCHES_PER_SWEEP && !this.stopping.signal.aborted; batch += 1) {
      const count = await work(limit);
      done += count;
      if (count < limit) break;
    }
    return done;
  }

  private async wake(payment: OverduePayment): Promise<void> {
    if (payment.becameStuck) {
      const { companyId, transactionId } = payment;
      this.deps.log.warn(
        { company_id: companyId, transaction_id: transactionId },
        'payment makes no progress; manual review started',
      );
    }
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
      await this.attempt('sweep', () => this.sweepOnce());
      await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async runStep(step: string, run: () => Promise<number>): Promise<void> {
    await this.attempt(step, async () => this.deps.observer.sweeperFound(step, await run()));
  }

  /** A failing step does not stop the others; the next sweep retries it. */
  private async attempt(step: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.deps.observer.sweeperFailed(step);
      this.deps.log.warn({ operation: step, err: error }, 'sweep failed; will retry');
    }
  }
}
