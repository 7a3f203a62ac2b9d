import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { SubscribableEvent } from '../../../src/domain/webhooks/webhook-event';
import type { Mail } from '../../../src/domain/companies/mail';
import { startEngine, type Engine } from '../../support/stack/engine';
import { current, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { adminOf } from '../../support/fixtures/admin';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import {
  addEndpoint,
  deliveriesOf,
  verified,
  webhooksOf,
  type TestEndpoint,
} from '../../support/fixtures/webhooks';

/** Three pauses of about 0.2 s: four attempts. */
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
  const found = await engine.parts.endpoints.find(company.id, endpoint.id);
  if (found === null) throw new Error('the endpoint is gone');
  return found;
}

/** Answers so many requests, and keeps the next one waiting: `held` resolves once it has come, `finish` answers it. */
function hold(
  receiver: WebhookReceiver,
  status: number,
  answered = 0,
): { readonly held: Promise<void>; readonly finish: () => void } {
  let finish = (): void => undefined;
  const held = new Promise<void>((come) => {
    receiver.behave((response, received) => {
      finish = () => answer(status)(response, received);
      if (receiver.received.length <= answered) finish();
      else come();
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

describe('a payment that moved', () => {
  it('is told as it now stands, signed, under the id of its delivery', async () => {
    const { company, receiver, endpoint } = await listening();
    const { body } = await pay(engine, company);
    expect(body.webhook).toMatchObject({ event: 'transaction.approved', status: 'pending', retry_count: 0 });
    const [received] = await waitFor(() => receiver.received.length > 0 && receiver.received);
    if (received === undefined) throw new Error('nothing came');
    const told = verified(received, endpoint.secret);
    expect(told).toEqual({ ...body, webhook: null, event: 'transaction.approved', sequence: 1 });
    expect(received.headers['webhook-id']).toBe(`msg_${body.webhook?.id}`);
    expect(received.headers['content-type']).toBe('application/json');
    const [delivery] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.status === 'delivered' && deliveries;
    });
    expect(delivery).toMatchObject({ retryCount: 1, nextRetryAt: null });
    expect((await current(engine, company, body)).webhook).toMatchObject({ status: 'delivered' });
  });

  it('is told once for each event, with a sequence without gaps', async () => {
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
  ] as const)('is told of %s', async (_name, change, event) => {
    const { company, receiver } = await listening();
    await pay(engine, company, change);
    await waitFor(() => receiver.received.length > 0);
    expect(receiver.events()).toMatchObject([{ event, sequence: 1 }]);
  });

  it('is told to endpoints that asked for that event, and to no others', async () => {
    const { company, receiver } = await listening();
    const deaf = await startWebhookReceiver();
    receivers.push(deaf);
    await addEndpoint(engine, company, deaf.url, ['transaction.failed', 'transaction.status_update']);
    const off = await addEndpoint(engine, company, deaf.url);
    await webhooksOf(engine).webhookEndpoints.update(await adminOf(engine.parts, company.id), off.id, {
      enabled: false,
    });
    const gone = await addEndpoint(engine, company, deaf.url);
    await webhooksOf(engine).webhookEndpoints.delete(await adminOf(engine.parts, company.id), gone.id);
    const { body } = await pay(engine, company);
    await waitFor(() => receiver.received.length > 0);
    expect(await deliveriesOf(engine, body)).toHaveLength(1);
    expect(deaf.received).toEqual([]);
  });
});

describe('an attempt that fails', () => {
  it.each([
    ['503', answer(503)],
    ['a redirect', answer(301, { location: 'http://127.0.0.1:1/' })],
    ['a reset', (response: { destroy(): void }) => response.destroy()],
  ])('by %s is made again on schedule, with the same id and a new time', async (_name, failing) => {
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
    for (const received of receiver.received) verified(received, endpoint.secret);
    const gaps = receiver.received.slice(1).map(({ at }, index) => at - (receiver.received[index]?.at ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(190);
    const { rows } = await engine.parts.deliveries.list(endpoint.id, { number: 1, size: 10 });
    expect(rows[0]?.attempts.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect((await endpointOf({ company, receiver, endpoint })).failingSince).toBeNull();
  });

  it('waits as long as the receiver asks it to', async () => {
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

  it('for the last time ends the delivery as failed, and a resend opens it again', async () => {
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
      await adminOf(engine.parts, company.id),
      endpoint.id,
      failed?.id ?? '',
    );
    expect(reopened).toMatchObject({ status: 'pending', retryCount: 4 });
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const { rows } = await webhookDeliveries.list(company.id, endpoint.id, { number: 1, size: 10 });
    expect(rows[0]?.attempts.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500, 500, 204]);
    expect(rows[0]?.attempts[0]).toMatchObject({ error: null, responseExcerpt: 'out of order' });
  });

  it('and was asked to be sent again meanwhile is sent again at once, though it was the last attempt', async () => {
    const { company, receiver, endpoint } = await listening();
    const { finish, held } = hold(receiver, 500, 3);
    const { body } = await pay(engine, company);
    await held;
    const [delivery] = await deliveriesOf(engine, body);
    if (delivery === undefined) throw new Error('there is a delivery');
    const admin = await adminOf(engine.parts, company.id);
    await webhooksOf(engine).webhookDeliveries.resend(admin, endpoint.id, delivery.id);
    receiver.behave(answer(200));
    finish();
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(receiver.received).toHaveLength(5);
  });

  it('and waits is cut short by a resend', async () => {
    const { company, receiver, endpoint } = await listening();
    receiver.behave(answer(503, { 'retry-after': '3600' }));
    const { body } = await pay(engine, company);
    const [waiting] = await waitFor(async () => {
      const deliveries = await deliveriesOf(engine, body);
      return deliveries[0]?.retryCount === 1 && deliveries;
    });
    receiver.behave(answer(200));
    await webhooksOf(engine).webhookDeliveries.resend(
      await adminOf(engine.parts, company.id),
      endpoint.id,
      waiting?.id ?? '',
    );
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
  });
});

describe('an endpoint', () => {
  it('that answers 410 is turned off, what is on its way to it ends, and its people are told once', async () => {
    const listener = await listening();
    const { company, receiver } = listener;
    await engine.parts.db.query(
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

  it('that has failed for five days is turned off, and not before', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    receiver.behave(answer(500));
    const age = (ms: number) =>
      engine.parts.db.query('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [
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
      await adminOf(engine.parts, company.id),
      endpoint.id,
      {
        enabled: true,
      },
    );
    expect(again).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
  });

  it('that is turned off or deleted gets nothing more of what is on its way', async () => {
    const { company, receiver, endpoint } = await listening();
    receiver.behave(answer(503));
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.retryCount === 1);
    await webhooksOf(engine).webhookEndpoints.delete(await adminOf(engine.parts, company.id), endpoint.id);
    const sent = receiver.received.length;
    const [delivery] = await deliveriesOf(engine, body);
    expect(delivery).toMatchObject({ status: 'failed', nextRetryAt: null });
    const handle = engine.parts.temporal.workflow.getHandle(`webhook-delivery/${delivery?.id}`);
    await handle.result();
    expect(receiver.received.length).toBeLessThanOrEqual(sent + 1);
  });

  it('whose secret was rotated gets both signatures for a day, then the new one', async () => {
    const { company, receiver, endpoint } = await listening();
    const { webhookEndpoints } = webhooksOf(engine);
    const { secret } = await webhookEndpoints.rotateSecret(
      await adminOf(engine.parts, company.id),
      endpoint.id,
    );
    await pay(engine, company);
    const [first] = await waitFor(() => receiver.received.length === 1 && receiver.received);
    if (first === undefined) throw new Error('nothing came');
    expect(verified(first, secret)).toEqual(verified(first, endpoint.secret));
    await engine.parts.db.query(
      `UPDATE webhook_endpoints SET older_secrets = jsonb_set(older_secrets, '{0,until}', to_jsonb(now())) WHERE id = $1`,
      [endpoint.id],
    );
    await pay(engine, company);
    const [, second] = await waitFor(() => receiver.received.length === 2 && receiver.received);
    if (second === undefined) throw new Error('nothing came');
    verified(second, secret);
    expect(() => verified(second, endpoint.secret)).toThrow();
  });

  it('whose secret was rotated twice in a day is still signed with the first one', async () => {
    const { company, receiver, endpoint } = await listening();
    const { webhookEndpoints } = webhooksOf(engine);
    const admin = await adminOf(engine.parts, company.id);
    await webhookEndpoints.rotateSecret(admin, endpoint.id);
    const { secret } = await webhookEndpoints.rotateSecret(admin, endpoint.id);
    await pay(engine, company);
    const [first] = await waitFor(() => receiver.received.length === 1 && receiver.received);
    if (first === undefined) throw new Error('nothing came');
    expect(verified(first, secret)).toEqual(verified(first, endpoint.secret));
  });

  it('that failed for days long ago, and was told nothing since, is not turned off by its next failure', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    let failures = 0;
    receiver.behave((response, received) => {
      failures += 1;
      answer(failures === 1 ? 500 : 200)(response, received);
    });
    await engine.parts.db.query('UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1', [
      endpoint.id,
      new Date(Date.now() - 4 * FIVE_DAYS_MS),
    ]);
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(await endpointOf(listener)).toMatchObject({ enabled: true, failingSince: null });
  });

  it('whose address was changed while the old one was tried is not turned off by what that one says', async () => {
    const listener = await listening();
    const { company, receiver, endpoint } = listener;
    const { finish, held } = hold(receiver, 410);
    const { body } = await pay(engine, company);
    await held;
    const moved = await startWebhookReceiver();
    receivers.push(moved);
    const admin = await adminOf(engine.parts, company.id);
    await webhooksOf(engine).webhookEndpoints.update(admin, endpoint.id, { url: moved.url });
    finish();
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(moved.received).toHaveLength(1);
    expect(await endpointOf(listener)).toMatchObject({ enabled: true, disabledReason: null });
  });

  it('is sent a test event once, whatever it subscribed to, and without retries', async () => {
    const { company, receiver, endpoint } = await listening(['transaction.failed']);
    const { webhookDeliveries, listEvents } = webhooksOf(engine);
    receiver.behave(answer(500));
    const sent = await webhookDeliveries.test(await adminOf(engine.parts, company.id), endpoint.id);
    await waitFor(
      async () => (await engine.parts.deliveries.find(endpoint.id, sent.id))?.status === 'failed',
    );
    const [received] = receiver.received;
    if (received === undefined) throw new Error('nothing came');
    expect(verified(received, endpoint.secret)).toMatchObject({ event: 'webhook.test' });
    expect(receiver.received).toHaveLength(1);
    expect((await listEvents.execute(company.id, { after: null, type: null, limit: 10 })).events).toEqual([]);
  });
});

async function mailsTo(address: string): Promise<Mail[]> {
  return ((await engine.parts.readOutbox?.()) ?? []).filter(({ to }) => to === address);
}
