import { randomBytes } from 'node:crypto';
import { Worker } from '@temporalio/worker';
import { attemptReference } from '../../../src/domain/payments/payment';
import { SPAN_ATTRIBUTES } from '../../../src/tracing/spans';
import { addEndpoint } from '../../support/fixtures/webhooks';
import { freePort } from '../../../src/dev/ports';
import { uniqueAmount } from '../../support/scenarios/pay';
import {
  startSpanReceiver,
  treeOf,
  type ReceivedSpan,
  type SpanReceiver,
} from '../../support/tracing/span-receiver';
import { readStack } from '../../support/stack/stack';
import { waitFor } from '../../support/stack/wait-for';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { callbackBody, signed } from '../callbacks/callback-api';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { examplePaymentRequest } from '../support/payment-examples';
import { pendingRequest } from '../support/payment-scenario';

/** In everything that a person or a secret could be recognized by. */
const CANARY = 'canary';
const CARD = '4111111111111111';

let collector: SpanReceiver;
let merchant: WebhookReceiver;
let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  collector = await startSpanReceiver();
  merchant = await startWebhookReceiver();
  api = await startEngineApi({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_SERVICE_NAME: 'payments',
    GATEWAY_3_URL: `${merchant.url}/as-gateway`,
  });
  client = await registerWithGateways(api, ['gateway_1', 'gateway_2'], (slug) => `sk_test_${CANARY}_${slug}`);
  const [company] = await api.engine.context.db.query<{ id: number }>('SELECT id FROM companies');
  if (company === undefined) throw new Error('no company was registered');
  await addEndpoint(api.engine, company, `${merchant.url}/${CANARY}`);
});
afterAll(async () => {
  await api.stop();
  merchant.close();
  await collector.close();
});

const newTrace = () => ({ id: randomBytes(16).toString('hex'), parent: randomBytes(8).toString('hex') });

/** Of a client that traces, and does not record this request. */
const headersOf = ({ id, parent }: ReturnType<typeof newTrace>) => ({
  traceparent: `00-${id}-${parent}-00`,
  tracestate: `vendor=${CANARY}`,
  baggage: `user=${CANARY}`,
});

function request() {
  return {
    ...examplePaymentRequest(),
    amount: uniqueAmount(),
    customer: { name: `Maria ${CANARY}`, email: `${CANARY}@example.com`, document: '52998224725' },
    card: { number: CARD, holder_name: `MARIA ${CANARY}`, expire_month: 12, expire_year: 2035, cvv: '737' },
  };
}

function spansOf(traceId: string, name: string): ReceivedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId && span.name === name);
}

/** The trace, once the webhook was sent and all spans above it have arrived. */
async function delivered({ id, parent }: ReturnType<typeof newTrace>): Promise<string[]> {
  await waitFor(() => {
    const trace = collector.spans.filter(({ traceId }) => traceId === id);
    const ids = new Set(trace.map((span) => span.id));
    const isComplete = trace.every(({ parentId }) => parentId === parent || ids.has(parentId ?? ''));
    return isComplete && spansOf(id, 'activity deliverLocally').length === 1;
  });
  return treeOf(collector.spans, id);
}

it('a payment is one trace, from the request over its attempt to the delivery of its webhook', async () => {
  const trace = newTrace();
  const health = newTrace();
  await fetch(`${api.baseUrl}/health/live`, { headers: headersOf(health) });
  const answer = await client('createCardPayment', { body: request(), headers: headersOf(trace) });
  const { transaction_id: id } = expectStatus(answer, 200).body;
  expect(await delivered(trace)).toEqual([
    'POST /api/v1/payments/card',
    '  postgres transaction',
    '  start payment',
    '    activity firstAttempt',
    '      postgres transaction',
    '      charge gateway_1',
    '      postgres transaction',
    '        start webhookDelivery',
    '          activity deliverLocally',
    '            post webhook',
  ]);
  expect(treeOf(collector.spans, health.id)).toEqual([]);
  const [first] = spansOf(trace.id, 'POST /api/v1/payments/card');
  expect(first).toMatchObject({
    service: 'payments',
    parentId: trace.parent,
    attributes: { 'http.response.status_code': '200' },
  });
  expect(spansOf(trace.id, 'activity firstAttempt')[0]?.attributes).toEqual({
    activity: 'firstAttempt',
    activity_attempt: '1',
    activity_is_local: true,
    workflow_type: 'payment',
    workflow_id: `payment/${id}`,
  });
  expect(spansOf(trace.id, 'charge gateway_1')[0]?.attributes).toEqual({
    gateway: 'gateway_1',
    vendor: 'simulator',
    operation: 'charge',
    outcome: 'approved',
  });
  expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer of-the-collector' });

  const handle = api.engine.context.temporal.workflow.getHandle(`payment/${id}`);
  const options = {
    workflowBundle: { codePath: readStack().workflowBundlePath },
    dataConverter: api.engine.context.dataConverter,
  };
  await handle.result();
  await Worker.runReplayHistory(options, await handle.fetchHistory(), `payment/${id}`);
});

