import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { failNotAttempted } from '../../../activities/payments/claim-attempt';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { DeliveryId } from '../../../src/domain/shared/ids';
import { AfterCommitDispatcher } from '../../../src/temporal/after-commit-dispatcher';
import type { DeliveryRef } from '../../../src/temporal/webhook-deliveries';
import { adminOf } from '../../support/fixtures/admin';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { unattempted } from '../../support/fixtures/unattempted';
import { waitFor } from '../../support/stack/wait-for';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { addEndpoint, deliveriesOf, webhooksOf, type TestEndpoint } from '../../support/fixtures/webhooks';
import type { PaymentBody } from '../../../src/presenters/payment';

const { EventType } = temporal.api.enums.v1;

let engine: Engine;
const receivers: WebhookReceiver[] = [];
beforeAll(async () => {
  engine = await startEngine({ WEBHOOK_RETRY_SCHEDULE: '0.2' }, { workers: 'all' });
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

async function listening(): Promise<Listening> {
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  const company = await newCompany(engine);
  return { company, receiver, endpoint: await addEndpoint(engine, company, receiver.url) };
}

async function ended(body: PaymentBody, status: 'delivered' | 'failed') {
  return waitFor(async () => {
    const [delivery] = await deliveriesOf(engine, body);
    return delivery?.status === status && delivery;
  });
}

/** The history of the delivery's only run, once that has closed. */
async function historyOf(deliveryId: string) {
  const handle = engine.parts.temporal.workflow.getHandle(`webhook-delivery/${deliveryId}`);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const made = events ?? [];
  return {
    events: made,
    count: (type: keyof typeof EventType) =>
      made.filter(({ eventType }) => eventType === EventType[type]).length,
  };
}

describe('a delivery', () => {
  it('is started by whoever commits its event, though no workflow of the payment runs', async () => {
    const { company, receiver } = await listening();
    const body = await unattempted(engine, company);
    await failNotAttempted(engine.deps, body.transaction_id);
    await ended(body, 'delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('that arrives at once costs one workflow task, handed out with the answer to its start', async () => {
    const { company } = await listening();
    const { body } = await pay(engine, company);
    const { id } = await ended(body, 'delivered');
    const { events, count } = await historyOf(id);
    expect(count('EVENT_TYPE_WORKFLOW_TASK_COMPLETED')).toBe(1);
    expect(count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(0);
    expect(events.length).toBeLessThanOrEqual(7);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
  });

  it('costs its payment not one event', async () => {
    const deaf = await newCompany(engine);
    const { company } = await listening();
    const lengths = await Promise.all(
      [deaf, company].map(async (each) => {
        const { body } = await pay(engine, each);
        const handle = engine.parts.temporal.workflow.getHandle(`payment/${body.transaction_id}`);
        await handle.result();
        return (await handle.describe()).historyLength;
      }),
    );
    expect(lengths[1]).toBe(lengths[0]);
  });

  it('shows support staff each later attempt as an activity, with the pause before it', async () => {
    const { company, receiver } = await listening();
    let answers = 0;
    receiver.behave((response, received) => answer((answers += 1) === 1 ? 503 : 200)(response, received));
    const { body } = await pay(engine, company);
    const { id } = await ended(body, 'delivered');
    const { count } = await historyOf(id);
    expect(count('EVENT_TYPE_TIMER_STARTED')).toBe(1);
    expect(count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(1);
  });

  it('to a receiver that is known to be slow holds no workflow task', async () => {
    const { company, endpoint } = await listening();
    const turn = await engine.deps.slots.take(company.id, endpoint.id, 'activity');
    if (turn.kind === 'taken') turn.leave(9_000);
    const { body } = await pay(engine, company);
    const { id } = await ended(body, 'delivered');
    expect((await historyOf(id)).count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(1);
  });

  it('to an endpoint that was turned off before its start ends as failed, and nothing is sent', async () => {
    const { company, receiver, endpoint } = await listening();
    const body = await unattempted(engine, company);
    let start = (): void => undefined;
    await failNotAttempted(
      {
        ...engine.deps,
        startDeliveries: (deliveries) => {
          start = () => engine.deps.startDeliveries(deliveries);
        },
      },
      body.transaction_id,
    );
    const admin = await adminOf(engine.parts, company.id);
    await webhooksOf(engine).webhookEndpoints.update(admin, endpoint.id, { enabled: false });
    start();
    const { id } = await ended(body, 'failed');
    await waitFor(() => historyOf(id));
    expect(receiver.received).toEqual([]);
  });

  it('that could not be started is started by the sweeper, and nobody waits for it meanwhile', async () => {
    const { company, receiver } = await listening();
    const body = await unattempted(engine, company);
    const errors: unknown[] = [];
    const starter = new AfterCommitDispatcher<DeliveryRef>(
      () => Promise.reject(new Error('Temporal went away')),
      (error) => errors.push(error),
    );
    await failNotAttempted(
      { ...engine.deps, startDeliveries: (deliveries) => starter.start(deliveries) },
      body.transaction_id,
    );
    await starter.settled();
    expect(errors).toHaveLength(1);
    expect(receiver.received).toEqual([]);
    await engine.parts.db.query(
      'UPDATE webhook_deliveries SET recover_after = now() WHERE resource_id = $1',
      [body.transaction_id],
    );
    await engine.sweeper.sweepOnce();
    await ended(body, 'delivered');
  });
});

describe('starts that Temporal does not answer', () => {
  it('never pile up beyond a hundred', async () => {
    let asked = 0;
    let open: (() => void) | undefined;
    const silent = new Promise<void>((resolve) => (open = resolve));
    const ensureStarted = (): Promise<void> => {
      asked += 1;
      return silent;
    };
    const starter = new AfterCommitDispatcher<DeliveryRef>(ensureStarted, () => undefined);
    const delivery = {
      id: randomUUID() as DeliveryId,
      companyId: 1,
      endpointId: 1,
      event: 'transaction.approved' as const,
    };
    for (let count = 0; count < 150; count += 1) starter.start([delivery]);
    expect(asked).toBe(100);
    open?.();
    await starter.settled();
    starter.start([delivery]);
    expect(asked).toBe(101);
    await starter.settled();
  });
});
