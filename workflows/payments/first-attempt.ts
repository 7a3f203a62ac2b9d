import { proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { assertNever } from '../../src/domain/shared/assert-never';
import type { PaymentInput, PaymentStep } from '../messages';
import { chargeActivities, databaseActivities } from './activities';

/**
 * Makes the first attempt inside the first workflow task, which costs less than a task of its own. It runs once per task:
 * after any failure a regular activity goes on, which support staff see scheduled.
 */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 1 },
});

/** Sends the first charge, or the next request if that was sent already. */
export async function makeFirstAttempt(input: PaymentInput, summary: string): Promise<PaymentStep> {
  const first = await attemptLocally(input, summary);
  const { attemptPayment } = chargeActivities;
  const { recordAnswer } = databaseActivities;
  switch (first.kind) {
    case 'recorded':
      return first.step;
    case 'unrecorded': {
      const { unrecorded } = first;
      return recordAnswer.executeWithOptions({ summary: 'record the answer' }, [{ ...input, unrecorded }]);
    }
    case 'card_busy':
    case 'failed':
      return attemptPayment.executeWithOptions({ summary }, [input]);
    default:
      return assertNever(first);
  }
}

async function attemptLocally(input: PaymentInput, summary: string) {
  try {
    return await local.firstAttempt.executeWithOptions({ summary }, [input]);
  } catch (error) {
    // Unlike for regular activities, the error is not wrapped in `ActivityFailure`.
    if (!(error instanceof TemporalFailure)) throw error;
    return { kind: 'failed' } as const;
  }
}
