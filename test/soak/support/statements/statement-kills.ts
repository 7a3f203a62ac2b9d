import type { FailpointName } from '../../../../src/failpoints';
import { WORKERS, type FaultStack } from '../../../faults/support/fault-stack';

const FAILPOINTS = [
  'statement-batch-committed',
  'statement-compared',
  'statement-page-committed',
] as const satisfies readonly FailpointName[];

/** The statements of a month are of at least so many days. */
const DAYS = 3;

/** Kills a worker while it reconciles a statement of a company, which is too short for the other faults to hit often. */
export class StatementKills {
  count = 0;
  private day = 0;

  constructor(
    private readonly stack: FaultStack,
    private readonly companyId: number,
    private readonly seed: number,
  ) {}

  /** On one day of the month, the first worker that reaches a failpoint is killed there; the seed tells which. */
  beforeDay(): void {
    const isChosen = this.day === this.seed % DAYS;
    this.day += 1;
    if (!isChosen) return;
    const failpoint = FAILPOINTS[Math.floor(this.seed / DAYS) % FAILPOINTS.length] ?? FAILPOINTS[0];
    const armed = this.stack.arm(failpoint, 'kill', WORKERS, this.companyId);
    armed.triggered().then(
      () => (this.count += 1),
      () => undefined,
    );
  }
}
