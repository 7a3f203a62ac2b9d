/** A charge as its gateway reports it after a restore. Amounts in cents. */
export interface ReportedCharge {
  readonly gatewayTransactionId: string;
  /** Our reference of the attempt, or another system's. */
  readonly reference: string;
  /** `approved` also after a partial refund. */
  readonly status: 'pending' | 'authorized' | 'approved' | 'refunded' | 'canceled' | 'declined';
  readonly amountCents: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
  readonly changedAt: Date;
  /** Those that the gateway carried out for requests of ours. Null if the report does not tell them. */
  readonly operations: readonly ReportedOperation[] | null;
}

/** A capture, cancel or refund that a gateway carried out. */
export interface ReportedOperation {
  /** Our reference of it. */
  readonly reference: string;
  readonly operation: 'capture' | 'cancel' | 'refund';
  readonly amountCents: number;
}
