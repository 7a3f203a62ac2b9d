import type { FailpointName } from '../../../src/failpoints';
import { WORKERS, type FaultStack, type Trap } from './fault-stack';
import { untilSettled, violations } from './invariants';
import type { Operation, Order } from './merchant';
import { Person } from './operator';
import type { ProcessName } from './stack-messages';

/** What stories are played on. */
export interface Stage {
  readonly stack: FaultStack;
  /** At the desk for as long as the stories last. */
  readonly person: Person;
}

/** One thing that goes wrong at one place, and what must come of it. */
export interface Story {
  readonly title: string;
  /** Where something is killed: each worker once, or the API. `everywhere` plays alone. */
  readonly hurts: 'worker' | 'api' | 'everywhere';
  /** Whether something is sent for the second time while it settles: nothing else may be killed meanwhile. */
  readonly sendsAgain: boolean;
  /** While everything is well. */
  readonly prepare: (stage: Stage) => Promise<Scene>;
}

/** A story on its way. */
export interface Scene {
  readonly orders: readonly Order[];
  readonly operations?: readonly Operation[];
  /** Returns when it has gone wrong. */
  readonly strike: () => Promise<void>;
  /** What is wrong once everything has settled, in words. */
  readonly wrongs: () => Promise<string[]>;
}

/** What must be true of all of them together. */
export const EVERY_INVARIANT = 'every invariant holds';

export interface Told {
  readonly title: string;
  readonly wrongs: readonly string[];
}

type Prepared = Story & { readonly scene: Scene };

/** Plays them on one stack; returns what came of each, the invariants at last. */
export async function playStories(stack: FaultStack, stories: readonly Story[]): Promise<Told[]> {
  const person = new Person(stack);
  const stage = { stack, person };
  try {
    const prepared = await Promise.all(
      stories.map(async (story) => ({ ...story, scene: await story.prepare(stage) })),
    );
    const played: Prepared[] = [];
    for (const wave of wavesOf(prepared)) {
      if (wave.some(({ sendsAgain }) => sendsAgain))
        await settle(stack, played.filter(mayBeDisturbedBy(wave)));
      for (const { scene } of wave) await scene.strike();
      played.push(...wave);
    }
    await settle(stack, played);
    return await tell(stage, played);
  } finally {
    await person.leave();
  }
}

/** Who sends again is left in peace until it has settled, and everybody before everything is hurt. */
function mayBeDisturbedBy(wave: readonly Story[]): (story: Story) => boolean {
  const hurtsAll = wave.some(({ hurts }) => hurts === 'everywhere');
  return ({ sendsAgain }) => sendsAgain || hurtsAll;
}

/** The same part is not killed twice in a wave; what must not be disturbed comes last. */
function wavesOf(prepared: readonly Prepared[]): Prepared[][] {
  const rank = ({ hurts, sendsAgain }: Story): number => (hurts === 'everywhere' ? 2 : sendsAgain ? 1 : 0);
  return [0, 1, 2].flatMap((wanted) => {
    const stories = prepared.filter((story) => rank(story) === wanted);
    const hurting = (part: Story['hurts']): Prepared[] => stories.filter(({ hurts }) => hurts === part);
    const api = chunks(hurting('api'), 1);
    const worker = chunks(hurting('worker'), WORKERS.length);
    const together = Array.from({ length: Math.max(api.length, worker.length) }, (_, wave) => [
      ...(worker[wave] ?? []),
      ...(api[wave] ?? []),
    ]);
    return [...together, ...chunks(hurting('everywhere'), 1)];
  });
}

/** Both workers and the API are there again, and these stories have come to their ends. */
async function settle(stack: FaultStack, played: readonly Prepared[]): Promise<void> {
  await Promise.all([stack.workersReady(), stack.apiReady()]);
  if (played.length === 0) return;
  await untilSettled(
    stack,
    played.flatMap(({ scene }) => scene.orders),
    played.flatMap(({ scene }) => scene.operations ?? []),
  );
}

async function tell({ stack, person }: Stage, played: readonly Prepared[]): Promise<Told[]> {
  const told = await Promise.all(
    played.map(async ({ title, scene }) => ({ title, wrongs: await scene.wrongs() })),
  );
  const orders = played.flatMap(({ scene }) => scene.orders);
  return [...told, { title: EVERY_INVARIANT, wrongs: await violations(stack, orders, person) }];
}

/** Kills whichever of these parts comes to the failpoint for the order's company, while `send` is on its way. */
export async function killAt(
  stack: FaultStack,
  failpoint: FailpointName,
  { merchant }: Pick<Order, 'merchant'>,
  parts: readonly ProcessName[],
  send: () => unknown,
): Promise<void> {
  if (parts.includes('api')) await stack.apiReady();
  const trap: Trap<ProcessName> = stack.arm(failpoint, 'kill', parts, merchant.companyId);
  void send();
  await trap.sprung();
}

/** In words, where they differ. */
export function expectSame(what: string, actual: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  return is === should ? [] : [`${what}: ${is}, not ${should}`];
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
