import { assertNever } from '../../domain/shared/assert-never';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { validationError } from '../../domain/shared/errors';
import { parsePlanId } from '../../domain/shared/ids';
import { parseInstant } from '../../domain/time/instant';
import type { Plan } from '../../domain/subscriptions/plan';
import { cardIdentity } from '../../domain/subscriptions/charge-guard';
import type { CardOnFile, CommandKind, StoredCommand } from '../../domain/subscriptions/stored-command';
import type { SubscriptionCommand } from '../../domain/subscriptions/subscription-commands';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import { cardOf, termsOf } from '../../persistence/subscriptions/subscription-state';
import type { Tx } from '../../persistence/sql/transaction';
import {
  resolveSavedCard,
  storeRawCard,
  type CustomerAndCardDeps,
} from '../payments/resolve-customer-and-card';
import type { CardVerification } from '../customers/verify-card';
import { readCardChange, UNKNOWN_PLAN, type CardChangeRequest } from './subscription-request';
import { assertCardValidity } from './assert-card-validity';

/** A command request, validated against the API contract. */
export interface RequestedCommand {
  readonly kind: CommandKind;
  readonly body: unknown;
}

export interface ResolveCommandDeps extends CustomerAndCardDeps {
  readonly plans: PlanRepository;
  readonly now: () => Date;
}

interface PlanChangeRequest {
  readonly plan_id: string;
  readonly immediately?: boolean | null;
}

/** Creates the command request of each route. */
export const commandRequest = {
  pause: (body: { readonly paused_until?: string | null }) => withBody('pause', body),
  resume: () => withBody('resume', {}),
  cancel: (body: { readonly at_period_end?: boolean }) => withBody('cancel', body),
  uncancel: () => withBody('uncancel', {}),
  retry: () => withBody('retry', {}),
  changePlan: (body: PlanChangeRequest) => withBody('change_plan', body),
  changeCard: (body: CardChangeRequest) => withBody('change_card', body),
} as const;

function withBody(kind: CommandKind, body: object): RequestedCommand {
  return { kind, body };
}

interface CommandContext {
  readonly company: AuthenticatedCompany;
  readonly record: SubscriptionRecord;
  readonly requested: RequestedCommand;
  /** Of the new card; null if it is not verified. */
  readonly verification: CardVerification | null;
}

/** The stored form and the domain form of the same command. */
interface ResolvedCommand {
  readonly stored: StoredCommand;
  readonly command: SubscriptionCommand;
}

/**
 * Resolves the plan or card that a request names. The caller has locked the subscription in `tx`.
 *
 * @throws ApiError `validation_error`
 */
export async function resolveCommand(
  deps: ResolveCommandDeps,
  tx: Tx,
  context: CommandContext,
): Promise<ResolvedCommand> {
  const { kind, body } = context.requested;
  switch (kind) {
    case 'pause':
      return pause(deps, context, body as { readonly paused_until?: string | null });
    case 'cancel': {
      const { at_period_end: atPeriodEnd = false } = body as { readonly at_period_end?: boolean };
      return sameInBoth({ kind, atPeriodEnd });
    }
    case 'resume':
    case 'uncancel':
    case 'retry':
      return sameInBoth({ kind });
    case 'change_plan':
      return changePlan(deps, tx, context, body as PlanChangeRequest);
    case 'change_card':
      return changeCard(deps, tx, context, body as CardChangeRequest);
    default:
      return assertNever(kind);
  }
}

function sameInBoth(command: StoredCommand & SubscriptionCommand): ResolvedCommand {
  return { stored: command, command };
}

/** Upcoming charges after a longer pause could exceed the largest year of the API's dates. */
const MAX_PAUSE_MS = 3_653 * 24 * 3_600_000;

function pause(
  deps: ResolveCommandDeps,
  { record }: CommandContext,
  { paused_until: pausedUntil }: { readonly paused_until?: string | null },
): ResolvedCommand {
  const until = pausedUntil ? parseInstant('paused_until', pausedUntil) : null;
  if (until !== null && until <= subscriptionNow(deps, record)) {
    throw validationError({ paused_until: ['must be in the future'] });
  }
  if (until !== null && +until > +subscriptionNow(deps, record) + MAX_PAUSE_MS) {
    throw validationError({ paused_until: ['must be at most 10 years ahead'] });
  }
  return {
    stored: { kind: 'pause', until: until?.toISOString() ?? null },
    command: { kind: 'pause', until },
  };
}

async function changePlan(
  deps: ResolveCommandDeps,
  tx: Tx,
  { company, record }: CommandContext,
  { plan_id, immediately = null }: PlanChangeRequest,
): Promise<ResolvedCommand> {
  const planId = parsePlanId(plan_id);
  const plan = planId && (await deps.plans.lockForUse(tx, company.id, planId));
  if (plan === null) throw validationError({ plan_id: [UNKNOWN_PLAN] });
  assertPlanAllowed(record, plan);
  return {
    stored: { kind: 'change_plan', planId: plan.uuid, immediately },
    command: { kind: 'change_plan', to: termsOf(plan), immediately },
  };
}

function assertPlanAllowed({ plan: current, newPlan }: SubscriptionRecord, plan: Plan): void {
  const fail = (message: string): never => {
    throw validationError({ plan_id: [message] });
  };
  if (!plan.isActive) fail('the plan is not active');
  if (plan.currency !== current.currency) fail(`must be a plan in ${current.currency}`);
  // Requesting the current plan is allowed if it cancels a planned change.
  if (plan.id === current.id && newPlan === null) fail('is its plan already');
}

async function changeCard(
  deps: ResolveCommandDeps,
  tx: Tx,
  { company, record, verification }: CommandContext,
  request: CardChangeRequest,
): Promise<ResolvedCommand> {
  const now = subscriptionNow(deps, record);
  const read = readCardChange(request, now);
  if (!read.valid) throw validationError(read.errors);
  const owner = { companyId: company.id, customerId: record.row.customerId };
  const { card: used, payer } = read.value;
  const onFile =
    used.kind === 'saved'
      ? await resolveSavedCard(deps, tx, owner, used.token, now)
      : await storeRawCard(deps, tx, company.id, used.card, chargesNewCard(record));
  assertCardValidity(onFile, record.plan, now, record.row.timezone);
  const billingAddress = request.billing_address ?? onFile.billingAddress;
  const isVerified = verification?.identity === cardIdentity(cardOf(onFile));
  const { networkIds = null } = verification ?? {};
  const card: CardOnFile = {
    ...{ ...onFile, billingAddress, payer },
    ...(isVerified && { verification: { networkIds } }),
  };
  return { stored: { kind: 'change_card', card }, command: { kind: 'change_card', card: cardOf(card) } };
}

/** Whether a new card is charged at once. */
export function chargesNewCard({ state }: Pick<SubscriptionRecord, 'state'>): boolean {
  return state.openCycle !== null && state.status !== 'paused';
}

/** Now by the subscription's clock: wall-clock time plus the offset of its test clock. */
export function subscriptionNow(
  { now }: Pick<ResolveCommandDeps, 'now'>,
  { row }: Pick<SubscriptionRecord, 'row'>,
): Date {
  return new Date(+now() + row.clockOffsetMs);
}
