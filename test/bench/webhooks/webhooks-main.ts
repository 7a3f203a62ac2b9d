import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CpuUse } from '../support/cpu';
import { cpuUsed } from '../support/cpu';
import type { LoadProcess } from '../support/load-process';
import { writeResults } from '../support/results';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { percentile, spreadOf, type Spread } from '../support/statistics';
import { table } from '../support/table';
import { drain, type Drain } from './webhook-drain';
import { PAYLOAD, WebhookPublisher, type BenchEndpoint } from './webhook-publisher';

/**
 * `npm run bench:webhooks`: deliveries per second compared with baseline Q, in alternating rounds; the latency from an
 * event to its first attempt, alone and while another company's receiver does not respond; and draining a backlog in
 * which a third of the receivers fail, after which the database and the receiver's log must agree. `--quick` checks in a
 * minute or two that the benchmark works; `--part speed`, `latency` or `drain` (repeatable) runs only that part.
 */

const PARTS = ['speed', 'latency', 'drain'] as const;
type BenchPart = (typeof PARTS)[number];

interface WebhooksPlan {
  readonly rounds: number;
  readonly batch: number;
  readonly steadyMs: number;
  readonly unresponsive: number;
  readonly drain: number;
}

const FULL: WebhooksPlan = { rounds: 5, batch: 1_000, steadyMs: 40_000, unresponsive: 500, drain: 10_000 };
const QUICK: WebhooksPlan = { rounds: 2, batch: 100, steadyMs: 5_000, unresponsive: 60, drain: 300 };
/** A schedule of three attempts. */
const SETTINGS = {
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const ATTEMPTS = 3;
/** The rate of the steady load, as a share of the measured closed-loop throughput. */
const STEADY_SHARE = 0.25;
const CALIBRATION = { kind: 'closed', concurrency: 16, forMs: 8_000 } as const;
const IDLE_MS = 4_000;

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** From an event to its first attempt, in ms, under a steady load of payments. */
interface Latencies {
  readonly perSecond: number;
  readonly alone: Latency;
  readonly duringBurst: Latency;
  readonly duringTimeouts: Latency;
}

interface Speed {
  readonly servicePerSecond: Spread;
  readonly queuePerSecond: Spread;
  readonly ratio: Spread;
  /** CPU time per delivery in ms, by process, minus the idle use in the same time. */
  readonly cpuMs: { readonly service: CpuUse; readonly queue: CpuUse };
}

interface WebhookResults {
  readonly quick: boolean;
  readonly temporal: string;
  readonly speed?: Speed;
  readonly latency?: Latencies;
  readonly drain?: Drain;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      part: { type: 'string', multiple: true, default: [...PARTS] },
    },
  });
  const selected = PARTS.filter((part) => values.part.includes(part));
  if (values.part.length !== selected.length) throw new Error(`--part is one of ${PARTS.join(', ')}`);
  await withBenchStack(async (stack) => {
    const context = stack.createAppContext();
    try {
      const publisher = await WebhookPublisher.start(stack, context);
      const results = await run(stack, publisher, values.quick, new Set(selected));
      console.log(`\n${render(results)}\n`);
      console.log(`Figures: ${writeResults('webhooks', results)}`);
      if ((results.drain?.violations.length ?? 0) > 0) process.exitCode = 1;
    } finally {
      await Promise.all([context.temporal.connection.close(), context.db.close()]);
    }
  }, SETTINGS);
}

async function run(
  stack: BenchStack,
  publisher: WebhookPublisher,
  quick: boolean,
  selected: ReadonlySet<BenchPart>,
): Promise<WebhookResults> {
  const plan = quick ? QUICK : FULL;
  const load = await stack.paymentLoad('card');
  const company = await publisher.newestCompany();
  const bench = new WebhookBench(stack, publisher, load, company, plan);
  return {
    quick,
    temporal: stack.temporal.kind,
    ...(selected.has('speed') && { speed: await bench.speed() }),
    ...(selected.has('latency') && { latency: await bench.latency() }),
    ...(selected.has('drain') && { drain: await drain(publisher, plan.drain, ATTEMPTS) }),
  };
}

