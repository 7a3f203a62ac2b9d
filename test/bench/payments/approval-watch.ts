import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

/** As finely as approvals are told apart; oftener would be felt by the Postgres that is measured. */
const LOOK_EVERY_MS = 5;
/** The gateway is asked without a callback after a minute: by then something is wrong with callbacks. */
const PATIENCE_MS = 50_000;
const STATUSES = `
  SELECT transaction_id AS "transactionId", status FROM payments
   WHERE transaction_id = ANY($1::uuid[]) AND status <> 'pending'`;

interface Waiting {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Tells when pending payments are approved by looking at their rows, all of them at once, while there are any. */
export class ApprovalWatch {
  private readonly waiting = new Map<string, Waiting>();
  private looking = false;

  private constructor(private readonly client: Client) {}

  /** All its looks are one transaction, so that they are not among the commits that are counted. */
  static async on(databaseUrl: string): Promise<ApprovalWatch> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY');
    return new ApprovalWatch(client);
  }

  /** Throws when the payment becomes anything else, or nothing for too long. */
  approved(transactionId: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.set(transactionId, { since: performance.now(), resolve, reject });
      if (!this.looking) void this.lookWhileWaiting();
    });
  }

  private async lookWhileWaiting(): Promise<void> {
    this.looking = true;
    try {
      while (this.waiting.size > 0) {
        await this.look();
        await delay(LOOK_EVERY_MS);
      }
    } catch (error) {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    } finally {
      this.looking = false;
    }
  }

  private async look(): Promise<void> {
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
      if (performance.now() - since > PATIENCE_MS)
        throw new Error(`${transactionId} was paid and is pending`);
    }
  }
}
