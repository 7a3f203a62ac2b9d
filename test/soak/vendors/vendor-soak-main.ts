import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { DRIVERS } from '../../../src/composition/drivers';
import { processFaults } from '../../faults/support/fault-plan';
import { FaultStack } from '../../faults/support/fault-stack';
import { Operator } from '../../faults/support/operator';
import { injectProcessFault } from '../../faults/support/recovery';
import { recommendedVendors } from '../../gateways/vendor-table/vendor-table';
import { describeCommit } from '../../support/stack/commit';
import { readRecords, reconcile } from '../support/reconciliation';
import { runMonth } from '../support/run-month';
import { waitForCompletion } from '../support/unfinished-work';
import { filterViolations } from '../support/listing';
import type { SoakMerchant } from '../support/soak-merchant';
import { withLedgerIds } from './vendor-records';
import { registerVendorMerchant } from './vendor-merchant';
import { planVendorPurchases, type VendorSlugs } from './vendor-plan';
import { runVendorSubscriptions, subscriptionMoneyViolations } from './vendor-subscriptions';

/**
 * `npm run soak:vendors -- [--payments N] [--subscriptions N] [--seed N]`: payments and subscriptions at all vendors' fakes,
 * behind the slugs that the documentation recommends, while processes are killed and frozen and gateways lose answers, answer
 * with pages that are not theirs, and send callbacks first, twice or forged. Then compares payments, API and ledger. Exits with
 * 1 on a difference.
 */

const CLIENT_ID = 'shop-of-all-vendors';
/** Many: each waits as long as the outcome of its payment stays unknown. */
const CONCURRENT_CUSTOMERS = 40;
const CONCURRENT_SUBSCRIPTIONS = 12;
const PAUSES_MS = { min: 4_000, max: 15_000 };
const MAX_FAULTS = 2_000;
/** Longer than the longest time after which a vendor's lookup proves absence. */
const COMPLETED_WITHIN_MS = 1_200_000;
/** An operator is asked later than in other soaks: a vendor's lookup may lag. */
const SETTINGS = {
  STUCK_AFTER: '60',
  PAYMENT_SYNC_TIMEOUT: '6',
  GATEWAY_TIMEOUT: '2',
  ABSENCE_PROVEN_AFTER: '6',
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      payments: { type: 'string', default: '2000' },
      subscriptions: { type: 'string', default: '200' },
      seed: { type: 'string' },
    },
  });
  const seed = Number(values.seed ?? randomInt(1_000_000_000));
  const vendors: VendorSlugs = recommendedVendors();
  console.log(`soak of vendors: seed ${seed}, commit ${describeCommit()}, ${[...vendors].join(' ')}`);
  const drivers = [...vendors].map(([slug, driver]) => [`${slug.toUpperCase()}_DRIVER`, driver]);
  const settings = { ...SETTINGS, ...Object.fromEntries(drivers), PLATFORM_GATEWAY_COMPANIES: CLIENT_ID };
  const stack = await FaultStack.start({ settings });
  try {
    const violations = await soak(stack, vendors, {
      seed,
      payments: Number(values.payments),
      subscriptions: Number(values.subscriptions),
    });
    for (const violation of violations) console.error(violation);
    console.log(violations.length === 0 ? 'violations: none' : `violations: ${violations.length}`);
    if (violations.length === 0) return await stack.stop();
    console.error(`logs and data of the processes are in ${stack.spec.folder}`);
  } catch (error) {
    console.error(error);
  }
  process.exitCode = 1;
  await stack.stopProcesses();
}

interface SoakSize {
  readonly seed: number;
  readonly payments: number;
  readonly subscriptions: number;
}

async function soak(stack: FaultStack, vendors: VendorSlugs, size: SoakSize): Promise<string[]> {
  const { origin: baseUrl } = new URL(stack.apiUrl);
  const { db, temporal, simulator } = stack;
  const merchant = await registerVendorMerchant(
    { baseUrl, db, temporal, simulator, withFaults: true },
    vendors,
    CLIENT_ID,
  );
  const operator = new Operator(stack, (slug) => {
    const driver = vendors.get(slug);
    if (driver === undefined) return false;
    const { idempotency, provesAbsence = true } = DRIVERS[driver]().capabilities(slug);
    // Asaas cannot prove that a refund of a part was never made.
    return driver !== 'asaas' && idempotency !== 'none' && provesAbsence;
  });
  const faults = new ProcessFaults(stack, size.seed);
  const subscriptions = runVendorSubscriptions(merchant, vendors, {
    count: size.subscriptions,
    concurrency: CONCURRENT_SUBSCRIPTIONS,
  });
  const planned = planVendorPurchases(size.payments, vendors, size.seed);
  const results = await runMonth(merchant, planned, CONCURRENT_CUSTOMERS);
  const { ids, violations } = await subscriptions;
  await faults.stop();
  await stack.workersReady();
  const unfinished = await waitForCompletion(merchant, COMPLETED_WITHIN_MS);
  await operator.stop();
  await reportCounts(merchant);
  const records = withLedgerIds(await readRecords(merchant));
  return [
    ...results.flatMap(({ violation }) => violation ?? []),
    ...violations,
    ...unfinished,
    ...(await subscriptionMoneyViolations(merchant, ids)),
    ...reconcile(records),
    ...(await filterViolations(merchant, records.listing)),
    ...(await merchant.backend.resendAll()),
  ];
}

/** Kills and freezes processes at times that depend on the seed, each when the one before runs again. */
class ProcessFaults {
  private readonly abort = new AbortController();
  private readonly counts = new Map<string, number>();
  private readonly running: Promise<void>;

  constructor(
    private readonly stack: FaultStack,
    seed: number,
  ) {
    const schedule = fc.record({ pauseMs: fc.integer(PAUSES_MS), fault: processFaults });
    this.running = this.run(fc.sample(schedule, { seed, numRuns: MAX_FAULTS, unbiased: true }));
    // `stop` rethrows the error.
    this.running.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.running;
    for (const [fault, count] of [...this.counts].sort()) console.log(`${count} x ${fault}`);
  }

  private async run(
    schedule: ReadonlyArray<{ pauseMs: number; fault: Parameters<typeof injectProcessFault>[1] }>,
  ): Promise<void> {
    const { signal } = this.abort;
    for (const { pauseMs, fault } of schedule) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await injectProcessFault(this.stack, fault);
      const what = `${fault.kind === 'kill' ? 'kill -9' : 'freeze'} of ${fault.target}`;
      this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
      await this.stack.apiReady();
      await this.stack.workersReady();
    }
  }
}

async function reportCounts({ environment, companyId }: SoakMerchant): Promise<void> {
  const rows = await environment.db.query<{ gateway: string; method: string; status: string; count: number }>(
    `SELECT COALESCE(a.gateway_slug, 'no gateway') AS gateway, p.payment_method AS method, p.status, count(*)::int AS count
       FROM payments p
       LEFT JOIN LATERAL (SELECT gateway_slug FROM gateway_attempts WHERE payment_id = p.id
                           AND operation IN ('charge', 'authorize') ORDER BY created_at DESC LIMIT 1) a ON true
      WHERE p.company_id = $1 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [companyId],
  );
  for (const { gateway, method, status, count } of rows)
    console.log(`${gateway} ${method} ${status}: ${count}`);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
