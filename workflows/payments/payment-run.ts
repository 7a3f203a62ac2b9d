import {
  ActivityFailure,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { assertNever } from '../../src/domain/shared/assert-never';
import type { PaymentStatus } from '../../src/domain/payments/payment';
import type {
  AttemptSummary,
  AwaitedInput,
  OperationUpdateInput,
  PaymentInput,
  PaymentResult,
  PaymentStep,
  ResolveUpdateInput,
  UnknownOperation,
} from '../messages';
import type { AwaitedRows } from '../shared/awaited-rows';
import { TestClock } from '../shared/test-clock';
import { chargeActivities, databaseActivities, inquiryActivities } from './activities';
import { pollLocally, sendOperationLocally, type LocalStep, type StartLocalStep } from './first-attempt';
import { InquiryTracker } from './inquiry-tracker';
import { POLL, renderPaymentDetails, UNTIL_NEXT_POLL } from './payment-details';
import { statusAttributes } from './status-attributes';
import { AwaitedRequests } from './awaited-requests';

/** How long to wait after a failed poll before the next one. */
const POLL_RETRY_INTERVAL_MS = 60_000;

type Action =
  | { readonly kind: 'send' | 'poll' | 'wait' | 'end' }
  | { readonly kind: 'inquire' | 'escalate'; readonly operation: UnknownOperation }
  | { readonly kind: 'apply_resolution'; readonly resolutionId: string };

/** One run of a payment's workflow: chooses the next action from the last step until nothing is left to do. */
export class PaymentRun {
  private status: PaymentStatus = 'processing';
  private step: PaymentStep | undefined;
  private finished = false;
  /** An operator asked to inquire the gateway again. */
  private inquiryRequested = false;
  /** Earliest wall-clock time of the next poll. */
  private pollNotBefore = 0;
  private readonly requests = new AwaitedRequests();
  private readonly inquiries = new InquiryTracker();
  private readonly clock = new TestClock();
  /** The attempts seen so far, shown in the Temporal UI. */
  private readonly attempts: AttemptSummary[] = [];

  constructor(
    private readonly input: PaymentInput,
    private wakePending: boolean,
    /** The first step of this run, if it is another one than a regular attempt. */
    private firstStep: StartLocalStep | null = null,
    /** Whether operations and polls after a callback run inside the tasks that bring them. */
    private readonly stepsAreLocal = false,
  ) {}

  /** Runs until nothing is left to do or the workflow must continue as new. */
  async execute(): Promise<void> {
    this.finished = false;
    for (let action = this.next(); action.kind !== 'end'; action = this.next()) await this.perform(action);
    this.finished = true;
  }

  get mustContinue(): boolean {
    return workflowInfo().continueAsNewSuggested;
  }

  get isWakePending(): boolean {
    return this.wakePending;
  }

  get hasWork(): boolean {
    return this.wakePending || this.requests.exist;
  }

  get result(): PaymentResult {
    return { status: this.status };
  }

  async untilSettled(): Promise<PaymentResult> {
    await condition(() => this.status !== 'processing' || this.finished);
    return this.result;
  }

  async untilFinished(operation: OperationUpdateInput): Promise<void> {
    await this.untilClosed(this.requests.operations, operation.attemptId, operation);
  }

  async untilResolved(resolution: ResolveUpdateInput): Promise<void> {
    await this.untilClosed(this.requests.resolutions, resolution.resolutionId, resolution);
  }

  private async untilClosed<Row>(rows: AwaitedRows<Row>, id: string, row: Row): Promise<void> {
    rows.add(id, row);
    await condition(() => !rows.has(id) || (this.finished && this.mustContinue));
  }

  wake(): void {
    this.wakePending = true;
  }

  /** The attempt that waits for an operator. */
  private get escalatedAttemptId(): string | null {
    return this.inquiries.escalated()?.attemptId ?? this.step?.needsOperator ?? null;
  }

  private next(): Action {
    const { step } = this;
    const now = Date.now();
    if (this.mustContinue) return { kind: 'end' };
    // A signal goes before the updates that may have come with it: a replay could show it alone.
    if (this.stepsAreLocal && step !== undefined && this.wakePending) return { kind: 'poll' };
    const resolutionId = this.requests.resolutions.next?.resolutionId ?? step?.openResolutions[0];
    if (step !== undefined && resolutionId !== undefined) return { kind: 'apply_resolution', resolutionId };
    if (step === undefined || step.ready || this.requests.operations.next !== undefined)
      return { kind: 'send' };
    if (this.wakePending || this.msUntilPoll(now) <= 0) return { kind: 'poll' };
    const overdue = this.inquiries.overdue();
    if (overdue !== null) return { kind: 'escalate', operation: overdue };
    const operation = this.inquiries.nextDue(now);
    if (operation !== null) return { kind: 'inquire', operation };
    const waits =
      !this.inquiries.empty || step.pollAt !== null || this.requests.exist || this.clock.target !== null;
    return { kind: waits ? 'wait' : 'end' };
  }

  private async perform(action: Action): Promise<void> {
    switch (action.kind) {
      case 'send':
        return this.send();
      case 'poll':
        return this.poll();
      case 'inquire':
        return this.inquire(action.operation);
      case 'escalate':
        return this.escalate(action.operation);
      case 'apply_resolution':
        return this.applyResolution(action.resolutionId);
      case 'wait':
        return this.wait();
      case 'end':
        return;
      default:
        return assertNever(action);
    }
  }

  private async send(): Promise<void> {
    const summary =
      this.requests.operations.next?.operation ??
      (this.status === 'processing' ? 'route and charge' : 'send operation');
    const first = this.firstStep;
    this.firstStep = null;
    const isLocal = this.stepsAreLocal && this.requests.operations.next !== undefined;
    const start = first ?? (isLocal ? sendOperationLocally : null);
    if (start !== null) return this.runLocalStep((awaited) => start({ ...this.input, ...awaited }, summary));
    await this.runStep(() => chargeActivities.attemptPayment.executeWithOptions({ summary }, [this.input]));
  }

  /** Polls the gateway if that is due, and applies deadlines. */
  private async poll(): Promise<void> {
    const startedAt = Date.now();
    const isLocal = this.stepsAreLocal && this.wakePending;
    if (this.wakePending) this.inquiries.expedite(startedAt);
    this.wakePending = false;
    const at = this.clock.now();
    const input = { ...this.input, at, offsetMs: this.clock.offsetMs, requested: this.inquiryRequested };
    this.inquiryRequested = false;
    this.pollNotBefore = startedAt + POLL_RETRY_INTERVAL_MS;
    const summary = POLL;
    try {
      if (isLocal) await this.runLocalStep((awaited) => pollLocally({ ...input, ...awaited }, summary));
      else
        await this.runStep(() =>
          inquiryActivities.pollPaymentStatus.executeWithOptions({ summary }, [input]),
        );
      this.pollNotBefore = startedAt + 1;
      this.clock.recordArrival(at);
    } catch (error) {
      if (!(error instanceof ActivityFailure)) throw error;
    }
  }

  private async inquire(operation: UnknownOperation): Promise<void> {
    const { attemptId, attempt, gateway } = operation;
    const summary = `inquire ${gateway} about ${operation.operation} ${attempt}`;
    try {
      await this.runStep(() =>
        inquiryActivities.inquireAttempt.executeWithOptions({ summary }, [{ ...this.input, attemptId }]),
      );
    } catch (error) {
      // Inquiries that always fail must lead to an escalation, not fail the workflow.
      if (!(error instanceof ActivityFailure)) throw error;
    }
    this.inquiries.recordInquiry(attemptId, Date.now());
  }

  private async escalate({ attemptId }: UnknownOperation): Promise<void> {
    this.inquiries.escalate(attemptId, Date.now());
    const input = { ...this.input, attemptId };
    await databaseActivities.markStuck.executeWithOptions({ summary: 'start manual review' }, [input]);
    this.updateDetails();
  }

  /** The activity decides by the row whether the resolution still applies. */
  private async applyResolution(resolutionId: string): Promise<void> {
    const input = { ...this.input, resolutionId };
    let restartedAttemptId: string | null = null;
    await this.runStep(async () => {
      const resolved = await databaseActivities.applyResolution.executeWithOptions(
        { summary: 'apply a resolution' },
        [input],
      );
      restartedAttemptId = resolved.restartedAttemptId;
      return resolved.step;
    });
    if (restartedAttemptId === null) return;
    this.inquiries.restart(restartedAttemptId, this.step?.stuckAfterMs ?? 0, Date.now());
    this.wakePending = true;
    this.inquiryRequested = true;
  }

  /** Sleeps until a signal, an update or the next due action. */
  private async wait(): Promise<void> {
    const now = Date.now();
    const msUntilAdvance = this.msUntilClockAdvance(now);
    if (msUntilAdvance <= 0 && this.clock.advance(this.step?.pollAt ?? Infinity)) return;
    const msUntilInquiry = this.inquiries.nextAt - now;
    const timeoutMs = Math.min(msUntilAdvance, msUntilInquiry, this.msUntilPoll(now));
    const isInterrupted = (): boolean =>
      this.wakePending ||
      this.requests.operations.next !== undefined ||
      this.requests.resolutions.next !== undefined;
    if (timeoutMs === Infinity) await condition(isInterrupted);
    else {
      const summary = this.describeWait(timeoutMs === msUntilInquiry);
      await condition(isInterrupted, Math.max(timeoutMs, 1), { summary });
    }
  }

  /** `Infinity` while no test clock advances, or while an inquiry is active: gateways answer in real time. */
  private msUntilClockAdvance(now: number): number {
    return this.clock.isAdvancing && !this.inquiries.hasActive ? this.pollNotBefore - now : Infinity;
  }

  /** `Infinity` if no poll is scheduled. */
  private msUntilPoll(now: number): number {
    const dueAt = this.clock.hasArrived ? this.clock.now() : (this.step?.pollAt ?? Infinity);
    return Math.max(dueAt - this.clock.now(), this.pollNotBefore - now);
  }

  private describeWait(untilInquiry: boolean): string {
    if (!untilInquiry) return UNTIL_NEXT_POLL;
    return this.escalatedAttemptId === null ? 'until the next inquiry' : 'for an operator';
  }

  /** Runs one regular activity and applies the step it returns. */
  private async runStep(activity: () => Promise<PaymentStep>): Promise<void> {
    this.requests.include(this.requests.ids);
    this.apply(await activity());
  }

  /** The same for a local activity, or for the regular one that makes its step instead. */
  private async runLocalStep(start: (awaited: AwaitedInput) => Promise<LocalStep>): Promise<void> {
    const { ids } = this.requests;
    const made = await start(ids.length === 0 ? {} : { awaited: ids });
    if ('instead' in made) return this.runStep(() => made.instead(this.input));
    this.requests.include(made.step.awaited ?? ids);
    this.apply(made.step);
  }

  private apply(step: PaymentStep): void {
    this.step = step;
    this.requests.removeClosed(step);
    this.clock.update(step.clock);
    this.inquiries.update(step.unknown, step.stuckAfterMs, Date.now());
    if (step.attempt !== null) this.updateAttempt(step.attempt);
    if (step.status !== this.status) {
      this.status = step.status;
      upsertSearchAttributes(statusAttributes(step));
    }
    this.updateDetails();
  }

  private updateAttempt(attempt: AttemptSummary): void {
    const index = this.attempts.findIndex(({ attemptId }) => attemptId === attempt.attemptId);
    this.attempts.splice(index === -1 ? this.attempts.length : index, 1, attempt);
  }

  private updateDetails(): void {
    const { step, attempts, escalatedAttemptId } = this;
    if (step !== undefined) setCurrentDetails(renderPaymentDetails({ step, attempts, escalatedAttemptId }));
  }
}
