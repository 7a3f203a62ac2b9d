import type { CreateOnce } from '../../../application/shared/create-once';
import type { WebhookReceivers } from '../../../application/webhooks/webhook-receivers';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { notFound } from '../../../domain/shared/errors';
import { presentWebhookReceiver } from '../../../presenters/onboarding/webhook-receiver';
import { presentEndpoint } from '../../../presenters/webhook';
import type { RouteHandlers } from '../../server/route';
import { answerCreation } from '../creation';

export interface WebhookReceiverRouteDeps {
  readonly webhookReceivers: WebhookReceivers;
  readonly createOnce: CreateOnce;
}

/** Test receivers: where a company looks at its webhooks, and where they arrive. */
export function webhookReceiverRoutes({
  webhookReceivers,
  createOnce,
}: WebhookReceiverRouteDeps): Pick<
  RouteHandlers,
  'getWebhookReceiver' | 'createWebhookReceiver' | 'receiveWebhook'
> {
  return {
    getWebhookReceiver: async ({ company }) => ({
      status: 200,
      body: { data: presentWebhookReceiver(await webhookReceivers.look(company.id)) },
    }),

    createWebhookReceiver: (request) =>
      answerCreation(createOnce, request, () => webhookReceivers.create(auditActorOf(request)), {
        status: 201,
        present: presentEndpoint,
      }),

    receiveWebhook: async ({ params, body }) => {
      if (!(await webhookReceivers.receive(params.token, body))) throw notFound();
      return { status: 200, body: { received: true } };
    },
  };
}
