import { BOOKED_PAYMENTS, readLedger, verifyApproved, type BookedPayment } from './reconciliation';
import type { Meter } from '../payments/measure';
import type { BenchStack } from './stack';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/** What is wrong with the books, in words: ledger = database = what was acknowledged, for every kind of payment. */
export async function verify(stack: BenchStack, { ids }: Meter): Promise<string[]> {
  // The floor's payments are in the same ledger.
  const floor = new Set(ids.F);
  const entries = await readLedger(stack.simulatorUrl);
  const ours = entries.filter(({ reference }) => !floor.has(transactionOf(reference)));
  const acknowledged = [...ids.card, ...ids.pix, ...ids.capture];
  return [
    ...verifyApproved(acknowledged, await stack.query<BookedPayment>(BOOKED_PAYMENTS), ours),
    ...callbackViolations(ids.pix.length + ids.capture.length, await readCallbacks(stack)),
  ];
}

export interface CallbackCounts {
  readonly stored: number;
  readonly waiting: number;
}

async function readCallbacks(stack: BenchStack): Promise<CallbackCounts> {
  const [row] = await stack.query<CallbackCounts>(
    `SELECT count(*)::float8 AS stored, count(*) FILTER (WHERE processed_at IS NULL)::float8 AS waiting
       FROM gateway_callbacks`,
  );
  return row ?? { stored: 0, waiting: 0 };
}

/** Each payment of a pix and each capture is told by one callback, and every callback was looked into. */
export function callbackViolations(told: number, { stored, waiting }: CallbackCounts): string[] {
  return [
    ...(stored === told ? [] : [`${stored} callbacks came of ${told} paid pix and captures`]),
    ...(waiting === 0 ? [] : [`${waiting} callbacks wait to be looked into`]),
  ];
}
