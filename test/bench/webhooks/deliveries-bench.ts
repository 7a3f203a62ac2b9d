import { setTimeout as delay } from 'node:timers/promises';
import type { BenchPart } from '../figures/figures';
import { SETTLE_MS } from '../payments/measure';
import { COUNTED } from '../payments/summary';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { cpuUsed, type CpuUse } from '../support/cpu';
import { showNumber, showSpread } from '../support/format';
import type { LoadProcess } from '../support/load-process';
import { describeNeighbours, markOf, usable, watchNeighbours } from '../support/neighbours';
import { writeResults } from '../support/results';
import { spreadOf, type Spread } from '../support/statistics';
import { table } from '../support/table';
import { PAYLOAD, withPublisher, type BenchEndpoint, type WebhookPublisher } from './webhook-publisher';

interface DeliveriesPlan {
  readonly rounds: number;
  /** Deliveries in a batch. */
  readonly batch: number;
  /** Payments, and workflows of baseline T, of which the CPU is measured. */
  readonly calls: number;
}

const FULL: DeliveriesPlan = { rounds: 5, batch: 1_000, calls: 400 };
const QUICK: DeliveriesPlan = { rounds: 2, batch: 100, calls: 60 };
const SETTINGS = { WEBHOOK_ALLOW_LOOPBACK: 'true' };
const CONCURRENCY = 16;
const IDLE_MS = 4_000;

/** One measured piece of work. */
interface TimedRun {
  readonly ms: number;
  readonly cpu: CpuUse;
}

interface DeliveriesRound {
  readonly servicePerSecond: number;
  readonly queuePerSecond: number;
  /** What a delivery adds to the CPU of a payment, in ms: of all processes of the service. */
  readonly cpuMsPerDelivery: number;
  readonly cpuMsOfT: number;
  /** The share of the machine that other processes took. */
  readonly neighbours: number;
}

/**
 * The deliveries per second of a batch beside baseline Q, a plain queue in Postgres; and the CPU of a delivery, as the
 * difference between payments with and without a subscribed endpoint, beside baseline T.
 */
export async function benchDeliveries(quick: boolean): Promise<BenchPart> {
  const plan = quick ? QUICK : FULL;
  const rounds = await withBenchStack(
    (stack) =>
      withPublisher(stack, async (publisher) =>
        (await DeliveriesMeter.start(stack, publisher, plan)).rounds(),
      ),
    { quick, settings: SETTINGS },
  );
  const used = usable(rounds);
  const spread = (figure: (round: DeliveriesRound) => number): Spread => spreadOf(used.map(figure));
  const ratio = spread((round) => round.servicePerSecond / round.queuePerSecond);
  const cpu = spread((round) => round.cpuMsPerDelivery / round.cpuMsOfT);
  const lines = table([
    ['', 'service', 'baseline', 'service / baseline'],
    [
      'deliveries/s, baseline Q',
      showSpread(spread((round) => round.servicePerSecond)),
      showSpread(spread((round) => round.queuePerSecond)),
      showSpread(ratio),
    ],
    [
      'CPU ms per delivery, baseline T',
      showSpread(spread((round) => round.cpuMsPerDelivery)),
      showSpread(spread((round) => round.cpuMsOfT)),
      showSpread(cpu),
    ],
  ]);
  console.log(`\n${lines.join('\n')}\n${describeNeighbours(rounds.map(({ neighbours }) => neighbours))}\n`);
  console.log(`All rounds: ${writeResults('deliveries', { quick, rounds })}`);
  return { figures: { deliveriesToQ: ratio.median, cpuPerDelivery: cpu.median }, violations: [] };
}

class DeliveriesMeter {
  private idle: TimedRun = { ms: 1, cpu: {} };

  private constructor(
    private readonly stack: BenchStack,
    private readonly publisher: WebhookPublisher,
    private readonly plan: DeliveriesPlan,
    private readonly loads: { readonly card: LoadProcess; readonly T: LoadProcess },
    private readonly endpoints: { readonly ofPayments: BenchEndpoint; readonly ofBatches: BenchEndpoint },
  ) {}

