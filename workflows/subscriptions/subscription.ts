import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { CommandKind } from '../../src/domain/subscriptions/stored-command';
import type { SubscriptionStatus } from '../../src/domain/subscriptions/subscription';
import { wakeSignal } from '../messages';
import {
  chargedUpdate,
  commandUpdate,
  CYCLES_PER_RUN,
  type CommandUpdateInput,
  type SubscriptionInput,
  type SubscriptionResult,
  type SubscriptionRunInput,
  type SubscriptionStep,
} from './messages';
import { AwaitedRows } from '../shared/awaited-rows';
import { TestClock } from '../shared/test-clock';
import { subscriptionDueAtKey, subscriptionStatusKey } from '../search-attributes';
import { localActivities } from './activities';
import { isRunLong } from './run-length';
import { renderSubscriptionDetails } from './subscription-details';

/** Intervals, in ms, at which an open charge is polled in case its payment's signal is lost. The last one repeats. */
const CHARGE_POLL_INTERVALS_MS = [5_000, 60_000, 600_000, 3_600_000] as const;
/** Number of events shown in the Temporal UI. */
const MAX_RECENT_EVENTS = 8;

/**
 * The workflow that owns a subscription; nothing else changes its state.
 *
 * It waits for the next due event, for commands and for the result of the open charge, and processes them in steps. Each
 * charge is a payment: its first attempt is made inside a step, and a workflow of its own does the rest. This workflow
 * continues as new after some cycles, so that its history stays short. It ends once the subscription is canceled;
 * starting it again is harmless.
 */
export async function subscription(input: SubscriptionRunInput): Promise<SubscriptionResult> {
  const { companyId, subscriptionId } = input;
  const next = { companyId, subscriptionId, cyclesPerRun: CYCLES_PER_RUN };
  const run = new SubscriptionRun({ companyId, subscriptionId }, input);
  // A cancellation from the Temporal UI must not end a subscription; only the API cancels it. Handlers run in the root
  // scope, so they need their own shield.
  setHandler(chargedUpdate, () => CancellationScope.nonCancellable(() => run.untilCharged()));
  setHandler(commandUpdate, (command) => CancellationScope.nonCancellable(() => run.untilAnswered(command)));
  setHandler(wakeSignal, () => {
    run.wake();
  });
  return CancellationScope.nonCancellable(async () => {
    do {
      await run.execute();
      await condition(allHandlersFinished);
      // Signals and commands may arrive while the last update handlers finish.
    } while (!run.mustContinue && run.hasWork);
    if (run.mustContinue) {
      return continueAsNew<typeof subscription>({ ...next, ...run.continueAsNewInput });
    }
    return run.result;
  });
}

class SubscriptionRun {
  private status: SubscriptionStatus = 'pending';
  private step: SubscriptionStep | undefined;
  private finished = false;
  /** In this run. */
  private cyclesClosed = 0;
  /** When this run started. */
  private initialClosedCycles: number | undefined;
  private readonly cyclesPerRun: number;
  private wakePending: boolean;
  /** Steps that found the current charge open. */
  private polls = 0;
  private pollAt = Infinity;
  private listedDueAt: number | undefined;
  private recentEvents: readonly string[];
  /** Those whose callers wait for the answer. */
  private readonly commands = new AwaitedRows<CommandKind>();
  private readonly clock = new TestClock();

  constructor(
    private readonly input: SubscriptionInput,
    { wakePending = false, recentEvents = [], cyclesPerRun = 1, step }: SubscriptionRunInput,
  ) {
    this.cyclesPerRun = cyclesPerRun;
    this.wakePending = wakePending;
    this.recentEvents = recentEvents;
    if (step === undefined) return;
    this.step = step;
    this.initialClosedCycles = step.closedCycles;
    this.status = step.status;
    this.clock.update(step.clock);
    if (step.openCharge !== null) this.pollAt = Date.now();
    setCurrentDetails(renderSubscriptionDetails(step, recentEvents));
  }

  /** Runs until the subscription has ended or the workflow must continue as new. */
  async execute(): Promise<void> {
    this.finished = false;
    for (;;) {
      if (this.hasDue) await this.advance();
      else if (this.mustContinue || this.hasEnded) break;
      else await this.wait();
    }
    this.finished = true;
  }

  get mustContinue(): boolean {
    const { continueAsNewSuggested, runStartTime } = workflowInfo();
    const isLong = isRunLong(this.cyclesClosed, this.cyclesPerRun, Date.now() - +runStartTime);
    return continueAsNewSuggested || (isLong && this.step?.openCharge === null);
  }

  get continueAsNewInput(): Omit<SubscriptionRunInput, keyof SubscriptionInput | 'cyclesPerRun'> {
    const { wakePending, recentEvents, step } = this;
    return { wakePending, recentEvents, ...(step !== undefined && { step }) };
  }

  get hasWork(): boolean {
    return this.wakePending || this.commands.next !== undefined;
  }

  get result(): SubscriptionResult {
    return { status: this.status };
  }

  wake(): void {
    this.wakePending = true;
  }

