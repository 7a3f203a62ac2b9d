import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { Database } from '../../../src/persistence/sql/transaction';
import { transactionOf } from '../../../src/gateways/simulator/wire';
import type { Merchant } from '../../support/merchant/merchant';
import { readLedger } from '../../support/scenarios/reconciliation';
import { SimulatorControl } from '../../support/stack/simulator';
import { MerchantLoad } from './merchant-load';
import { isAcknowledgedBy, performAgain, sendOnce, type MerchantRequest } from './merchant-requests';
import { findLostRequests, findViolations, waitUntilSettled } from './reconciliation';
import { Renewals } from './renewals';
import type { RestoreStack, TemporalRestore } from './restore-stack';
import { WebhookLog } from './webhook-log';

export interface RehearsalPlan {
  readonly seed: number;
  readonly windowMs: number;
  readonly temporal: 'empty' | 'older';
}

export type Figures = Readonly<Record<string, string | number>>;

const WARM_UP_MS = 6_000;
const AFTER_BACKUP_MS = 10_000;
/** How much older Temporal's database is than the payments'. */
const OLDER_MS = 5_000;
const AFTER_RESTORE_MS = 5_000;
const IMPORT_AGAIN_AFTER_MS = 3_000;
const MOST_IMPORTS = 20;
/** Gateways that list their charges; those of the others are imported from a file. */
const LISTED: readonly string[] = ['gateway_1', 'gateway_4', 'gateway_5'];
const NO_PAYMENT = 'no payment has it';
const MONEY_REFUSED = 'restore_in_progress';

/** A charge that waits for a person's decision; its amount in cents. */
interface Waiting {
  readonly reference: string;
  readonly problem: string;
  readonly amount: number;
}

/** One backup and restore under load, by the steps of docs/operations/backup-and-restore.md. */
export class Rehearsal {
  private readonly violations: string[] = [];
  private readonly figures: Record<string, string | number> = {};
  private db: Database | undefined;

  constructor(
    private readonly stack: RestoreStack,
    private readonly plan: RehearsalPlan,
  ) {}

  async run(): Promise<{ readonly figures: Figures; readonly violations: readonly string[] }> {
    const { stack, plan } = this;
    await stack.startServers();
    await stack.run('migrate');
    await stack.startPrograms();
    const webhooks = await WebhookLog.start();
    const merchants = await this.registerMerchants(webhooks);
    const load = new MerchantLoad(plan.seed, merchants, this.simulator);
    const renewals = await Renewals.begin(await this.registerMerchant(webhooks));
    await delay(WARM_UP_MS);
    await step('take base backups of both databases', () => stack.takeBaseBackups());
    await delay(AFTER_BACKUP_MS);

    const moment = new Date();
    await this.runWindow();
    await this.disconnect();
    await step('lose both databases and all processes', () => stack.destroy());
    await Promise.all([load.stop(), renewals.stop()]);
    await this.restore(moment, load.requests);
    const more = await this.sendAgain(load.requests, moment, merchants);
    await step('advance the clocks of subscriptions again', () => renewals.advanceAgain());
    await more.stop();
    await step('wait until all is settled', () => waitUntilSettled(this.database));

    const requests = [...load.requests, ...more.requests];
    const evidence = { db: this.database, ledger: await readLedger(stack.simulatorUrl), requests, renewals };
    this.violations.push(...(await findViolations(evidence)), ...(await webhooks.violations(this.database)));
    await this.countPayments(requests, moment, more);
    await this.disconnect();
    webhooks.close();
    return { figures: this.figures, violations: this.violations };
  }

  private get simulator(): SimulatorControl {
    return new SimulatorControl(this.stack.simulatorUrl);
  }

  private get database(): Database {
    this.db ??= new Database(connectDatabase(this.stack.payments.url, 3));
    return this.db;
  }

  private async disconnect(): Promise<void> {
    await this.db?.close();
    this.db = undefined;
  }

  private async registerMerchants(webhooks: WebhookLog): Promise<Merchant[]> {
    const target = { apiUrl: this.stack.apiUrl, db: this.database };
    return [
      await webhooks.registerMerchant(target, ['gateway_1', 'gateway_2']),
      await webhooks.registerMerchant(target, ['gateway_4', 'gateway_2']),
      await webhooks.registerMerchant(target, ['gateway_2', 'gateway_5']),
    ];
  }

  private registerMerchant(webhooks: WebhookLog): Promise<Merchant> {
    const target = { apiUrl: this.stack.apiUrl, db: this.database };
    return webhooks.registerMerchant(target, ['gateway_1', 'gateway_4']);
  }

  private async runWindow(): Promise<void> {
    const { windowMs } = this.plan;
    await delay(windowMs / 3);
    console.log('kill a worker');
    this.stack.killWorker();
    await delay((2 * windowMs) / 3);
  }

  private async restore(moment: Date, requests: readonly MerchantRequest[]): Promise<void> {
    const { stack, plan } = this;
    const temporal: TemporalRestore =
      plan.temporal === 'empty' ? 'empty' : { moment: new Date(moment.getTime() - OLDER_MS) };
    const startedAt = Date.now();
    await step(`restore to ${moment.toISOString()}`, () => stack.restore(moment, temporal));
    const { violations, lostKeys } = await findLostRequests(this.database, requests, moment);
    this.violations.push(...violations);
    this.figures['keys lost'] = lostKeys;
    await stack.run('migrate');
    await stack.run('restore', 'begin', moment.toISOString());
    await step('start the processes', () => stack.startPrograms());
    await this.expectRefused(requests);
    await step('import charges', () => this.importCharges(moment, requests));
    await step('finish', async () => void (await stack.run('restore', 'finish')));
    this.figures['minutes from the loss to the end of the restore'] = minutesSince(startedAt);
  }

