import {
  allHandlersFinished,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import { inquiryPauseMs } from '../src/domain/inquiry-schedule';
import {
  gatewayCallbackSignal,
  resolveUpdate,
  resultUpdate,
  type AttemptSummary,
  type PaymentInput,
  type PaymentResult,
  type PaymentStep,
  type Resolution,
} from './messages';
import { paymentStory } from './payment-story';
import { paymentStatusKey } from './search-attributes';

/** Steps that send to a gateway. A lost worker is noticed by its missing heartbeats; the attempt row keeps a retry from sending again. */
const gatewaySteps = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: {
    initialInterval: '200 milliseconds',
    backoffCoefficient: 2,
    maximumInterval: '10 seconds',
    maximumAttempts: 500,
  },
});

const inquiries = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 5 },
});

const records = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds', maximumAttempts: 500 },
});

const DESK_LOOKS_AGAIN = '1 hour';

/**
 * A payment's actor: it alone decides what happens to the payment.
 *
 * It makes charge attempts until one settles the payment. An attempt whose outcome is unknown is inquired about on a
 * bounded schedule, and nothing else is tried before it is known; what inquiry cannot tell waits for a person.
 * A run for a payment that is already settled ends at once, so that starting one is always safe.
 */
export async function payment(input: PaymentInput): Promise<PaymentResult> {
  const actor = new PaymentActor(input);
  // Handlers run in the root scope, which the UI's Cancel cancels: they are shielded as the run is.
  setHandler(resultUpdate, () => CancellationScope.nonCancellable(() => actor.untilSettled()));
  setHandler(
    resolveUpdate,
    (resolution) => CancellationScope.nonCancellable(() => actor.resolve(resolution)),
    {
      validator: (_resolution: Resolution) => {
        actor.assertWaitsForPerson();
      },
    },
  );
  setHandler(gatewayCallbackSignal, () => {
    actor.wake();
  });
  // Cancel, as the UI offers it, must not abort a charge in flight: money moves forward or is asked about, never dropped.
  return CancellationScope.nonCancellable(async () => {
    const result = await actor.run();
    await condition(allHandlersFinished);
    if (result === 'continue') return continueAsNew<typeof payment>(input);
    return result;
  });
}

type Unknown = PaymentStep & { readonly kind: 'unknown' };

class PaymentActor {
  private settled: PaymentResult | undefined;
  private ended = false;
  private waitsForPerson = false;
  private resolution: Resolution | undefined;
  private woken = false;
  private readonly story: AttemptSummary[] = [];

  constructor(private readonly input: PaymentInput) {}

  /** Until the payment is settled and nothing is left to give back; or `continue`, before the history grows too long. */
  async run(): Promise<PaymentResult | 'continue'> {
    let step = this.tell(await this.attempt());
    while (step.kind !== 'settled' || step.openOperations) {
      if (workflowInfo().continueAsNewSuggested) {
        this.ended = true;
        return 'continue';
      }
      step = step.kind === 'unknown' ? await this.learnOutcome(step) : this.tell(await this.attempt());
    }
    return { status: step.status };
  }

  async untilSettled(): Promise<PaymentResult> {
    await condition(() => this.settled !== undefined || this.ended);
    return this.settled ?? { status: 'processing' };
  }

  assertWaitsForPerson(): void {
    if (!this.waitsForPerson || this.resolution !== undefined) {
      throw ApplicationFailure.nonRetryable('the payment does not wait for a person', 'invalid_state');
    }
  }

  async resolve(resolution: Resolution): Promise<PaymentResult> {
    this.resolution = resolution;
    await condition(() => this.resolution === undefined);
    return this.settled ?? { status: 'processing' };
  }

  wake(): void {
    this.woken = true;
  }

  private attempt(): Promise<PaymentStep> {
    const number = this.story.length + 1;
    return gatewaySteps.attemptPayment.executeWithOptions(
      { summary: `attempt ${number}: route and charge` },
      [this.input],
    );
  }

