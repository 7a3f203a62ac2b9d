import { parseArgs } from 'node:util';
import { composeWebhooks } from '../../src/compose-webhooks';
import type { Parts } from '../../src/compose';
import { newTransactionId } from '../../src/domain/ids';
import { until } from '../../src/local/until';
import type { BornDelivery } from '../../src/persistence/event-repository';
import { DeliveryWorkflows } from '../../src/temporal/webhook-deliveries';
import type { LoadProcess } from './load-process';
import { writeResults } from './results';
import { withBenchStack, type BenchStack } from './stack';
import { percentile, spreadOf, type Spread } from './statistics';
import { table } from './table';

/**
 * `npm run bench:webhooks`: deliveries a second beside reference Q in the same run, A/B/A/B; from an event to its first
 * attempt; what another company's sleeping receiver does to that; and a drain in which a third of the receivers fail.
 * Then every delivery must be accounted for, here and at the receiver. `--quick` shows in a minute or two that it works.
 */

interface Plan {
  readonly rounds: number;
  readonly batch: number;
  readonly steadyMs: number;
  readonly sleeping: number;
  readonly drain: number;
}

const FULL: Plan = { rounds: 5, batch: 1_000, steadyMs: 20_000, sleeping: 500, drain: 10_000 };
const QUICK: Plan = { rounds: 2, batch: 100, steadyMs: 5_000, sleeping: 60, drain: 300 };
/** Three attempts. */
const SETTINGS = {
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const ATTEMPTS = 3;
const STEADY_PER_SECOND = 10;
const PAYLOAD = JSON.stringify({ event: 'transaction.approved', sequence: 1, padding: 'x'.repeat(2_000) });
const DONE_WITHIN_MS = 600_000;
const STARTERS = 32;

interface Results {
  readonly quick: boolean;
  readonly temporal: string;
  readonly enginePerSecond: Spread;
  readonly queuePerSecond: Spread;
  readonly ratio: Spread;
  readonly firstAttemptMs: { readonly p50: number; readonly p99: number };
  readonly besideSleeperMs: { readonly p50: number; readonly p99: number };
  readonly drain: { readonly deliveries: number; readonly seconds: number };
  readonly violations: readonly string[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
  await withBenchStack(async (stack) => {
    const parts = stack.composeParts();
    try {
      const results = await new WebhookBench(stack, parts, values.quick ? QUICK : FULL).run(values.quick);
      console.log(`\n${render(results)}\n`);
      console.log(`Figures: ${writeResults('webhooks', results)}`);
      if (results.violations.length > 0) process.exitCode = 1;
    } finally {
      await Promise.all([parts.temporal.connection.close(), parts.db.close()]);
    }
  }, SETTINGS);
}

class WebhookBench {
  private receiverUrl = '';

  constructor(
    private readonly stack: BenchStack,
    private readonly parts: Parts,
    private readonly plan: Plan,
  ) {}

  async run(quick: boolean): Promise<Results> {
    this.receiverUrl = await this.stack.startWebhookReceiver();
    await this.stack.startWebhookQueue();
    const load = await this.stack.paymentLoad('card');
    const company = await this.newestCompany();
    const throughput = await this.compare(company);
    const steady = await this.steady(load, company);
    const drain = await this.drain();
    return {
      quick,
      temporal: this.stack.temporal.kind,
      ...throughput,
      ...steady,
      drain: { deliveries: this.plan.drain, seconds: drain.seconds },
      violations: drain.violations,
    };
  }

  /** The same batch through the engine and through Q, in turns. */
  private async compare(company: number) {
    const endpoint = await this.addEndpoint(company, '/ok/batch');
    await this.throughEngine(company, endpoint);
    await this.throughQueue();
    const engine: number[] = [];
    const queue: number[] = [];
    for (let round = 1; round <= this.plan.rounds; round += 1) {
      console.log(`Round ${round} of ${this.plan.rounds} ...`);
      engine.push(await this.throughEngine(company, endpoint));
      queue.push(await this.throughQueue());
    }
    await this.turnOff(company, endpoint);
    const ratios = engine.map((perSecond, round) => perSecond / (queue[round] ?? NaN));
    return {
      enginePerSecond: spreadOf(engine),
      queuePerSecond: spreadOf(queue),
      ratio: spreadOf(ratios),
    };
  }

  private async throughEngine(company: number, endpoint: number): Promise<number> {
    const deliveries = await this.publish(company, endpoint, this.plan.batch);
    const startedAt = performance.now();
    await this.startAll(company, deliveries);
    await this.untilNonePending([endpoint]);
    return (this.plan.batch * 1_000) / (performance.now() - startedAt);
  }

  private async throughQueue(): Promise<number> {
    const startedAt = performance.now();
    await this.parts.db.query(
      `INSERT INTO queued_webhooks (id, url, payload) SELECT gen_random_uuid(), $1, $2 FROM generate_series(1, $3)`,
      [`${this.receiverUrl}/ok/queue`, PAYLOAD, this.plan.batch],
    );
    await this.untilZero(`SELECT count(*) AS left FROM queued_webhooks WHERE status = 'pending'`, []);
    return (this.plan.batch * 1_000) / (performance.now() - startedAt);
  }

  /** From an event to its first attempt while payments come steadily; and again beside another company's sleeper. */
  private async steady(load: LoadProcess, company: number) {
    const endpoint = await this.addEndpoint(company, '/ok/steady');
    const other = await this.newCompany();
    const sleeper = await this.addEndpoint(other, '/sleep/steady');
    await load.run({ kind: 'open', perSecond: STEADY_PER_SECOND, forMs: 2_000 });
    const firstAttemptMs = await this.measureSteady(load, endpoint);
    await this.startAll(other, await this.publish(other, sleeper, this.plan.sleeping));
    const besideSleeperMs = await this.measureSteady(load, endpoint);
    await this.turnOff(other, sleeper);
    await this.turnOff(company, endpoint);
    return { firstAttemptMs, besideSleeperMs };
  }

  private async measureSteady(load: LoadProcess, endpoint: number): Promise<{ p50: number; p99: number }> {
    const since = new Date();
    await load.run({ kind: 'open', perSecond: STEADY_PER_SECOND, forMs: this.plan.steadyMs });
    await this.untilNonePending([endpoint]);
    const rows = await this.parts.db.query<{ ms: number }>(
      `SELECT (extract(epoch FROM a.started_at - d.created_at) * 1000)::float8 AS ms
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
        WHERE d.endpoint_id = $1 AND a.number = 1 AND d.created_at >= $2`,
      [endpoint, since],
    );
    const latencies = rows.map(({ ms }) => ms);
    return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  }

  /** A third of the receivers fail every time. Ends when every delivery has arrived or was tried as often as it may be. */
  private async drain() {
    const paths = ['/ok/drain-1', '/ok/drain-2', '/fail/drain'];
    const share = Math.floor(this.plan.drain / paths.length);
    const born: Array<{ company: number; endpoint: number; path: string; deliveries: BornDelivery[] }> = [];
    for (const path of paths) {
      const company = await this.newCompany();
      const endpoint = await this.addEndpoint(company, path);
      born.push({ company, endpoint, path, deliveries: await this.publish(company, endpoint, share) });
    }
    console.log(`Draining ${share * paths.length} deliveries ...`);
    const startedAt = performance.now();
    await Promise.all(born.map(({ company, deliveries }) => this.startAll(company, deliveries)));
    await this.untilNonePending(born.map(({ endpoint }) => endpoint));
    const seconds = (performance.now() - startedAt) / 1_000;
    const counts = await this.receiverCounts();
    const violations: string[] = [];
    for (const { endpoint, path } of born) {
      const status = path.startsWith('/fail/') ? 'failed' : 'delivered';
      const attempts = path.startsWith('/fail/') ? ATTEMPTS : 1;
      const [row] = await this.parts.db.query<{ count: number }>(
        'SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = $1 AND status = $2 AND retry_count = $3',
        [endpoint, status, attempts],
      );
      if (row?.count !== share) violations.push(`${path}: ${row?.count} of ${share} are ${status}`);
      const heard = counts[path] ?? { requests: 0, ids: 0 };
      if (heard.ids !== share) violations.push(`${path}: the receiver heard of ${heard.ids} of ${share}`);
      if (heard.requests < share * attempts) violations.push(`${path}: only ${heard.requests} requests came`);
    }
    return { seconds, violations };
  }

  private async receiverCounts(): Promise<Record<string, { requests: number; ids: number }>> {
    const response = await fetch(`${this.receiverUrl}/counts`);
    return (await response.json()) as Record<string, { requests: number; ids: number }>;
  }

  private async publish(companyId: number, endpointId: number, count: number): Promise<BornDelivery[]> {
    const born: BornDelivery[] = [];
    for (let left = count; left > 0; left -= 100) {
      await this.parts.db.inTransaction(async (tx) => {
        for (let index = 0; index < Math.min(left, 100); index += 1) {
          const event = {
            companyId,
            resourceType: 'payment',
            resourceId: newTransactionId(),
            sequence: 1,
            type: 'transaction.approved',
            payload: PAYLOAD,
            createdAt: new Date(),
          } as const;
          born.push(...(await this.parts.events.publish(tx, event, endpointId)));
        }
      });
    }
    return born;
  }

  private async startAll(companyId: number, deliveries: readonly BornDelivery[]): Promise<void> {
    const workflows = new DeliveryWorkflows(this.parts.temporal, 'payments');
    const waiting = [...deliveries];
    const starter = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await workflows.ensureStarted({ ...next, companyId });
      }
    };
    await Promise.all(Array.from({ length: STARTERS }, starter));
  }

  private untilNonePending(endpoints: readonly number[]): Promise<unknown> {
    return this.untilZero(
      `SELECT count(*) AS left FROM webhook_deliveries WHERE endpoint_id = ANY($1::bigint[]) AND status = 'pending'`,
      [endpoints],
    );
  }

  private untilZero(sql: string, values: readonly unknown[]): Promise<unknown> {
    const isZero = async (): Promise<boolean> =>
      (await this.parts.db.queryOne<{ left: number }>(sql, values))?.left === 0;
    return until('every delivery to end', DONE_WITHIN_MS, isZero, 20);
  }

  private async addEndpoint(companyId: number, path: string): Promise<number> {
    const { webhookEndpoints } = this.webhooks;
    const asked = {
      url: `${this.receiverUrl}${path}`,
      events: ['transaction.approved'],
      enabled: true,
    } as const;
    return (await webhookEndpoints.create(companyId, asked)).endpoint.id;
  }

  private async turnOff(companyId: number, endpoint: number): Promise<void> {
    await this.webhooks.webhookEndpoints.update(companyId, endpoint, { enabled: false });
  }

  private get webhooks() {
    const { config } = this.stack;
    return composeWebhooks(config, this.parts, { warn: console.warn });
  }

  private async newCompany(): Promise<number> {
    await this.stack.registerCompany();
    return this.newestCompany();
  }

  private async newestCompany(): Promise<number> {
    const [company] = await this.parts.db.query<{ id: number }>('SELECT max(id) AS id FROM companies');
    if (company === undefined) throw new Error('there is no company');
    return company.id;
  }
}

