import { failNotAttempted } from '../../../activities/payments/claim-attempt';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { createUnattempted } from '../../support/fixtures/unattempted';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { addEndpoint, deliveriesOf, verifyWebhook } from '../../support/fixtures/webhooks';
import type { PaymentBody } from '../../../src/presenters/payment';

let engine: Engine;
let receiver: WebhookReceiver;
/** Set by a test: simulates a crash between the receiver's response and the commit of the next attempt. */
let crashAfterAnswer = false;
beforeAll(async () => {
  engine = await startEngine(
    { WEBHOOK_RETRY_SCHEDULE: '0.2' },
    {
      workers: 'all',
      change: {
        failpoint: (name) => {
          if (name !== 'webhook-answered' || !crashAfterAnswer) return;
          crashAfterAnswer = false;
          throw new Error('the process died here');
        },
      },
    },
  );
  receiver = await startWebhookReceiver();
});
afterAll(async () => {
  receiver.close();
  await engine.stop();
});

async function makeOverdue({ transaction_id: id }: PaymentBody): Promise<void> {
  await engine.context.db.query('UPDATE webhook_deliveries SET recover_after = now() WHERE subject_id = $1', [
    id,
  ]);
}

describe('crash recovery of deliveries', () => {
  it('the sweeper starts a delivery after a crash between the commit of its event and the start of its workflow', async () => {
    const company = await newCompany(engine);
    const endpoint = await addEndpoint(engine, company, receiver.url);
    const body = await createUnattempted(engine, company);
    // Applies a transition outside any workflow: the event is committed, but its delivery is not started.
    await failNotAttempted({ ...engine.deps, startDeliveries: () => undefined }, body.transaction_id);
    expect(await deliveriesOf(engine, body)).toMatchObject([{ status: 'pending', retryCount: 0 }]);
    await engine.sweeper.sweepOnce();
    expect(receiver.received).toHaveLength(0);
    await makeOverdue(body);
    await engine.sweeper.sweepOnce();
    await engine.sweeper.sweepOnce();
    await waitFor(() => receiver.received.length > 0);
    const [received] = receiver.received;
    if (received === undefined) throw new Error('the receiver got no webhook');
    expect(verifyWebhook(received, endpoint.secret)).toMatchObject({
      event: 'transaction.failed',
      code: 'not_attempted',
      sequence: 1,
    });
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('a crash between the response and the commit of an attempt sends the message again with the same id', async () => {
    const company = await newCompany(engine);
    await addEndpoint(engine, company, receiver.url);
    const before = receiver.received.length;
    crashAfterAnswer = true;
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    const received = receiver.received.slice(before);
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await deliveriesOf(engine, body))[0]).toMatchObject({ retryCount: 1 });
  });

  it('a second run of a delivery makes no attempt that is not due', async () => {
    const company = await newCompany(engine);
    await addEndpoint(engine, company, receiver.url);
    const { body } = await pay(engine, company);
    await waitFor(async () => (await deliveriesOf(engine, body))[0]?.status === 'delivered');
    const sent = receiver.received.length;
    const [delivery] = await deliveriesOf(engine, body);
    const handle = engine.context.temporal.workflow.getHandle(`webhook-delivery/${delivery?.id}`);
    await handle.result();
    await engine.context.db.query(
      `UPDATE webhook_deliveries SET status = 'pending', next_retry_at = now() + interval '1 hour', recover_after = now()
        WHERE subject_id = $1`,
      [body.transaction_id],
    );
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await handle.describe()).status.name === 'RUNNING');
    expect(receiver.received).toHaveLength(sent);
    await handle.terminate();
  });

  it('a rolled back transition publishes no event and uses no sequence number', async () => {
    const company = await newCompany(engine);
    await addEndpoint(engine, company, receiver.url);
    const body = await createUnattempted(engine, company);
    const startDeliveries = jest.fn();
    const failing = {
      ...engine.deps,
      startDeliveries,
      idempotency: Object.assign(Object.create(engine.deps.idempotency) as typeof engine.deps.idempotency, {
        recordAnswer: () => Promise.reject(new Error('the database went away')),
      }),
    };
    await expect(failNotAttempted(failing, body.transaction_id)).rejects.toThrow('went away');
    const events = await engine.context.db.query('SELECT 1 FROM events WHERE subject_id = $1', [
      body.transaction_id,
    ]);
    expect(events).toEqual([]);
    expect(startDeliveries).not.toHaveBeenCalled();
    // The successful transition then gets the first sequence number.
    await failNotAttempted(engine.deps, body.transaction_id);
    expect(
      await engine.context.db.query('SELECT sequence FROM events WHERE subject_id = $1', [
        body.transaction_id,
      ]),
    ).toEqual([{ sequence: 1 }]);
  });
});

describe('slow receivers', () => {
  it('a slow receiver of one company does not delay the deliveries of another', async () => {
    const company = await newCompany(engine);
    const sleeper = await startWebhookReceiver();
    sleeper.behave((response, received) => void setTimeout(() => answer(200)(response, received), 5_000));
    const { limiter } = engine.deps;
    const sleeping = await addEndpoint(engine, company, sleeper.url);
    // Uses all permits of the endpoint, so that its next delivery is denied.
    const permits = await Promise.all(
      Array.from({ length: 100 }, () => limiter.acquire(company.id, sleeping.id, 'activity')),
    );
    const granted = permits.filter((permit) => permit.kind === 'granted');
    expect(granted).toHaveLength(20);
    const { body: waiting } = await pay(engine, company);

    const other = await newCompany(engine);
    await addEndpoint(engine, other, receiver.url);
    const before = receiver.received.length;
    await pay(engine, other);
    await waitFor(() => receiver.received.length > before, { withinMs: 2_000 });

    expect((await deliveriesOf(engine, waiting))[0]).toMatchObject({ status: 'pending', retryCount: 0 });
    expect(sleeper.received).toEqual([]);
    for (const { release } of granted) release(null);
    await waitFor(() => sleeper.received.length === 1);
    sleeper.close();
  });
});