class WebhookBench {
  constructor(
    private readonly stack: BenchStack,
    private readonly publisher: WebhookPublisher,
    private readonly load: LoadProcess,
    private readonly company: number,
    private readonly plan: WebhooksPlan,
  ) {}

  /** Sends the same batch through the service and through Q, alternating. */
  async speed(): Promise<Speed> {
    const { publisher } = this;
    await this.stack.startWebhookQueue();
    const endpoint = await publisher.addEndpoint(this.company, '/ok/batch');
    await this.throughService(endpoint);
    await this.throughQueue();
    const idle = await this.timed(() => delay(IDLE_MS));
    const service: TimedRun[] = [];
    const queue: TimedRun[] = [];
    for (let round = 1; round <= this.plan.rounds; round += 1) {
      console.log(`Round ${round} of ${this.plan.rounds} ...`);
      service.push(await this.throughService(endpoint));
      queue.push(await this.throughQueue());
    }
    await publisher.disable(endpoint);
    return {
      servicePerSecond: spreadOf(service.map(({ perSecond }) => perSecond)),
      queuePerSecond: spreadOf(queue.map(({ perSecond }) => perSecond)),
      ratio: spreadOf(service.map(({ perSecond }, round) => perSecond / (queue[round]?.perSecond ?? NaN))),
      cpuMs: {
        service: cpuPerDelivery(service, idle, this.plan.batch),
        queue: cpuPerDelivery(queue, idle, this.plan.batch),
      },
    };
  }

  /**
   * Measures under a steady load: alone, while another company's burst to an unresponsive receiver starts, and while its
   * requests time out.
   */
  async latency(): Promise<Latencies> {
    const { publisher, load, company } = this;
    const endpoint = await publisher.addEndpoint(company, '/ok/steady');
    const unresponsive = await publisher.addEndpoint(await publisher.createCompany(), '/hang/steady');
    await load.run(CALIBRATION);
    const { ids, elapsedMs } = await load.run(CALIBRATION);
    await publisher.untilNonePending([endpoint]);
    const perSecond = Math.max(1, Math.round((STEADY_SHARE * ids.length * 1_000) / elapsedMs));
    const alone = await this.steady(endpoint, perSecond);
    const burst = await publisher.publish(unresponsive, this.plan.unresponsive);
    const [duringBurst] = await Promise.all([this.steady(endpoint, perSecond), publisher.startAll(burst)]);
    const duringTimeouts = await this.steady(endpoint, perSecond);
    await publisher.disable(unresponsive);
    await publisher.disable(endpoint);
    return { perSecond, alone, duringBurst, duringTimeouts };
  }

  private async throughService(endpoint: BenchEndpoint): Promise<TimedRun> {
    const deliveries = await this.publisher.publish(endpoint, this.plan.batch);
    return this.timed(async () => {
      await this.publisher.startAll(deliveries);
      await this.publisher.untilNonePending([endpoint]);
    });
  }

  private throughQueue(): Promise<TimedRun> {
    const { publisher, plan } = this;
    return this.timed(async () => {
      await publisher.context.db.query(
        `INSERT INTO queued_webhooks (id, url, payload) SELECT gen_random_uuid(), $1, $2 FROM generate_series(1, $3)`,
        [`${publisher.receiverUrl}/ok/queue`, PAYLOAD, plan.batch],
      );
      await publisher.untilZero(
        `SELECT count(*) AS remaining FROM queued_webhooks WHERE status = 'pending'`,
        [],
      );
    });
  }

  private async timed(work: () => Promise<unknown>): Promise<TimedRun> {
    const before = this.stack.readCpu(this.load);
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    const perSecond = (this.plan.batch * 1_000) / ms;
    return { ms, perSecond, cpu: cpuUsed(before, this.stack.readCpu(this.load)) };
  }

