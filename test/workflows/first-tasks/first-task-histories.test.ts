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
async function payAtWorker(company: AuthenticatedCompany, change: Partial<PaymentRequest>): Promise<string> {
  const { body } = await pay({ payments: sdk.idlePayments }, company, change);
  const record = await sdk.context.payments.get(body.transaction_id);
  const options = paymentStartOptions(sdk.config.temporal.taskQueue, record);
  const [input] = options.args;
  const handle = await sdk.context.temporal.workflow.start<typeof payment>('payment', {
    ...options,
    args: [{ ...input, firstAttempt: 'local', laterSteps: 'local' }],
    workflowTaskTimeout: FIRST_TASK_TIMEOUT_MS,
  });
  return handle.workflowId;
}

/** What the first task of a workflow added to its history, in plain text and without what differs from run to run. */
async function firstTaskOf({ config, context }: Engine, workflowId: string): Promise<unknown[]> {
  const codec = new EncryptionCodec(config.secrets.codecKeys);
  const text = (payloads: readonly Payload[] | null | undefined): unknown[] =>
    codec.read([...(payloads ?? [])]).map(({ data }) => withoutInstants(parse(data)));
  const handle = context.temporal.workflow.getHandle(workflowId);
  const events = await waitFor(async () => {
    const all = (await handle.fetchHistory()).events ?? [];
    return all.some(({ workflowTaskCompletedEventAttributes: task }) => task) ? all : null;
  });
  const from = events.findIndex(({ workflowTaskCompletedEventAttributes: task }) => task);
  const next = events.findIndex(
    ({ workflowTaskScheduledEventAttributes: task }, index) => task && index > from,
  );
  return events.slice(from, next === -1 ? undefined : next).map((event) => describeEvent(event, text));
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
    timer: event.timerStartedEventAttributes?.timerId ?? null,
    result: text(event.workflowExecutionCompletedEventAttributes?.result?.payloads),
  };
}

function sdkOf({ workflowTaskCompletedEventAttributes: task }: HistoryEvent): unknown {
  const { coreUsedFlags, langUsedFlags, sdkName, sdkVersion } = task?.sdkMetadata ?? {};
  return { core: [...(coreUsedFlags ?? [])].toSorted(), lang: langUsedFlags ?? [], sdkName, sdkVersion };
}

function parse(data: Uint8Array | null | undefined): unknown {
  return JSON.parse(Buffer.from(data ?? []).toString('utf8'));
}

const DIFFERS = /^(attemptId|pollAt|recheckAt|absenceProvenInMs|pauseMs|seconds|nanos)$/;

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
    const expected = await firstTaskOf(sdk, there);
    expect(expected.length).toBeGreaterThanOrEqual(4);
    expect(await firstTaskOf(own, `payment/${here.body.transaction_id}`)).toEqual(expected);
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
