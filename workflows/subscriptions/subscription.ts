import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { CommandKind } from '../../src/domain/subscriptions/stored-command';
import type { SubscriptionStatus } from '../../src/domain/subscriptions/subscription';
import {
  chargedUpdate,
  commandUpdate,
  wakeSignal,
  type CommandRequest,
  type SubscriptionInput,
  type SubscriptionResult,
  type SubscriptionRunInput,
  type SubscriptionStep,
} from '../messages';
import { TestClock } from '../shared/test-clock';
import { subscriptionDueAtKey, subscriptionStatusKey } from '../search-attributes';
import { ensurePaymentRuns } from './subscription-charge';
import { activities, localActivities } from './activities';
import { renderSubscriptionDetails } from './subscription-details';

/** When to look how an open charge stands although its payment has said nothing: pauses in ms, the last one again and again. */
const CHARGE_LOOKS_MS = [5_000, 60_000, 600_000, 3_600_000] as const;
/** How much of what happened last is told. */
const LATELY = 8;

/**
 * A subscription's actor: it alone decides what happens to the subscription.
 *
 * It waits for what is due next, for what is asked of it, or for the result of its charge, and lives through it. Each
 * charge is a payment with an actor of its own. After each cycle it continues as new, so that its history does not grow
 * with its age. Once it is canceled its run ends, so that starting one is always safe.
 */
export async function subscription(input: SubscriptionRunInput): Promise<SubscriptionResult> {
  const { companyId, subscriptionId } = input;
  const actor = new SubscriptionActor({ companyId, subscriptionId }, input);
  // Handlers run in the root scope, which the UI's Cancel cancels: they are shielded as the run is.
  setHandler(chargedUpdate, () => CancellationScope.nonCancellable(() => actor.untilCharged()));
  setHandler(commandUpdate, (command) =>
    CancellationScope.nonCancellable(() => actor.untilAnswered(command)),
  );
  setHandler(wakeSignal, () => {
    actor.wake();
  });
  // Cancel, as the UI offers it, ends no subscription: whoever wants that asks for it by the API.
  return CancellationScope.nonCancellable(async () => {
    do {
      await actor.run();
      await condition(allHandlersFinished);
      // What came while the last callers were answered is not left behind.
    } while (!actor.mustContinue && actor.hasWork);
    if (actor.mustContinue) {
      return continueAsNew<typeof subscription>({ companyId, subscriptionId, ...actor.legacy });
    }
    return actor.result;
  });
}

/** A command that a caller waits for. */
interface Command {
  readonly kind: CommandKind;
  /** A step has begun that knows of it. */
  known: boolean;
}

class SubscriptionActor {
  private status: SubscriptionStatus = 'pending';
  private step: SubscriptionStep | undefined;
  private finished = false;
  private cycleClosed = false;
  /** How many there were when this run began, as far as it knew. */
  private closedCycles: number | undefined;
  private withinTasks: boolean | undefined;
  private woken: boolean;
  /** Of the open charge: looks at it that found it open. */
  private looks = 0;
  private pollAt = Infinity;
  /** The payment that this run has seen to. */
  private charging: string | undefined;
  private listedDueAt: number | undefined;
  private story: readonly string[];
  private readonly commands = new Map<string, Command>();
  private readonly time = new TestClock();

  constructor(
    private readonly input: SubscriptionInput,
    { woken = false, recentEvents = [], step }: SubscriptionRunInput,
  ) {
    this.woken = woken;
    this.story = recentEvents;
    if (step === undefined) return;
    this.step = step;
    this.closedCycles = step.closedCycles;
    this.status = step.status;
    this.time.read(step.clock);
    if (step.openCharge !== null) this.pollAt = Date.now();
    setCurrentDetails(renderSubscriptionDetails(step, recentEvents));
  }

  /** Until there is nothing left to do, or its history has grown long enough. */
  async run(): Promise<void> {
    this.finished = false;
    for (;;) {
      if (this.hasDue) await this.advance();
      else if (this.mustContinue || this.isOver) break;
      else await this.wait();
    }
    this.finished = true;
  }

  get mustContinue(): boolean {
    return workflowInfo().continueAsNewSuggested || (this.cycleClosed && this.step?.openCharge === null);
  }

  /** What the next run goes on with. */
  get legacy(): Omit<SubscriptionRunInput, keyof SubscriptionInput> {
    const { woken, story: recentEvents, step } = this;
    return { woken, recentEvents, ...(step !== undefined && { step }) };
  }

  get hasWork(): boolean {
    return this.woken || this.newCommand;
  }

  get result(): SubscriptionResult {
    return { status: this.status };
  }

  wake(): void {
    this.woken = true;
  }

  async untilCharged(): Promise<SubscriptionResult> {
    await condition(() => this.step?.openCharge === null || this.finished);
    return this.result;
  }

  async untilAnswered({ commandId, kind }: CommandRequest): Promise<void> {
    if (!this.commands.has(commandId)) this.commands.set(commandId, { kind, known: false });
    await condition(() => !this.commands.has(commandId) || (this.finished && this.mustContinue));
  }

  private get newCommand(): boolean {
    return [...this.commands.values()].some(({ known }) => !known);
  }

