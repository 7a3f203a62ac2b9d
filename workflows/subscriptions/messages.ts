import { defineUpdate } from '@temporalio/workflow';
import type { SubscriptionId } from '../../src/domain/shared/ids';
import type { CommandKind } from '../../src/domain/subscriptions/stored-command';
import type { SubscriptionStatus } from '../../src/domain/subscriptions/subscription';
import type { AwaitedInput, TestClockState } from '../messages';

/** Only ids: activities read everything else from Postgres. */
export interface SubscriptionInput {
  readonly companyId: number;
  readonly subscriptionId: SubscriptionId;
}

/**
 * How many cycles a new run of a subscription's workflow closes before it continues as new. Each new run costs as much as a
 * renewal; each cycle adds about seven events, which a worker replays unless it has the run in its cache.
 */
export const CYCLES_PER_RUN = 6;

/** The fields other than the ids and `cyclesPerRun` are set when the workflow continues as new. */
export interface SubscriptionRunInput extends SubscriptionInput {
  /** A run without it began before the field existed, and continues as new after each cycle. */
  readonly cyclesPerRun?: number;
  /** The previous run received a wake signal and did not act on it. */
  readonly wakePending?: boolean;
  /** The latest events, shown in the Temporal UI. */
  readonly recentEvents?: readonly string[];
  /** The last step of the previous run. This run waits for what it says before its own first step. */
  readonly step?: SubscriptionStep;
}

export interface AdvanceInput extends SubscriptionInput, AwaitedInput {
  /** The workflow's wall-clock time when it began the step, epoch ms. */
  readonly now: number;
  /** Offset of the subscription's clock from the wall clock, as far as the workflow knows. */
  readonly offsetMs: number;
}

/** The payment of a charge without a certain result. */
interface OpenChargeSummary {
  readonly transactionId: string;
  readonly summary: string;
  /** Its gateway has not reported the outcome, so the test clock does not wait for it. */
  readonly unresolved: boolean;
  /** When to check whether it has become unresolved, in ms from now; null if that is not needed. */
  readonly checkInMs: number | null;
}

/** The state of a subscription after one step of its workflow. Instants are epoch ms on the subscription's clock. */
export interface SubscriptionStep {
  /** What the input of the step named. Left out by earlier releases. */
  readonly awaited?: readonly string[];
  readonly status: SubscriptionStatus;
  /** The payment of the charge that has no certain result. */
  readonly openCharge: OpenChargeSummary | null;
  /** The next due event; null if there is none. */
  readonly due: { readonly at: number; readonly description: string } | null;
  /** How long after `due.at` it is processed, so that load is spread. */
  readonly jitterMs: number;
  /** Ids of the unanswered commands. */
  readonly openCommands: readonly string[];
  /** Another step can follow immediately. */
  readonly more: boolean;
  /** Number of closed cycles since creation. */
  readonly closedCycles: number;
  /** Times and names of the events of this step, shown in the Temporal UI. */
  readonly events: readonly string[];
  /** The subscription's test clock. */
  readonly clock: TestClockState;
}

export interface SubscriptionResult {
  readonly status: SubscriptionStatus;
}

/** Completes when no charge is open. Always sent with `RESULT_UPDATE_ID`, so that callers share one update. */
export const chargedUpdate = defineUpdate<SubscriptionResult>('charged');

/** Completes when the command is answered or the run ends. The answer is in Postgres. */
export const commandUpdate = defineUpdate<void, [CommandUpdateInput]>('command');

/** One update per command, so that repeated requests share it. */
export function commandUpdateId(commandId: string): string {
  return `command/${commandId}`;
}

export interface CommandUpdateInput {
  readonly commandId: string;
  readonly kind: CommandKind;
}

export function subscriptionWorkflowId(subscriptionId: SubscriptionId): string {
  return `subscription/${subscriptionId}`;
}