it('a failover shows each gateway with its outcome in the same trace', async () => {
  const trace = newTrace();
  const body = request();
  const { amount } = body;
  await api.engine.simulator.script({ gateway: 'gateway_1', amount, operation: 'charge' }, { decline: '91' });
  expectStatus(await client('createCardPayment', { body, headers: headersOf(trace) }), 200);
  const calls = (await delivered(trace))
    .map((line) => line.trim())
    .filter((line) => line.startsWith('charge'));
  expect(calls).toEqual(['charge gateway_1', 'charge gateway_2']);
  expect(spansOf(trace.id, 'charge gateway_1')[0]?.attributes['outcome']).toBe('declined');
  expect(spansOf(trace.id, 'charge gateway_2')[0]?.attributes['outcome']).toBe('approved');
});

it('what a callback leads to is a part of the callback’s trace', async () => {
  const created = newTrace();
  const { customer } = request();
  const body = pendingRequest({ amount: uniqueAmount(), customer });
  const answer = await client('createPixPayment', { body, headers: headersOf(created) });
  const { transaction_id: id } = expectStatus(answer, 200).body;
  await delivered(created);
  await api.engine.simulator.pay(id);
  const paid = newTrace();
  const callback = callbackBody(attemptReference(id, 1, 'charge'));
  const headers = { ...signed(callback), ...headersOf(paid) };
  const options = { params: { gateway: 'gateway_1' }, body: callback, headers };
  expectStatus(await api.anonymous('receiveCallback', options), 200);
  expect(await delivered(paid)).toEqual([
    'POST /api/v1/webhooks/{gateway}',
    '  signal wake',
    '    activity localPoll',
    '      inquire gateway_1',
    '      postgres transaction',
    '        start webhookDelivery',
    '          activity deliverLocally',
    '            post webhook',
  ]);
});

it('nothing personal or secret is in a span, and neither gateways nor receivers of webhooks get the trace', async () => {
  await registerWithGateways(api, ['gateway_3']);
  expect(collector.spans.length).toBeGreaterThan(20);
  expect(collector.bytes()).not.toMatch(
    new RegExp(`${CANARY}|Maria|MARIA|${CARD}|411111|52998224725|sk_test|whsec|127\\.0\\.0\\.1`, 'i'),
  );
  for (const { attributes, events, status } of collector.spans) {
    expect(SPAN_ATTRIBUTES).toEqual(expect.arrayContaining(Object.keys(attributes)));
    expect(events).toBe(0);
    expect(status.message).toBeUndefined();
  }
  const isGateway = merchant.received.map(({ path }) => path.includes('as-gateway'));
  expect(new Set(isGateway)).toEqual(new Set([true, false]));
  for (const { headers } of merchant.received) expect(headers).not.toHaveProperty('traceparent');
});

it('payments go on while the receiver of spans is away, and the lost spans are counted', async () => {
  const away = await startEngineApi({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
  try {
    const payer = await registerWithGateways(away);
    const answer = await payer('createCardPayment', { body: request() });
    expect(expectStatus(answer, 200).body.status).toBe('approved');
    await waitFor(() => away.engine.tracing.counts().failed > 0);
    expect(away.engine.tracing.counts().sent).toBe(0);
  } finally {
    await away.stop();
  }
});
