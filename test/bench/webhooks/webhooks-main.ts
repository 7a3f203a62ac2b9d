import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { CpuUse } from '../support/cpu';
import { cpuUsed } from '../support/cpu';
import type { LoadProcess } from '../support/load-process';
import { writeResults } from '../support/results';
import { withBenchStack, type BenchStack } from '../support/stack';
import { percentile, spreadOf, type Spread } from '../support/statistics';
import { table } from '../support/table';
import { drain, type Drain } from './webhook-drain';
import { PAYLOAD, WebhookPublisher, type BenchEndpoint } from './webhook-publisher';

/**
 * `npm run bench:webhooks`: deliveries a second beside reference Q in the same run, A/B/A/B; from an event to its first
 * attempt; what another company's sleeping receiver does to that; and a drain in which a third of the receivers fail.
 * Then every delivery must be accounted for, here and at the receiver. `--quick` shows in a minute or two that it works;
 * `--part speed`, `latency` or `drain`, also several, does only that.
 */

const PARTS = ['speed', 'latency', 'drain'] as const;
type PartOfBench = (typeof PARTS)[number];

interface Plan {
  readonly rounds: number;
  readonly batch: number;
  readonly steadyMs: number;
  readonly sleeping: number;
  readonly drain: number;
}

const FULL: Plan = { rounds: 5, batch: 1_000, steadyMs: 40_000, sleeping: 500, drain: 10_000 };
const QUICK: Plan = { rounds: 2, batch: 100, steadyMs: 5_000, sleeping: 60, drain: 300 };
/** Three attempts. */
const SETTINGS = {
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const ATTEMPTS = 3;
/** Steady payments: this part of what callers who wait for their answers get through, once all is warm. */
const STEADY_SHARE = 0.25;
const CALIBRATION = { kind: 'closed', concurrency: 16, forMs: 8_000 } as const;
const IDLE_MS = 4_000;

interface Latency {
  readonly p50: number;
  readonly p99: number;
}

/** From an event to its first attempt, while so many payments come a second. */
interface Latencies {
  readonly perSecond: number;
  readonly alone: Latency;
  readonly besideBurst: Latency;
  readonly besideSleeper: Latency;
}

interface Speed {
  readonly enginePerSecond: Spread;
  readonly queuePerSecond: Spread;
  readonly ratio: Spread;
  /** Milliseconds of CPU for one delivery, by process, without what the processes use at rest in the same time. */
  readonly cpuMs: { readonly engine: CpuUse; readonly queue: CpuUse };
}

interface Results {
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
  const asked = PARTS.filter((part) => values.part.includes(part));
  if (values.part.length !== asked.length) throw new Error(`--part is one of ${PARTS.join(', ')}`);
  await withBenchStack(async (stack) => {
    const parts = stack.createAppContext();
    try {
      const publisher = await WebhookPublisher.start(stack, parts);
      const results = await run(stack, publisher, values.quick, new Set(asked));
      console.log(`\n${render(results)}\n`);
      console.log(`Figures: ${writeResults('webhooks', results)}`);
      if ((results.drain?.violations.length ?? 0) > 0) process.exitCode = 1;
    } finally {
      await Promise.all([parts.temporal.connection.close(), parts.db.close()]);
    }
  }, SETTINGS);
}

async function run(
  stack: BenchStack,
  publisher: WebhookPublisher,
  quick: boolean,
  asked: ReadonlySet<PartOfBench>,
): Promise<Results> {
  const plan = quick ? QUICK : FULL;
  const load = await stack.paymentLoad('card');
  const company = await publisher.newestCompany();
  const bench = new WebhookBench(stack, publisher, load, company, plan);
  return {
    quick,
    temporal: stack.temporal.kind,
    ...(asked.has('speed') && { speed: await bench.speed() }),
    ...(asked.has('latency') && { latency: await bench.latency() }),
    ...(asked.has('drain') && { drain: await drain(publisher, plan.drain, ATTEMPTS) }),
  };
}

class WebhookBench {
  constructor(
    private readonly stack: BenchStack,
    private readonly publisher: WebhookPublisher,
    private readonly load: LoadProcess,
    private readonly company: number,
    private readonly plan: Plan,
  ) {}

  /** The same batch through the engine and through Q, in turns. */
  async speed(): Promise<Speed> {
    const { publisher } = this;
    await this.stack.startWebhookQueue();
    const endpoint = await publisher.addEndpoint(this.company, '/ok/batch');
    await this.throughEngine(endpoint);
    await this.throughQueue();
    const idle = await this.timed(() => delay(IDLE_MS));
    const engine: Run[] = [];
    const queue: Run[] = [];
    for (let round = 1; round <= this.plan.rounds; round += 1) {
      console.log(`Round ${round} of ${this.plan.rounds} ...`);
      engine.push(await this.throughEngine(endpoint));
      queue.push(await this.throughQueue());
    }
    await publisher.turnOff(endpoint);
    return {
      enginePerSecond: spreadOf(engine.map(({ perSecond }) => perSecond)),
      queuePerSecond: spreadOf(queue.map(({ perSecond }) => perSecond)),
      ratio: spreadOf(engine.map(({ perSecond }, round) => perSecond / (queue[round]?.perSecond ?? NaN))),
      cpuMs: {
        engine: cpuOfOne(engine, idle, this.plan.batch),
        queue: cpuOfOne(queue, idle, this.plan.batch),
      },
    };
  }

  /** While payments come steadily: alone, as another company's burst to a sleeper comes in, and while that one sleeps. */
  async latency(): Promise<Latencies> {
    const { publisher, load, company } = this;
    const endpoint = await publisher.addEndpoint(company, '/ok/steady');
    const sleeper = await publisher.addEndpoint(await publisher.newCompany(), '/sleep/steady');
    await load.run(CALIBRATION);
    const { ids, elapsedMs } = await load.run(CALIBRATION);
    await publisher.untilNonePending([endpoint]);
    const perSecond = Math.max(1, Math.round((STEADY_SHARE * ids.length * 1_000) / elapsedMs));
    const alone = await this.steady(endpoint, perSecond);
    const burst = await publisher.publish(sleeper, this.plan.sleeping);
    const [besideBurst] = await Promise.all([this.steady(endpoint, perSecond), publisher.startAll(burst)]);
    const besideSleeper = await this.steady(endpoint, perSecond);
    await publisher.turnOff(sleeper);
    await publisher.turnOff(endpoint);
    return { perSecond, alone, besideBurst, besideSleeper };
  }

  private async throughEngine(endpoint: BenchEndpoint): Promise<Run> {
    const deliveries = await this.publisher.publish(endpoint, this.plan.batch);
    return this.timed(async () => {
      await this.publisher.startAll(deliveries);
      await this.publisher.untilNonePending([endpoint]);
    });
  }

  private throughQueue(): Promise<Run> {
    const { publisher, plan } = this;
    return this.timed(async () => {
      await publisher.parts.db.query(
        `INSERT INTO queued_webhooks (id, url, payload) SELECT gen_random_uuid(), $1, $2 FROM generate_series(1, $3)`,
        [`${publisher.receiverUrl}/ok/queue`, PAYLOAD, plan.batch],
      );
      await publisher.untilZero(`SELECT count(*) AS left FROM queued_webhooks WHERE status = 'pending'`, []);
    });
  }

  private async timed(work: () => Promise<unknown>): Promise<Run> {
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
    const rows = await publisher.parts.db.query<{ ms: number }>(
      `SELECT (extract(epoch FROM a.started_at - d.created_at) * 1000)::float8 AS ms
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
        WHERE d.endpoint_id = $1 AND a.number = 1 AND d.created_at >= $2`,
      [endpoint.id, since],
    );
    const latencies = rows.map(({ ms }) => ms);
    return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  }
}

interface Run {
  readonly ms: number;
  readonly perSecond: number;
  readonly cpu: CpuUse;
}

/** The median over the rounds, process by process. */
function cpuOfOne(runs: readonly Run[], idle: Run, deliveries: number): CpuUse {
  const used = (name: string, { cpu, ms }: Run): number =>
    (cpu[name] ?? 0) - ((idle.cpu[name] ?? 0) * ms) / idle.ms;
  const median = (name: string): number =>
    percentile(
      runs.map((each) => used(name, each)),
      50,
    );
  return Object.fromEntries(Object.keys(idle.cpu).map((name) => [name, median(name) / deliveries]));
}

function render({ quick, temporal, speed, latency, drain: drained }: Results): string {
  return [
    `Webhooks${quick ? ' (quick: rough figures)' : ''}, Temporal: ${temporal}`,
    ...(speed === undefined ? [] : ['', ...renderSpeed(speed)]),
    ...(latency === undefined ? [] : ['', ...renderLatency(latency)]),
    ...(drained === undefined ? [] : ['', ...renderDrain(drained)]),
  ].join('\n');
}

function renderSpeed({ enginePerSecond, queuePerSecond, ratio, cpuMs }: Speed): string[] {
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
      ['', 'median', 'least', 'most'],
      line('engine, deliveries/s', enginePerSecond, 1),
      line('Q, deliveries/s', queuePerSecond, 1),
      line('engine / Q', ratio, 3),
    ]),
    '',
    `CPU ms of one delivery: ${cpu(cpuMs.engine)}`,
    `CPU ms of one by Q:     ${cpu(cpuMs.queue)}`,
  ];
}

function renderLatency({ perSecond, alone, besideBurst, besideSleeper }: Latencies): string[] {
  const line = (when: string, { p50, p99 }: Latency): string[] => [
    when,
    ...[p50, p99].map((ms) => ms.toFixed(0)),
    (p99 / alone.p99).toFixed(2),
  ];
  return [
    `Event to first attempt, at ${perSecond} payments a second:`,
    ...table([
      ['', 'p50, ms', 'p99, ms', 'p99 / alone'],
      line('alone', alone),
      line("as another company's burst comes", besideBurst),
      line('while its receiver sleeps', besideSleeper),
    ]),
  ];
}

function renderDrain({ deliveries, seconds, violations }: Drain): string[] {
  return [
    `drained ${deliveries} deliveries, a third failing, in ${seconds.toFixed(1)} s`,
    ...(violations.length === 0 ? ['all accounted for'] : ['VIOLATIONS', ...violations]),
  ];
}

void main();
