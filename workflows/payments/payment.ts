import {
  allHandlersFinished,
  CancellationScope,
  condition,
  makeContinueAsNewFunc,
  setHandler,
  setWorkflowOptions,
} from '@temporalio/workflow';
import {
  operationUpdate,
  resolveUpdate,
  resultUpdate,
  wakeSignal,
  type PaymentResult,
  type PaymentRunInput,
} from '../messages';
import { pinned } from '../shared/pinned';
import { firstStepOf, type AnswerToRecord } from './first-attempt';
import { PaymentRun } from './payment-run';

/** Temporal's default. A run with a first attempt has a shorter timeout, which the next run would inherit. */
const WORKFLOW_TASK_TIMEOUT = '10 seconds';

const continueRun = makeContinueAsNewFunc<typeof payment>({ workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT });

// A charge in flight, or a waiting capture, never continues under other code.
setWorkflowOptions(pinned, payment);

/**
 * The workflow that owns a payment; nothing else changes its state.
 *
 * It sends charge attempts until one settles the payment, and then captures, cancels and refunds on request. Attempts of
 * unknown outcome are inquired on a bounded schedule and then escalated to an operator. While a pix or boleto waits to be
 * paid, or an authorization to be captured, it polls the gateway. It ends when nothing is left to do; starting it again
 * is harmless, and a later signal or update starts the next run under the same id.
 */
export async function payment({
  wakePending = false,
  firstAttempt,
  unrecorded,
  laterSteps,
  ...input
}: PaymentRunInput & AnswerToRecord): Promise<PaymentResult> {
  const run = new PaymentRun(
    input,
    wakePending,
    firstStepOf(firstAttempt, unrecorded),
    laterSteps === 'local',
  );
  // A cancellation from the Temporal UI must not abort a charge in flight. Handlers run in the root scope, so they need
  // their own shield.
  setHandler(resultUpdate, () => CancellationScope.nonCancellable(() => run.untilSettled()));
  setHandler(operationUpdate, (operation) =>
    CancellationScope.nonCancellable(() => run.untilFinished(operation)),
  );
  setHandler(resolveUpdate, (resolution) =>
    CancellationScope.nonCancellable(() => run.untilResolved(resolution)),
  );
  setHandler(wakeSignal, () => {
    run.wake();
  });
  return CancellationScope.nonCancellable(async () => {
    do {
      await run.execute();
      await condition(allHandlersFinished);
      // Signals and updates may arrive while the last update handlers finish.
    } while (!run.mustContinue && run.hasWork);
    if (run.mustContinue) return continueRun({ ...input, wakePending: run.isWakePending });
    return run.result;
  });
}
