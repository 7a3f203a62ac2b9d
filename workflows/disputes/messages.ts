import type { DisputeStatus } from '../../src/domain/disputes/dispute';
import type { DisputeToStart } from '../../src/domain/disputes/dispute-start';
import type { DisputeId } from '../../src/domain/shared/ids';

/** Only ids: activities read everything else from Postgres. */
export type DisputeInput = DisputeToStart;

/** The state of a dispute after one step of its workflow. */
export interface DisputeStep {
  /** Null until a report of the dispute is stored. */
  readonly status: DisputeStatus | null;
  /** Until the next step, in ms; null if none is left, unless the gateway reports something. */
  readonly pauseMs: number | null;
  /** What the step published; null if nothing. */
  readonly published: string | null;
}

export interface DisputeResult {
  readonly status: DisputeStatus | null;
}

export function disputeWorkflowId(disputeId: DisputeId): string {
  return `dispute/${disputeId}`;
}
