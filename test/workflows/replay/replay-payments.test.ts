import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { OperationBody } from '../../../src/application/payments/prepare-operation';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { recordedHistories, recording, saveHistory } from '../../support/scenarios/histories';
import { pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany, rawCard } from '../../support/fixtures/payments';
import { expectReplays } from '../../support/scenarios/replay';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { addEndpoint } from '../../support/fixtures/webhooks';
import { waitFor } from '../../support/stack/wait-for';
import { resolve } from '../../support/scenarios/resolve';

let engine: Engine;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  const settings = { STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '5', WEBHOOK_RETRY_SCHEDULE: '0.2' };
  engine = await startEngine(settings, { workers: 'all' });
});
afterAll(async () => {
  receiver.close();
  await engine.stop();
});

/** Each scenario returns the transaction id of a payment. */
const PAYMENT_SCENARIOS: Readonly<Record<string, () => Promise<string>>> = {
  'payment-approved': () => paidId(['gateway_1']),
  'payment-declined': () => paidId(['gateway_1'], {}, { card: rawCard('4000000000009987') }),
  'payment-failed-over': () => paidId(['gateway_1', 'gateway_2'], { decline: '91' }),
  'payment-found-by-inquiry': () => paidId(['gateway_2'], { drop: 'after' }),
  'payment-proven-absent': () => paidId(['gateway_2', 'gateway_1'], { drop: 'before' }),
  'payment-resolved-by-operator': async () => {
    const id = await paidId(['gateway_3', 'gateway_1'], { drop: 'before' });
    const handle = engine.context.temporal.workflow.getHandle(`payment/${id}`);
    await waitFor(async () => (await engine.context.payments.get(id)).stuckAt !== null);
    await resolve(engine, id, 'absent');
    await handle.result();
    return id;
  },
  'authorization-captured-in-part': async () => {
    const { company, body } = await paid(['gateway_1'], {}, { capture: false });
    await operate(company, body, 'capture', { amount: body.amount - 1 });
    return body.transaction_id;
  },
  'authorization-canceled': async () => {
    const { company, body } = await paid(['gateway_1'], {}, { capture: false });
    await operate(company, body, 'cancel');
    return body.transaction_id;
  },
  'authorization-expired': async () => {
    const { company, body } = await paid(['gateway_1'], {}, { capture: false });
    await advanceClock(company, body, 8 * DAY_MS);
    return body.transaction_id;
  },
  'payment-refunded-after-its-run-had-closed': async () => {
    const { company, body } = await paid(['gateway_1']);
    await engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`).result();
    await operate(company, body, 'refund', { amount: 1 });
    return body.transaction_id;
  },
  'refund-found-by-inquiry': async () => {
    const { company, body } = await paid(['gateway_2']);
    await engine.simulator.script({ amount: body.amount, operation: 'refund' }, { drop: 'after' });
    await operate(company, body, 'refund');
    return body.transaction_id;
  },
  'pix-paid': async () => {
    const { company, body } = await paid(['gateway_1'], {}, PIX);
    await engine.simulator.pay(body.transaction_id);
    await advanceClock(company, body, 2 * MINUTE_MS);
    return body.transaction_id;
  },
  'payment-with-two-endpoints': async () => (await paidWithEndpoints()).transaction_id,
  'pix-expired': async () => {
    const { company, body } = await paid(['gateway_3'], {}, PIX);
    await advanceClock(company, body, 2 * DAY_MS);
    return body.transaction_id;
  },
};

/** The answers of a receiver to a delivery. */
const DELIVERY_SCENARIOS: Readonly<Record<string, readonly number[]>> = {
  'delivery-first-attempt': [200],
  'delivery-second-attempt': [503, 200],
  'delivery-failed': [503, 503],
  'delivery-endpoint-gone': [410],
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const PIX = { payment_method: 'pix', card: null, billing_address: null } as const;

async function operate(
  company: AuthenticatedCompany,
  { transaction_id: id }: PaymentBody,
  operation: PaymentOperation,
  request: OperationBody = {},
): Promise<void> {
  const command = { company, operation, id, idempotencyKey: null, request, receivedAt: new Date() };
  await engine.payments.operatePayment.execute(command);
}

async function advanceClock(
  company: AuthenticatedCompany,
  { transaction_id: id }: PaymentBody,
  ms: number,
): Promise<void> {
  const advanceTo = new Date(Date.now() + ms);
  await engine.payments.advanceClock.execute({ companyId: company.id, id, advanceTo });
}

async function paidId(...payment: Parameters<typeof paid>): Promise<string> {
  return (await paid(...payment)).body.transaction_id;
}

async function paid(
  gateways: readonly GatewaySlug[],
  behavior: object = {},
  change: Partial<PaymentRequest> = {},
): Promise<{ company: AuthenticatedCompany; body: PaymentBody }> {
  const company = await newCompany(engine, gateways);
  const amount = uniqueAmount();
  const [gateway] = gateways;
  if (gateway !== undefined && Object.keys(behavior).length > 0) {
    await engine.simulator.script({ gateway, amount, operation: 'charge' }, behavior);
  }
  const { body } = await pay(engine, company, { amount, ...change });
  return { company, body };
}

/** A payment of a company with two endpoints. */
async function paidWithEndpoints(): Promise<PaymentBody> {
  const company = await newCompany(engine);
  await addEndpoint(engine, company, receiver.url);
  await addEndpoint(engine, company, `${receiver.url}/second`);
  return (await pay(engine, company, { amount: uniqueAmount() })).body;
}

/** Returns the id of a delivery to a receiver with these answers. */
async function delivery(answers: readonly number[]): Promise<string> {
  const company = await newCompany(engine);
  await addEndpoint(engine, company, receiver.url);
  const remaining = [...answers];
  receiver.behave((response) => void response.writeHead(remaining.shift() ?? 200).end());
  const { body } = await pay(engine, company, { amount: uniqueAmount() });
  return body.webhook?.id ?? '';
}

describe('workflow code', () => {
  it.each(Object.keys(PAYMENT_SCENARIOS))('the history of %s replays', async (name) => {
    const id = (await PAYMENT_SCENARIOS[name]?.()) ?? '';
    const handle = engine.context.temporal.workflow.getHandle(`payment/${id}`);
    await handle.result();
    const history = await handle.fetchHistory();
    if (recording) saveHistory(`${name}-in-workflow-tasks`, history);
    await expectReplays(engine, [{ workflowId: handle.workflowId, history }]);
  });

  it.each(Object.entries(DELIVERY_SCENARIOS))('the history of %s replays', async (name, answers) => {
    const workflowId = `webhook-delivery/${await delivery(answers)}`;
    const handle = engine.context.temporal.workflow.getHandle(workflowId);
    await waitFor(() => handle.result());
    const history = await handle.fetchHistory();
    if (recording) saveHistory(`${name}-without-status`, history);
    await expectReplays(engine, [{ workflowId, history }]);
  });

  it('every recorded history replays', async () => {
    const histories = recordedHistories();
    expect(histories.length).toBeGreaterThanOrEqual(
      Object.keys({ ...PAYMENT_SCENARIOS, ...DELIVERY_SCENARIOS }).length,
    );
    await expectReplays(engine, histories);
  });
});
