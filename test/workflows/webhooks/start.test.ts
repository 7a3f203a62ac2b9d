import { randomUUID } from 'node:crypto';
import { temporal } from '@temporalio/proto';
import { failNotAttempted } from '../../../activities/payments/claim-attempt';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { DeliveryId } from '../../../src/domain/shared/ids';
import { AfterCommitDispatcher } from '../../../src/temporal/after-commit-dispatcher';
import type { DeliveryRef } from '../../../src/temporal/webhook-deliveries';
import { deliveryStatusKey } from '../../../workflows/search-attributes';
import { adminOf } from '../../support/fixtures/admin';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { createUnattempted } from '../../support/fixtures/unattempted';
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

async function waitForStatus(body: PaymentBody, status: 'delivered' | 'failed') {
  return waitFor(async () => {
    const [delivery] = await deliveriesOf(engine, body);
    return delivery?.status === status && delivery;
  });
}

/** The history of the delivery's only run, after it has closed. */
async function historyOf(deliveryId: string) {
  const handle = engine.context.temporal.workflow.getHandle(`webhook-delivery/${deliveryId}`);
  await handle.result();
  const { events } = await handle.fetchHistory();
  const recorded = events ?? [];
  return {
    events: recorded,
    count: (type: keyof typeof EventType) =>
      recorded.filter(({ eventType }) => eventType === EventType[type]).length,
  };
}

describe('the start of a delivery', () => {
  it('a committed event starts its delivery even if no payment workflow runs', async () => {
    const { company, receiver } = await listening();
    const body = await createUnattempted(engine, company);
    await failNotAttempted(engine.deps, body.transaction_id);
    await waitForStatus(body, 'delivered');
    expect(receiver.received).toHaveLength(1);
  });

  it('a delivery that succeeds on the first attempt needs one workflow task, started eagerly', async () => {
    const { company } = await listening();
    const { body } = await pay(engine, company);
    const { id } = await waitForStatus(body, 'delivered');
    const { events, count } = await historyOf(id);
    expect(count('EVENT_TYPE_WORKFLOW_TASK_COMPLETED')).toBe(1);
    expect(count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(0);
    expect(events.length).toBeLessThanOrEqual(6);
    expect(count('EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES')).toBe(0);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
  });

  it('a delivery adds no events to the payment workflow’s history', async () => {
    const withoutEndpoint = await newCompany(engine);
    const { company } = await listening();
    const lengths = await Promise.all(
      [withoutEndpoint, company].map(async (each) => {
        const { body } = await pay(engine, each);
        const handle = engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`);
        await handle.result();
        return (await handle.describe()).historyLength;
      }),
    );
    expect(lengths[1]).toBe(lengths[0]);
  });

  it('the history shows every later attempt as an activity after a timer', async () => {
    const { company, receiver } = await listening();
    let answers = 0;
    receiver.behave((response, received) => answer((answers += 1) === 1 ? 503 : 200)(response, received));
    const { body } = await pay(engine, company);
    const { id } = await waitForStatus(body, 'delivered');
    const { count } = await historyOf(id);
    expect(count('EVENT_TYPE_TIMER_STARTED')).toBe(1);
    expect(count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(1);
  });

  it('a delivery to a slow receiver runs as a regular activity, not inside a workflow task', async () => {
    const { company, endpoint } = await listening();
    const permit = await engine.deps.limiter.acquire(company.id, endpoint.id, 'activity');
    if (permit.kind === 'granted') permit.release(9_000);
    const { body } = await pay(engine, company);
    const { id } = await waitForStatus(body, 'delivered');
    expect((await historyOf(id)).count('EVENT_TYPE_ACTIVITY_TASK_SCHEDULED')).toBe(1);
  });

  it('a delivery to an endpoint that is disabled before the start fails without a request, and is found by its status', async () => {
    const { company, receiver, endpoint } = await listening();
    const body = await createUnattempted(engine, company);
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
    const admin = await adminOf(engine.context, company.id);
    await webhooksOf(engine).webhookEndpoints.update(admin, endpoint.id, { enabled: false });
    start();
    const { id } = await waitForStatus(body, 'failed');
    await waitFor(() => historyOf(id));
    const { workflow } = engine.context.temporal;
    const { typedSearchAttributes } = await workflow.getHandle(`webhook-delivery/${id}`).describe();
    expect(typedSearchAttributes.get(deliveryStatusKey)).toBe('failed');
    expect(receiver.received).toEqual([]);
  });

  it('the sweeper starts a delivery whose workflow start failed', async () => {
    const { company, receiver } = await listening();
    const body = await createUnattempted(engine, company);
    const errors: unknown[] = [];
    const dispatcher = new AfterCommitDispatcher<DeliveryRef>(
      () => Promise.reject(new Error('Temporal went away')),
      (error) => errors.push(error),
    );
    await failNotAttempted(
      { ...engine.deps, startDeliveries: (deliveries) => dispatcher.dispatch(deliveries) },
      body.transaction_id,
    );
    await dispatcher.settled();
    expect(errors).toHaveLength(1);
    expect(receiver.received).toEqual([]);
    await engine.context.db.query(
      'UPDATE webhook_deliveries SET recover_after = now() WHERE subject_id = $1',
      [body.transaction_id],
    );
    await engine.sweeper.sweepOnce();
    await waitForStatus(body, 'delivered');
  });
});

describe('the after-commit dispatcher', () => {
  it('never has more than a hundred calls in flight', async () => {
    let calls = 0;
    let respond: (() => void) | undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const ensureStarted = (): Promise<void> => {
      calls += 1;
      return response;
    };
    const dispatcher = new AfterCommitDispatcher<DeliveryRef>(ensureStarted, () => undefined);
    const delivery = {
      id: randomUUID() as DeliveryId,
      companyId: 1,
      endpointId: 1,
      event: 'transaction.approved' as const,
    };
    for (let count = 0; count < 150; count += 1) dispatcher.dispatch([delivery]);
    expect(calls).toBe(100);
    respond?.();
    await dispatcher.settled();
    dispatcher.dispatch([delivery]);
    expect(calls).toBe(101);
    await dispatcher.settled();
  });
});
