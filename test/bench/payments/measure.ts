import { setTimeout as delay } from 'node:timers/promises';
import { cpuUsed, type CpuUse } from '../support/cpu';
import type { Load } from '../support/load';
import type { LoadProcess, PaymentKind } from '../support/load-process';
import type { BenchStack } from '../support/stack';
import { percentile } from '../support/statistics';
import type { ProcessName } from '../support/processes';

export type SubjectName = PaymentKind | 'T' | 'F';

/** What is measured: a load generator and the processes that work for its calls. Postgres is read by itself. */
export interface Subject {
  readonly name: SubjectName;
  readonly load: LoadProcess;
  readonly parts: readonly ProcessName[];
}

/** One load on one subject. */
export interface Measurement {
  readonly subject: SubjectName;
  readonly load: Load;
  readonly payments: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Of the second step, where there is one: the capture, or the approval of a pix that was paid. */
  readonly followUp: { readonly p50Ms: number; readonly p95Ms: number } | null;
  /** Milliseconds of CPU for each payment, by process. */
  readonly cpuMs: CpuUse;
}

/** What a server does after it has answered belongs to the payment too: closing its workflow, making it visible. */
const SETTLE_MS = 500;

export class Meter {
  /** Every call that was answered as it should be. */
  readonly ids: Record<SubjectName, string[]> = { card: [], pix: [], capture: [], T: [], F: [] };
  readonly measurements: Measurement[] = [];

  constructor(private readonly stack: BenchStack) {}

  async measure(subject: Subject, load: Load): Promise<Measurement> {
    const before = this.stack.readCpu(subject.load);
    const { elapsedMs, latenciesMs, followUpsMs, ids } = await subject.load.run(load);
    await delay(SETTLE_MS);
    const used = cpuUsed(before, this.stack.readCpu(subject.load));
    this.ids[subject.name].push(...ids);
    const concerned = Object.entries(used).filter(
      ([name]) =>
        name === 'load' || name.startsWith('postgres') || subject.parts.includes(name as ProcessName),
    );
    const measurement: Measurement = {
      subject: subject.name,
      load,
      payments: ids.length,
      perSecond: (ids.length / elapsedMs) * 1000,
      p50Ms: percentile(latenciesMs, 50),
      p95Ms: percentile(latenciesMs, 95),
      p99Ms: percentile(latenciesMs, 99),
      followUp:
        followUpsMs.length === 0
          ? null
          : { p50Ms: percentile(followUpsMs, 50), p95Ms: percentile(followUpsMs, 95) },
      cpuMs: Object.fromEntries(concerned.map(([name, ms]) => [name, ms / ids.length])),
    };
    this.measurements.push(measurement);
    return measurement;
  }

  /** Calls that count for the books only. Returns how many there were. */
  async unmeasured(subject: Subject, load: Load): Promise<number> {
    const { ids } = await subject.load.run(load);
    this.ids[subject.name].push(...ids);
    return ids.length;
  }
}
