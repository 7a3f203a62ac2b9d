import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** What a receiver does with a request once it has it; 200 unless told otherwise. */
export type Behavior = (response: ServerResponse, received: ReceivedWebhook) => void;

/** A merchant's webhook receiver, which keeps all it gets. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedWebhook[];
  /** Bodies of the events it got, in order, each `webhook-id` once. */
  events(): Array<Record<string, unknown>>;
  behave(behavior: Behavior): void;
  close(): void;
}

export const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behavior =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = [];
  let behavior = answer(200);
  const server = createServer((request, response) => {
    void receive(request).then((webhook) => {
      received.push(webhook);
      behavior(response, webhook);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    events: () => {
      const byId = new Map(received.map(({ headers, body }) => [headers['webhook-id'], body]));
      return [...byId.values()].map((body) => JSON.parse(body) as Record<string, unknown>);
    },
    behave: (next) => {
      behavior = next;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedWebhook> {
  const at = Date.now();
  return { path: request.url ?? '', headers: request.headers, body: await text(request), at };
}