  async untilCharged(): Promise<SubscriptionResult> {
    await condition(() => this.step?.openCharge === null || this.finished);
    return this.result;
  }

  async untilAnswered({ commandId, kind }: CommandUpdateInput): Promise<void> {
    this.commands.add(commandId, kind);
    await condition(() => !this.commands.has(commandId) || (this.finished && this.mustContinue));
  }

  /** Whether a step has something to process now. */
  private get hasDue(): boolean {
    const { step } = this;
    if (step === undefined || step.more || this.hasWork) return true;
    if (this.pollAt <= Date.now() || this.untilDueMs(step) <= 0) return true;
    return !waitsForCharge(step) && this.clock.hasArrived;
  }

  private get hasEnded(): boolean {
    const { step } = this;
    if (step?.status !== 'canceled' || this.commands.size > 0) return false;
    return step.openCharge === null && this.clock.target === null;
  }

  private async advance(): Promise<void> {
    const awaited = this.commands.ids;
    this.wakePending = false;
    const now = Date.now();
    const at = this.clock.now();
    const input = {
      ...this.input,
      now,
      offsetMs: this.clock.offsetMs,
      ...(awaited.length > 0 && { awaited }),
    };
    const { advanceSubscription } = localActivities;
    const step = await advanceSubscription.executeWithOptions({ summary: this.stepSummary }, [input]);
    this.commands.include(step.awaited ?? awaited);
    this.applyStep(step);
    if (!waitsForCharge(step) && !step.more) this.clock.recordArrival(at);
    this.schedulePoll(step);
  }

  private applyStep(step: SubscriptionStep): void {
    const { openCharge } = step;
    if (openCharge?.transactionId !== this.step?.openCharge?.transactionId) this.polls = 0;
    this.step = step;
    this.initialClosedCycles ??= step.closedCycles;
    const closed = Math.abs(step.closedCycles - this.initialClosedCycles);
    this.cyclesClosed = Math.max(this.cyclesClosed, closed);
    this.commands.removeClosed(step.openCommands);
    this.clock.update(step.clock);
    this.recentEvents = [...this.recentEvents, ...step.events].slice(-MAX_RECENT_EVENTS);
    this.updateSearchAttributes(step);
    setCurrentDetails(renderSubscriptionDetails(step, this.recentEvents));
  }

  private updateSearchAttributes({ status, due }: SubscriptionStep): void {
    const changes: SearchAttributeUpdatePair[] = [];
    if (status !== this.status) changes.push({ key: subscriptionStatusKey, value: status });
    if (due?.at !== this.listedDueAt) {
      this.listedDueAt = due?.at;
      changes.push({ key: subscriptionDueAtKey, value: due === null ? null : new Date(due.at) });
    }
    this.status = status;
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  /** The payment's workflow signals when the charge is settled, but its signal can be lost. */
  private schedulePoll({ openCharge }: SubscriptionStep): void {
    const last = CHARGE_POLL_INTERVALS_MS.length - 1;
    const intervalMs = CHARGE_POLL_INTERVALS_MS[Math.min(this.polls, last)] ?? Infinity;
    const checkInMs = openCharge?.checkInMs ?? Infinity;
    this.pollAt = openCharge === null ? Infinity : Date.now() + Math.min(intervalMs, checkInMs);
    this.polls += 1;
  }

  /** Sleeps until a signal, a command, the next due event or the next poll. */
  private async wait(): Promise<void> {
    const { step } = this;
    if (step === undefined) return;
    // An advancing test clock stops at each due event, and waits for the result of a charge.
    if (!waitsForCharge(step) && this.clock.advance(step.due?.at ?? Infinity)) return;
    const hasWork = (): boolean => this.hasWork;
    const timeoutMs = Math.min(this.untilDueMs(step), this.pollAt - Date.now());
    if (timeoutMs === Infinity) await condition(hasWork);
    else await condition(hasWork, Math.max(timeoutMs, 1), { summary: waitingFor(step) });
  }

  /** Time until the next due event is processed. */
  private untilDueMs({ due, jitterMs }: SubscriptionStep): number {
    if (due === null) return Infinity;
    // No jitter while a test clock is in use: its user waits for the result.
    const delayMs = this.clock.wasAdvanced ? 0 : jitterMs;
    return due.at + delayMs - this.clock.now();
  }

  /** Shown in the Temporal UI. */
  private get stepSummary(): string {
    const { step } = this;
    if (step === undefined) return 'load the subscription';
    const kinds = this.commands.all;
    if (kinds.length > 0) return kinds.join(', ');
    if (step.openCharge !== null) return 'check the result of the charge';
    return this.untilDueMs(step) <= 0 && step.due !== null ? step.due.description : 'check for changes';
  }
}

/** Whether nothing else happens before the charge has a result. A gateway that gives none holds up neither the test clock nor events. */
function waitsForCharge({ openCharge }: SubscriptionStep): boolean {
  return openCharge !== null && !openCharge.unresolved;
}

/** Shown in the Temporal UI as the name of the timer. */
function waitingFor({ openCharge, due }: SubscriptionStep): string {
  return openCharge === null ? (due?.description ?? 'nothing') : 'result of the charge';
}
