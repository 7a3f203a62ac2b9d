import { setTimeout as delay } from 'node:timers/promises';
import { Merchant, type MerchantOrder } from '../../support/merchant/merchant';
import type { SendOutcome } from '../../support/merchant/requests';
import { FAULT_TARGETS, processesOf } from './fault-plan';
import { withFaultStack, type FaultStack } from './fault-stack';
import { invariantViolations, waitUntilSettled } from './invariants';
import { Operator } from './operator';
import { PROXIED_PROGRAMS, type PerServer } from './stack-messages';
import type { NetworkCondition, TcpProxy } from './tcp-proxy';

/** The API's limit on waiting for a result, plus the time a statement and its rollback may take to be aborted. */
const RESPONSE_WITHIN_MS = 16_000;
const FREEZE_MS = 30_000;
/** Longer than any response may take. */
const CONDITION_LASTS_MS = 20_000;
const POST_EVERY_MS = 300;

interface OutageScenario {
  readonly title: string;
  /** Returns when the fault has ended. */
  readonly injectFault: (stack: FaultStack) => Promise<void>;
  /** What is wrong with the responses during the fault. */
  readonly responseViolations: (order: MerchantOrder) => string[];
  /** No gateway can be asked for outcomes during the fault, so any payment may need a manual review. */
  readonly gatewaysUnresponsive?: boolean;
}

const freezes = (['api', 'worker', 'simulator', 'temporal', 'postgres'] as const).map(
  (name): OutageScenario => ({
    title: `SIGSTOP of the ${name} for 30 s`,
    injectFault: async (stack) => {
      const resume = stack.freeze(name);
      await delay(FREEZE_MS);
      resume();
    },
    responseViolations: () => [],
    gatewaysUnresponsive: name === 'simulator',
  }),
);

const networkConditions: ReadonlyArray<readonly [keyof PerServer<TcpProxy>, NetworkCondition]> = [
  ['postgres', { kind: 'slow', delayMs: 150 }],
  ['postgres', { kind: 'refused' }],
  ['postgres', { kind: 'stalled' }],
  ['temporal', { kind: 'slow', delayMs: 150 }],
  ['temporal', { kind: 'refused' }],
  ['temporal', { kind: 'stalled' }],
];

const networks = networkConditions.map(([server, condition]): OutageScenario => ({
  title: `the network to ${server} ${condition.kind} for ${CONDITION_LASTS_MS / 1000} s`,
  injectFault: async (stack) => {
    const proxies = PROXIED_PROGRAMS.map((program) => stack.proxy(program, server));
    for (const proxy of proxies) proxy.setCondition(condition);
    await delay(CONDITION_LASTS_MS);
    for (const proxy of proxies) proxy.setCondition({ kind: 'normal' });
  },
  responseViolations: (order) => order.outcomes.flatMap((outcome) => lateResponse(outcome)),
}));

const kills = FAULT_TARGETS.map((target): OutageScenario => ({
  title: `kill -9 of the ${target}`,
  injectFault: async (stack) => {
    await delay(POST_EVERY_MS);
    await Promise.all(processesOf(target).map((name) => stack.kill(name)));
    await Promise.all([stack.workersReady(), stack.apiReady()]);
  },
  responseViolations: () => [],
}));

/** Kills of each process, network faults between programs and servers, and long freezes. */
export const OUTAGE_SCENARIOS: readonly OutageScenario[] = [...kills, ...networks, ...freezes];

/** Runs the scenarios one after the other on one stack; throws at the first one with a violation. */
export async function runOutageScenarios(scenarios: readonly OutageScenario[]): Promise<void> {
  if (scenarios.length === 0) return;
  await withFaultStack({ proxied: true }, async (stack) => {
    for (const scenario of scenarios) {
      const violations = await runScenario(stack, scenario);
      if (violations.length > 0) throw new Error(`${scenario.title}:\n  ${violations.join('\n  ')}`);
      console.log(`${scenario.title}: every invariant holds`);
    }
  });
}

async function runScenario(stack: FaultStack, scenario: OutageScenario): Promise<string[]> {
  const merchants = await Promise.all(
    (['gateway_1', 'gateway_2', 'gateway_3'] as const).map((gateway) =>
      Merchant.register(stack, [gateway, 'gateway_4']),
    ),
  );
  const operator = new Operator(stack);
  const orders: MerchantOrder[] = [];
  const paying: Promise<void>[] = [];
  let faultActive = true;
  const fault = scenario.injectFault(stack).finally(() => (faultActive = false));
  for (let index = 0; faultActive; index += 1) {
    const merchant = merchants[index % merchants.length];
    if (merchant === undefined) break;
    const order = merchant.order();
    orders.push(order);
    paying.push(merchant.pay(order));
    await delay(POST_EVERY_MS);
  }
  await fault;
  await Promise.all(paying);
  await Promise.all([stack.workersReady(), stack.apiReady()]);
  await waitUntilSettled(stack, orders);
  await operator.stop();
  const reviewer = scenario.gatewaysUnresponsive === true ? undefined : operator;
  return [
    ...(await invariantViolations(stack, orders, reviewer)),
    ...orders.flatMap(scenario.responseViolations),
  ];
}

/** The API responds within its limit even if the network behind it fails. */
function lateResponse(outcome: SendOutcome): string[] {
  if (outcome.kind === 'none') return [`no response (${outcome.reason})`];
  return outcome.tookMs > RESPONSE_WITHIN_MS ? [`a response after ${outcome.tookMs} ms`] : [];
}
