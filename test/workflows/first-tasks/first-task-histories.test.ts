import type { temporal } from '@temporalio/proto';
import { EncryptionCodec } from '../../../src/temporal/codec';
import { FIRST_TASK_TIMEOUT_MS } from '../../../src/temporal/first-tasks/payment-first-tasks';
import { paymentStartOptions } from '../../../src/temporal/payments';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { payment } from '../../../workflows/payments/payment';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { addEndpoint } from '../../support/fixtures/webhooks';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { storeCallback } from '../../support/scenarios/callbacks';
import { purchase, requestOperation, signalWorkflow, type Purchase } from '../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';

/**
 * A process that makes the first tasks of workflows by itself sends Temporal what the SDK's worker would make of the workflow's code.
 * These tests compare both.
 */

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;

let own: Engine;
let sdk: Engine;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const settings = { WEBHOOK_RETRY_SCHEDULE: '600' };
  own = await startEngine(settings, { workers: 'all' });
  sdk = await startEngine(settings, { workers: 'all', firstTasksHere: false });
});
afterAll(async () => {
  receiver.close();
  await Promise.all([own.stop(), sdk.stop()]);
});

/** The payment is committed, and its workflow is started for a worker with the input of a first task. */
async function payAtWorker(
  company: AuthenticatedCompany,
  change: Partial<PaymentRequest>,
): Promise<Purchase> {
  const { body } = await pay({ payments: sdk.idlePayments }, company, change);
  const record = await sdk.context.payments.get(body.transaction_id);
  const options = paymentStartOptions(sdk.config.temporal.taskQueue, record);
  const [input] = options.args;
  await sdk.context.temporal.workflow.start<typeof payment>('payment', {
    ...options,
    args: [{ ...input, firstAttempt: 'local', laterSteps: 'local' }],
    workflowTaskTimeout: FIRST_TASK_TIMEOUT_MS,
  });
  return { company, body };
}

const workflowOf = ({ body }: Pick<Purchase, 'body'>): string => `payment/${body.transaction_id}`;

/** What a task of a workflow added to its history, in plain text and without what differs from run to run. */
async function taskOf(
  { config, context }: Engine,
  workflowId: string,
  which: 'first' | 'second',
): Promise<unknown[]> {
  const codec = new EncryptionCodec(config.secrets.codecKeys);
  const text = (payloads: readonly Payload[] | null | undefined): unknown[] =>
    codec.read([...(payloads ?? [])]).map(({ data }) => withoutInstants(parse(data)));
  const handle = context.temporal.workflow.getHandle(workflowId);
  const completed = ({ workflowTaskCompletedEventAttributes: task }: HistoryEvent): boolean => Boolean(task);
  const tasks = which === 'first' ? 1 : 2;
  const events = await waitFor(async () => {
    const all = (await handle.fetchHistory()).events ?? [];
    return all.filter(completed).length >= tasks ? all : null;
  });
  const from = events.indexOf(events.filter(completed)[tasks - 1] ?? {});
  const next = events.findIndex(
    ({ workflowTaskScheduledEventAttributes: task }, index) => task && index > from,
  );
  return events.slice(from, next === -1 ? undefined : next).map((event) => describeEvent(event, text));
}

const firstTaskOf = (engine: Engine, workflowId: string) => taskOf(engine, workflowId, 'first');

/** The queue by which Temporal gave away the last task of a run. */
async function lastQueueOf({ context }: Engine, workflowId: string): Promise<string | null | undefined> {
  const { events } = await context.temporal.workflow.getHandle(workflowId).fetchHistory();
  const tasks = events?.flatMap(({ workflowTaskScheduledEventAttributes: task }) => (task ? [task] : []));
  return tasks?.at(-1)?.taskQueue?.name;
}

function describeEvent(
  event: HistoryEvent,
  text: (payloads: readonly Payload[] | null | undefined) => unknown[],
): unknown {
  const { summary } = event.userMetadata ?? {};
  return {
    type: event.eventType,
    summary: summary ? text([summary]) : null,
    sdk: sdkOf(event),
    marker: event.markerRecordedEventAttributes && {
      name: event.markerRecordedEventAttributes.markerName,
      result: text(event.markerRecordedEventAttributes.details?.result?.payloads),
      data: text(event.markerRecordedEventAttributes.details?.data?.payloads),
    },
    attributes: Object.fromEntries(
      Object.entries(
        event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields ?? {},
      ).map(([name, payload]) => [name, text([payload])]),
    ),
    timer: event.timerStartedEventAttributes?.timerId ?? event.timerCanceledEventAttributes?.timerId ?? null,
    update: describeUpdate(event, text),
    result: text(event.workflowExecutionCompletedEventAttributes?.result?.payloads),
  };
}

