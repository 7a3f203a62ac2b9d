import { setTimeout as delay } from 'node:timers/promises';
import { describeAnswers } from './answers';
import type { FaultStack } from './fault-stack';
import { resultOf, type Order } from './merchant';
import { partsOf, type PlannedFault } from './fault-plan';
import { machineSlowness } from './slowness';

export interface Recovery {
  readonly fault: PlannedFault;
  /** From the kill, or from the end of a freeze, until a payment begun after it is answered with its result. */
  readonly ms: number;
  /** Stretched where the machine is slow just now. */
  readonly limitMs: number;
}

/** After a kill. */
const RECOVERED_WITHIN_MS = 15_000;
/** A frozen worker holds polls that Temporal answers with tasks: those are lost until they time out. */
const RECOVERED_FROM_FREEZE_WITHIN_MS = 60_000;
/** Much longer than any limit: then it is not slow, it is broken. */
const GIVE_UP_AFTER_MS = 240_000;
/** More and more slowly: what waits while nothing flows must not be what keeps a slow machine from coming back. */
const PROBE_PAUSE = { firstMs: 250, growth: 1.1, longestMs: 2_000 } as const;

export function isKill(fault: PlannedFault): boolean {
  return fault.kind === 'kill' || (fault.kind === 'failpoint' && fault.action === 'kill');
}

/** Begins new payments after a fault, until one of them has its result. */
export async function recover(fault: PlannedFault, beginPayment: () => Order): Promise<Recovery> {
  const ms = await untilPaymentsFlow(beginPayment);
  const limitMs = isKill(fault) ? RECOVERED_WITHIN_MS : RECOVERED_FROM_FREEZE_WITHIN_MS;
  return { fault, ms, limitMs: Math.round(limitMs * machineSlowness()) };
}

/** Kills parts, or freezes them for a while; returns when that is done. */
export async function strike(
  stack: FaultStack,
  fault: Extract<PlannedFault, { kind: 'kill' | 'freeze' }>,
): Promise<void> {
  const parts = partsOf(fault.victim);
  if (fault.kind === 'kill') {
    await Promise.all(parts.map((part) => stack.kill(part)));
    return;
  }
  const thaws = parts.map((part) => stack.freeze(part));
  await delay(fault.forMs);
  for (const thaw of thaws) thaw();
}

/** How long it takes, in ms. */
async function untilPaymentsFlow(beginPayment: () => Order): Promise<number> {
  const since = Date.now();
  const probes: Order[] = [];
  let pauseMs: number = PROBE_PAUSE.firstMs;
  while (Date.now() - since < GIVE_UP_AFTER_MS) {
    probes.push(beginPayment());
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * PROBE_PAUSE.growth, PROBE_PAUSE.longestMs);
    const settled = probes.filter((order) => resultOf(order)?.status === 'approved');
    if (settled.length > 0) return Math.min(...settled.map(settledAt)) - since;
  }
  const answers = probes.slice(-3).map((order) => describeAnswers(order.answers));
  throw new Error(`payments do not flow again after ${GIVE_UP_AFTER_MS / 1000} s: ${answers.join('; ')}`);
}

function settledAt(order: Order): number {
  return order.answers.at(-1)?.at ?? Infinity;
}
