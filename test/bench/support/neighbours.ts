import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { MS_PER_TICK, treeCpuMs } from './cpu';

/** The CPU time that a machine has used so far, in ms. */
export interface MachineReading {
  /** By a monotonic clock, in ms. */
  readonly at: number;
  readonly usedMs: number;
  /** The part of the benchmark: this process and its children. */
  readonly ownMs: number;
}

/** Where the readings come from, and how to wait. */
export interface Machine {
  readonly cores: number;
  read(): MachineReading;
  wait(ms: number): Promise<void>;
}

/** Rounds in which other processes took a larger share of the machine are marked. */
export const QUIET_SHARE = 0.1;
const READ_EVERY_MS = 5_000;
const QUIET_MS = 60_000;
const WAIT_AT_MOST_MS = 300_000;

export const thisMachine: Machine = {
  cores: cpus().length,
  read: () => {
    const usedMs = usedCpuMs(readFileSync('/proc/stat', 'utf8'));
    return { at: performance.now(), usedMs, ownMs: treeCpuMs(process.pid) };
  },
  wait: (ms) => delay(ms),
};

/**
 * The CPU time of all processes in `/proc/stat`. proc(5): its first line has user, nice, system, idle, iowait, irq,
 * softirq and steal; steal is time that other virtual machines took.
 */
export function usedCpuMs(stat: string): number {
  const [user, nice, system, , , irq, softirq, steal] = (stat.split('\n')[0] ?? '')
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const used = [user, nice, system, irq, softirq, steal];
  return used.reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * MS_PER_TICK;
}

/** The share of the machine that other processes took between two readings, from 0 to 1. */
export function neighboursShare(before: MachineReading, after: MachineReading, cores: number): number {
  const othersMs = after.usedMs - before.usedMs - (after.ownMs - before.ownMs);
  const share = othersMs / (cores * (after.at - before.at));
  // The times are counted in ticks, of each process apart.
  return Math.min(1, Math.max(0, share));
}

/** Returns a function that says what share of the machine other processes have taken since. */
export function watchNeighbours(machine: Machine = thisMachine): () => number {
  const before = machine.read();
  return () => neighboursShare(before, machine.read(), machine.cores);
}

/**
 * Says how much CPU other processes take, and waits until they have left the machine alone for a minute, but five minutes
 * at most. `quick` says it after five seconds and does not wait.
 */
export async function waitForQuietMinute(
  log: (message: string) => void,
  { quick = false, machine = thisMachine }: { readonly quick?: boolean; readonly machine?: Machine } = {},
): Promise<void> {
  const readings = [machine.read()];
  const first = readings[0]?.at ?? 0;
  for (;;) {
    await machine.wait(READ_EVERY_MS);
    const last = machine.read();
    readings.push(last);
    while (readings[1] !== undefined && last.at - readings[1].at >= QUIET_MS) readings.shift();
    const since = readings[0] ?? last;
    const share = neighboursShare(since, last, machine.cores);
    const taken = `Other processes took ${showShare(share)} of the machine`;
    if (quick || readings.length === 2) log(`${taken}${quick ? '.' : '; waiting for a quiet minute ...'}`);
    if (quick) return;
    if (share <= QUIET_SHARE && last.at - since.at >= QUIET_MS) return;
    if (last.at - first >= WAIT_AT_MOST_MS) {
      log(`${taken} in the last minute; no quiet minute came in five. Measuring anyway.`);
      return;
    }
  }
}

export const showShare = (share: number): string => `${Math.round(share * 100)}%`;

/** For the progress lines: nothing in a quiet round. */
export function markOf(share: number): string {
  return share <= QUIET_SHARE ? '' : ` (marked: other processes took ${showShare(share)})`;
}

/**
 * The rounds to use, by index: those that are not marked, or all of them if less than half would be left. `shares` is what
 * other processes took in each round.
 */
export function usableRounds(shares: readonly number[]): number[] {
  const all = shares.map((_, round) => round);
  const quiet = all.filter((round) => (shares[round] ?? 0) <= QUIET_SHARE);
  return quiet.length * 2 >= all.length ? quiet : all;
}

/** Those of these rounds that are to be used. */
export function usable<Round extends { readonly neighbours: number }>(rounds: readonly Round[]): Round[] {
  const indices = new Set(usableRounds(rounds.map(({ neighbours }) => neighbours)));
  return rounds.filter((_, index) => indices.has(index));
}

/** One line for the report. */
export function describeNeighbours(shares: readonly number[]): string {
  const marked = shares.filter((share) => share > QUIET_SHARE).length;
  const largest = showShare(Math.max(0, ...shares));
  const usage =
    usableRounds(shares).length === shares.length ? 'used, too few are quiet' : 'left out of the medians';
  return marked === 0
    ? `Other processes took ${largest} of the machine at most.`
    : `Other processes took ${largest} of the machine at most; ${marked} of ${shares.length} rounds are marked (${usage}).`;
}
