import {
  allHandlersFinished,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { PaymentStatus } from '../../src/domain/payments/payment';
import type { PaymentOperation } from '../../src/domain/payments/payment-operation';
import {
  operationUpdate,
  resolveUpdate,
  resultUpdate,
  wakeSignal,
  type AttemptSummary,
  type OperationRequest,
  type PaymentInput,
  type PaymentResult,
  type PaymentRunInput,
  type PaymentStep,
  type Resolution,
  type UnknownOperation,
} from '../messages';
import { chargeActivities, inquiries, records } from './activities';
import { TestClock } from '../shared/test-clock';
import { renderPaymentDetails } from './payment-details';
import { InquiryTracker } from './inquiry-tracker';
import { gatewayKey, paymentStatusKey } from '../search-attributes';

/** How long to wait before a look that failed, or found nothing changed at its own instant, is tried again. */
const LOOK_AGAIN_MS = 60_000;

/**
 * A payment's actor: it alone decides what happens to the payment.
 *
 * It sends what is ready to be sent: charge attempts until one settles the payment, and captures, cancels and refunds
 * as they are asked for. What was sent without a certain result is asked about on a bounded schedule, and then a person.
 * While a pix or billet waits to be paid, or an authorization to be captured, it looks after it. A run with nothing left
 * to do ends, so that starting one is always safe: whatever comes later starts the next run under the same id.
 */
export async function payment({ woken = false, ...input }: PaymentRunInput): Promise<PaymentResult> {
  const actor = new PaymentActor(input, woken);
  // Handlers run in the root scope, which the UI's Cancel cancels: they are shielded as the run is.
  setHandler(resultUpdate, () => CancellationScope.nonCancellable(() => actor.untilSettled()));
  setHandler(operationUpdate, (operation) =>
    CancellationScope.nonCancellable(() => actor.untilOver(operation)),
  );
  setHandler(
    resolveUpdate,
    (resolution) => CancellationScope.nonCancellable(() => actor.resolve(resolution)),
    {
      validator: (resolution: Resolution) => {
        actor.assertWaitsFor(resolution);
      },
    },
  );
  setHandler(wakeSignal, () => {
    actor.wake();
  });
  // Cancel, as the UI offers it, must not abort a charge in flight: money moves forward or is asked about, never dropped.
  return CancellationScope.nonCancellable(async () => {
    do {
      await actor.run();
      await condition(allHandlersFinished);
      // What came while the last callers were answered is not left behind.
    } while (!actor.mustContinue && actor.hasWork);
    if (actor.mustContinue) return continueAsNew<typeof payment>({ ...input, woken: actor.isWoken });
    return actor.result;
  });
}

/** What the actor does next. */
type Move =
  | { readonly kind: 'send' | 'look' | 'wait' | 'end' }
  | { readonly kind: 'ask' | 'bring_to_desk'; readonly operation: UnknownOperation }
  | { readonly kind: 'obey'; readonly resolution: Resolution };

/** An operation that a caller waits for. */
interface Command {
  readonly operation: PaymentOperation;
  /** A step has begun that knows of it. */
  known: boolean;
}

class PaymentActor {
  private status: PaymentStatus = 'processing';
  private step: PaymentStep | undefined;
  private finished = false;
  /** A person's word. */
  private word: Resolution | undefined;
  /** Not before this instant, by everybody's clock, is the gateway asked again how the payment stands. */
  private pollNotBefore = 0;
  /** Operations that callers wait for, by their ids. */
  private readonly commands = new Map<string, Command>();
  private readonly questions = new InquiryTracker();
  private readonly time = new TestClock();
  private readonly story: AttemptSummary[] = [];

  constructor(
    private readonly input: PaymentInput,
    private woken: boolean,
  ) {}

  /** Until there is nothing left to do; or before the history grows too long, when the next run goes on. */
  async run(): Promise<void> {
    this.finished = false;
    for (let move = this.next(); move.kind !== 'end'; move = this.next()) await this.make(move);
    this.finished = true;
  }

  get mustContinue(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  get isWoken(): boolean {
    return this.woken;
  }

  get hasWork(): boolean {
    return this.woken || this.commands.size > 0 || this.word !== undefined;
  }

  get result(): PaymentResult {
    return { status: this.status };
  }

  async untilSettled(): Promise<PaymentResult> {
    await condition(() => this.status !== 'processing' || this.finished);
    return this.result;
  }

  async untilOver({ attemptId, operation }: OperationRequest): Promise<void> {
    if (!this.commands.has(attemptId)) this.commands.set(attemptId, { operation, known: false });
    await condition(() => !this.commands.has(attemptId) || (this.finished && this.mustContinue));
  }

  assertWaitsFor({ attemptId }: Resolution): void {
    if (this.finished || !this.waitsForPerson(attemptId) || this.word !== undefined) {
      throw ApplicationFailure.nonRetryable('the operation does not wait for a person', 'invalid_state');
    }
  }

  async resolve(resolution: Resolution): Promise<PaymentResult> {
    this.word = resolution;
    await condition(() => this.word === undefined);
    return this.result;
  }

  wake(): void {
    this.woken = true;
  }

  /** The operation that only a person can tell about. */
  private get subjectForPerson(): string | null {
    return this.questions.escalated()?.attemptId ?? this.step?.needsPerson ?? null;
  }

  private waitsForPerson(attemptId: string | undefined): boolean {
    if (attemptId === undefined) return false;
    return this.questions.isOnDesk(attemptId) || this.step?.needsPerson === attemptId;
  }

  private next(): Move {
    const { step } = this;
    const now = Date.now();
    // A word that was taken is acted on in this run: the next one would not know it.
    if (step !== undefined && this.word !== undefined) return { kind: 'obey', resolution: this.word };
    if (this.mustContinue) return { kind: 'end' };
    if (step === undefined || step.ready || this.newCommand !== undefined) return { kind: 'send' };
    if (this.woken || this.untilLookMs(now) <= 0) return { kind: 'look' };
    const late = this.questions.overdue();
    if (late !== null) return { kind: 'bring_to_desk', operation: late };
    const operation = this.questions.nextDue(now);
    if (operation !== null) return { kind: 'ask', operation };
    const waits =
      !this.questions.empty || step.pollAt !== null || step.needsPerson !== null || this.commands.size > 0;
    return { kind: waits || this.time.target !== null ? 'wait' : 'end' };
  }

  private async make(move: Move): Promise<void> {
    switch (move.kind) {
      case 'send':
        return this.send();
      case 'look':
        return this.look();
      case 'ask':
        return this.ask(move.operation);
      case 'bring_to_desk':
        return this.escalate(move.operation);
      case 'obey':
        return this.obey(move.resolution);
      case 'wait':
        return this.wait();
      case 'end':
        return;
    }
  }

  private async send(): Promise<void> {
    const summary =
      this.newCommand?.operation ?? (this.status === 'processing' ? 'route and charge' : 'send');
    await this.tell(() => chargeActivities.attemptPayment.executeWithOptions({ summary }, [this.input]));
  }

  /** Asks the gateway how the payment stands, where it is time to, and does what its time demands. */
  private async look(): Promise<void> {
    const startedAt = Date.now();
    if (this.woken) this.questions.expedite(startedAt);
    this.woken = false;
    const at = this.time.now();
    const input = { ...this.input, at, offsetMs: this.time.offsetMs };
    this.pollNotBefore = startedAt + LOOK_AGAIN_MS;
    try {
      await this.tell(() =>
        inquiries.pollPaymentStatus.executeWithOptions({ summary: 'ask how the payment stands' }, [input]),
      );
      this.pollNotBefore = startedAt + 1;
      this.time.arrived(at);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
    }
  }

  private async ask(operation: UnknownOperation): Promise<void> {
    const { attemptId, attempt, gateway } = operation;
    const summary = `ask ${gateway} about ${operation.operation} ${attempt}`;
    try {
      await this.tell(() =>
        inquiries.inquireAttempt.executeWithOptions({ summary }, [{ ...this.input, attemptId }]),
      );
    } catch (error) {
      // Asking itself fails, again and again: that must end at the desk too, not with the run.
      if (!(error instanceof ActivityFailure)) throw error;
    }
    this.questions.asked(attemptId, Date.now());
  }

  /** The stuck-payment desk: from the moment a person can see the question there, their word is taken. */
  private async escalate({ attemptId }: UnknownOperation): Promise<void> {
    this.questions.escalate(attemptId, Date.now());
    await records.markStuck.executeWithOptions({ summary: 'wait for a person' }, [this.input]);
    this.describe();
  }

  private async obey(resolution: Resolution): Promise<void> {
    const { attemptId } = resolution;
    const input = { ...this.input, attemptId, resolution };
    if (resolution.outcome === 'retry') {
      await records.restartInquiry.executeWithOptions({ summary: 'ask the gateway again' }, [input]);
      this.questions.restart(attemptId, this.step?.stuckAfterMs ?? 0, Date.now());
      this.woken = true;
    } else {
      const summary = `a person said: ${resolution.outcome}`;
      await this.tell(() => records.resolveAttempt.executeWithOptions({ summary }, [input]));
    }
    this.word = undefined;
  }

  /** Holds nothing: a callback, a command, a person's word or the next instant ends it. */
  private async wait(): Promise<void> {
    const now = Date.now();
    const untilLeapMs = this.untilLeapMs(now);
    if (untilLeapMs <= 0 && this.time.advance(this.step?.pollAt ?? Infinity)) return;
    const untilQuestionMs = this.questions.nextAt - now;
    const pauseMs = Math.min(untilLeapMs, untilQuestionMs, this.untilLookMs(now));
    const wanted = (): boolean => this.woken || this.word !== undefined || this.newCommand !== undefined;
    if (pauseMs === Infinity) await condition(wanted);
    else {
      const summary = this.nextInWords(pauseMs === untilQuestionMs);
      await condition(wanted, Math.max(pauseMs, 1), { summary });
    }
  }

  private get newCommand(): Command | undefined {
    return [...this.commands.values()].find(({ known }) => !known);
  }

  /** How long until a clock that is moved leaps on: not while a gateway is to tell of an operation, or could not be asked. */
  private untilLeapMs(now: number): number {
    return this.time.isMoving && !this.questions.hasActive ? this.pollNotBefore - now : Infinity;
  }

  /** How long until the gateway is asked how the payment stands; for ever (`Infinity`) when it is not. */
  private untilLookMs(now: number): number {
    const dueAt = this.time.hasArrived ? this.time.now() : (this.step?.pollAt ?? Infinity);
    return Math.max(dueAt - this.time.now(), this.pollNotBefore - now);
  }

  private nextInWords(isQuestion: boolean): string {
    if (!isQuestion) return 'ask how the payment stands';
    return this.subjectForPerson === null ? 'ask the gateway again' : 'wait for a person';
  }

  /** Makes a step and takes note of it: callers who wait are answered, and what support staff read is brought up to date. */
  private async tell(makeStep: () => Promise<PaymentStep>): Promise<void> {
    for (const command of this.commands.values()) command.known = true;
    const step = await makeStep();
    this.step = step;
    for (const [id, { known }] of this.commands) {
      if (known && !step.openOperations.includes(id)) this.commands.delete(id);
    }
    this.time.read(step.clock);
    this.questions.update(step.unknown, step.stuckAfterMs, Date.now());
    // The question that a person was about to answer has answered itself: their word is no answer to another one.
    if (!this.waitsForPerson(this.word?.attemptId)) this.word = undefined;
    if (step.attempt !== null) this.remember(step.attempt);
    if (step.status !== this.status) {
      this.status = step.status;
      upsertSearchAttributes([{ key: paymentStatusKey, value: step.status }, ...carriedBy(step)]);
    }
    this.describe();
  }

  private remember(attempt: AttemptSummary): void {
    const known = this.story.findIndex((told) => told.attemptId === attempt.attemptId);
    this.story.splice(known === -1 ? this.story.length : known, 1, attempt);
  }

  private describe(): void {
    const { step } = this;
    if (step === undefined) return;
    setCurrentDetails(renderPaymentDetails({ step, attempts: this.story, forPerson: this.subjectForPerson }));
  }
}

/** The gateway that gave it its status; without one it has expired, or nobody was asked. */
function carriedBy({ attempt }: PaymentStep): SearchAttributeUpdatePair[] {
  return attempt === null ? [] : [{ key: gatewayKey, value: attempt.gateway }];
}
