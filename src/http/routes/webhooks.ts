import type { CreateOnce } from '../../application/shared/create-once';
import type { ListEvents } from '../../application/webhooks/list-events';
import type { WebhookDeliveries } from '../../application/webhooks/webhook-deliveries';
import type { EndpointWithSecret, WebhookEndpoints } from '../../application/webhooks/webhook-endpoints';
import { auditActorOf } from '../../domain/companies/audit-actor';
import { presentPage } from '../../presenters/page';
import {
  presentDeliveryLog,
  presentEndpoint,
  presentEvent,
  presentListedDelivery,
  type DeliveryWorkflowLink,
  type PresentableDeliveryLog,
  type PresentableListedDelivery,
} from '../../presenters/webhook';
import type { RouteHandlers } from '../server/route';
import { answerCreation, answerSecretCreation } from './creation';
import { pageRequest } from './page-request';

export interface WebhookRouteDeps {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly listEvents: ListEvents;
  readonly createOnce: CreateOnce;
  readonly deliveryLink: DeliveryWorkflowLink;
}

type WebhookRouteId =
  | 'createWebhookEndpoint'
  | 'listWebhookEndpoints'
  | 'updateWebhookEndpoint'
  | 'deleteWebhookEndpoint'
  | 'rotateWebhookSecret'
  | 'testWebhookEndpoint'
  | 'listWebhookDeliveries'
  | 'resendWebhookDelivery'
  | 'resendFailedDeliveries'
  | 'listEvents';

export function webhookRoutes({
  webhookEndpoints,
  webhookDeliveries,
  listEvents,
  createOnce,
  deliveryLink,
}: WebhookRouteDeps): Pick<RouteHandlers, WebhookRouteId> {
  const present = (delivery: PresentableDeliveryLog) => presentDeliveryLog(delivery, deliveryLink);
  return {
    createWebhookEndpoint: (request) => {
      const { url, events, enabled } = request.body;
      const create = () => webhookEndpoints.create(auditActorOf(request), { url, events, enabled });
      return answerSecretCreation(createOnce, request, create, { ...ENDPOINT_WITH_SECRET, status: 201 });
    },

    listWebhookEndpoints: async ({ company }) => {
      const endpoints = await webhookEndpoints.list(company.id);
      return { status: 200, body: { data: endpoints.map(presentEndpoint) } };
    },

    updateWebhookEndpoint: async (request) => {
      const { url, events, enabled } = request.body;
      const change = { url, events, enabled };
      const changed = await webhookEndpoints.update(auditActorOf(request), idOf(request.params), change);
      return { status: 200, body: presentEndpoint(changed) };
    },

    deleteWebhookEndpoint: async (request) => {
      await webhookEndpoints.delete(auditActorOf(request), idOf(request.params));
      return { status: 204 };
    },

    rotateWebhookSecret: (request) => {
      const rotate = () => webhookEndpoints.rotateSecret(auditActorOf(request), idOf(request.params));
      return answerSecretCreation(createOnce, request, rotate, { ...ENDPOINT_WITH_SECRET, status: 200 });
    },

    testWebhookEndpoint: (request) => {
      const send = () => webhookDeliveries.test(auditActorOf(request), idOf(request.params));
      return answerCreation(createOnce, request, send, {
        status: 202,
        present: (delivery) => ({ data: present(delivery) }),
      });
    },

    listWebhookDeliveries: async ({ company, params, query }) => {
      const page = pageRequest(query);
      const { status, event } = query;
      const found = await webhookDeliveries.list(company.id, idOf(params), { status, event }, page);
      const presentListed = (delivery: PresentableListedDelivery) =>
        presentListedDelivery(delivery, deliveryLink);
      return { status: 200, body: presentPage(found, page, presentListed) };
    },

    resendWebhookDelivery: async (request) => {
      const { params } = request;
      const delivery = await webhookDeliveries.resend(auditActorOf(request), idOf(params), params.delivery);
      return { status: 202, body: { data: present(delivery) } };
    },

    resendFailedDeliveries: (request) => {
      const { params, body } = request;
      const resend = () =>
        webhookDeliveries.resendFailed(auditActorOf(request), idOf(params), body.event ?? null);
      return answerCreation(createOnce, request, resend, { status: 202, present: (data) => ({ data }) });
    },

    listEvents: async ({ company, query: { after = null, type = null, per_page: limit } }) => {
      const { events, nextAfter, hasMore } = await listEvents.execute(company.id, { after, type, limit });
      return {
        status: 200,
        body: { data: events.map(presentEvent), meta: { next_after: nextAfter, has_more: hasMore } },
      };
    },
  };
}

/** Express passes path parameters as text, although the contract declares an integer. */
function idOf({ id }: { readonly id: number }): number {
  return Number(id);
}

const ENDPOINT_WITH_SECRET = {
  present: ({ endpoint, secret }: EndpointWithSecret) => ({ ...presentEndpoint(endpoint), secret }),
  idOf: ({ endpoint }: EndpointWithSecret) => endpoint.id,
};
