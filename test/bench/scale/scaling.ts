import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../src/dev/wait-until';
import { SimulatorControl } from '../../support/stack/simulator';
import { moveTrialEnd, unpaid, waitUntilIdle } from '../subscriptions/subscription-billing';
import type { BenchStack } from '../support/bench-stack';
import { showNumber } from '../support/format';
import type { LoadProcess } from '../support/load-process';
import { thisMachine } from '../support/neighbours';
import { percentile } from '../support/statistics';
import { table } from '../support/table';
import type { WebhookPublisher } from '../webhooks/webhook-publisher';
import type { WorkerFleet } from './worker-fleet';

/** What is measured of one kind of work with a number of workers. */
interface Throughput {
  readonly work: string;
  readonly workers: number;
  readonly perSecond: number;
  /** The share of the machine's CPU that was in use, 0 to 1: at 1, more workers cannot do more. */
  readonly busy: number;
  /** The CPU time of all workers for one unit of work, in ms. */
  readonly workerMs: number;
}

export interface ScalingPlan {
  readonly rounds: number;
  readonly loadMs: number;
  readonly deliveries: number;
  readonly renewals: number;
}

export const WORKER_COUNTS = [1, 2, 3] as const;
const CALLERS = 16;
/** More than three workers with few slots can take. */
const WAITING_CALLERS = 48;
const RECEIVERS = 4;
const RENEWED_WITHIN_MS = 300_000;

/** A gateway's usual answer time, and so few slots that waiting for it, and not the CPU, limits a worker. */
const SLOW_CAPTURE_MS = 1_000;
const FEW_SLOTS = { WORKER_CONCURRENCY: '6' };

/** Throughput with one, two and three workers, in turn, so that other load on the machine meets each of them. */
export class ScalingBench {
  private readonly measured: Throughput[] = [];
  readonly ids: string[] = [];

  constructor(
    private readonly stack: BenchStack,
    private readonly fleet: WorkerFleet,
    private readonly publisher: WebhookPublisher,
    private readonly plan: ScalingPlan,
  ) {}

