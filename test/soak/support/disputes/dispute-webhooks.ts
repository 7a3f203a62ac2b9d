import { verifyWebhook } from '../../../support/fixtures/webhooks';
import { waitFor } from '../../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../../support/stack/webhook-receiver';
import type { MerchantBackend } from '../merchant-backend';
import type { PublishedEvent, SoakDispute } from './soak-dispute';

interface DisputeEventBody {
  readonly event: string;
  readonly event_id: number;
  readonly sequence: number;
  readonly gateway_dispute_id: string;
}

const PREFIX = 'transaction.dispute.';
const EVENTS = [`${PREFIX}opened`, `${PREFIX}evidence_due`, `${PREFIX}closed`] as const;
/** Every fourth webhook gets a 503, so that it has to be sent again. */
const REJECT_EVERY = 4;
/** With faults, an attempt that was lost with its worker is repeated after 14 s; if a workflow task was lost too, 10 s later. */
const DELIVERED_WITHIN_MS = { withFaults: 120_000, without: 30_000 };

/** The merchant's endpoint for events about disputes, in the soak's own process, which no fault affects. */
export class DisputeWebhooks {
  private readonly unsigned: string[] = [];

  private constructor(private readonly receiver: WebhookReceiver) {}

  static async start(admin: MerchantBackend): Promise<DisputeWebhooks> {
    const receiver = await startWebhookReceiver();
    const webhooks = new DisputeWebhooks(receiver);
    const { secret } = await admin.call('createWebhookEndpoint', 201, {
      body: { url: receiver.url, events: EVENTS, enabled: true },
    });
    receiver.behave((response, received) => {
      try {
        verifyWebhook(received, secret);
      } catch (error) {
        webhooks.unsigned.push(`a webhook has no valid signature: ${String(error)}: ${received.body}`);
      }
      answer(receiver.received.length % REJECT_EVERY === 0 ? 503 : 200)(response, received);
    });
    return webhooks;
  }

  /** What was published of a dispute, in order; each `webhook-id` once. */
  eventsOf(gatewayDisputeId: string): PublishedEvent[] {
    return this.received()
      .filter(({ gateway_dispute_id: id }) => id === gatewayDisputeId)
      .toSorted((one, other) => one.sequence - other.sequence)
      .map(({ event }) => event.slice(PREFIX.length) as PublishedEvent);
  }

  /** Each event of each dispute arrives under one id, in one body, and no other arrives. */
  async violations(disputes: readonly SoakDispute[], withFaults: boolean): Promise<string[]> {
    const differences = (): string[] => disputes.flatMap((dispute) => this.differenceOf(dispute));
    const arrived = waitFor(() => differences().length === 0, {
      withinMs: withFaults ? DELIVERED_WITHIN_MS.withFaults : DELIVERED_WITHIN_MS.without,
      everyMs: 100,
    });
    await arrived.catch(() => undefined);
    const known = new Set(disputes.map(({ gatewayId }) => gatewayId));
    const foreign = this.received().filter(({ gateway_dispute_id: id }) => !known.has(id));
    return [
      ...differences(),
      ...foreign.map(
        ({ event, gateway_dispute_id: id }) => `a webhook says ${event} of the unknown dispute ${id}`,
      ),
      ...this.unsigned,
      ...this.idViolations(),
    ];
  }

  close(): void {
    this.receiver.close();
  }

  private received(): DisputeEventBody[] {
    return this.receiver.events() as unknown as DisputeEventBody[];
  }

  private differenceOf({ gatewayId, published }: SoakDispute): string[] {
    const events = this.eventsOf(gatewayId);
    return events.join() === published.join()
      ? []
      : [`webhooks said [${events.join()}] of the dispute ${gatewayId}, expected [${published.join()}]`];
  }

  /** A webhook that is sent again has its first id and body, and another webhook has other ones. */
  private idViolations(): string[] {
    const bodies = new Map<string, string>();
    const ids = new Map<number, string>();
    return this.receiver.received.flatMap(({ headers, body }) => {
      const id = String(headers['webhook-id']);
      const { event_id: eventId } = JSON.parse(body) as DisputeEventBody;
      const [firstBody, firstId] = [bodies.get(id) ?? body, ids.get(eventId) ?? id];
      bodies.set(id, firstBody);
      ids.set(eventId, firstId);
      return [
        ...(firstBody === body ? [] : [`the webhook ${id} arrived with different bodies`]),
        ...(firstId === id ? [] : [`the event ${eventId} arrived as ${firstId} and ${id}`]),
      ];
    });
  }
}
