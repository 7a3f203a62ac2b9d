/** What a payment keeps of its newest dispute. */
export interface DisputeSnapshot {
  readonly id: string;
  readonly kind: 'chargeback' | 'retrieval' | 'med';
  readonly status: 'opened' | 'submitted' | 'won' | 'lost' | 'accepted';
  /** The disputed charge. */
  readonly attemptId: string;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly reasonCode: string | null;
  /** ISO instant. */
  readonly evidenceDueAt: string | null;
}
