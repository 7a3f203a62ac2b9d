import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProcess } from '../../../src/dev/node-process';
import { SupervisedProcess, type ProcessSpec } from '../../../src/dev/supervised-process';
import { identifyProcess } from '../../../src/dev/process-identity';
import { findOwner, reapProcesses, RunRecord } from '../../../src/dev/run-record';
import { readCpu, type CpuReading } from './cpu';

export type ProcessName =
  | 'postgres'
  | 'temporal'
  | 'simulator'
  | 'api'
  | 'worker'
  | 'floor'
  | 'bare worker'
  | 'webhook queue'
  | 'webhook receiver';

const STOP_WITHIN_MS = 8_000;

/** The processes of one benchmark and the folder they live in. One that ends by itself spoils the run. */
export class AppContext {
  private readonly running = new Map<ProcessName, SupervisedProcess>();
  private died: string | undefined;
  private stopped = false;

  private constructor(
    readonly folder: string,
    private readonly record: RunRecord,
  ) {}

  /** Takes the folder over, empty: what a killed run left there is ended first. */
  static async in(folder: string): Promise<AppContext> {
    const self = identifyProcess(process.pid);
    if (process.platform !== 'linux' || self === null)
      throw new Error('CPU times are read from /proc: this needs Linux');
    if (findOwner(folder) !== null) throw new Error(`another benchmark runs in ${folder}: set DATA_DIR`);
    await reapProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return new AppContext(folder, new RunRecord(folder, self));
  }

  async run(name: ProcessName, spec: ProcessSpec): Promise<void> {
    if (this.stopped) throw new Error('stopped');
    const part = new SupervisedProcess(spec, {
      started: ({ identity }) => {
        if (identity !== undefined) this.record.started(name, identity);
      },
      died: (_, how) => (this.died ??= `the ${name} ended: ${how}; its log is ${this.log(name)}`),
    });
    this.running.set(name, part);
    await part.start();
  }

  /** One of our own programs: the service's as it was built, the benchmark's from source. */
  runProgram(
    name: ProcessName,
    entry: string,
    settings: Readonly<Record<string, string>>,
    ready: () => Promise<boolean>,
  ): Promise<void> {
    const from = entry.startsWith('src/') ? 'build' : 'source';
    return this.run(name, nodeProcess({ name, entry, from, settings, logFile: this.log(name), ready }));
  }

  pid(name: ProcessName): number {
    const pid = this.running.get(name)?.identity?.pid;
    if (pid === undefined) throw new Error(`the ${name} does not run`);
    return pid;
  }

  /** Of every part, and of the load generator with this process id. Throws when a part ended meanwhile. */
  readCpu(load: number): CpuReading {
    if (this.died !== undefined) throw new Error(this.died);
    const names = [...this.running.keys()].filter((name) => name !== 'postgres');
    const pids = Object.fromEntries(names.map((name) => [name, this.pid(name)]));
    return readCpu({ ...pids, load }, this.pid('postgres'));
  }

  async stop(names: readonly ProcessName[]): Promise<void> {
    await Promise.all(names.map(async (name) => this.running.get(name)?.stop(STOP_WITHIN_MS)));
    for (const name of names) this.running.delete(name);
  }

  async stopAll(): Promise<void> {
    this.stopped = true;
    await this.stop([...this.running.keys()].filter((name) => name !== 'postgres'));
    await this.stop(['postgres']);
    this.record.remove();
  }

  log(name: ProcessName): string {
    return join(this.folder, 'logs', `${name.replace(' ', '-')}.log`);
  }
}
