import { createHash, createHmac } from 'node:crypto';
import { chargeReference } from '../../../src/gateways/adyen/references';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  disputeEvents,
  disputePostings,
  onlyDispute,
  untilDispute,
  untilProcessed,
} from '../../workflows/disputes/dispute-scenario';

const DRIVER = { GATEWAY_5_DRIVER: 'adyen' };
const SECRET = 'AQE-key-of-the-dispute-test';
/** The sandbox's own secret. */
const WEBHOOK_SECRET = 'whsec_sandbox_gateway_5';

let simulator: SimulatorProcess;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_5`;
  const urls = { GATEWAY_5_URL: url, GATEWAY_5_DISPUTES_URL: `${url}/disputes` };
  api = await startEngineApi(
    { ...DRIVER, ...urls, GATEWAY_TIMEOUT: '5', ABSENCE_PROVEN_AFTER: '7', STUCK_AFTER: '30' },
    { workers: 'payments' },
  );
  ({ byKey, byToken } = await registerCompanyWithUser(api, []));
  const gateway = {
    ...{ gateway_slug: 'gateway_5', secret_key: SECRET },
    credentials: { merchant_account: 'LojaECOM' },
  } as const;
  expectStatus(await byKey('saveGateways', { body: { gateways: [gateway] } }), 200);
  await simulator.control.setUpAccount(SECRET, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

async function openedDispute(options: Parameters<typeof simulator.control.openDispute>[1] = {}) {
  const payment = await sale(byKey, { amount: 1_000 });
  const { id: gatewayId } = await simulator.control.openDispute(payment.transaction_id, {
    ...{ amount: 600, reason_code: '13.1', evidence_due_in: 10 * 24 * 3_600 },
    ...options,
  });
  return { payment, gatewayId, dispute: await untilDispute(byToken, payment, 'opened') };
}

/** A webhook about a dispute of the payment, signed. */
function webhook(payment: PaymentBody, changes: object) {
  const item = {
    // All events of a dispute have the same, and no other dispute has it.
    pspReference: payment.transaction_id.slice(-12).toUpperCase(),
    originalReference: payment.transactions[0]?.gateway_transaction_id ?? '',
    merchantAccountCode: 'LojaECOM',
    merchantReference: chargeReference(`${payment.transaction_id}-1`, 'sale'),
    amount: { value: 1_000, currency: 'BRL' },
    eventCode: 'CHARGEBACK',
    eventDate: '2026-05-04T12:00:00+00:00',
    success: 'true',
    ...changes,
  };
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount } = item;
  const { eventCode, success } = item;
  const signed = [
    ...[pspReference, originalReference, merchantAccountCode, merchantReference],
    ...[amount.value, amount.currency, eventCode, success],
  ].join(':');
  const hmacSignature = createHmac('sha256', WEBHOOK_SECRET).update(signed).digest('base64');
  return { ...item, additionalData: { hmacSignature } };
}

const send = (item: object) =>
  api.anonymous('receiveCallback', {
    params: { gateway: 'gateway_5' },
    body: { live: 'false', notificationItems: [{ NotificationRequestItem: item }] },
  });

describe('a dispute at Adyen', () => {
  it('is opened with its amount, reason and deadline, defended on Adyen’s pages, lost, and books the money', async () => {
    const { payment, gatewayId, dispute } = await openedDispute();
    expect(dispute).toMatchObject({
      kind: 'chargeback',
      amount: 600,
      reason_code: '13.1',
      gateway: 'gateway_5',
    });
    const daysLeft = (Date.parse(dispute.evidence_due_at ?? '') - Date.now()) / (24 * 3_600_000);
    expect(daysLeft).toBeGreaterThan(9);
    await simulator.control.changeDispute(gatewayId, { status: 'submitted' });
    await untilDispute(byToken, payment, 'submitted');
    await simulator.control.changeDispute(gatewayId, { status: 'lost' });
    expect(await untilDispute(byToken, payment, 'lost')).toMatchObject({ amount: 600, returned_amount: 0 });
    expect(await disputeEvents(api, dispute.id)).toEqual(['opened', 'closed']);
    expect((await disputePostings(byToken, payment)).map(([kind]) => kind)).toEqual([
      'dispute_held',
      'dispute_lost',
    ]);
  });

  it('that was won is opened again by the issuer’s pre-arbitration, and decided by its result', async () => {
    const { payment, gatewayId, dispute } = await openedDispute();
    await simulator.control.changeDispute(gatewayId, { status: 'won' });
    expect(await untilDispute(byToken, payment, 'won')).toMatchObject({ returned_amount: 600 });
    await simulator.control.changeDispute(gatewayId, { status: 'reopened' });
    await untilDispute(byToken, payment, 'opened');
    await simulator.control.changeDispute(gatewayId, { status: 'lost' });
    await untilDispute(byToken, payment, 'lost');
    expect(await disputeEvents(api, dispute.id)).toEqual(['opened', 'closed', 'opened', 'closed']);
  });

  it('that only asks for information moves no money', async () => {
    const { payment, dispute } = await openedDispute({ kind: 'retrieval' });
    expect(dispute).toMatchObject({ kind: 'retrieval' });
    expect(await disputePostings(byToken, payment)).toEqual([]);
  });

  it('is ordered by Adyen’s clock, whatever the order in which the webhooks arrive', async () => {
    const payment = await sale(byKey, { amount: 1_000 });
    const won = webhook(payment, {
      eventCode: 'CHARGEBACK_REVERSED',
      eventDate: '2026-05-09T12:00:00+00:00',
    });
    expectStatus(await send(won), 200);
    const { id } = await untilDispute(byToken, payment, 'won');
    expectStatus(await send(webhook(payment, {})), 200);
    await untilProcessed(api, payment);
    expect((await onlyDispute(byToken, payment)).status).toBe('won');
    expect(await disputeEvents(api, id)).toEqual(['closed']);
  });

  it('is not changed by an event that is sent again with a later date, which Adyen does not sign', async () => {
    const payment = await sale(byKey, { amount: 1_000 });
    const opened = webhook(payment, {});
    expectStatus(await send(opened), 200);
    await untilDispute(byToken, payment, 'opened');
    const reversed = { eventCode: 'CHARGEBACK_REVERSED', eventDate: '2026-05-09T12:00:00+00:00' };
    expectStatus(await send(webhook(payment, reversed)), 200);
    await untilDispute(byToken, payment, 'won');
    expectStatus(await send({ ...opened, eventDate: '2026-06-01T12:00:00+00:00' }), 200);
    await untilProcessed(api, payment);
    expect((await onlyDispute(byToken, payment)).status).toBe('won');
  });

  it('is neither opened by an unsigned webhook nor by one with another amount than was signed', async () => {
    const payment = await sale(byKey, { amount: 1_000 });
    const signed = webhook(payment, {});
    expectStatus(await send({ ...signed, amount: { value: 999, currency: 'BRL' } }), 401);
    expectStatus(await send({ ...signed, additionalData: {} }), 200);
    expectStatus(await send({ ...signed, eventCode: 'NOTIFICATION_OF_FRAUD', additionalData: {} }), 200);
    const { data } = expectStatus(
      await byToken('listDisputes', { query: { transaction_id: payment.transaction_id } }),
      200,
    ).body;
    expect(data).toEqual([]);
  });
});

describe('an answer to a dispute at Adyen', () => {
  const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 13, 10])]);
  const DEFENSE = {
    kind: 'other',
    file: { name: 'defense.pdf', content_type: 'application/pdf', content: PDF.toString('base64') },
  } as const;

  const accept = (id: string) => byToken('acceptDispute', { params: { id } });
  const submit = (id: string) => byToken('submitDispute', { params: { id } });
  const add = (id: string, body: object) => byToken('addEvidence', { params: { id }, body });

  const untilAnswered = (payment: PaymentBody) =>
    waitFor(
      async () => {
        const dispute = await onlyDispute(byToken, payment);
        const status = dispute.last_request?.status;
        return status !== 'requested' && status !== 'sent' && dispute;
      },
      { what: 'the result of the answer', withinMs: 40_000 },
    );

  async function answersSent({ transaction_id }: PaymentBody): Promise<number> {
    const requests = await simulator.control.requests(transaction_id);
    return requests.filter(({ operation }) => operation === 'dispute').length;
  }

  it('that accepts it is taken once', async () => {
    const { payment, gatewayId, dispute } = await openedDispute();
    expect([200, 202]).toContain((await accept(dispute.id)).status);
    expect(await untilDispute(byToken, payment, 'accepted')).toMatchObject({
      last_request: { kind: 'accept', status: 'done' },
    });
    expect(await simulator.control.dispute(gatewayId)).toMatchObject({ status: 'lost' });
    expect(await answersSent(payment)).toBe(1);
  });

  it('that defends it is one document with all of the evidence, and other evidence is drafts again', async () => {
    const { payment, gatewayId, dispute } = await openedDispute();
    const text = { kind: 'shipping_tracking_number', text: 'BR123456789BR' } as const;
    const { data: tracking } = expectStatus(await add(dispute.id, text), 201).body;
    expectStatus(await submit(dispute.id), 202);
    expect((await untilAnswered(payment)).last_request).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('one file with all of the evidence') as unknown,
    });
    const params = { id: dispute.id, evidence_id: tracking.id };
    expectStatus(await byToken('deleteEvidence', { params }), 204);
    expectStatus(await add(dispute.id, DEFENSE), 201);
    expect([200, 202]).toContain((await submit(dispute.id)).status);
    await untilDispute(byToken, payment, 'submitted');
    const sha256 = createHash('sha256').update(PDF).digest('hex');
    expect((await simulator.control.dispute(gatewayId)).evidence).toEqual([
      { kind: 'DefenseMaterial', bytes: PDF.length, sha256 },
    ]);
    expect(await answersSent(payment)).toBe(1);
  });

  it('that got no reply is confirmed by Adyen’s webhook, else sent again, and is unknown if Adyen refuses the repetition', async () => {
    const lost = async (drop: 'before' | 'after', answer: (id: string) => Promise<{ status: number }>) => {
      const { payment, dispute } = await openedDispute();
      const { transaction_id } = payment;
      await simulator.control.script({ transaction_id, operation: 'dispute' }, { drop });
      expect((await answer(dispute.id)).status).toBe(202);
      return { payment, answered: await untilAnswered(payment) };
    };
    const defend = async (id: string) => {
      expectStatus(await add(id, DEFENSE), 201);
      return submit(id);
    };
    const [confirmed, again, unknown] = await Promise.all([
      lost('after', defend),
      lost('before', accept),
      lost('after', accept),
    ]);
    // Adyen announces a defense.
    expect(confirmed.answered).toMatchObject({ status: 'submitted', last_request: { status: 'done' } });
    expect(await answersSent(confirmed.payment)).toBe(1);
    expect(again.answered).toMatchObject({ status: 'accepted', last_request: { status: 'done' } });
    // Adyen has the acceptance, and nobody can tell: it refuses the second one.
    expect(unknown.answered).toMatchObject({ status: 'opened', last_request: { status: 'unknown' } });
    const ended = { eventCode: 'DISPUTE_DEFENSE_PERIOD_ENDED', eventDate: '2099-01-01T12:00:00+00:00' };
    const pspReference = unknown.answered.gateway_dispute_id;
    const amount = { value: 600, currency: 'BRL' };
    expectStatus(await send(webhook(unknown.payment, { ...ended, pspReference, amount })), 200);
    await untilDispute(byToken, unknown.payment, 'accepted');
  }, 90_000);
});
