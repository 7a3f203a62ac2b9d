import type { BenchStack, WorkerName } from '../support/bench-stack';

const NAMES: readonly WorkerName[] = ['worker', 'second worker', 'third worker'];

/** The service's workers, of which a number runs. */
export class WorkerFleet {
  /** The bench's stack starts the first one. */
  private running: WorkerName[] = ['worker'];
  private settings = '{}';

  constructor(private readonly stack: BenchStack) {}

  get names(): readonly WorkerName[] {
    return this.running;
  }

  /** Starts and stops workers until `count` run, each with these settings. */
  async scaleTo(count: number, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const wanted = NAMES.slice(0, count);
    const kept = JSON.stringify(settings) === this.settings ? wanted : [];
    for (const name of this.running) if (!kept.includes(name)) await this.stack.stopWorker(name);
    const alive = this.running.filter((name) => kept.includes(name));
    await Promise.all(
      wanted.filter((name) => !alive.includes(name)).map((name) => this.stack.startWorker(name, settings)),
    );
    this.running = [...wanted];
    this.settings = JSON.stringify(settings);
  }
}
