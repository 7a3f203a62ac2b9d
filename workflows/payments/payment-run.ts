import {
  ActivityFailure,
  ApplicationFailure,
  condition,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { assertNever } from '../../src/domain/shared/assert-never';
import type { PaymentStatus } from '../../src/domain/payments/payment';
import type { PaymentOperation } from '../../src/domain/payments/payment-operation';
import type {
  AttemptSummary,
  OperationUpdateInput,
  PaymentInput,
  PaymentResult,
  PaymentStep,
  Resolution,
  UnknownOperation,
} from '../messages';
import { gatewayKey, paymentStatusKey } from '../search-attributes';
import { TestClock } from '../shared/test-clock';
import { chargeActivities, databaseActivities, inquiryActivities } from './activities';
import { InquiryTracker } from './inquiry-tracker';
import { renderPaymentDetails } from './payment-details';

/** How long to wait after a failed poll before the next one. */
const POLL_RETRY_INTERVAL_MS = 60_000;

type Action =
  | { readonly kind: 'send' | 'poll' | 'wait' | 'end' }
  | { readonly kind: 'inquire' | 'escalate'; readonly operation: UnknownOperation }
  | { readonly kind: 'apply_resolution'; readonly resolution: Resolution };

/** An operation whose caller waits for the result. */
interface AwaitedOperation {
  readonly operation: PaymentOperation;
  /** A step has started since the operation was requested. */
  included: boolean;
}

/** One run of a payment's workflow: chooses the next action from the last step until nothing is left to do. */
export class PaymentRun {
  private status: PaymentStatus = 'processing';
  private step: PaymentStep | undefined;
  private finished = false;
  /** A resolution that was accepted and is not applied yet. */
  private pendingResolution: Resolution | undefined;
  /** Earliest wall-clock time of the next poll. */
  private pollNotBefore = 0;
  /** Operations whose callers wait, by attempt id. */
  private readonly operations = new Map<string, AwaitedOperation>();
  private readonly inquiries = new InquiryTracker();
  private readonly clock = new TestClock();
  /** The attempts seen so far, shown in the Temporal UI. */
  private readonly attempts: AttemptSummary[] = [];

  constructor(
    private readonly input: PaymentInput,
    private wakePending: boolean,
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
    return this.wakePending || this.operations.size > 0 || this.pendingResolution !== undefined;
  }

  get result(): PaymentResult {
    return { status: this.status };
  }

  async untilSettled(): Promise<PaymentResult> {
    await condition(() => this.status !== 'processing' || this.finished);
    return this.result;
  }

  async untilFinished({ attemptId, operation }: OperationUpdateInput): Promise<void> {
    if (!this.operations.has(attemptId)) this.operations.set(attemptId, { operation, included: false });
    await condition(() => !this.operations.has(attemptId) || (this.finished && this.mustContinue));
  }

  assertResolvable({ attemptId }: Resolution): void {
    if (this.finished || !this.isEscalated(attemptId) || this.pendingResolution !== undefined) {
      throw ApplicationFailure.nonRetryable('the attempt does not wait for a resolution', 'invalid_state');
    }
  }

  async resolve(resolution: Resolution): Promise<PaymentResult> {
    this.pendingResolution = resolution;
    await condition(() => this.pendingResolution === undefined);
    return this.result;
  }

  wake(): void {
    this.wakePending = true;
  }

  /** The attempt that waits for an operator. */
  private get escalatedAttemptId(): string | null {
    return this.inquiries.escalated()?.attemptId ?? this.step?.needsOperator ?? null;
  }

  private isEscalated(attemptId: string | undefined): boolean {
    if (attemptId === undefined) return false;
    return this.inquiries.isEscalated(attemptId) || this.step?.needsOperator === attemptId;
  }

  private next(): Action {
    const { step, pendingResolution } = this;
    const now = Date.now();
    // An accepted resolution is applied in this run, because the next run does not know it.
    if (step !== undefined && pendingResolution !== undefined)
      return { kind: 'apply_resolution', resolution: pendingResolution };
    if (this.mustContinue) return { kind: 'end' };
    if (step === undefined || step.ready || this.newOperation !== undefined) return { kind: 'send' };
    if (this.wakePending || this.msUntilPoll(now) <= 0) return { kind: 'poll' };
    const overdue = this.inquiries.overdue();
    if (overdue !== null) return { kind: 'escalate', operation: overdue };
    const operation = this.inquiries.nextDue(now);
    if (operation !== null) return { kind: 'inquire', operation };
    const waits =
      !this.inquiries.empty ||
      step.pollAt !== null ||
      step.needsOperator !== null ||
      this.operations.size > 0 ||
      this.clock.target !== null;
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
        return this.applyResolution(action.resolution);
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
      this.newOperation?.operation ?? (this.status === 'processing' ? 'route and charge' : 'send operation');
    await this.runStep(() => chargeActivities.attemptPayment.executeWithOptions({ summary }, [this.input]));
  }

  /** Polls the gateway if that is due, and applies deadlines. */
  private async poll(): Promise<void> {
    const startedAt = Date.now();
    if (this.wakePending) this.inquiries.expedite(startedAt);
    this.wakePending = false;
    const at = this.clock.now();
    const input = { ...this.input, at, offsetMs: this.clock.offsetMs };
    this.pollNotBefore = startedAt + POLL_RETRY_INTERVAL_MS;
    try {
      await this.runStep(() =>
        inquiryActivities.pollPaymentStatus.executeWithOptions({ summary: 'poll payment status' }, [input]),
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

  /** The tracker comes first: a resolution must be accepted as soon as operators can see the payment as stuck. */
  private async escalate({ attemptId }: UnknownOperation): Promise<void> {
    this.inquiries.escalate(attemptId, Date.now());
    await databaseActivities.markStuck.executeWithOptions({ summary: 'start manual review' }, [this.input]);
    this.updateDetails();
  }

  private async applyResolution(resolution: Resolution): Promise<void> {
    const { attemptId, outcome } = resolution;
    const input = { ...this.input, attemptId, resolution };
    if (outcome === 'retry') {
      await databaseActivities.restartInquiry.executeWithOptions({ summary: 'restart inquiries' }, [input]);
      this.inquiries.restart(attemptId, this.step?.stuckAfterMs ?? 0, Date.now());
      this.wakePending = true;
    } else {
      const summary = `resolve as ${outcome}`;
      await this.runStep(() => databaseActivities.resolveAttempt.executeWithOptions({ summary }, [input]));
    }
    this.pendingResolution = undefined;
  }

  /** Sleeps until a signal, an update or the next due action. */
  private async wait(): Promise<void> {
    const now = Date.now();
    const msUntilAdvance = this.msUntilClockAdvance(now);
    if (msUntilAdvance <= 0 && this.clock.advance(this.step?.pollAt ?? Infinity)) return;
    const msUntilInquiry = this.inquiries.nextAt - now;
    const timeoutMs = Math.min(msUntilAdvance, msUntilInquiry, this.msUntilPoll(now));
    const isInterrupted = (): boolean =>
      this.wakePending || this.pendingResolution !== undefined || this.newOperation !== undefined;
    if (timeoutMs === Infinity) await condition(isInterrupted);
    else {
      const summary = this.describeWait(timeoutMs === msUntilInquiry);
      await condition(isInterrupted, Math.max(timeoutMs, 1), { summary });
    }
  }

  private get newOperation(): AwaitedOperation | undefined {
    return [...this.operations.values()].find(({ included }) => !included);
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
    if (!untilInquiry) return 'until the next poll';
    return this.escalatedAttemptId === null ? 'until the next inquiry' : 'for an operator';
  }

  /** Runs one activity and applies the step it returns. */
  private async runStep(activity: () => Promise<PaymentStep>): Promise<void> {
    for (const operation of this.operations.values()) operation.included = true;
    const step = await activity();
    this.step = step;
    for (const [id, { included }] of this.operations) {
      if (included && !step.openOperations.includes(id)) this.operations.delete(id);
    }
    this.clock.update(step.clock);
    this.inquiries.update(step.unknown, step.stuckAfterMs, Date.now());
    // An inquiry has resolved the attempt meanwhile, and the resolution must not apply to another one.
    if (!this.isEscalated(this.pendingResolution?.attemptId)) this.pendingResolution = undefined;
    if (step.attempt !== null) this.updateAttempt(step.attempt);
    if (step.status !== this.status) {
      this.status = step.status;
      upsertSearchAttributes([{ key: paymentStatusKey, value: step.status }, ...gatewayAttribute(step)]);
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

/** The gateway of the step's attempt. A step without an attempt, such as an expiry, keeps the attribute. */
function gatewayAttribute({ attempt }: PaymentStep): SearchAttributeUpdatePair[] {
  return attempt === null ? [] : [{ key: gatewayKey, value: attempt.gateway }];
}