function render(results: Results): string {
  const { enginePerSecond, queuePerSecond, ratio, firstAttemptMs, besideSleeperMs, drain } = results;
  const line = (name: string, { median, min, max }: Spread, digits: number): string[] => [
    name,
    ...[median, min, max].map((value) => value.toFixed(digits)),
  ];
  const rows = [
    ['', 'median', 'least', 'most'],
    line('engine, deliveries/s', enginePerSecond, 1),
    line('Q, deliveries/s', queuePerSecond, 1),
    line('engine / Q', ratio, 3),
  ];
  const beside = besideSleeperMs.p99 / firstAttemptMs.p99;
  return [
    `Webhooks${results.quick ? ' (quick: rough figures)' : ''}, Temporal: ${results.temporal}`,
    '',
    ...table(rows),
    '',
    `event to first attempt: p50 ${firstAttemptMs.p50.toFixed(0)} ms, p99 ${firstAttemptMs.p99.toFixed(0)} ms`,
    `beside a sleeping receiver: p50 ${besideSleeperMs.p50.toFixed(0)} ms, p99 ${besideSleeperMs.p99.toFixed(0)} ms (p99 x ${beside.toFixed(2)})`,
    `drained ${drain.deliveries} deliveries, a third failing, in ${drain.seconds.toFixed(1)} s`,
    ...(results.violations.length === 0 ? ['all accounted for'] : ['VIOLATIONS', ...results.violations]),
  ].join('\n');
}

void main();
