import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { DeliveryList } from '../../../src/persistence/read-models/delivery-list';
import type { SubscribableEvent } from '../../../src/domain/webhooks/webhook-event';
import type { Mail } from '../../../src/domain/companies/mail';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { adminOf } from '../../support/fixtures/admin';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import {
  addEndpoint,
  deliveriesOf,
  verifyWebhook,
  webhooksOf,
  type TestEndpoint,
} from '../../support/fixtures/webhooks';

/** Three delays of about 0.2 s: four attempts. */
const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '0.2,0.2,0.2' };
const FIVE_DAYS_MS = 5 * 24 * 3_600_000;

let engine: Engine;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  engine = await startEngine(SETTINGS, { workers: 'all' });
});
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});
afterAll(() => engine.stop());

interface Listening {
  readonly company: AuthenticatedCompany;
  readonly receiver: WebhookReceiver;
  readonly endpoint: TestEndpoint;
}

async function listening(events?: readonly SubscribableEvent[]): Promise<Listening> {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  const company = await newCompany(engine);
  return { company, receiver, endpoint: await addEndpoint(engine, company, receiver.url, events) };
}

async function endpointOf({ company, endpoint }: Listening) {
  const found = await engine.context.endpoints.find(company.id, endpoint.id);
  if (found === null) throw new Error('the endpoint does not exist');
  return found;
}

/** Answers `answered` requests and holds the next one: `held` resolves when it arrives, `finish` answers it. */
function hold(
  receiver: WebhookReceiver,
  status: number,
  answered = 0,
): { readonly held: Promise<void>; readonly finish: () => void } {
  let finish = (): void => undefined;
  const held = new Promise<void>((arrive) => {
    receiver.behave((response, received) => {
      finish = () => answer(status)(response, received);
      if (receiver.received.length <= answered) finish();
      else arrive();
    });
  });
  return { held, finish: () => finish() };
}

function refund(company: AuthenticatedCompany, id: string, amount: number) {
  return engine.payments.operatePayment.execute({
    company,
    operation: 'refund',
    id,
    idempotencyKey: null,
    request: { amount },
    receivedAt: new Date(),
  });
}

async function rotateSecret({ id }: AuthenticatedCompany, endpoint: TestEndpoint) {
  const rotate = await webhooksOf(engine).webhookEndpoints.rotateSecret(
    await adminOf(engine.context, id),
    endpoint.id,
  );
  return engine.context.db.inTransaction(rotate);
}

