import type { FailpointName } from '../../../../src/failpoints';
import { WORKERS, type FaultStack } from '../../../faults/support/fault-stack';

const FAILPOINTS = [
  'statement-batch-committed',
  'statement-compared',
  'statement-page-committed',
] as const satisfies readonly FailpointName[];

/** Kills workers while they reconcile statements of a company, which is too short for the other faults to hit often. */
export class StatementKills {
  count = 0;
  private armed = 0;

  constructor(
    private readonly stack: FaultStack,
    private readonly companyId: number,
    private readonly seed: number,
  ) {}

  /** The first worker that reaches the next failpoint is killed there. */
  arm(): void {
    const failpoint = FAILPOINTS[(this.seed + this.armed) % FAILPOINTS.length] ?? FAILPOINTS[0];
    this.armed += 1;
    const armed = this.stack.arm(failpoint, 'kill', WORKERS, this.companyId);
    armed.triggered().then(
      () => (this.count += 1),
      () => undefined,
    );
  }
}