  /** Something is to be decided now. */
  private get hasDue(): boolean {
    const { step } = this;
    if (step === undefined || step.more || this.woken || this.newCommand) return true;
    if (step.openCharge !== null) return this.pollAt <= Date.now();
    return this.untilDueMs(step) <= 0 || this.time.hasArrived;
  }

  private get isOver(): boolean {
    const { step } = this;
    if (step?.status !== 'canceled' || this.commands.size > 0) return false;
    return step.openCharge === null && this.time.target === null;
  }

  /** One step, which Postgres decides; what it says is taken note of. */
  private async advance(): Promise<void> {
    for (const command of this.commands.values()) command.known = true;
    this.woken = false;
    const now = Date.now();
    const at = this.time.now();
    const input = { ...this.input, now, offsetMs: this.time.offsetMs };
    // Asked once: a run that began before this goes on as it began, and has its charges' payments for children.
    this.withinTasks ??= patched('steps-within-tasks');
    const { advanceSubscription } = this.withinTasks ? localActivities : activities;
    const step = await advanceSubscription.executeWithOptions({ summary: this.reason }, [input]);
    this.take(step);
    if (step.openCharge === null && !step.more) this.time.arrived(at);
    this.planLook(step);
    if (!this.withinTasks && step.openCharge !== null) await this.ensureCharged(step.openCharge);
  }

  /** Once in each run: whatever becomes of the payment's workflow later is looked after as it is for every payment. */
  private async ensureCharged(charge: NonNullable<SubscriptionStep['openCharge']>): Promise<void> {
    if (this.charging === charge.transactionId) return;
    this.charging = charge.transactionId;
    await ensurePaymentRuns(charge);
  }

  private take(step: SubscriptionStep): void {
    const { openCharge } = step;
    if (openCharge?.transactionId !== this.step?.openCharge?.transactionId) this.looks = 0;
    this.step = step;
    this.closedCycles ??= step.closedCycles;
    this.cycleClosed ||= step.cycleClosed === true || step.closedCycles !== this.closedCycles;
    for (const [id, { known }] of this.commands) {
      if (known && !step.openCommands.includes(id)) this.commands.delete(id);
    }
    this.time.read(step.clock);
    this.story = [...this.story, ...step.events].slice(-LATELY);
    this.list(step);
    setCurrentDetails(renderSubscriptionDetails(step, this.story));
  }

  /** Brings what support staff list subscriptions by up to date. */
  private list({ status, due }: SubscriptionStep): void {
    const changes: SearchAttributeUpdatePair[] = [];
    if (status !== this.status) changes.push({ key: subscriptionStatusKey, value: status });
    // Older runs still, that began before this was listed, end as they began.
    const listsDue = this.withinTasks === true || patched('list-by-due-instant');
    if (listsDue && due?.at !== this.listedDueAt) {
      this.listedDueAt = due?.at;
      changes.push({ key: subscriptionDueAtKey, value: due === null ? null : new Date(due.at) });
    }
    this.status = status;
    if (changes.length > 0) upsertSearchAttributes(changes);
  }

  /** Its payment says when the charge is settled. That it said so can be lost; Postgres knows. */
  private planLook({ openCharge }: SubscriptionStep): void {
    const pauseMs = CHARGE_LOOKS_MS[Math.min(this.looks, CHARGE_LOOKS_MS.length - 1)] ?? Infinity;
    this.pollAt = openCharge === null ? Infinity : Date.now() + pauseMs;
    this.looks += 1;
  }

  /** Holds nothing: what is due, what is asked, or its charge's result ends it. */
  private async wait(): Promise<void> {
    const { step } = this;
    if (step === undefined) return;
    // A clock that is moved leaps from one due instant to the next; never while a charge is open.
    if (step.openCharge === null && this.time.advance(step.due?.at ?? Infinity)) return;
    const wanted = (): boolean => this.woken || this.newCommand;
    const pauseMs = Math.min(this.untilDueMs(step), this.pollAt - Date.now());
    if (pauseMs === Infinity) await condition(wanted);
    else await condition(wanted, Math.max(pauseMs, 1), { summary: waitingFor(step) });
  }

  /** How long until what is due next is done; for ever (`Infinity`) while a charge is open. */
  private untilDueMs({ due, openCharge, jitterMs }: SubscriptionStep): number {
    if (due === null || openCharge !== null) return Infinity;
    // Whoever moves a clock wants to see what happens, and is alone.
    const laterMs = this.time.wasMoved ? 0 : jitterMs;
    return due.at + laterMs - this.time.now();
  }

  private get reason(): string {
    const { step } = this;
    if (step === undefined) return 'see what is to be done';
    const kinds = [...this.commands.values()].map(({ kind }) => kind);
    if (kinds.length > 0) return kinds.join(', ');
    if (step.openCharge !== null) return 'see how the charge stands';
    return this.untilDueMs(step) <= 0 && step.due !== null ? step.due.what : 'see what is to be done';
  }
}

function waitingFor({ openCharge, due }: SubscriptionStep): string {
  return openCharge === null ? (due?.what ?? 'nothing') : 'the charge';
}
