import { parseArgs } from 'node:util';
import type { LoadProcess } from '../support/load-process';
import { writeResults } from '../support/results';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { percentile } from '../support/statistics';
import { table } from '../support/table';
import { drain, type Drain } from './webhook-drain';
import { withPublisher, type BenchEndpoint, type WebhookPublisher } from './webhook-publisher';

/**
 * `npm run bench:webhooks`: the latency from an event to its first attempt, alone and while another company's receiver
 * does not respond; and draining a backlog in which a third of the receivers fail, after which the database and the
 * receiver's log must agree. `--quick` checks in a minute or two that the benchmark works; `--part latency` or `drain`
 * runs only that part.
 */

const PARTS = ['latency', 'drain'] as const;
type BenchPart = (typeof PARTS)[number];

interface WebhooksPlan {
  readonly steadyMs: number;
  readonly unresponsive: number;
  readonly drain: number;
}

const FULL: WebhooksPlan = { steadyMs: 40_000, unresponsive: 500, drain: 10_000 };
const QUICK: WebhooksPlan = { steadyMs: 5_000, unresponsive: 60, drain: 300 };
/** A schedule of three attempts. */
const SETTINGS = {
  WEBHOOK_RETRY_SCHEDULE: '1s,1s',
  WEBHOOK_ALLOW_LOOPBACK: 'true',
};
const ATTEMPTS = 3;
/** The rate of the steady load, as a share of the measured closed-loop throughput. */
const STEADY_SHARE = 0.25;
const CALIBRATION = { kind: 'closed', concurrency: 16, forMs: 8_000 } as const;

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

interface WebhookResults {
  readonly quick: boolean;
  readonly temporal: string;
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
  const { quick } = values;
  await withBenchStack(
    (stack) =>
      withPublisher(stack, async (publisher) => {
        const results = await run(stack, publisher, quick, new Set(selected));
        console.log(`\n${render(results)}\n`);
        console.log(`Figures: ${writeResults('webhooks', results)}`);
        if ((results.drain?.violations.length ?? 0) > 0) process.exitCode = 1;
      }),
    { quick, settings: SETTINGS },
  );
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
  const bench = new WebhookBench(publisher, load, company, plan);
  return {
    quick,
    temporal: stack.temporal.kind,
    ...(selected.has('latency') && { latency: await bench.latency() }),
    ...(selected.has('drain') && { drain: await drain(publisher, plan.drain, ATTEMPTS) }),
  };
}

class WebhookBench {
  constructor(
    private readonly publisher: WebhookPublisher,
    private readonly load: LoadProcess,
    private readonly company: number,
    private readonly plan: WebhooksPlan,
  ) {}

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
    await publisher.setEnabled(unresponsive, false);
    await publisher.setEnabled(endpoint, false);
    return { perSecond, alone, duringBurst, duringTimeouts };
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

function render({ quick, temporal, latency, drain: drained }: WebhookResults): string {
  return [
    `Webhooks${quick ? ' (quick: rough figures)' : ''}, Temporal: ${temporal}`,
    ...(latency === undefined ? [] : ['', ...renderLatency(latency)]),
    ...(drained === undefined ? [] : ['', ...renderDrain(drained)]),
  ].join('\n');
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
