import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
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
    maximumInterval: '5 seconds',
    maximumAttempts: 40,
  },
});

const records = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds', maximumAttempts: 40 },
});

/**
 * A payment's actor: it alone decides what happens to the payment.
 *
 * It makes charge attempts until one settles the payment. An attempt whose outcome is unknown is inquired about on a
 * bounded schedule, and nothing else is tried before it is known; what inquiry cannot tell waits for a person.
 * A run for a payment that is already settled ends at once, so that starting one is always safe.
 */
export async function payment(input: PaymentInput): Promise<PaymentResult> {
  const actor = new PaymentActor(input);
  setHandler(resultUpdate, () => actor.untilSettled());
  setHandler(resolveUpdate, (resolution) => actor.resolve(resolution), {
    validator: (_resolution: Resolution) => {
      actor.assertWaitsForPerson();
    },
  });
  setHandler(gatewayCallbackSignal, () => {
    actor.wake();
  });
  // Cancel, as the UI offers it, must not abort a charge in flight: money moves forward or is asked about, never dropped.
  return CancellationScope.nonCancellable(async () => {
    const result = await actor.run();
    await condition(allHandlersFinished);
    return result;
  });
}

type Unknown = PaymentStep & { readonly kind: 'unknown' };

class PaymentActor {
  private settled: PaymentResult | undefined;
  private waitsForPerson = false;
  private resolution: Resolution | undefined;
  private woken = false;
  private readonly story: AttemptSummary[] = [];

  constructor(private readonly input: PaymentInput) {}

  async run(): Promise<PaymentResult> {
    let step = this.tell(await this.attempt());
    while (step.kind !== 'settled' || step.openOperations) {
      step = step.kind === 'unknown' ? await this.learnOutcome(step) : this.tell(await this.attempt());
    }
    return { status: step.status };
  }

  async untilSettled(): Promise<PaymentResult> {
    await condition(() => this.settled !== undefined);
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

  /** Asks the gateway until it knows, then a person. */
  private async learnOutcome(unknown: Unknown): Promise<PaymentStep> {
    for (;;) {
      const known = (await this.inquireUntilKnown(unknown)) ?? (await this.askPerson(unknown));
      if (known !== 'retry') return known;
    }
  }

  /** Bounded: when the gateway has not told within `stuckAfterMs`, nothing is known (undefined). */
  private async inquireUntilKnown(unknown: Unknown): Promise<PaymentStep | undefined> {
    const { attempt, stuckAfterMs } = unknown;
    let step = await this.inquire(attempt);
    for (let asked = 1, waitedMs = 0; step.kind === 'unknown' && waitedMs < stuckAfterMs; asked += 1) {
      const pauseMs = inquiryPauseMs(asked, step.provableInMs);
      await condition(() => this.woken, pauseMs, { summary: `ask ${attempt.gateway} again` });
      waitedMs += pauseMs;
      step = await this.inquire(attempt);
    }
    return step.kind === 'unknown' ? undefined : step;
  }

  private async inquire(attempt: AttemptSummary): Promise<PaymentStep> {
    this.woken = false;
    const summary = `ask ${attempt.gateway} about attempt ${attempt.attempt}`;
    return this.tell(
      await gatewaySteps.inquireAttempt.executeWithOptions({ summary }, [
        { ...this.input, attemptId: attempt.attemptId },
      ]),
    );
  }

  /** The stuck-payment desk: waits, holding nothing, until a person resolves it or a callback brings news. */
  private async askPerson(unknown: Unknown): Promise<PaymentStep | 'retry'> {
    const { attempt } = unknown;
    // From the moment a person can see it on the desk, their word is taken.
    this.waitsForPerson = true;
    await records.markStuck.executeWithOptions({ summary: 'wait for a person' }, [this.input]);
    this.tell(unknown);
    await condition(() => this.resolution !== undefined || this.woken);
    this.waitsForPerson = false;
    const resolution = this.resolution;
    if (resolution === undefined || resolution.outcome === 'retry') {
      await records.markInquiring.executeWithOptions({ summary: 'ask the gateway again' }, [this.input]);
      this.resolution = undefined;
      return 'retry';
    }
    const step = await records.resolveAttempt.executeWithOptions(
      { summary: `a person said: ${resolution.outcome}` },
      [{ ...this.input, attemptId: attempt.attemptId, resolution }],
    );
    this.tell(step);
    this.resolution = undefined;
    return step;
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