describe('the webhook of a payment transition', () => {
  it('carries the payment’s new state, a signature and the id of its delivery', async () => {
    const { company, receiver, endpoint } = await listening();
    const { body } = await pay(engine, company);
    expect(body.webhook).toMatchObject({ event: 'transaction.approved', status: 'pending', retry_count: 0 });
    const [received] = await waitFor(() => receiver.received.length > 0 && receiver.received);
    if (received === undefined) throw new Error('the receiver got no webhook');
    const payload = verifyWebhook(received, endpoint.secret);
    const subject = { type: 'payment', id: body.transaction_id };
    const event = {
      event: 'transaction.approved',
      event_id: expect.any(Number),
      mode: 'test',
      subject,
      sequence: 1,
    };
    expect(payload).toEqual({ ...body, webhook: null, ...event });
    expect(received.headers['webhook-id']).toBe(`msg_${body.webhook?.id}`);
    expect(received.headers['content-type']).toBe('application/json');
    const [delivery] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.status === 'delivered' && deliveries;
    });
    expect(delivery).toMatchObject({ retryCount: 1, nextRetryAt: null });
    expect((await reloadPayment(engine, company, body)).webhook).toMatchObject({ status: 'delivered' });
  });

  it('is sent once per event, with a sequence without gaps', async () => {
    const { company, receiver } = await listening();
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    await refund(company, body.transaction_id, 100);
    await refund(company, body.transaction_id, body.amount - 100);
    await waitFor(() => receiver.events().length === 3);
    const bySequence = receiver.events().sort((a, b) => Number(a['sequence']) - Number(b['sequence']));
    expect(bySequence.map(({ event, sequence, status }) => [sequence, event, status])).toEqual([
      [1, 'transaction.approved', 'approved'],
      [2, 'transaction.refunded', 'approved'],
      [3, 'transaction.refunded', 'refunded'],
    ]);
  });

  it.each([
    ['a declined card', { card: rawCard('4000000000009987') }, 'transaction.failed'],
    ['an authorization', { capture: false }, 'transaction.authorized'],
    ['a pix', { payment_method: 'pix', card: null, billing_address: null }, 'transaction.pending'],
  ] as const)('is sent for %s', async (_name, change, event) => {
    const { company, receiver } = await listening();
    await pay(engine, company, change);
    await waitFor(() => receiver.received.length > 0);
    expect(receiver.events()).toMatchObject([{ event, sequence: 1 }]);
  });

  it('is sent only to enabled endpoints that subscribe to its event', async () => {
    const { company, receiver } = await listening();
    const unsubscribed = await startWebhookReceiver();
    receivers.push(unsubscribed);
    await addEndpoint(engine, company, unsubscribed.url, ['transaction.failed', 'transaction.status_update']);
    const disabled = await addEndpoint(engine, company, unsubscribed.url);
    await webhooksOf(engine).webhookEndpoints.update(await adminOf(engine.context, company.id), disabled.id, {
      enabled: false,
    });
    const deleted = await addEndpoint(engine, company, `${unsubscribed.url}/deleted`);
    await webhooksOf(engine).webhookEndpoints.delete(await adminOf(engine.context, company.id), deleted.id);
    const { body } = await pay(engine, company);
    await waitFor(() => receiver.received.length > 0);
    expect(await deliveriesOf(engine, body)).toHaveLength(1);
    expect(unsubscribed.received).toEqual([]);
  });
});

describe('a failed attempt', () => {
  it.each([
    ['503', answer(503)],
    ['a redirect', answer(301, { location: 'http://127.0.0.1:1/' })],
    ['a reset', (response: { destroy(): void }) => response.destroy()],
  ])('with %s is retried on schedule, with the same id and a new timestamp', async (_name, failing) => {
    const { company, receiver, endpoint } = await listening();
    let failures = 0;
    receiver.behave((response, received) => {
      failures += 1;
      if (failures <= 2) failing(response, received);
      else answer(200)(response, received);
    });
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const received of receiver.received) verifyWebhook(received, endpoint.secret);
    const gaps = receiver.received.slice(1).map(({ at }, index) => at - (receiver.received[index]?.at ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(190);
    const { rows } = await new DeliveryList(engine.context.db, engine.context.deliveries).load(
      endpoint.id,
      {},
      { number: 1, size: 10 },
    );
    expect(rows[0]?.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect((await endpointOf({ company, receiver, endpoint })).failingSince).toBeNull();
  });

  it('is retried after the delay of a Retry-After header', async () => {
    const { company, receiver } = await listening();
    receiver.behave(answer(503, { 'retry-after': '3600' }));
    const { body } = await pay(engine, company);
    const [delivery] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.retryCount === 1 && deliveries;
    });
    const waitMs = (delivery?.nextRetryAt?.getTime() ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(3_500_000);
    expect(delivery).toMatchObject({ status: 'pending' });
  });

  it('fails the delivery if it was the last one, and a resend makes another attempt', async () => {
    const { company, receiver, endpoint } = await listening();
    receiver.behave(answer(500, {}, 'out of order'));
    const { body } = await pay(engine, company);
    const [failed] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.status === 'failed' && deliveries;
    });
    expect(failed).toMatchObject({ retryCount: 4, nextRetryAt: null });
    receiver.behave(answer(204));
    const { webhookDeliveries } = webhooksOf(engine);
    const reopened = await webhookDeliveries.resend(
      await adminOf(engine.context, company.id),
      endpoint.id,
      failed?.id ?? '',
    );
    expect(reopened).toMatchObject({ status: 'pending', retryCount: 4 });
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { rows } = await webhookDeliveries.list(company.id, endpoint.id, {}, { number: 1, size: 10 });
    expect(rows[0]?.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500, 204]);
    expect(rows[0]?.attempts[0]).toMatchObject({ error: null, responseExcerpt: 'out of order' });
  });

  it('is followed by another attempt if a resend was requested during the last attempt', async () => {
    const { company, receiver, endpoint } = await listening();
    const { finish, held } = hold(receiver, 500, 3);
    const { body } = await pay(engine, company);
    await held;
    const [delivery] = await deliveriesOf(engine, body);
    if (delivery === undefined) throw new Error('the delivery does not exist');
    const admin = await adminOf(engine.context, company.id);
    await webhooksOf(engine).webhookDeliveries.resend(admin, endpoint.id, delivery.id);
    receiver.behave(answer(200));
    finish();
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(receiver.received).toHaveLength(5);
  });

  it('is retried immediately after a resend', async () => {
    const { company, receiver, endpoint } = await listening();
    receiver.behave(answer(503, { 'retry-after': '3600' }));
    const { body } = await pay(engine, company);
    const [waiting] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.retryCount === 1 && deliveries;
    });
    receiver.behave(answer(200));
    await webhooksOf(engine).webhookDeliveries.resend(
      await adminOf(engine.context, company.id),
      endpoint.id,
      waiting?.id ?? '',
    );
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
  });
});

