import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { REFERRER, registration } from '../../support/fixtures/registration';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type ReceivedWebhook } from '../../support/stack/webhook-receiver';
import { ALL_TRANSACTION_EVENTS, verified } from '../../support/fixtures/webhooks';
import { expectAnswer } from './answers';
import type { FaultStack } from './fault-stack';
import { Merchant, type Credentials } from './merchant';

/** An attempt that was lost with its worker is made again after 14 s, one whose workflow's task was lost 10 s later. */
const TOLD_WITHIN_MS = 120_000;
/** Every so many webhooks are turned away, so that they have to come again. */
const TURNS_AWAY_EVERY = 4;

/** What must be told of a company, as Postgres has it. */
interface CommittedEvent {
  readonly name: string;
  readonly payload: string;
}

/**
 * A merchant who listens: an endpoint of their company, and behind it a receiver that no fault touches and that keeps
 * all it gets. Its log, not the engine's tables, says what arrived.
 */
export class Listener {
  private secret = '';
  private readonly unsigned: string[] = [];

  private constructor(
    private readonly stack: FaultStack,
    readonly merchant: Merchant,
    private readonly receiver: Awaited<ReturnType<typeof startWebhookReceiver>>,
  ) {}

  /** `clientId` where the deployment's settings name the company. */
  static async start(
    stack: FaultStack,
    gateways: readonly GatewaySlug[],
    clientId?: string,
  ): Promise<Listener> {
    const { token, company } = await registerUser(stack);
    const merchant = await Merchant.of(stack, company, gateways, clientId);
    const receiver = await startWebhookReceiver();
    const listener = new Listener(stack, merchant, receiver);
    receiver.behave((response, received) => {
      listener.check(received);
      answer(receiver.received.length % TURNS_AWAY_EVERY === 0 ? 503 : 200)(response, received);
    });
    const endpoint = await expectAnswer<{ secret: string }>(
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

  /** Whether a payment's webhooks come to so many in time, repetitions counted. */
  comesTo(transactionId: string, times: number): Promise<boolean> {
    const told = (): ReceivedWebhook[] =>
      this.receiver.received.filter(({ body }) => body.includes(transactionId));
    return waitFor(() => told().length >= times, { withinMs: TOLD_WITHIN_MS, everyMs: 100 }).then(
      () => true,
      () => false,
    );
  }

  /** I4: every event reaches the endpoint at least once, validly signed, with the same id on every retry. */
  async violations(): Promise<string[]> {
    const events = await this.stack.db.query<CommittedEvent>(
      `SELECT format('%s of %s', type, resource_id) AS name, payload FROM events
       WHERE company_id = $1 AND resource_type = 'payment'`,
      [this.merchant.companyId],
    );
    const missing = (): CommittedEvent[] => {
      const bodies = new Set(this.receiver.received.map(({ body }) => body));
      return events.filter(({ payload }) => !bodies.has(payload));
    };
    const told = waitFor(() => missing().length === 0, { withinMs: TOLD_WITHIN_MS, everyMs: 100 });
    await told.catch(() => undefined);
    return [
      ...missing().map(({ name }) => `I4: ${name} never arrived`),
      ...this.unsigned,
      ...(await this.silentPayments()),
      ...this.idViolations(new Set(events.map(({ payload }) => payload))),
    ];
  }

  private check(received: ReceivedWebhook): void {
    try {
      verified(received, this.secret);
    } catch (error) {
      this.unsigned.push(`I4: ${nameOf(received)} is not validly signed: ${String(error)}`);
    }
  }

  /** Each id is one event's, each event has one id, and nothing is told that did not happen. */
  private idViolations(committed: ReadonlySet<string>): string[] {
    const { received } = this.receiver;
    const ids = new Map<string, string>();
    const bodies = new Map<string, string>();
    return received.flatMap((webhook) => {
      const id = String(webhook.headers['webhook-id']);
      const { body } = webhook;
      const known = ids.get(body) ?? id;
      const same = bodies.get(id) ?? body;
      ids.set(body, known);
      bodies.set(id, same);
      return [
        ...(known === id ? [] : [`I4: ${nameOf(webhook)} came as ${known} and ${id}`]),
        ...(same === body ? [] : [`I4: ${id} came with different bodies`]),
        ...(committed.has(body) ? [] : [`I4: ${nameOf(webhook)} was told and never happened`]),
      ];
    });
  }

  /** Whatever the table of events says: what a payment has come to is told. */
  private async silentPayments(): Promise<string[]> {
    const payments = await this.stack.db.query<{ id: string; status: string }>(
      `SELECT transaction_id AS id, status FROM payments WHERE company_id = $1 AND status <> 'processing'`,
      [this.merchant.companyId],
    );
    const told = new Set(
      this.receiver.events().map((event) => `${String(event['transaction_id'])} ${String(event['status'])}`),
    );
    return payments
      .filter(({ id, status }) => !told.has(`${id} ${status}`))
      .map(({ id, status }) => `I4: nobody was told that ${id} is ${status}`);
  }
}

function nameOf({ headers, body }: ReceivedWebhook): string {
  const { event, transaction_id, sequence } = JSON.parse(body) as Record<string, unknown>;
  return `${String(headers['webhook-id'])} (${String(event)} ${String(sequence)} of ${String(transaction_id)})`;
}

/** Over the API, as an administrator does. */
async function registerUser(stack: FaultStack): Promise<{ token: string; company: Credentials }> {
  return expectAnswer(
    {
      method: 'POST',
      url: `${stack.apiUrl}/auth/register`,
      headers: REFERRER,
      body: registration(),
    },
    201,
  );
}
