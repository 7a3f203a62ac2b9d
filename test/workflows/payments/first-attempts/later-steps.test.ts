import type { AuthenticatedCompany } from '../../../../src/domain/companies/company';
import { callbackBody, signed } from '../../../api/callbacks/callback-api';
import { expectStatus } from '../../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../../api/support/engine-api';
import { newCompany } from '../../../support/fixtures/payments';
import { ledgerOf } from '../../../support/scenarios/pay';
import {
  purchase,
  requestOperation,
  signalWorkflow,
  waitForPayment,
  type Purchase,
} from '../../../support/scenarios/purchase';
import { eventTypesOf } from '../../../support/scenarios/runs';
import type { Engine } from '../../../support/stack/engine';
import { waitFor } from '../../../support/stack/wait-for';

const NEXT_TASK = ['workflowTaskScheduled', 'workflowTaskStarted', 'workflowTaskCompleted'];
/** A payment that waits after its first task. */
const WAITING = [
  'workflowExecutionStarted',
  ...NEXT_TASK,
  'markerRecorded',
  'upsertWorkflowSearchAttributes',
  'timerStarted',
];

let api: EngineApi;
let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  ({ engine } = api);
  company = await newCompany(engine);
});
afterAll(() => api.stop());

const eventsOf = ({ body }: Purchase) =>
  eventTypesOf(engine.context.temporal, `payment/${body.transaction_id}`);

/** Sends a signed callback of the gateway, which reports a paid pix. */
async function callBack({ body: { transaction_id: id, amount } }: Purchase): Promise<void> {
  const content = callbackBody(`${id}-1`, { kind: 'approved', amount, paid_amount: amount });
  const request = { params: { gateway: 'gateway_1' }, body: content, headers: signed(content) };
  expectStatus(await api.anonymous('receiveCallback', request), 200);
}

async function captures({ body }: Purchase): Promise<number> {
  const requests = await engine.simulator.requests(body.transaction_id);
  return requests.filter(({ operation }) => operation === 'capture').length;
}

describe('a payment that waits after its first task', () => {
  it('is captured inside the task that brings the update', async () => {
    const authorized = await purchase(engine, company, 'authorization');
    expect(await requestOperation(engine, authorized, 'capture')).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    });
    expect(await eventsOf(authorized)).toEqual([
      ...WAITING,
      ...NEXT_TASK,
      'workflowExecutionUpdateAccepted',
      'timerCanceled',
      'markerRecorded',
      'upsertWorkflowSearchAttributes',
      'workflowExecutionUpdateCompleted',
      'workflowExecutionCompleted',
    ]);
  });

  it('is paid inside the task that brings the signal of a callback', async () => {
    const pix = await purchase(engine, company, 'pix');
    await engine.simulator.pay(pix.body.transaction_id);
    await callBack(pix);
    await waitForPayment(engine, pix, { status: 'approved' });
    expect(await eventsOf(pix)).toEqual([
      ...WAITING,
      'workflowExecutionSignaled',
      ...NEXT_TASK,
      'timerCanceled',
      'markerRecorded',
      'upsertWorkflowSearchAttributes',
      'workflowExecutionCompleted',
    ]);
  });

  it('is captured once although a signal makes Temporal repeat the task', async () => {
    const authorized = await purchase(engine, company, 'authorization');
    const { transaction_id: id, amount } = authorized.body;
    await engine.simulator.script({ transaction_id: id, operation: 'capture' }, { delay_ms: 1_000 });
    const capturing = requestOperation(engine, authorized, 'capture');
    await waitFor(async () => (await captures(authorized)) === 1);
    await signalWorkflow(engine, authorized);
    expect(await capturing).toMatchObject({ status: 200, body: { status: 'approved' } });
    await engine.context.temporal.workflow.getHandle(`payment/${id}`).result();
    expect(await captures(authorized)).toBe(1);
    expect(await ledgerOf(engine, authorized.body)).toMatchObject({ captured: amount });
  });
});