describe('an endpoint', () => {
  it('is disabled after a 410: its pending deliveries fail and its users are notified once', async () => {
    const listener = await listening();
    const { company, receiver } = listener;
    await engine.context.db.query(
      `INSERT INTO users (company_id, name, email, password_hash) VALUES ($1, 'Ana', $2, '')`,
      [company.id, `ana-${company.id}@example.com`],
    );
    receiver.behave(answer(503, { 'retry-after': '3600' }));
    const { body: earlier } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, earlier))[0]?.retryCount === 1);
    receiver.behave(answer(410));
    const { body } = await pay(engine, company);
    await waitFor(async () => !(await endpointOf(listener)).enabled);
    expect((await endpointOf(listener)).disabledReason).toBe('gone');
    expect([...(await deliveriesOf(engine, earlier)), ...(await deliveriesOf(engine, body))]).toMatchObject([
      { status: 'failed' },
      { status: 'failed' },
    ]);
    const mails = () => mailsTo(`ana-${company.id}@example.com`);
    await waitFor(async () => (await mails()).length > 0);
    const { body: later } = await pay(engine, company);
    expect(await deliveriesOf(engine, later)).toEqual([]);
    expect(await mails()).toMatchObject([{ subject: expect.stringContaining('was turned off') }]);
  });

  it('is disabled after five days of failures, and not before', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    receiver.behave(answer(500));
    const age = (ms: number) =>
      engine.context.db.query('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [
        endpoint.id,
        new Date(Date.now() - ms),
      ]);
    await age(FIVE_DAYS_MS - 60_000);
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'failed');
    expect(await endpointOf(listener)).toMatchObject({ enabled: true });
    await age(FIVE_DAYS_MS);
    await pay(engine, company);
    await waitFor(async () => !(await endpointOf(listener)).enabled);
    expect((await endpointOf(listener)).disabledReason).toBe('failing');
    const again = await webhooksOf(engine).webhookEndpoints.update(
      await adminOf(engine.context, company.id),
      endpoint.id,
      {
        enabled: true,
      },
    );
    expect(again).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  });

  it('gets no pending deliveries after it was deleted', async () => {
    const { company, receiver, endpoint } = await listening();
    receiver.behave(answer(503));
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.retryCount === 1);
    await webhooksOf(engine).webhookEndpoints.delete(await adminOf(engine.context, company.id), endpoint.id);
    const sent = receiver.received.length;
    const [delivery] = await deliveriesOf(engine, body);
    expect(delivery).toMatchObject({ status: 'failed', nextRetryAt: null });
    const handle = engine.context.temporal.workflow.getHandle(`webhook-delivery/${delivery?.id}`);
    await handle.result();
    expect(receiver.received.length).toBeLessThanOrEqual(sent + 1);
  });

  it('gets both signatures for a day after a secret rotation, then only the new one', async () => {
    const { company, receiver, endpoint } = await listening();
    const { secret } = await rotateSecret(company, endpoint);
    await pay(engine, company);
    const [first] = await waitFor(() => receiver.received.length === 1 && receiver.received);
    if (first === undefined) throw new Error('the receiver got no webhook');
    expect(verifyWebhook(first, secret)).toEqual(verifyWebhook(first, endpoint.secret));
    await engine.context.db.query(
      `UPDATE webhook_endpoints SET older_secrets = jsonb_set(older_secrets, '{0,until}', to_jsonb(now())) WHERE id = $1`,
      [endpoint.id],
    );
    await pay(engine, company);
    const [, second] = await waitFor(() => receiver.received.length === 2 && receiver.received);
    if (second === undefined) throw new Error('the receiver got no webhook');
    verifyWebhook(second, secret);
    expect(() => verifyWebhook(second, endpoint.secret)).toThrow();
  });

  it('gets the first secret’s signature even after two rotations in a day', async () => {
    const { company, receiver, endpoint } = await listening();
    await rotateSecret(company, endpoint);
    const { secret } = await rotateSecret(company, endpoint);
    await pay(engine, company);
    const [first] = await waitFor(() => receiver.received.length === 1 && receiver.received);
    if (first === undefined) throw new Error('the receiver got no webhook');
    expect(verifyWebhook(first, secret)).toEqual(verifyWebhook(first, endpoint.secret));
  });

  it('is not disabled by a failure after a long gap in a failure streak', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    let failures = 0;
    receiver.behave((response, received) => {
      failures += 1;
      answer(failures === 1 ? 500 : 200)(response, received);
    });
    await engine.context.db.query('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [
      endpoint.id,
      new Date(Date.now() - 4 * FIVE_DAYS_MS),
    ]);
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(await endpointOf(listener)).toMatchObject({ enabled: true, failingSince: null });
  });

  it('is not disabled by a 410 of its old URL if the URL changed during the attempt', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    const { finish, held } = hold(receiver, 410);
    const { body } = await pay(engine, company);
    await held;
    const newReceiver = await startWebhookReceiver();
    receivers.push(newReceiver);
    const admin = await adminOf(engine.context, company.id);
    await webhooksOf(engine).webhookEndpoints.update(admin, endpoint.id, { url: newReceiver.url });
    finish();
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(newReceiver.received).toHaveLength(1);
    expect(await endpointOf(listener)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('gets a test event once, regardless of its subscriptions and without retries', async () => {
    const { company, receiver, endpoint } = await listening(['transaction.failed']);
    const { webhookDeliveries, listEvents } = webhooksOf(engine);
    receiver.behave(answer(500));
    const test = webhookDeliveries.test(await adminOf(engine.context, company.id), endpoint.id);
    const sent = await engine.context.db.inTransaction(test);
    await waitFor(
      async () => (await engine.context.deliveries.find(endpoint.id, sent.id))?.status === 'failed',
    );
    const [received] = receiver.received;
    if (received === undefined) throw new Error('the receiver got no webhook');
    expect(verifyWebhook(received, endpoint.secret)).toMatchObject({ event: 'webhook.test' });
    expect(receiver.received).toHaveLength(1);
    expect((await listEvents.execute(company.id, { after: null, type: null, limit: 10 })).events).toEqual([]);
  });
});

async function mailsTo(address: string): Promise<Mail[]> {
  return ((await engine.context.readOutbox?.()) ?? []).filter(({ to }) => to === address);
}
