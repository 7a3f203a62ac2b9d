import { WebhookEndpoints } from '../application/webhooks/webhook-endpoints';
import { WebhookReceivers } from '../application/webhooks/webhook-receivers';
import type { Config } from '../config';
import { ReceiverUrls } from '../security/receiver-urls';
import { SafeFetch } from '../security/safe-fetch';
import type { AppContext } from './app-context';

interface WebhookParts {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookReceivers: WebhookReceivers;
}

/** Webhook endpoints, and those at this service. */
export function createWebhookParts(config: Config, context: AppContext): WebhookParts {
  const receiverUrls = new ReceiverUrls(config.publicBaseUrl);
  const safeFetch = new SafeFetch({ allowLoopback: config.webhooks.allowLoopback });
  const webhookEndpoints = new WebhookEndpoints({
    ...context,
    safeFetch: {
      // Nothing connects to them, so it does not matter how this service is reached.
      findUrlProblem: async (url) =>
        receiverUrls.tokenOf(url) === null ? safeFetch.findUrlProblem(url) : null,
    },
  });
  const webhookReceivers = new WebhookReceivers({ ...context, webhookEndpoints, receiverUrls });
  return { webhookEndpoints, webhookReceivers };
}

/**
 * Sends webhooks. Those for a receiver at this service are handed over inside the process: the guard against private addresses
 * needs no exception, and they arrive also where this service cannot reach its own public address.
 */
export function createWebhookTransport(
  config: Config,
  context: AppContext,
): Pick<SafeFetch, 'post' | 'close'> {
  const receiverUrls = new ReceiverUrls(config.publicBaseUrl);
  const safeFetch = new SafeFetch({ allowLoopback: config.webhooks.allowLoopback });
  const { webhookReceivers } = createWebhookParts(config, context);
  return {
    post: async (url, headers, body) => {
      const token = receiverUrls.tokenOf(url);
      if (token === null) return safeFetch.post(url, headers, body);
      const isReceived = await webhookReceivers.receive(token, { headers, body: Buffer.from(body) });
      return isReceived ? RECEIVED : NO_RECEIVER;
    },
    close: () => safeFetch.close(),
  };
}

const RECEIVED = { statusCode: 200, retryAfter: null, excerpt: '{"received":true}' };
const NO_RECEIVER = { statusCode: 404, retryAfter: null, excerpt: '{"code":"not_found"}' };
