import { setTimeout as delay } from 'node:timers/promises';
import { onStack, type FaultStack } from './fault-stack';
import { untilSettled, violations } from './invariants';
import type { Answer } from './answers';
import { Merchant, type Order } from './merchant';
import { Person } from './operator';
import { partsOf, VICTIMS } from './fault-plan';
import { PROGRAMS, type Servers } from './stack-messages';
import type { TcpProxy, Weather } from './tcp-proxy';

/** The service's own limit on waiting for a result, and a statement and its rollback that are given up before it. */
const BOUNDED_MS = 16_000;
const FREEZE_MS = 30_000;
/** Longer than any answer may take. */
const WEATHER_LASTS_MS = 20_000;
const POST_EVERY_MS = 300;

interface Scenario {
  readonly title: string;
  /** Hurts the stack, and returns when it is whole again. */
  readonly hurt: (stack: FaultStack) => Promise<void>;
  /** What may not be answered meanwhile. */
  readonly answers: (order: Order) => string[];
  /** Nobody can tell what a silent gateway did: then every payment may end at a person's desk. */
  readonly silencesGateways?: boolean;
}

const freezes = (['api', 'worker', 'simulator', 'temporal', 'postgres'] as const).map((part): Scenario => ({
  title: `SIGSTOP of the ${part} for 30 s`,
  hurt: async (stack) => {
    const thaw = stack.freeze(part);
    await delay(FREEZE_MS);
    thaw();
  },
  answers: () => [],
  silencesGateways: part === 'simulator',
}));

const weathers: ReadonlyArray<readonly [keyof Servers<TcpProxy>, Weather]> = [
  ['postgres', { kind: 'slow', delayMs: 150 }],
  ['postgres', { kind: 'refused' }],
  ['postgres', { kind: 'silent' }],
  ['temporal', { kind: 'slow', delayMs: 150 }],
  ['temporal', { kind: 'refused' }],
  ['temporal', { kind: 'silent' }],
];

const networks = weathers.map(([server, weather]): Scenario => ({
  title: `the network to ${server} ${weather.kind} for ${WEATHER_LASTS_MS / 1000} s`,
  hurt: async (stack) => {
    const proxies = PROGRAMS.map((program) => stack.network(program, server));
    for (const proxy of proxies) proxy.set(weather);
    await delay(WEATHER_LASTS_MS);
    for (const proxy of proxies) proxy.set({ kind: 'fair' });
  },
  answers: (order) => order.answers.flatMap((answer) => tooLate(answer)),
}));

const kills = VICTIMS.map((victim): Scenario => ({
  title: `kill -9 of the ${victim}`,
  hurt: async (stack) => {
    await delay(POST_EVERY_MS);
    await Promise.all(partsOf(victim).map((part) => stack.kill(part)));
    await Promise.all([stack.workersReady(), stack.apiReady()]);
  },
  answers: () => [],
}));

/** What lasts long or happens between the parts, and the end of each part. */
export const SCENARIOS: readonly Scenario[] = [...kills, ...networks, ...freezes];

/** One after the other on one stack. */
export async function playScenarios(scenarios: readonly Scenario[]): Promise<void> {
  if (scenarios.length === 0) return;
  await onStack({ throughNetworks: true }, async (stack) => {
    for (const scenario of scenarios) {
      const wrong = await play(stack, scenario);
      if (wrong.length > 0) throw new Error(`${scenario.title}:\n  ${wrong.join('\n  ')}`);
      console.log(`${scenario.title}: every invariant holds`);
    }
  });
}

async function play(stack: FaultStack, scenario: Scenario): Promise<string[]> {
  const merchants = await Promise.all(
    (['gateway_1', 'gateway_2', 'gateway_3'] as const).map((gateway) =>
      Merchant.register(stack, [gateway, 'gateway_4']),
    ),
  );
  const person = new Person(stack);
  const orders: Order[] = [];
  const paying: Promise<void>[] = [];
  let hurting = true;
  const hurt = scenario.hurt(stack).finally(() => (hurting = false));
  for (let turn = 0; hurting; turn += 1) {
    const merchant = merchants[turn % merchants.length];
    if (merchant === undefined) break;
    const order = merchant.order();
    orders.push(order);
    paying.push(merchant.pay(order));
    await delay(POST_EVERY_MS);
  }
  await hurt;
  await Promise.all(paying);
  await Promise.all([stack.workersReady(), stack.apiReady()]);
  await untilSettled(stack, orders);
  await person.leave();
  const asked = scenario.silencesGateways === true ? undefined : person;
  return [...(await violations(stack, orders, asked)), ...orders.flatMap(scenario.answers)];
}

/** A caller is answered in bounded time, whatever the network does behind the API. */
function tooLate(answer: Answer): string[] {
  if (answer.kind === 'none') return [`no answer (${answer.why})`];
  return answer.tookMs > BOUNDED_MS ? [`an answer after ${answer.tookMs} ms`] : [];
}
