import type { FailpointName } from '../../../src/failpoints';
import type { MerchantOperation, MerchantOrder } from '../../support/merchant/merchant';
import { WORKERS, type ArmedFailpoint, type FaultStack } from './fault-stack';
import { invariantViolations, waitUntilSettled } from './invariants';
import { Operator } from './operator';
import type { FaultProcessName } from './stack-messages';

export interface ScenarioContext {
  readonly stack: FaultStack;
  /** Resolves stuck payments for as long as the scenarios run. */
  readonly operator: Operator;
}

/** One fault at one place, and the expected outcome. */
export interface FailpointScenario {
  readonly title: string;
  /** Which processes the fault stops: one of the workers, the API, or several. `all` runs alone. */
  readonly affects: 'worker' | 'api' | 'all';
  /** Whether a request is sent for a second time while the scenario settles: no other fault may be injected meanwhile. */
  readonly resends: boolean;
  /** Runs before any fault is injected. */
  readonly prepare: (context: ScenarioContext) => Promise<PreparedScenario>;
}

export interface PreparedScenario {
  readonly orders: readonly MerchantOrder[];
  readonly operations?: readonly MerchantOperation[];
  /** Returns when the fault has happened. */
  readonly injectFault: () => Promise<void>;
  /** Called when the scenario has settled; returns descriptions of what is wrong. */
  readonly findViolations: () => Promise<string[]>;
}

/** A scenario that runs alone, because its fault affects several processes and its requests are sent again. */
export function exclusiveScenario(title: string, prepare: FailpointScenario['prepare']): FailpointScenario {
  return { title, affects: 'all', resends: true, prepare };
}

/** The title of the result that covers all scenarios together. */
export const EVERY_INVARIANT = 'every invariant holds';

export interface ScenarioResult {
  readonly title: string;
  readonly violations: readonly string[];
}

type RunnableScenario = FailpointScenario & { readonly prepared: PreparedScenario };

/** Runs the scenarios on one stack. Returns one result for each, and at the end one for the invariants. */
export async function runScenarios(
  stack: FaultStack,
  scenarios: readonly FailpointScenario[],
): Promise<ScenarioResult[]> {
  const operator = new Operator(stack);
  const context = { stack, operator };
  try {
    const runnable = await Promise.all(
      scenarios.map(async (scenario) => ({ ...scenario, prepared: await scenario.prepare(context) })),
    );
    const started: RunnableScenario[] = [];
    for (const batch of batchesOf(runnable)) {
      if (batch.some(({ resends }) => resends))
        await waitForRecovery(stack, started.filter(mustSettleBefore(batch)));
      for (const { prepared } of batch) await prepared.injectFault();
      started.push(...batch);
    }
    await waitForRecovery(stack, started);
    return await collectResults(context, started);
  } finally {
    await operator.stop();
  }
}

/** Scenarios that resend must settle before the next fault; before a fault that affects all, every scenario must. */
function mustSettleBefore(batch: readonly FailpointScenario[]): (scenario: FailpointScenario) => boolean {
  const affectsAll = batch.some(({ affects }) => affects === 'all');
  return ({ resends }) => resends || affectsAll;
}

/** In a batch no process is stopped twice. Scenarios that resend come after the others, those that affect all come last. */
function batchesOf(runnable: readonly RunnableScenario[]): RunnableScenario[][] {
  const rank = ({ affects, resends }: FailpointScenario): number => (affects === 'all' ? 2 : resends ? 1 : 0);
  return [0, 1, 2].flatMap((wanted) => {
    const scenarios = runnable.filter((scenario) => rank(scenario) === wanted);
    const affecting = (part: FailpointScenario['affects']): RunnableScenario[] =>
      scenarios.filter(({ affects }) => affects === part);
    const api = chunks(affecting('api'), 1);
    const worker = chunks(affecting('worker'), WORKERS.length);
    const together = Array.from({ length: Math.max(api.length, worker.length) }, (_, batch) => [
      ...(worker[batch] ?? []),
      ...(api[batch] ?? []),
    ]);
    return [...together, ...chunks(affecting('all'), 1)];
  });
}

/** Waits until both workers and the API run again and these scenarios have settled. */
async function waitForRecovery(stack: FaultStack, started: readonly RunnableScenario[]): Promise<void> {
  await Promise.all([stack.workersReady(), stack.apiReady()]);
  if (started.length === 0) return;
  await waitUntilSettled(
    stack,
    started.flatMap(({ prepared }) => prepared.orders),
    started.flatMap(({ prepared }) => prepared.operations ?? []),
  );
}

async function collectResults(
  { stack, operator }: ScenarioContext,
  started: readonly RunnableScenario[],
): Promise<ScenarioResult[]> {
  const results = await Promise.all(
    started.map(async ({ title, prepared }) => ({ title, violations: await prepared.findViolations() })),
  );
  const orders = started.flatMap(({ prepared }) => prepared.orders);
  const violations = await invariantViolations(stack, orders, operator);
  return [...results, { title: EVERY_INVARIANT, violations }];
}

/** Kills the first of these processes that reaches the failpoint while working for the merchant. `send` starts that work. */
export async function killAt(
  stack: FaultStack,
  failpoint: FailpointName,
  { merchant }: Pick<MerchantOrder, 'merchant'>,
  names: readonly FaultProcessName[],
  send: () => unknown,
): Promise<void> {
  if (names.includes('api')) await stack.apiReady();
  const armed: ArmedFailpoint<FaultProcessName> = stack.arm(failpoint, 'kill', names, merchant.companyId);
  void send();
  await armed.triggered();
}

/** A violation if the two differ as JSON. */
export function expectEqual(what: string, actual: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  return is === should ? [] : [`${what}: ${is}, expected ${should}`];
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
