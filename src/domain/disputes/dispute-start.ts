import type { DisputeId } from '../shared/ids';

/** What starts or signals the workflow of a dispute. */
export interface DisputeToStart {
  readonly companyId: number;
  readonly disputeId: DisputeId;
  /** The disputed payment. */
  readonly transactionId: string;
}
