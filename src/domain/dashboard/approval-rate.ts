import type { AttemptStatus, PaymentStatus } from '../payments/payment';

/** What a payment or charge means for the approval rate; `open` ones have no result, or were withdrawn, and do not count. */
type Result = 'approved' | 'refused' | 'open';

const RESULT_OF_PAYMENT: Readonly<Record<PaymentStatus, Result>> = {
  processing: 'open',
  pending: 'open',
  authorized: 'approved',
  approved: 'approved',
  refunded: 'approved',
  failed: 'refused',
  canceled: 'open',
};

const RESULT_OF_CHARGE: Readonly<Record<AttemptStatus, Result>> = {
  requested: 'open',
  sent: 'open',
  unknown: 'open',
  accepted: 'open',
  pending: 'open',
  approved: 'approved',
  authorized: 'approved',
  declined: 'refused',
  error: 'refused',
  abandoned: 'refused',
  canceled: 'open',
  refunded: 'open',
};

export function resultOfPayment(status: PaymentStatus): Result {
  return RESULT_OF_PAYMENT[status];
}

export function resultOfCharge(status: AttemptStatus): Result {
  return RESULT_OF_CHARGE[status];
}

/** A number of payments or charges with the same result. */
export interface CountedResult {
  readonly result: Result;
  readonly count: number;
}

/**
 * The approval rate, everywhere: the approved ones among those with a result, from 0 to 1, rounded to four decimals. Null
 * if none has a result.
 */
export function approvalRate(counted: readonly CountedResult[]): number | null {
  const count = (wanted: Result): number =>
    counted.filter(({ result }) => result === wanted).reduce((sum, one) => sum + one.count, 0);
  const approved = count('approved');
  const decided = approved + count('refused');
  return decided === 0 ? null : Math.round((approved / decided) * 10_000) / 10_000;
}
