import { assertNever } from '../../domain/shared/assert-never';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { validationError } from '../../domain/shared/errors';
import { parsePlanId } from '../../domain/shared/ids';
import { readInstant } from '../../domain/time/instant';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile, CommandKind, StoredCommand } from '../../domain/subscriptions/stored-command';
import type { SubscriptionCommand } from '../../domain/subscriptions/subscription-commands';
import type { PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import { cardOf, termsOf } from '../../persistence/subscriptions/subscription-state';
import type { Tx } from '../../persistence/sql/transaction';
import { assertValidLong } from './create-subscription';
import { resolveSavedCard, storeRawCard, type PartyDeps } from '../payments/resolve-customer-and-card';
import { withoutCvv } from '../payments/payment-request';
import { NO_PLAN, readCardChange, type CardChangeRequest } from './subscription-request';

/** Something asked of a subscription, as the contract has let it through. */
export interface RequestedCommand {
  readonly kind: CommandKind;
  readonly body: unknown;
  /** The body as its hash is kept: without a CVV. */
  readonly kept: unknown;
}

export interface ResolveCommandDeps extends PartyDeps {
  readonly plans: PlanRepository;
  readonly now: () => Date;
}

interface PlanChangeRequest {
  readonly plan_id: string;
  readonly immediately?: boolean | null;
}

/** The makers of what can be asked. */
export const ask = {
  pause: (body: { readonly paused_until?: string | null }) => plain('pause', body),
  resume: () => plain('resume', {}),
  cancel: (body: { readonly at_period_end?: boolean }) => plain('cancel', body),
  uncancel: () => plain('uncancel', {}),
  retry: () => plain('retry', {}),
  changePlan: (body: PlanChangeRequest) => plain('change_plan', body),
  changeCard: (body: CardChangeRequest): RequestedCommand => ({
    kind: 'change_card',
    body,
    kept: withoutCvv(body),
  }),
} as const;

function plain(kind: CommandKind, body: object): RequestedCommand {
  return { kind, body, kept: body };
}

interface Subject {
  readonly company: AuthenticatedCompany;
  readonly record: SubscriptionRecord;
  readonly asked: RequestedCommand;
}

/** A command as it is kept, and as the domain takes it. */
interface Understood {
  readonly stored: StoredCommand;
  readonly command: SubscriptionCommand;
}

/**
 * What is asked for, with what it names. The subscription is locked by this transaction.
 *
 * @throws ApiError `validation_error`
 */
export async function resolveCommand(
  deps: ResolveCommandDeps,
  tx: Tx,
  subject: Subject,
): Promise<Understood> {
  const { kind, body } = subject.asked;
  switch (kind) {
    case 'pause':
      return pause(deps, subject, body as { readonly paused_until?: string | null });
    case 'cancel': {
      const { at_period_end: atPeriodEnd = false } = body as { readonly at_period_end?: boolean };
      return same({ kind, atPeriodEnd });
    }
    case 'resume':
    case 'uncancel':
    case 'retry':
      return same({ kind });
    case 'change_plan':
      return changePlan(deps, tx, subject, body as PlanChangeRequest);
    case 'change_card':
      return changeCard(deps, tx, subject, body as CardChangeRequest);
    default:
      return assertNever(kind);
  }
}

function same(command: StoredCommand & SubscriptionCommand): Understood {
  return { stored: command, command };
}

/** A forecast beyond it would have years that no date of the API can have. */
const LONGEST_PAUSE_MS = 3_653 * 24 * 3_600_000;

function pause(
  deps: ResolveCommandDeps,
  { record }: Subject,
  { paused_until: pausedUntil }: { readonly paused_until?: string | null },
): Understood {
  const until = pausedUntil ? readInstant('paused_until', pausedUntil) : null;
  if (until !== null && until <= ownNow(deps, record)) {
    throw validationError({ paused_until: ['must be in the future'] });
  }
  if (until !== null && +until > +ownNow(deps, record) + LONGEST_PAUSE_MS) {
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
  { company, record }: Subject,
  { plan_id, immediately = null }: PlanChangeRequest,
): Promise<Understood> {
  const planId = parsePlanId(plan_id);
  const plan = planId && (await deps.plans.lockForUse(tx, company.id, planId));
  if (plan === null) throw validationError({ plan_id: [NO_PLAN] });
  assertFits(record, plan);
  return {
    stored: { kind: 'change_plan', planId: plan.uuid, immediately },
    command: { kind: 'change_plan', to: termsOf(plan), immediately },
  };
}

function assertFits({ plan: present, newPlan }: SubscriptionRecord, plan: Plan): void {
  const fault = (message: string): never => {
    throw validationError({ plan_id: [message] });
  };
  if (!plan.isActive) fault('the plan is not active');
  if (plan.currency !== present.currency) fault(`must be a plan in ${present.currency}`);
  // With another change planned, its own plan takes that back.
  if (plan.id === present.id && newPlan === null) fault('is its plan already');
}

async function changeCard(
  deps: ResolveCommandDeps,
  tx: Tx,
  { company, record }: Subject,
  request: CardChangeRequest,
): Promise<Understood> {
  const now = ownNow(deps, record);
  const read = readCardChange(request, now);
  if (!read.valid) throw validationError(read.errors);
  const owner = { companyId: company.id, customerId: record.row.customerId };
  const chargedAtOnce = record.state.openCycle !== null && record.state.status !== 'paused';
  const onFile =
    read.value.kind === 'saved'
      ? await resolveSavedCard(deps, tx, owner, read.value.token, now)
      : await storeRawCard(deps, tx, company.id, read.value.card, chargedAtOnce);
  assertValidLong(onFile, record.plan, now, record.row.timezone);
  const card: CardOnFile = { ...onFile, billingAddress: request.billing_address ?? onFile.billingAddress };
  return { stored: { kind: 'change_card', card }, command: { kind: 'change_card', card: cardOf(card) } };
}

function ownNow({ now }: ResolveCommandDeps, { row }: SubscriptionRecord): Date {
  return new Date(+now() + row.clockOffsetMs);
}