  /** Asks the gateway until it knows, then a person; still unknown when neither has told by then. */
  private async learnOutcome(unknown: Unknown): Promise<PaymentStep> {
    return (await this.inquireUntilKnown(unknown)) ?? this.askPerson(unknown);
  }

  /** Bounded: when the gateway has not told within `stuckAfterMs`, nothing is known (undefined). */
  private async inquireUntilKnown(unknown: Unknown): Promise<PaymentStep | undefined> {
    const { attempt, stuckAfterMs } = unknown;
    const deadline = Date.now() + stuckAfterMs;
    let step = await this.inquire(unknown);
    for (let asked = 1; step.kind === 'unknown' && Date.now() < deadline; asked += 1) {
      const pauseMs = inquiryPauseMs(asked, step.provableInMs);
      await condition(() => this.woken, pauseMs, { summary: `ask ${attempt.gateway} again` });
      step = await this.inquire(step);
    }
    return step.kind === 'unknown' ? undefined : step;
  }

  private async inquire(unknown: Unknown): Promise<PaymentStep> {
    this.woken = false;
    const { attempt } = unknown;
    const summary = `ask ${attempt.gateway} about attempt ${attempt.attempt}`;
    const input = { ...this.input, attemptId: attempt.attemptId };
    try {
      return this.tell(await inquiries.inquireAttempt.executeWithOptions({ summary }, [input]));
    } catch (error) {
      // Asking itself fails, again and again: that must end at the desk too, not with the run.
      if (!(error instanceof ActivityFailure)) throw error;
      return { ...unknown, provableInMs: 0 };
    }
  }

  /**
   * The stuck-payment desk: waits, holding nothing, for a person's word or a callback. Now and then the gateway is
   * asked once more, and the database with it: the answer may have been recorded by another worker meanwhile.
   */
  private async askPerson(unknown: Unknown): Promise<PaymentStep> {
    // From the moment a person can see it on the desk, their word is taken.
    this.waitsForPerson = true;
    await records.markStuck.executeWithOptions({ summary: 'wait for a person' }, [this.input]);
    this.tell(unknown);
    let step: PaymentStep = unknown;
    let heard: Resolution | undefined;
    while (step.kind === 'unknown' && heard === undefined && !workflowInfo().continueAsNewSuggested) {
      await condition(() => this.resolution !== undefined || this.woken, DESK_LOOKS_AGAIN, {
        summary: 'wait for a person',
      });
      heard = this.resolution;
      step = heard === undefined ? await this.inquire(unknown) : await this.obey(unknown, heard);
    }
    this.waitsForPerson = false;
    this.resolution = undefined;
    return step;
  }

  private async obey(unknown: Unknown, resolution: Resolution): Promise<PaymentStep> {
    if (resolution.outcome === 'retry') {
      await records.markInquiring.executeWithOptions({ summary: 'ask the gateway again' }, [this.input]);
      return unknown;
    }
    const summary = `a person said: ${resolution.outcome}`;
    const input = { ...this.input, attemptId: unknown.attempt.attemptId, resolution };
    return this.tell(await records.resolveAttempt.executeWithOptions({ summary }, [input]));
  }

  /** Takes note of a step: callers that wait are answered, and what support staff read in the UI is brought up to date. */
  private tell(step: PaymentStep): PaymentStep {
    const { attempt } = step;
    if (attempt !== null) {
      const known = this.story.findIndex((told) => told.attemptId === attempt.attemptId);
      this.story.splice(known === -1 ? this.story.length : known, 1, attempt);
    }
    if (step.kind === 'settled' && this.settled === undefined) {
      this.settled = { status: step.status };
      upsertSearchAttributes([{ key: paymentStatusKey, value: step.status }]);
    }
    const status = this.settled?.status ?? 'processing';
    setCurrentDetails(
      paymentStory({ status, attempts: this.story, step, waitsForPerson: this.waitsForPerson }),
    );
    return step;
  }
}