  static async start(
    stack: BenchStack,
    publisher: WebhookPublisher,
    plan: DeliveriesPlan,
  ): Promise<DeliveriesMeter> {
    await stack.startWebhookQueue();
    const card = await stack.paymentLoad('card');
    const ofPayments = await publisher.addEndpoint(await publisher.newestCompany(), '/ok/payments');
    const ofBatches = await publisher.addEndpoint(await publisher.createCompany(), '/ok/batches');
    const loads = { card, T: await stack.bareWorkflowLoad() };
    return new DeliveriesMeter(stack, publisher, plan, loads, { ofPayments, ofBatches });
  }

  /** Measures everything in turn in each round; the first one warms up. */
  async rounds(): Promise<DeliveriesRound[]> {
    await this.round();
    this.idle = await this.timed(this.loads.card, () => delay(IDLE_MS));
    const rounds: DeliveriesRound[] = [];
    for (let number = 1; number <= this.plan.rounds; number += 1) {
      const neighbours = watchNeighbours();
      const round = { ...(await this.round()), neighbours: neighbours() };
      rounds.push(round);
      const rates = `${showNumber(round.servicePerSecond)} deliveries/s, Q ${showNumber(round.queuePerSecond)}/s`;
      console.log(`Round ${number} of ${this.plan.rounds}: ${rates}${markOf(round.neighbours)}`);
    }
    return rounds;
  }

  private async round(): Promise<Omit<DeliveriesRound, 'neighbours'>> {
    const { batch } = this.plan;
    const service = await this.throughService();
    const queue = await this.throughQueue();
    const withDelivery = await this.cpuMsPerPayment(true);
    const without = await this.cpuMsPerPayment(false);
    return {
      servicePerSecond: (batch * 1_000) / service.ms,
      queuePerSecond: (batch * 1_000) / queue.ms,
      cpuMsPerDelivery: withDelivery - without,
      cpuMsOfT: await this.cpuMsOfT(),
    };
  }

  private async throughService(): Promise<TimedRun> {
    const { publisher, loads, plan } = this;
    const { ofBatches } = this.endpoints;
    const deliveries = await publisher.publish(ofBatches, plan.batch);
    return this.timed(loads.card, async () => {
      await publisher.startAll(deliveries);
      await publisher.untilNonePending([ofBatches]);
    });
  }

  private throughQueue(): Promise<TimedRun> {
    const { publisher, plan } = this;
    return this.timed(this.loads.card, async () => {
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

  /** With one delivery for each payment, or with none. */
  private async cpuMsPerPayment(withDelivery: boolean): Promise<number> {
    const { ofPayments } = this.endpoints;
    await this.publisher.setEnabled(ofPayments, withDelivery);
    const run = await this.timed(this.loads.card, async () => {
      await this.calls(this.loads.card);
      await this.publisher.untilNonePending([ofPayments]);
    });
    return this.cpuMsPerCall(run, COUNTED.card);
  }

  private async cpuMsOfT(): Promise<number> {
    const run = await this.timed(this.loads.T, () => this.calls(this.loads.T));
    return this.cpuMsPerCall(run, COUNTED.T);
  }

  private calls(load: LoadProcess): Promise<unknown> {
    return load.run({ kind: 'counted', concurrency: CONCURRENCY, count: this.plan.calls });
  }

  /** Without what these processes use in the same time when nothing is to do. */
  private cpuMsPerCall({ ms, cpu }: TimedRun, processes: readonly string[]): number {
    const used = processes.reduce((sum, name) => {
      const idle = name === 'load' ? 0 : (this.idle.cpu[name] ?? 0);
      return sum + (cpu[name] ?? 0) - (idle * ms) / this.idle.ms;
    }, 0);
    return used / this.plan.calls;
  }

  /** Work after the last answer counts too: closing a workflow, for example. */
  private async timed(load: LoadProcess, work: () => Promise<unknown>): Promise<TimedRun> {
    const before = this.stack.readCpu(load);
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    await delay(SETTLE_MS);
    return { ms, cpu: cpuUsed(before, this.stack.readCpu(load)) };
  }
}
