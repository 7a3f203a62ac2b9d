import type { WorkerDeployment } from './worker-deployment';

const ASK_EVERY_MS = 2_000;
/** An answer that is older than this is not believed: Temporal may have stopped answering. */
const BELIEVED_FOR_MS = 5 * ASK_EVERY_MS;

/**
 * Whether this process runs the deployment's current build. Temporal gives an eager first task to the process that asks for it,
 * whatever its build, and the run would then stay on that build: a process of an older one would begin runs on the build that is
 * to end. It notices a new current build within two seconds.
 */
export class CurrentBuild {
  private timer: NodeJS.Timeout | undefined;
  private answer = { isCurrent: false, at: 0 };

  /** @param buildId null if workers are not versioned */
  constructor(
    private readonly buildId: string | null,
    private readonly deployment: Pick<WorkerDeployment, 'currentBuild'>,
  ) {}

  /** Keeps asking Temporal until `close`. Returns when the first answer is there or has failed. */
  async watch(): Promise<void> {
    if (this.buildId === null || this.timer !== undefined) return;
    this.timer = setInterval(() => void this.ask(), ASK_EVERY_MS).unref();
    await this.ask();
  }

  /** False while it is not known. Always true if workers are not versioned. */
  isCurrent(): boolean {
    if (this.buildId === null) return true;
    return this.answer.isCurrent && Date.now() - this.answer.at < BELIEVED_FOR_MS;
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async ask(): Promise<void> {
    const at = Date.now();
    try {
      const current = await this.deployment.currentBuild();
      if (at > this.answer.at) this.answer = { isCurrent: current === this.buildId, at };
    } catch {
      // The next question may be answered.
    }
  }
}
