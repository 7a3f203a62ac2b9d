import type { CreateSubscription } from '../../application/subscriptions/create-subscription';
import type { AdvanceSubscriptionClock } from '../../application/subscriptions/advance-subscription-clock';
import type {
  OperateSubscription,
  OperateSubscriptionCommand,
} from '../../application/subscriptions/operate-subscription';
import { commandRequest, type RequestedCommand } from '../../application/subscriptions/subscription-command';
import type { Subscriptions } from '../../application/subscriptions/subscriptions';
import { auditActorOf } from '../../domain/companies/audit-actor';
import { parseInstant } from '../../domain/time/instant';
import { presentPage } from '../../presenters/page';
import { presentCycle, presentSubscription, presentUpcoming } from '../../presenters/subscription';
import type { RouteHandlers, RouteRequest } from '../server/route';
import { pageRequest } from './page-request';
import { presentSubscriptionAnswer } from './subscription-answer';

export interface SubscriptionRouteDeps {
  readonly subscriptions: Subscriptions;
  readonly createSubscription: CreateSubscription;
  readonly operateSubscription: OperateSubscription;
  readonly advanceSubscriptionClock: AdvanceSubscriptionClock;
}

type SubscriptionRouteId =
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

type SubscriptionRequestContext = Pick<
  OperateSubscriptionCommand,
  'company' | 'idempotencyKey' | 'receivedAt'
> & {
  readonly params: { readonly uuid: string };
};

/** Subscriptions by API key. */
export function subscriptionRoutes(deps: SubscriptionRouteDeps): Pick<RouteHandlers, SubscriptionRouteId> {
  const { subscriptions, createSubscription, operateSubscription, advanceSubscriptionClock } = deps;
  const operate = async (
    { company, params: { uuid: id }, idempotencyKey, receivedAt }: SubscriptionRequestContext,
    requested: RequestedCommand,
  ) =>
    presentSubscriptionAnswer(
      await operateSubscription.execute({ company, id, requested, idempotencyKey, receivedAt }),
    );
  return {
    ...subscriptionReadRoutes(subscriptions),
    createSubscription: async ({ company, idempotencyKey, receivedAt, body: request }) =>
      presentSubscriptionAnswer(
        await createSubscription.execute({ company, idempotencyKey, receivedAt, request }),
      ),
    pauseSubscription: (request) => operate(request, commandRequest.pause(request.body)),
    resumeSubscription: (request) => operate(request, commandRequest.resume()),
    cancelSubscription: (request) => operate(request, commandRequest.cancel(request.body)),
    uncancelSubscription: (request) => operate(request, commandRequest.uncancel()),
    changeSubscriptionPlan: (request) => operate(request, commandRequest.changePlan(request.body)),
    changeSubscriptionCard: (request) => operate(request, commandRequest.changeCard(request.body)),
    retrySubscription: (request) => operate(request, commandRequest.retry()),

    moveSubscriptionClock: async ({ company, params: { uuid: id }, body }) => {
      const advanceTo = parseInstant('advance_to', body.advance_to);
      const advanced = await advanceSubscriptionClock.execute({ companyId: company.id, id, advanceTo });
      return { status: 200, body: { data: presentSubscription(advanced) } };
    },
  };
}

function subscriptionReadRoutes(
  subscriptions: Subscriptions,
): Pick<
  RouteHandlers,
  'listSubscriptions' | 'getSubscription' | 'listSubscriptionCycles' | 'listUpcomingCharges'
> {
  return {
    listSubscriptions: (request) => listSubscriptions(subscriptions, request),
    getSubscription: async ({ company, params }) => {
      const found = await subscriptions.get(company.id, params.uuid);
      return { status: 200, body: { data: presentSubscription(found) } };
    },
    listSubscriptionCycles: async ({ company, params, query }) => {
      const page = pageRequest(query);
      const found = await subscriptions.cyclesOf(company.id, params.uuid, page);
      return { status: 200, body: presentPage(found, page, presentCycle) };
    },
    listUpcomingCharges: (request) => listUpcoming(subscriptions, request),
  };
}

async function listSubscriptions(
  subscriptions: Subscriptions,
  { company, query }: Pick<RouteRequest<'listSubscriptions'>, 'company' | 'query'>,
) {
  const page = pageRequest(query);
  const found = await subscriptions.list(company.id, query, page);
  return { status: 200, body: presentPage(found, page, presentSubscription) };
}

async function listUpcoming(
  subscriptions: Subscriptions,
  { company, params, query }: Pick<RouteRequest<'listUpcomingCharges'>, 'company' | 'params' | 'query'>,
) {
  const charges = await subscriptions.upcoming(company.id, params.uuid, query.cycles ?? DEFAULT_CYCLES);
  return { status: 200, body: presentUpcoming(charges) };
}

/** The default of `cycles` in openapi.yaml. */
const DEFAULT_CYCLES = 12;

export interface UserSubscriptionRouteDeps extends Pick<
  SubscriptionRouteDeps,
  'subscriptions' | 'operateSubscription'
> {
  readonly subscriptionDetail: (companyId: number, id: string) => Promise<object>;
}

type UserSubscriptionRouteId =
  | 'listUserSubscriptions'
  | 'getUserSubscription'
  | 'listUserUpcomingCharges'
  | 'pauseUserSubscription'
  | 'resumeUserSubscription'
  | 'cancelUserSubscription'
  | 'uncancelUserSubscription'
  | 'retryUserSubscription';

/** Subscriptions for the company's users; the audit log names the user. */
export function userSubscriptionRoutes({
  subscriptions,
  operateSubscription,
  subscriptionDetail,
}: UserSubscriptionRouteDeps): Pick<RouteHandlers, UserSubscriptionRouteId> {
  const operate = async (
    request: Omit<RouteRequest<'resumeUserSubscription'>, 'body'>,
    requested: RequestedCommand,
  ) => {
    const { company, params, idempotencyKey, receivedAt } = request;
    const command = { company, id: params.uuid, requested, idempotencyKey, receivedAt };
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
    pauseUserSubscription: (request) => operate(request, commandRequest.pause(request.body)),
    resumeUserSubscription: (request) => operate(request, commandRequest.resume()),
    cancelUserSubscription: (request) => operate(request, commandRequest.cancel(request.body)),
    uncancelUserSubscription: (request) => operate(request, commandRequest.uncancel()),
    retryUserSubscription: (request) => operate(request, commandRequest.retry()),
  };
}
