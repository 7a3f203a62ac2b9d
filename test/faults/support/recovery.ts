import { setTimeout as delay } from 'node:timers/promises';
import { resultOf, type MerchantOrder } from '../../support/merchant/merchant';
import { describeOutcomes } from '../../support/merchant/requests';
import { processesOf, type PlannedFault } from './fault-plan';
import type { FaultStack } from './fault-stack';
import { describeFault, seconds } from './fault-descriptions';
import { machineSlowness } from './slowness';

export interface Recovery {
  readonly fault: PlannedFault;
  /** From the kill, or from the end of a freeze, until a payment created after it is approved. */
  readonly ms: number;
  /** Longer on a slow machine. */
  readonly limitMs: number;
}

const RECOVERED_FROM_KILL_WITHIN_MS = 15_000;
/** Temporal dispatches tasks to the open polls of a frozen worker; they are lost until they time out. */
const RECOVERED_FROM_FREEZE_WITHIN_MS = 60_000;
/** Much longer than any limit: the service does not recover at all. Longer on a slow machine, too. */
const GIVE_UP_AFTER_MS = 240_000;
/** Probes become less frequent, so that the backlog of unanswered ones does not slow the recovery down. */
const PROBE_PAUSE = { firstMs: 250, growth: 1.1, longestMs: 2_000 } as const;

export function isKill(fault: PlannedFault): boolean {
  return fault.kind === 'kill' || (fault.kind === 'failpoint' && fault.action === 'kill');
}

/** Creates payments after a fault until one of them is approved. `withFrozenWorker`: one may be frozen meanwhile. */
export async function measureRecovery(
  fault: PlannedFault,
  createPayment: () => MerchantOrder,
  { withFrozenWorker = false }: { readonly withFrozenWorker?: boolean } = {},
): Promise<Recovery> {
  const ms = await timeUntilApproved(fault, createPayment);
  const limitMs =
    isKill(fault) && !withFrozenWorker ? RECOVERED_FROM_KILL_WITHIN_MS : RECOVERED_FROM_FREEZE_WITHIN_MS;
  return { fault, ms, limitMs: Math.round(limitMs * machineSlowness()) };
}

/** Kills the target's processes, or freezes them; returns after the kill or the end of the freeze. */
export async function injectProcessFault(
  stack: FaultStack,
  fault: Extract<PlannedFault, { kind: 'kill' | 'freeze' }>,
): Promise<void> {
  const names = processesOf(fault.target);
  if (fault.kind === 'kill') {
    await Promise.all(names.map((name) => stack.kill(name)));
    return;
  }
  const resumes = names.map((name) => stack.freeze(name));
  await delay(fault.forMs);
  for (const resume of resumes) resume();
}

/** In ms. */
async function timeUntilApproved(fault: PlannedFault, createPayment: () => MerchantOrder): Promise<number> {
  const startedAt = Date.now();
  const probes: MerchantOrder[] = [];
  let pauseMs: number = PROBE_PAUSE.firstMs;
  const isTooLong = (factor: number): boolean => Date.now() - startedAt > GIVE_UP_AFTER_MS * factor;
  while (!isTooLong(1) || !isTooLong(machineSlowness())) {
    probes.push(createPayment());
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * PROBE_PAUSE.growth, PROBE_PAUSE.longestMs);
    const approved = probes.filter((order) => resultOf(order)?.status === 'approved');
    if (approved.length > 0) return Math.min(...approved.map(answeredAt)) - startedAt;
  }
  const outcomes = probes.slice(-3).map((order) => describeOutcomes(order.outcomes));
  throw new Error(
    `no payment is approved ${seconds(Date.now() - startedAt)} after ${describeFault(fault)}: ${outcomes.join('; ')}`,
  );
}

function answeredAt(order: MerchantOrder): number {
  return order.outcomes.at(-1)?.at ?? Infinity;
}