function describeUpdate(
  { workflowExecutionUpdateAcceptedEventAttributes: accepted, ...event }: HistoryEvent,
  text: (payloads: readonly Payload[] | null | undefined) => unknown[],
): unknown {
  const completed = event.workflowExecutionUpdateCompletedEventAttributes;
  if (!accepted && !completed) return null;
  return {
    sequence: String(accepted?.acceptedRequestSequencingEventId),
    request: accepted?.acceptedRequest?.input?.name,
    args: text(accepted?.acceptedRequest?.input?.args?.payloads),
    acceptedBy: String(completed?.acceptedEventId),
    outcome: completed?.outcome?.success?.payloads?.map(({ metadata }) =>
      Object.keys(metadata ?? {}).toSorted(),
    ),
  };
}

function sdkOf({ workflowTaskCompletedEventAttributes: task }: HistoryEvent): unknown {
  const { coreUsedFlags, langUsedFlags, sdkName, sdkVersion } = task?.sdkMetadata ?? {};
  return { core: [...(coreUsedFlags ?? [])].toSorted(), lang: langUsedFlags ?? [], sdkName, sdkVersion };
}

function parse(data: Uint8Array | null | undefined): unknown {
  return JSON.parse(Buffer.from(data ?? []).toString('utf8'));
}

const DIFFERS = /^(attemptId|awaited|pollAt|recheckAt|absenceProvenInMs|pauseMs|seconds|nanos)$/;

function withoutInstants(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, field: unknown) => (DIFFERS.test(key) ? typeof field : field)),
  );
}

const PIX = { payment_method: 'pix', card: null, billing_address: null } as const;

describe('the first task that a process makes by itself has the history of the SDK for', () => {
  it.each<[string, Partial<PaymentRequest>]>([
    ['an approved card', {}],
    ['a declined card', { card: rawCard('4000000000009995') }],
    ['a pix that waits to be paid', PIX],
    ['an authorization that waits for its capture', { capture: false }],
  ])('%s', async (_what, change) => {
    const here = await pay(own, await newCompany(own), { amount: uniqueAmount(), ...change });
    const there = await payAtWorker(await newCompany(sdk), { amount: uniqueAmount(), ...change });
    const expected = await firstTaskOf(sdk, workflowOf(there));
    expect(expected.length).toBeGreaterThanOrEqual(4);
    expect(await firstTaskOf(own, workflowOf(here))).toEqual(expected);
  });

  it.each([
    ['a delivered webhook', 200],
    ['a webhook that is tried again', 503],
  ])('%s', async (_what, status) => {
    receiver.behave((response) => void response.writeHead(status).end());
    const deliveryOf = async (engine: Engine): Promise<string> => {
      const company = await newCompany(engine);
      await addEndpoint(engine, company, receiver.url);
      const { body } = await pay(engine, company);
      return `webhook-delivery/${body.webhook?.id}`;
    };
    const expected = await firstTaskOf(sdk, await deliveryOf(sdk));
    expect(expected.length).toBeGreaterThanOrEqual(3);
    expect(await firstTaskOf(own, await deliveryOf(own))).toEqual(expected);
  });
});

describe('the second task that a process makes by itself has the history of the SDK for', () => {
  it.each<[string, Partial<PaymentRequest>, (engine: Engine, paid: Purchase) => Promise<unknown>]>([
    [
      'a captured authorization',
      { capture: false },
      (engine, paid) => requestOperation(engine, paid, 'capture'),
    ],
    [
      'a pix that a callback reports as paid',
      PIX,
      async (engine, paid) => {
        await engine.simulator.pay(paid.body.transaction_id);
        await storeCallback(engine, paid);
        await signalWorkflow(engine, paid);
      },
    ],
  ])('%s', async (_what, change, act) => {
    const there = await payAtWorker(await newCompany(sdk), { amount: uniqueAmount(), ...change });
    await firstTaskOf(sdk, workflowOf(there));
    await act(sdk, there);
    const expected = await taskOf(sdk, workflowOf(there), 'second');
    expect(expected.length).toBeGreaterThanOrEqual(5);

    const here = await purchase(
      own,
      await newCompany(own),
      change.capture === false ? 'authorization' : 'pix',
    );
    await firstTaskOf(own, workflowOf(here));
    await act(own, here);
    expect(await taskOf(own, workflowOf(here), 'second')).toEqual(expected);
    const ownQueue = `${own.config.temporal.taskQueue}-`;
    expect(await lastQueueOf(own, workflowOf(here))).toEqual(expect.stringMatching(`^${ownQueue}`));
  });
});

describe('a first task after which the workflow goes on with another step', () => {
  it('leaves that to a worker, and adds nothing of its own to the history', async () => {
    const amount = uniqueAmount();
    await own.simulator.script({ gateway: 'gateway_1', amount }, { decline: '91' });
    const company = await newCompany(own, ['gateway_1', 'gateway_2']);
    const { body } = await pay(own, company, { amount });
    expect(body).toMatchObject({ status: 'approved', attempts: 2 });
    expect(await firstTaskOf(own, `payment/${body.transaction_id}`)).toMatchObject([{ marker: null }]);
  });
});
