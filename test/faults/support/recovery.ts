import { setTimeout as delay } from 'node:timers/promises';
import type { FaultStack } from './fault-stack';
import { resultOf, type Order } from './merchant';
import { partsOf, type PlannedFault } from './plan';

export interface Recovery {
  readonly fault: PlannedFault;
  /** From the kill, or from the end of a freeze, until a payment begun after it is answered with its result. */
  readonly ms: number;
  readonly limitMs: number;
}

/** After a kill. */
export const RECOVERED_WITHIN_MS = 15_000;
/** A frozen worker holds polls that Temporal answers with tasks: those are lost until they time out. */
export const RECOVERED_FROM_FREEZE_WITHIN_MS = 60_000;
const PROBE_EVERY_MS = 250;

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

/** Begins new payments from now on, until one of them has its result; returns how long that took, in ms. */
export async function untilPaymentsFlow(beginPayment: () => Order): Promise<number> {
  const since = Date.now();
  const probes: Order[] = [];
  while (Date.now() - since < RECOVERED_FROM_FREEZE_WITHIN_MS) {
    probes.push(beginPayment());
    await delay(PROBE_EVERY_MS);
    const settled = probes.filter((order) => resultOf(order)?.status === 'approved');
    if (settled.length > 0) return Math.min(...settled.map(settledAt)) - since;
  }
  throw new Error(`payments do not flow again after ${RECOVERED_FROM_FREEZE_WITHIN_MS / 1000} s`);
}

function settledAt(order: Order): number {
  return order.answers.at(-1)?.at ?? Infinity;
}
