import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { NOT_COUNTED } from '../support/write-counter';

/** The precision of the measured times; more frequent polls would load the Postgres that is measured. */
const POLL_EVERY_MS = 5;
/** Shorter than the minute after which the service polls the gateway without a callback: callbacks must arrive before. */
const APPROVED_WITHIN_MS = 50_000;
const STATUSES = `
  SELECT /* ${NOT_COUNTED} */ transaction_id AS "transactionId", status FROM payments
   WHERE transaction_id = ANY($1::uuid[]) AND status <> 'pending'`;

interface AwaitedPayment {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for pending payments to be approved by polling their rows with one query for all of them. */
export class ApprovalPoller {
  private readonly waiting = new Map<string, AwaitedPayment>();
  private polling = false;

  private constructor(private readonly client: Client) {}

  /** All polls run in one transaction, so that they do not add to the counted commits. */
  static async connect(databaseUrl: string): Promise<ApprovalPoller> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY');
    return new ApprovalPoller(client);
  }

  /** Throws if the payment gets another status or stays pending for too long. */
  waitForApproval(transactionId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.set(transactionId, { since: performance.now(), resolve, reject });
      if (!this.polling) void this.pollWhileWaiting();
    });
  }

  private async pollWhileWaiting(): Promise<void> {
    this.polling = true;
    try {
      while (this.waiting.size > 0) {
        await this.pollOnce();
        await delay(POLL_EVERY_MS);
      }
    } catch (error) {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    } finally {
      this.polling = false;
    }
  }

  private async pollOnce(): Promise<void> {
    const { rows } = await this.client.query<{ transactionId: string; status: string }>({
      name: 'statuses',
      text: STATUSES,
      values: [[...this.waiting.keys()]],
    });
    for (const { transactionId, status } of rows) {
      const payment = this.waiting.get(transactionId);
      this.waiting.delete(transactionId);
      if (status === 'approved') payment?.resolve();
      else payment?.reject(new Error(`${transactionId} was paid and is ${status}`));
    }
    for (const [transactionId, { since }] of this.waiting) {
      if (performance.now() - since > APPROVED_WITHIN_MS)
        throw new Error(`${transactionId} was paid and is pending`);
    }
  }
}
