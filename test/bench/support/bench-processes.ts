import { mkdirSync, rmSync } from 'node:fs';
import { nodeProcess } from '../../../src/dev/node-process';
import { findOwner, reapProcesses } from '../../../src/dev/run-record';
import { StackProcesses } from '../../support/processes/stack-processes';
import { readCpu, type CpuReading } from './cpu';

export type BenchProcessName =
  | 'postgres'
  | 'temporal'
  | 'simulator'
  | 'api'
  | 'worker'
  | 'second api'
  | 'second worker'
  | 'third worker'
  | 'baseline service'
  | 'bare worker'
  | 'webhook queue'
  | 'webhook receiver';

const STOP_WITHIN_MS = 8_000;

/** The processes of one benchmark. A process that exits by itself invalidates the run. */
export class BenchProcesses extends StackProcesses<BenchProcessName> {
  private unexpectedExit: string | undefined;
  private readonly killed = new Set<string>();

  /** Ends what an earlier run left running in the folder, and empties it. */
  static async in(folder: string): Promise<BenchProcesses> {
    if (process.platform !== 'linux') throw new Error('CPU times are read from /proc: this needs Linux');
    if (findOwner(folder) !== null) throw new Error(`another benchmark runs in ${folder}: set DATA_DIR`);
    await reapProcesses(folder);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    return new BenchProcesses(folder);
  }

  /** Starts a Node program: the service's own as built, the benchmark's from source. */
  startProgram(
    name: BenchProcessName,
    entry: string,
    settings: Readonly<Record<string, string>>,
    ready: () => Promise<boolean>,
    nodeFlags: readonly string[] = [],
  ): Promise<void> {
    const from = entry.startsWith('src/') ? 'build' : 'source';
    const spec = nodeProcess({ name, entry, from, settings, logFile: this.logFile(name), ready });
    return this.start(name, { ...spec, args: [...nodeFlags, ...spec.args] });
  }

  /** Kills a process, which is then started again, and accepts its exit. */
  kill(name: BenchProcessName): void {
    this.killed.add(name);
    process.kill(this.pid(name), 'SIGKILL');
  }

  /** The CPU use of every process and of the load generator. Throws if a process exited by itself. */
  readCpu(loadPid: number): CpuReading {
    if (this.unexpectedExit !== undefined) throw new Error(this.unexpectedExit);
    const names = this.names.filter((name) => name !== 'postgres');
    const pids = Object.fromEntries(names.map((name) => [name, this.pid(name)]));
    return readCpu({ ...pids, load: loadPid }, this.pid('postgres'));
  }

  /** Stops these processes first and Postgres last, since the others use it. */
  async stopAll(first: readonly BenchProcessName[] = []): Promise<void> {
    this.close();
    await this.stop(first, STOP_WITHIN_MS);
    await this.stop(
      this.names.filter((name) => name !== 'postgres'),
      STOP_WITHIN_MS,
    );
    await this.stop(['postgres'], STOP_WITHIN_MS);
    this.removeRecord();
  }

  protected override onExit(name: BenchProcessName, how: string): void {
    if (this.killed.delete(name)) return;
    this.unexpectedExit ??= `the ${name} exited: ${how}; its log is ${this.logFile(name)}`;
  }
}
