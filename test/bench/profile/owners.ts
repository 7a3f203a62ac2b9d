/** What is read of a V8 CPU profile (`node --cpu-prof`). Times are in µs. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** By the monotonic clock of `process.hrtime`. */
  readonly startTime: number;
  /** The id of the running node at each sample. */
  readonly samples: readonly number[];
  /** The time from the sample before to this one. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** A part of a run, in µs by the monotonic clock. */
export interface ProfileWindow {
  readonly from: number;
  readonly to: number;
}

/** CPU time in µs by name. */
export type CpuTimes = ReadonlyMap<string, number>;

const NATIVE = 'native code (V8, libuv)';
/** A sample is taken every ms while the process runs; during a longer pause it waited for a core. */
const LONGEST_SAMPLE_US = 2_000;
const IDLE = '(idle)';
/** V8's entries without a place in the code. */
const STATES = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', NATIVE],
  ['(root)', NATIVE],
]);

/** Whose code a function is: a folder of the project, a package, or Node.js. Null for functions that are built into V8. */
export function ownerOf({ functionName, url }: ProfileNode['callFrame']): string | null {
  const state = STATES.get(functionName);
  if (state !== undefined) return state;
  const [, dependency] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (dependency !== undefined) return dependency;
  const [, folder] = /\/dist\/((?:src|activities|workflows)\/[^/]+)/.exec(url) ?? [];
  if (folder !== undefined) return folder;
  if (url.includes('workflow-bundle')) return 'workflow bundle';
  if (url.startsWith('node:')) return 'Node.js';
  return url === '' ? null : url;
}

/** The CPU time by owner and by function. What is built into V8 counts for the function that called it. */
export function timesByOwner(
  profile: CpuProfile,
  window: ProfileWindow,
): { readonly owners: CpuTimes; readonly functions: CpuTimes } {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  let at = profile.startTime;
  profile.samples.forEach((id, index) => {
    const sinceLast = profile.timeDeltas[index] ?? 0;
    const us = Math.min(sinceLast, LONGEST_SAMPLE_US);
    at += sinceLast;
    const node = nodes.get(id);
    if (node === undefined || node.callFrame.functionName === IDLE) return;
    if (at < window.from || at > window.to) return;
    const owner = findOwner(node, nodes, parents);
    owners.set(owner, (owners.get(owner) ?? 0) + us);
    const name = `${node.callFrame.functionName || '(anonymous)'} of ${owner}`;
    functions.set(name, (functions.get(name) ?? 0) + us);
  });
  return { owners, functions };
}

function findOwner(
  node: ProfileNode,
  nodes: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string {
  let current: ProfileNode | undefined = node;
  while (current !== undefined) {
    const owner = ownerOf(current.callFrame);
    if (owner !== null) return owner;
    current = nodes.get(parents.get(current.id) ?? -1);
  }
  return NATIVE;
}

/** The sum of several profiles, for the threads of one process. */
export function addTimes(all: readonly CpuTimes[]): CpuTimes {
  const sum = new Map<string, number>();
  for (const times of all) for (const [name, us] of times) sum.set(name, (sum.get(name) ?? 0) + us);
  return sum;
}