  async measure(): Promise<void> {
    const { stack, plan } = this;
    const [capture, pix] = [await stack.paymentLoad('capture'), await stack.paymentLoad('pix')];
    const subscribe = await stack.subscriptionLoad();
    const endpoints = await this.endpoints();
    await this.payments('warm-up', capture, CALLERS);
    this.measured.length = 0;
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const count of WORKER_COUNTS) {
        await this.fleet.scaleTo(count);
        await this.payments('authorizations captured', capture, CALLERS);
        await this.payments('pix created and paid', pix, CALLERS);
        await this.deliveries(endpoints);
        await this.renewals(subscribe);
      }
      await this.slotBound(capture);
    }
    await this.fleet.scaleTo(2);
  }

  report(): string {
    const works = [...new Set(this.measured.map(({ work }) => work))];
    const rows = works.map((work) => {
      const of = (count: number): Throughput[] =>
        this.measured.filter((each) => each.work === work && each.workers === count);
      const median = (count: number, value: (each: Throughput) => number): number =>
        percentile(of(count).map(value), 50);
      const [one = NaN, ...more] = WORKER_COUNTS.map((count) => median(count, ({ perSecond }) => perSecond));
      return [
        work,
        showNumber(one),
        ...more.map((perSecond) => `${showNumber(perSecond)} (${(perSecond / one).toFixed(2)})`),
        WORKER_COUNTS.map((count) => `${Math.round(100 * median(count, ({ busy }) => busy))}%`).join(', '),
        WORKER_COUNTS.map((count) => showNumber(median(count, ({ workerMs }) => workerMs))).join(', '),
      ];
    });
    const header = [
      'per second, with',
      '1 worker',
      '2 (ratio)',
      '3 (ratio)',
      'CPU in use',
      'worker ms per unit',
    ];
    return [
      ...table([header, ...rows]),
      '',
      `${thisMachine.cores} cores run everything: the load, 2 APIs, workers, Temporal, Postgres, the simulator. Where the CPU is in`,
      'use, another worker adds no throughput here; where workers wait for a gateway, each adds its slots.',
    ].join('\n');
  }

  get results(): readonly Throughput[] {
    return this.measured;
  }

  /** Captures at a slow gateway by workers with few slots. */
  private async slotBound(capture: LoadProcess): Promise<void> {
    const simulator = new SimulatorControl(this.stack.simulatorUrl);
    await simulator.script({ operation: 'capture' }, { delay_ms: SLOW_CAPTURE_MS }, 0);
    try {
      for (const count of WORKER_COUNTS) {
        await this.fleet.scaleTo(count, FEW_SLOTS);
        await this.payments(
          `captures of ${SLOW_CAPTURE_MS / 1_000} s, 6 slots a worker`,
          capture,
          WAITING_CALLERS,
        );
      }
    } finally {
      await simulator.clearScripts();
    }
  }

  private async payments(work: string, load: LoadProcess, concurrency: number): Promise<void> {
    await this.timed(work, async () => {
      const { ids, elapsedMs } = await load.run({ kind: 'closed', concurrency, forMs: this.plan.loadMs });
      this.ids.push(...ids);
      return { count: ids.length, elapsedMs };
    });
  }

  private async endpoints() {
    const { publisher } = this;
    return Promise.all(
      Array.from({ length: RECEIVERS }, async (_, index) =>
        publisher.addEndpoint(await publisher.createCompany(), `/ok/scale-${index}`),
      ),
    );
  }

  /** Deliveries that wait, as after an outage of the workers: this process starts them, so workers make every attempt. */
  private async deliveries(endpoints: Awaited<ReturnType<ScalingBench['endpoints']>>): Promise<void> {
    const { publisher } = this;
    const share = Math.ceil(this.plan.deliveries / endpoints.length);
    const published = await Promise.all(endpoints.map((endpoint) => publisher.publish(endpoint, share)));
    await this.timed('waiting webhooks delivered', async () => {
      const startedAt = performance.now();
      await Promise.all(published.map((deliveries) => publisher.startAll(deliveries)));
      await publisher.untilNonePending(endpoints);
      return { count: share * endpoints.length, elapsedMs: performance.now() - startedAt };
    });
  }

  private async renewals(subscribe: LoadProcess): Promise<void> {
    const { stack, plan } = this;
    await subscribe.run({ kind: 'counted', concurrency: CALLERS, count: plan.renewals });
    await waitUntilIdle(stack);
    await delay(await moveTrialEnd(stack, plan.renewals));
    await this.timed('renewals charged', async () => {
      const startedAt = performance.now();
      const allPaid = async (): Promise<boolean> => (await unpaid(stack)) === 0;
      await waitUntil('every renewal to be paid', RENEWED_WITHIN_MS, allPaid, 100);
      return { count: plan.renewals, elapsedMs: performance.now() - startedAt };
    });
  }

  private async timed(
    work: string,
    run: () => Promise<{ readonly count: number; readonly elapsedMs: number }>,
  ): Promise<void> {
    const { stack, fleet } = this;
    const [machine, workerMs] = [thisMachine.read(), stack.cpuMs(fleet.names)];
    const { count, elapsedMs } = await run();
    const after = thisMachine.read();
    const measured = {
      work,
      workers: fleet.names.length,
      perSecond: (count * 1_000) / elapsedMs,
      busy: Math.min(1, (after.usedMs - machine.usedMs) / (thisMachine.cores * (after.at - machine.at))),
      workerMs: (stack.cpuMs(fleet.names) - workerMs) / count,
    };
    this.measured.push(measured);
    const busy = `${Math.round(100 * measured.busy)}% of the CPU in use`;
    console.log(`${measured.workers} workers, ${work}: ${showNumber(measured.perSecond)}/s, ${busy}`);
  }
}
