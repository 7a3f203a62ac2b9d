import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../../src/dev/ports';
import type { BenchPart } from '../figures/figures';
import { Meter, type BenchSubject, type Measurement } from '../payments/measure';
import { HEADLINE_CONCURRENCY } from '../payments/summary';
import { withBenchStack, type BenchStack } from '../support/bench-stack';
import { showNumber, showSpread } from '../support/format';
import { describeNeighbours, markOf, usable } from '../support/neighbours';
import { writeResults } from '../support/results';
import { spreadOf } from '../support/statistics';
import { verify } from '../support/verify';
import {
  difference,
  disagreements,
  figuresOf,
  meanLatencyMs,
  type ServiceFigures,
} from './measured-by-service';

const FULL = { rounds: 8, forMs: 4_500, warmUpMs: 3_000 };
const QUICK = { rounds: 2, forMs: 1_500, warmUpMs: 2_000 };
/** More often than a Prometheus would. */
const SCRAPE_EVERY_MS = 5_000;

interface Round {
  /** CPU per payment in ms, of API, worker, Temporal and Postgres. */
  readonly plainMs: number;
  readonly observedMs: number;
  readonly neighbours: number;
  /** Where the metrics of the observed processes differ from what the clients counted and measured. */
  readonly disagreements: readonly string[];
}

/** What metrics and traces cost: the CPU of card payments with all of them, relative to the same payments with none. */
export async function benchObservability(quick: boolean): Promise<BenchPart> {
  const receiver = await startReceiver();
  const plan = quick ? QUICK : FULL;
  const measured = await withBenchStack((stack) => measureBoth(stack, plan, receiver.url), { quick });
  await receiver.close();
  const { rounds, violations } = measured;
  const used = usable(rounds);
  const ratio = spreadOf(used.map(({ plainMs, observedMs }) => observedMs / plainMs));
  console.log(
    [
      '',
      `CPU per payment, ms: ${showSpread(spreadOf(used.map(({ plainMs }) => plainMs)))}`,
      `with metrics and traces: ${showSpread(spreadOf(used.map(({ observedMs }) => observedMs)))}`,
      `ratio: ${showSpread(ratio)}; ${receiver.requests()} batches of spans were sent`,
      `rounds whose metrics agree with their clients: ${rounds.filter((round) => round.disagreements.length === 0).length} of ${rounds.length}`,
      describeNeighbours(rounds.map(({ neighbours }) => neighbours)),
      `All rounds: ${writeResults('observability', { quick, rounds, violations })}`,
    ].join('\n'),
  );
  const unsent = receiver.requests() === 0 ? ['no spans were sent'] : [];
  return { figures: { observedToPlain: ratio.median }, violations: [...violations, ...unsent] };
}

async function measureBoth(
  stack: BenchStack,
  plan: typeof FULL,
  receiverUrl: string,
): Promise<{ rounds: Round[]; violations: string[] }> {
  const ports = { api: await freePort(), worker: await freePort() };
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl };
  const apiUrl = await stack.startSecondPair({
    api: { ...traced, METRICS_PORT: String(ports.api) },
    worker: { ...traced, METRICS_PORT: String(ports.worker) },
  });
  const plain: BenchSubject = {
    name: 'card',
    load: await stack.paymentLoad('card'),
    processes: ['api', 'worker', 'temporal'],
  };
  const observed: BenchSubject = {
    name: 'card',
    load: await stack.paymentLoad('card', apiUrl),
    processes: ['second api', 'second worker', 'temporal'],
  };
  const scraping = setInterval(
    () => void scrape(Object.values(ports)).catch(() => undefined),
    SCRAPE_EVERY_MS,
  );
  const meter = new Meter(stack);
  try {
    const readFigures = async () => figuresOf(await scrape(Object.values(ports)));
    const rounds = await runRounds(meter, { plain, observed, readFigures }, plan);
    const disagreed = rounds.flatMap((round) => round.disagreements);
    return { rounds, violations: [...(await verify(stack, meter)), ...disagreed] };
  } finally {
    clearInterval(scraping);
  }
}

interface Compared {
  readonly plain: BenchSubject;
  readonly observed: BenchSubject;
  /** Of the observed processes. */
  readonly readFigures: () => Promise<ServiceFigures>;
}

/** Each of the two is first in every other round. */
async function runRounds(
  meter: Meter,
  { plain, observed, readFigures }: Compared,
  { rounds: count, forMs, warmUpMs }: typeof FULL,
): Promise<Round[]> {
  for (const subject of [plain, observed]) {
    await meter.runUnmeasured(subject, {
      kind: 'closed',
      concurrency: HEADLINE_CONCURRENCY,
      forMs: warmUpMs,
    });
  }
  const rounds: Round[] = [];
  for (let number = 0; number < count; number += 1) {
    const measure = (subject: BenchSubject): Promise<Measurement> =>
      meter.measure(subject, { kind: 'closed', concurrency: HEADLINE_CONCURRENCY, forMs }, number);
    const plainFirst = number % 2 === 0;
    // The other subject's round counts nothing here: it has processes of its own.
    const before = await readFigures();
    const first = await measure(plainFirst ? plain : observed);
    const second = await measure(plainFirst ? observed : plain);
    const [without, having] = plainFirst ? [first, second] : [second, first];
    const clients = { payments: having.payments, meanMs: meanLatencyMs(having, HEADLINE_CONCURRENCY) };
    const round = {
      disagreements: disagreements(difference(await readFigures(), before), clients),
      plainMs: serviceCpuMs(without, plain),
      observedMs: serviceCpuMs(having, observed),
      neighbours: Math.max(first.neighbours, second.neighbours),
    };
    rounds.push(round);
    const figures = `${showNumber(round.plainMs)} ms, observed ${showNumber(round.observedMs)} ms`;
    console.log(`Round ${number + 1} of ${count}: ${figures}${markOf(round.neighbours)}`);
  }
  return rounds;
}

function serviceCpuMs({ cpuMs }: Measurement, { processes }: BenchSubject): number {
  return [...processes, 'postgres'].reduce((total, name) => total + (cpuMs[name] ?? 0), 0);
}

async function scrape(ports: readonly number[]): Promise<string[]> {
  return Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
}

/** An OTLP receiver that throws everything away. */
async function startReceiver() {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().once('end', () => response.writeHead(200).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
