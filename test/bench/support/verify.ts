import {
  SELECT_RECORDED_PAYMENTS,
  readLedger,
  verifyApproved,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import type { Meter } from '../payments/measure';
import type { BenchStack } from './bench-stack';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/** Describes every difference between the ledger, the database and the acknowledged payments, for all kinds of payment. */
export async function verify(stack: BenchStack, { ids }: Meter): Promise<string[]> {
  // Baseline F's payments are in the same ledger.
  const baseline = new Set(ids.F);
  const entries = await readLedger(stack.simulatorUrl);
  const ours = entries.filter(({ reference }) => !baseline.has(transactionOf(reference)));
  const acknowledged = [...ids.card, ...ids.pix, ...ids.capture];
  return [
    ...verifyApproved(acknowledged, await stack.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS), ours),
    ...callbackViolations(ids.pix.length + ids.capture.length, await readCallbacks(stack)),
  ];
}

export interface CallbackTotals {
  readonly stored: number;
  readonly unprocessed: number;
}

async function readCallbacks(stack: BenchStack): Promise<CallbackTotals> {
  const [row] = await stack.query<CallbackTotals>(
    `SELECT count(*)::float8 AS stored, count(*) FILTER (WHERE processed_at IS NULL)::float8 AS unprocessed
       FROM gateway_callbacks`,
  );
  return row ?? { stored: 0, unprocessed: 0 };
}

/** There is one callback for each paid pix and each capture, and every callback was processed. */
export function callbackViolations(expected: number, { stored, unprocessed }: CallbackTotals): string[] {
  return [
    ...(stored === expected ? [] : [`${stored} callbacks for ${expected} paid pix and captures`]),
    ...(unprocessed === 0 ? [] : [`${unprocessed} callbacks are not processed`]),
  ];
}
