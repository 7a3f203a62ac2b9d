import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { REFERRER, registration } from '../../support/fixtures/registration';
import { ALL_TRANSACTION_EVENTS, verifyWebhook } from '../../support/fixtures/webhooks';
import type { ApiCredentials } from '../../support/merchant/company';
import { Merchant } from '../../support/merchant/merchant';
import { expectResponse } from '../../support/merchant/requests';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type ReceivedWebhook } from '../../support/stack/webhook-receiver';
import type { FaultStack } from './fault-stack';

/** An attempt that was lost with its worker is retried after 14 s; if a workflow task was lost too, 10 s later. */
const DELIVERED_WITHIN_MS = 120_000;
/** Every fourth webhook gets a 503, so that it has to be retried. */
const REJECT_EVERY = 4;

/** An event that Postgres has, and which must be delivered. */
interface CommittedEvent {
  readonly name: string;
  readonly id: number;
}

/**
 * A merchant with a webhook endpoint. The receiver runs in the test's process, which no fault affects, and keeps all
 * webhooks: its log, and not the engine's tables, is the evidence of what arrived.
 */
export class WebhookListener {
  private secret = '';
  private readonly signatureViolations: string[] = [];

  private constructor(
    private readonly stack: FaultStack,
    readonly merchant: Merchant,
    private readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>,
  ) {}

  /** `clientId` replaces the generated one, for a company that the deployment's settings name. */
  static async start(
    stack: FaultStack,
    gateways: readonly GatewaySlug[],
    clientId?: string,
  ): Promise<WebhookListener> {
    const { token, company } = await registerUser(stack);
    const merchant = await Merchant.forCompany(stack, company, gateways, clientId);
    const receiver = await startWebhookReceiver();
    const listener = new WebhookListener(stack, merchant, receiver);
    receiver.behave((response, received) => {
      listener.checkSignature(received);
      answer(receiver.received.length % REJECT_EVERY === 0 ? 503 : 200)(response, received);
    });
    const endpoint = await expectResponse<{ secret: string }>(
      {
        method: 'POST',
        url: `${stack.apiUrl}/user/company/webhooks`,
        headers: { authorization: `Bearer ${token}` },
        body: { url: receiver.url, events: ALL_TRANSACTION_EVENTS },
      },
      201,
    );
    listener.secret = endpoint.secret;
    return listener;
  }

  close(): void {
    this.receiver.close();
  }

  /** Whether this many webhooks of a payment arrive in time, repeated deliveries included. */
  receives(transactionId: string, count: number): Promise<boolean> {
    const received = (): ReceivedWebhook[] =>
      this.receiver.received.filter(({ body }) => body.includes(transactionId));
    return waitFor(() => received().length >= count, { withinMs: DELIVERED_WITHIN_MS, everyMs: 100 }).then(
      () => true,
      () => false,
    );
  }

  /** I4: every event arrives at least once, with a valid signature and the same id on every retry. */
  async violations(): Promise<string[]> {
    const events = await this.stack.db.query<CommittedEvent>(
      `SELECT id, format('%s of %s', type, subject_id) AS name FROM events
       WHERE company_id = $1 AND subject_type = 'payment'`,
      [this.merchant.companyId],
    );
    const missing = (): CommittedEvent[] => {
      const ids = new Set(this.receiver.events().map(({ event_id: id }) => id));
      return events.filter(({ id }) => !ids.has(id));
    };
    const delivered = waitFor(() => missing().length === 0, {
      withinMs: DELIVERED_WITHIN_MS,
      everyMs: 100,
    });
    await delivered.catch(() => undefined);
    return [
      ...missing().map(({ name }) => `I4: ${name} never arrived`),
      ...this.signatureViolations,
      ...(await this.missingNotifications()),
      ...this.idViolations(new Set(events.map(({ id }) => id))),
    ];
  }

  private checkSignature(received: ReceivedWebhook): void {
    try {
      verifyWebhook(received, this.secret);
    } catch (error) {
      this.signatureViolations.push(
        `I4: ${describeWebhook(received)} has no valid signature: ${String(error)}`,
      );
    }
  }

  /** Each id belongs to one event, each event has one id, and every webhook is of a committed event. */
  private idViolations(committed: ReadonlySet<number>): string[] {
    const { received } = this.receiver;
    const idOfBody = new Map<string, string>();
    const bodyOfId = new Map<string, string>();
    return received.flatMap((webhook) => {
      const id = String(webhook.headers['webhook-id']);
      const { body } = webhook;
      const firstId = idOfBody.get(body) ?? id;
      const firstBody = bodyOfId.get(id) ?? body;
      idOfBody.set(body, firstId);
      bodyOfId.set(id, firstBody);
      return [
        ...(firstId === id ? [] : [`I4: ${describeWebhook(webhook)} arrived as ${firstId} and ${id}`]),
        ...(firstBody === body ? [] : [`I4: ${id} arrived with different bodies`]),
        ...(committed.has((JSON.parse(body) as { event_id: number }).event_id)
          ? []
          : [`I4: ${describeWebhook(webhook)} is of no committed event`]),
      ];
    });
  }

  /** The current status of every payment was delivered, whether or not the table of events has it. */
  private async missingNotifications(): Promise<string[]> {
    const payments = await this.stack.db.query<{ id: string; status: string }>(
      `SELECT transaction_id AS id, status FROM payments WHERE company_id = $1 AND status <> 'processing'`,
      [this.merchant.companyId],
    );
    const delivered = new Set(
      this.receiver.events().map((event) => `${String(event['transaction_id'])} ${String(event['status'])}`),
    );
    return payments
      .filter(({ id, status }) => !delivered.has(`${id} ${status}`))
      .map(({ id, status }) => `I4: no webhook said that ${id} is ${status}`);
  }
}

function describeWebhook({ headers, body }: ReceivedWebhook): string {
  const { event, transaction_id, sequence } = JSON.parse(body) as Record<string, unknown>;
  return `${String(headers['webhook-id'])} (${String(event)} ${String(sequence)} of ${String(transaction_id)})`;
}

/** Registers a user and their company through the API. */
export async function registerUser({
  apiUrl,
}: Pick<FaultStack, 'apiUrl'>): Promise<{ token: string; company: ApiCredentials }> {
  return expectResponse(
    {
      method: 'POST',
      url: `${apiUrl}/auth/register`,
      headers: REFERRER,
      body: registration(),
    },
    201,
  );
}
