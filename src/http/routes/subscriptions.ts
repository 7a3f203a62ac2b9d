import type { CreateSubscription } from '../../application/subscriptions/create-subscription';
import type { AdvanceSubscriptionClock } from '../../application/subscriptions/advance-subscription-clock';
import type {
  OperateSubscription,
  OperateSubscriptionCommand,
} from '../../application/subscriptions/operate-subscription';
import { ask, type RequestedCommand } from '../../application/subscriptions/subscription-command';
import type { Subscriptions } from '../../application/subscriptions/subscriptions';
import { auditActorOf } from '../../domain/companies/audit-actor';
import { readInstant } from '../../domain/time/instant';
import { presentPage } from '../../presenters/page';
import { presentCycle, presentSubscription, presentUpcoming } from '../../presenters/subscription';
import type { OperationHandlers, OperationRequest } from '../server/operation';
import { presentSubscriptionAnswer } from './subscription-answer';

export interface SubscriptionOperationsDeps {
  readonly subscriptions: Subscriptions;
  readonly createSubscription: CreateSubscription;
  readonly operateSubscription: OperateSubscription;
  readonly moveSubscriptionClock: AdvanceSubscriptionClock;
}

type SubscriptionOperation =
  | 'createSubscription'
  | 'listSubscriptions'
  | 'getSubscription'
  | 'pauseSubscription'
  | 'resumeSubscription'
  | 'cancelSubscription'
  | 'uncancelSubscription'
  | 'changeSubscriptionPlan'
  | 'changeSubscriptionCard'
  | 'retrySubscription'
  | 'listSubscriptionCycles'
  | 'listUpcomingCharges'
  | 'moveSubscriptionClock';

type Asking = Pick<OperateSubscriptionCommand, 'company' | 'idempotencyKey' | 'receivedAt'> & {
  readonly params: { readonly uuid: string };
};

/** What a company's program does with subscriptions. */
export function subscriptionOperations(
  deps: SubscriptionOperationsDeps,
): Pick<OperationHandlers, SubscriptionOperation> {
  const { subscriptions, createSubscription, operateSubscription, moveSubscriptionClock } = deps;
  const operate = async (
    { company, params: { uuid: id }, idempotencyKey, receivedAt }: Asking,
    asked: RequestedCommand,
  ) =>
    presentSubscriptionAnswer(
      await operateSubscription.execute({ company, id, asked, idempotencyKey, receivedAt }),
    );
  return {
    ...subscriptionReads(subscriptions),
    createSubscription: async ({ company, idempotencyKey, receivedAt, body: request }) =>
      presentSubscriptionAnswer(
        await createSubscription.execute({ company, idempotencyKey, receivedAt, request }),
      ),
    pauseSubscription: (request) => operate(request, ask.pause(request.body)),
    resumeSubscription: (request) => operate(request, ask.resume()),
    cancelSubscription: (request) => operate(request, ask.cancel(request.body)),
    uncancelSubscription: (request) => operate(request, ask.uncancel()),
    changeSubscriptionPlan: (request) => operate(request, ask.changePlan(request.body)),
    changeSubscriptionCard: (request) => operate(request, ask.changeCard(request.body)),
    retrySubscription: (request) => operate(request, ask.retry()),

    moveSubscriptionClock: async ({ company, params: { uuid: id }, body }) => {
      const advanceTo = readInstant('advance_to', body.advance_to);
      const moved = await moveSubscriptionClock.execute({ companyId: company.id, id, advanceTo });
      return { status: 200, body: { data: presentSubscription(moved) } };
    },
  };
}

function subscriptionReads(
  subscriptions: Subscriptions,
): Pick<
  OperationHandlers,
  'listSubscriptions' | 'getSubscription' | 'listSubscriptionCycles' | 'listUpcomingCharges'
> {
  return {
    listSubscriptions: (request) => listSubscriptions(subscriptions, request),
    getSubscription: async ({ company, params }) => {
      const found = await subscriptions.get(company.id, params.uuid);
      return { status: 200, body: { data: presentSubscription(found) } };
    },
    listSubscriptionCycles: async ({ company, params, query }) => {
      const page = { number: query.page, size: query.per_page };
      const found = await subscriptions.cyclesOf(company.id, params.uuid, page);
      return { status: 200, body: presentPage(found, page, presentCycle) };
    },
    listUpcomingCharges: (request) => listUpcoming(subscriptions, request),
  };
}

async function listSubscriptions(
  subscriptions: Subscriptions,
  { company, query }: Pick<OperationRequest<'listSubscriptions'>, 'company' | 'query'>,
) {
  const page = { number: query.page, size: query.per_page };
  const found = await subscriptions.list(company.id, query, page);
  return { status: 200, body: presentPage(found, page, presentSubscription) };
}

async function listUpcoming(
  subscriptions: Subscriptions,
  { company, params, query }: Pick<OperationRequest<'listUpcomingCharges'>, 'company' | 'params' | 'query'>,
) {
  const charges = await subscriptions.upcoming(company.id, params.uuid, query.cycles ?? DEFAULT_CYCLES);
  return { status: 200, body: presentUpcoming(charges) };
}

/** The contract's own default. */
const DEFAULT_CYCLES = 12;

export interface UserSubscriptionDeps extends Pick<
  SubscriptionOperationsDeps,
  'subscriptions' | 'operateSubscription'
> {
  readonly subscriptionDetail: (companyId: number, id: string) => Promise<object>;
}

type AdminSubscriptionOperation =
  | 'listUserSubscriptions'
  | 'getUserSubscription'
  | 'listUserUpcomingCharges'
  | 'pauseUserSubscription'
  | 'resumeUserSubscription'
  | 'cancelUserSubscription'
  | 'uncancelUserSubscription'
  | 'retryUserSubscription';

/** What a company's people do with subscriptions, as themselves. */
export function userSubscriptions({
  subscriptions,
  operateSubscription,
  subscriptionDetail,
}: UserSubscriptionDeps): Pick<OperationHandlers, AdminSubscriptionOperation> {
  const operate = async (
    request: Omit<OperationRequest<'resumeUserSubscription'>, 'body'>,
    asked: RequestedCommand,
  ) => {
    const { company, params, idempotencyKey, receivedAt } = request;
    const command = { company, id: params.uuid, asked, idempotencyKey, receivedAt };
    return presentSubscriptionAnswer(
      await operateSubscription.execute({ ...command, actor: auditActorOf(request) }),
    );
  };
  return {
    listUserSubscriptions: (request) => listSubscriptions(subscriptions, request),
    listUserUpcomingCharges: (request) => listUpcoming(subscriptions, request),
    getUserSubscription: async ({ company, params }) => ({
      status: 200,
      body: { data: await subscriptionDetail(company.id, params.uuid) },
    }),
    pauseUserSubscription: (request) => operate(request, ask.pause(request.body)),
    resumeUserSubscription: (request) => operate(request, ask.resume()),
    cancelUserSubscription: (request) => operate(request, ask.cancel(request.body)),
    uncancelUserSubscription: (request) => operate(request, ask.uncancel()),
    retryUserSubscription: (request) => operate(request, ask.retry()),
  };
}