  private async steady(endpoint: BenchEndpoint, perSecond: number): Promise<Latency> {
    const since = new Date();
    const { publisher } = this;
    await this.load.run({ kind: 'open', perSecond, forMs: this.plan.steadyMs });
    await publisher.untilNonePending([endpoint]);
    const rows = await publisher.context.db.query<{ ms: number }>(
      `SELECT (extract(epoch FROM a.started_at - d.created_at) * 1000)::float8 AS ms
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
        WHERE d.endpoint_id = $1 AND a.number = 1 AND d.created_at >= $2`,
      [endpoint.id, since],
    );
    const latencies = rows.map(({ ms }) => ms);
    return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  }
}

interface TimedRun {
  readonly ms: number;
  readonly perSecond: number;
  readonly cpu: CpuUse;
}

/** The median over the rounds, for each process. */
function cpuPerDelivery(runs: readonly TimedRun[], idle: TimedRun, deliveries: number): CpuUse {
  const used = (name: string, { cpu, ms }: TimedRun): number =>
    (cpu[name] ?? 0) - ((idle.cpu[name] ?? 0) * ms) / idle.ms;
  const median = (name: string): number =>
    percentile(
      runs.map((each) => used(name, each)),
      50,
    );
  return Object.fromEntries(Object.keys(idle.cpu).map((name) => [name, median(name) / deliveries]));
}

function render({ quick, temporal, speed, latency, drain: drained }: WebhookResults): string {
  return [
    `Webhooks${quick ? ' (quick: rough figures)' : ''}, Temporal: ${temporal}`,
    ...(speed === undefined ? [] : ['', ...renderSpeed(speed)]),
    ...(latency === undefined ? [] : ['', ...renderLatency(latency)]),
    ...(drained === undefined ? [] : ['', ...renderDrain(drained)]),
  ].join('\n');
}

function renderSpeed({ servicePerSecond, queuePerSecond, ratio, cpuMs }: Speed): string[] {
  const line = (name: string, { median, min, max }: Spread, digits: number): string[] => [
    name,
    ...[median, min, max].map((value) => value.toFixed(digits)),
  ];
  const cpu = (use: CpuUse): string =>
    ['worker', 'temporal', 'postgres', 'webhook queue', 'webhook receiver']
      .map((name) => `${name} ${(use[name] ?? 0).toFixed(1)}`)
      .join(', ');
  return [
    ...table([
      ['', 'median', 'minimum', 'maximum'],
      line('service, deliveries/s', servicePerSecond, 1),
      line('baseline Q, deliveries/s', queuePerSecond, 1),
      line('service / Q', ratio, 3),
    ]),
    '',
    `CPU ms per delivery: ${cpu(cpuMs.service)}`,
    `CPU ms per delivery, baseline Q: ${cpu(cpuMs.queue)}`,
  ];
}

function renderLatency({ perSecond, alone, duringBurst, duringTimeouts }: Latencies): string[] {
  const line = (when: string, { p50, p99 }: Latency): string[] => [
    when,
    ...[p50, p99].map((ms) => ms.toFixed(0)),
    (p99 / alone.p99).toFixed(2),
  ];
  return [
    `Event to first attempt, at ${perSecond} payments/s:`,
    ...table([
      ['', 'p50, ms', 'p99, ms', 'p99 / alone'],
      line('alone', alone),
      line("during another company's burst", duringBurst),
      line('while its requests time out', duringTimeouts),
    ]),
  ];
}

function renderDrain({ deliveries, seconds, violations }: Drain): string[] {
  return [
    `${deliveries} deliveries, a third of them failing, drained in ${seconds.toFixed(1)} s`,
    ...(violations.length === 0
      ? ['database and receiver agree on every delivery']
      : ['VIOLATIONS', ...violations]),
  ];
}

void main();