  /** Requests that move money are refused, and reads go on. */
  private async expectRefused(requests: readonly MerchantRequest[]): Promise<void> {
    const samples = ['payment', 'refund', 'capture', 'cancel'].flatMap(
      (kind) => requests.find((request) => request.kind === kind) ?? [],
    );
    for (const request of samples) {
      const outcome = await sendOnce(request);
      const isRefused =
        outcome.kind === 'http' && outcome.status === 503 && outcome.text.includes(MONEY_REFUSED);
      if (!isRefused) this.violations.push(`a ${request.kind} was not refused during the restore`);
    }
  }

  /** Imports until only charges are left that a person must decide about, and decides. */
  private async importCharges(moment: Date, requests: readonly MerchantRequest[]): Promise<void> {
    let left = await this.importOnce(moment);
    for (let times = 1; times < MOST_IMPORTS && left.behind.length > 0; times += 1) {
      await delay(IMPORT_AGAIN_AFTER_MS);
      left = await this.importOnce(moment);
    }
    this.violations.push(...left.behind.map(({ reference, problem }) => `${reference} waits: ${problem}`));
    this.figures['charges that no payment had'] = left.lost.length;
    // Nobody can send a payment without a key again, so the merchant refunds it at the gateway.
    const keyless = new Set(requests.flatMap(({ key, amount }) => (key === null ? [amount] : [])));
    const returned = left.lost.filter(({ amount }) => keyless.has(amount));
    for (const { reference } of returned) await this.simulator.refund(transactionOf(reference));
    this.figures['of them without a key, refunded at the gateway'] = returned.length;
    await this.importOnce(moment);
    const reason = 'the merchant sends it again';
    const output = await this.stack.run('restore', 'settle', 'all', ...reason.split(' '));
    this.figures['settled by hand'] = Number(/settled: (\d+)/.exec(output)?.[1] ?? 0);
  }

  private async importOnce(
    moment: Date,
  ): Promise<{ readonly behind: readonly Waiting[]; readonly lost: readonly Waiting[] }> {
    const charges = await this.simulator.chargesSince(moment);
    const exported = charges.filter(({ gateway }) => !LISTED.includes(gateway));
    const file = join(this.stack.folder, 'charges.jsonl');
    writeFileSync(file, exported.map((charge) => `${JSON.stringify(charge)}\n`).join(''));
    await this.stack.run('restore', 'import', file);
    for (const gateway of LISTED) await this.stack.run('restore', 'import', '--gateway', gateway);
    const waiting = await this.database.query<Waiting>(
      `SELECT reference, problem, amount_cents::float8 AS amount FROM restored_charges WHERE state = 'waiting'`,
    );
    const isLost = ({ problem }: Waiting) => problem === NO_PAYMENT;
    return { behind: waiting.filter((each) => !isLost(each)), lost: waiting.filter(isLost) };
  }

  /** Sends every request that was not answered by the moment again, among new ones. Returns the new load. */
  private async sendAgain(
    requests: readonly MerchantRequest[],
    moment: Date,
    merchants: readonly Merchant[],
  ): Promise<MerchantLoad> {
    const more = new MerchantLoad(this.plan.seed + 1, merchants, this.simulator);
    const again = requests.filter((request) => request.key !== null && !isAcknowledgedBy(moment, request));
    const payments = again.filter(({ kind }) => kind === 'payment');
    await step(`send ${again.length} requests again`, async () => {
      await Promise.all(payments.map(performAgain));
      for (const operation of again.filter(({ kind }) => kind !== 'payment')) await performAgain(operation);
    });
    await delay(AFTER_RESTORE_MS);
    return more;
  }

  private async countPayments(
    requests: readonly MerchantRequest[],
    moment: Date,
    more: MerchantLoad,
  ): Promise<void> {
    const payments = requests.filter(({ kind }) => kind === 'payment');
    const before = payments.filter((request) => isAcknowledgedBy(moment, request)).length;
    const after = more.requests.filter(({ kind }) => kind === 'payment').length;
    const states = await this.database.query<{ state: string; count: number }>(
      'SELECT state, count(*)::int AS count FROM restored_charges GROUP BY state ORDER BY state',
    );
    const reviews = await this.database.queryOne<{ count: number }>(
      'SELECT count(DISTINCT payment_id)::int AS count FROM gateway_attempts WHERE escalated_at IS NOT NULL',
    );
    Object.assign(this.figures, {
      'payments before the moment': before,
      'payments in the window': payments.length - before - after,
      'payments after the restore': after,
      'operations of the window, sent again': requests.filter(
        ({ kind, outcomesAgain }) => kind !== 'payment' && outcomesAgain.length > 0,
      ).length,
      'imported charges': states.map(({ state, count }) => `${state} ${count}`).join(', '),
      'payments that wait for a review': reviews?.count ?? 0,
    });
  }
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  const startedAt = Date.now();
  await work();
  console.log(`${name}: ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
}

function minutesSince(time: number): string {
  return ((Date.now() - time) / 60_000).toFixed(1);
}
