import { setTimeout as delay } from 'node:timers/promises';
import { cpuUsed, type CpuUse } from '../support/cpu';
import type { Load } from '../support/load';
import type { LoadProcess, PaymentKind } from '../support/load-process';
import type { BenchStack } from '../support/bench-stack';
import { watchNeighbours } from '../support/neighbours';
import { percentile } from '../support/statistics';
import type { BenchProcessName } from '../support/bench-processes';

export type SubjectName = PaymentKind | 'T' | 'F';

/** A load generator and the processes that work for its calls. Postgres is measured for every subject. */
export interface BenchSubject {
  readonly name: SubjectName;
  readonly load: LoadProcess;
  readonly processes: readonly BenchProcessName[];
}

/** The result of one load on one subject. */
export interface Measurement {
  readonly subject: SubjectName;
  readonly load: Load;
  /** From 0; each round applies the same loads to all subjects. */
  readonly round: number;
  readonly payments: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of the second step, if there is one: the capture, or the approval of a paid pix. */
  readonly followUp: { readonly p50Ms: number; readonly p95Ms: number } | null;
  /** CPU time per payment in ms, by process. */
  readonly cpuMs: CpuUse;
  /** The share of the machine that other processes took meanwhile. */
  readonly neighbours: number;
}

/** Work after the response counts too: closing the workflow and updating its visibility record. */
export const SETTLE_MS = 500;

export class Meter {
  /** The ids of all successful calls. */
  readonly ids: Record<SubjectName, string[]> = { card: [], pix: [], capture: [], T: [], F: [] };
  readonly measurements: Measurement[] = [];

  constructor(private readonly stack: BenchStack) {}

  async measure(subject: BenchSubject, load: Load, round: number): Promise<Measurement> {
    const neighbours = watchNeighbours();
    const before = this.stack.readCpu(subject.load);
    const { elapsedMs, latenciesMs, followUpsMs, ids } = await subject.load.run(load);
    await delay(SETTLE_MS);
    const used = cpuUsed(before, this.stack.readCpu(subject.load));
    this.ids[subject.name].push(...ids);
    const relevant = Object.entries(used).filter(
      ([name]) =>
        name === 'load' ||
        name.startsWith('postgres') ||
        subject.processes.includes(name as BenchProcessName),
    );
    const measurement: Measurement = {
      subject: subject.name,
      load,
      round,
      payments: ids.length,
      perSecond: (ids.length / elapsedMs) * 1000,
      p50Ms: percentile(latenciesMs, 50),
      p95Ms: percentile(latenciesMs, 95),
      p99Ms: percentile(latenciesMs, 99),
      followUp:
        followUpsMs.length === 0
          ? null
          : { p50Ms: percentile(followUpsMs, 50), p95Ms: percentile(followUpsMs, 95) },
      cpuMs: Object.fromEntries(relevant.map(([name, ms]) => [name, ms / ids.length])),
      neighbours: neighbours(),
    };
    this.measurements.push(measurement);
    return measurement;
  }

  /** Runs a load without measuring it; its ids are kept for the verification. Returns the number of calls. */
  async runUnmeasured(subject: BenchSubject, load: Load): Promise<number> {
    const { ids } = await subject.load.run(load);
    this.ids[subject.name].push(...ids);
    return ids.length;
  }
}
