import { createHash, randomUUID } from 'node:crypto';
import type { components } from '../../../src/http/generated/openapi';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, sale } from '../../api/support/payment-scenario';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  disputePostings,
  onlyDispute,
  ReportedDispute,
  untilDispute,
  untilProcessed,
} from './dispute-scenario';

type EvidenceRequest = components['schemas']['EvidenceRequest'];

let simulator: OwnSimulator;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
let companyId: number;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  const url = `http://127.0.0.1:${simulator.port}/gateway_1`;
  api = await startEngineApi({ GATEWAY_1_URL: url }, { workers: 'payments' });
  ({ byKey, byToken, companyId } = await registerCompanyWithUser(api));
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(randomUUID())]);
const TRACKING: EvidenceRequest = { kind: 'shipping_tracking_number', text: 'BR123456789BR' };
const RECEIPT: EvidenceRequest = {
  kind: 'receipt',
  file: { name: 'receipt.pdf', content_type: 'application/pdf', content: PDF.toString('base64') },
};

/** A dispute that the gateway has, and that its callback opened. */
async function openedDispute(options: { readonly evidence_due_in?: number } = {}, change: object = {}) {
  const payment = await sale(byKey, { amount: 5_000, ...change });
  const { id: gatewayId } = await simulator.control.openDispute(payment.transaction_id, {
    amount: 3_000,
    ...options,
  });
  const report = new ReportedDispute(api, payment, gatewayId);
  await report.report({ status: 'opened', amount: 3_000, after: 0 });
  return { payment, report, gatewayId, dispute: await untilDispute(byToken, payment, 'opened') };
}

const add = (id: string, body: EvidenceRequest, headers = {}) =>
  byToken('addEvidence', { params: { id }, body, headers });
const list = async (id: string) =>
  expectStatus(await byToken('listEvidence', { params: { id } }), 200).body.data;
const submit = (id: string) => byToken('submitDispute', { params: { id } });

function untilAnswered(payment: PaymentBody) {
  return waitFor(async () => {
    const dispute = await onlyDispute(byToken, payment);
    const status = dispute.last_request?.status;
    return status !== 'requested' && status !== 'sent' && dispute;
  });
}

async function answersSent({ transaction_id }: PaymentBody): Promise<number> {
  const requests = await simulator.control.requests(transaction_id);
  return requests.filter(({ operation }) => operation === 'dispute').length;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

describe('evidence against a dispute', () => {
  it('is sent to the gateway once, as it was stored, and the dispute is submitted until it is decided', async () => {
    const { payment, report, gatewayId, dispute } = await openedDispute();
    expectStatus(await add(dispute.id, TRACKING), 201);
    expectStatus(await add(dispute.id, RECEIPT), 201);
    const answers = await Promise.all([submit(dispute.id), submit(dispute.id), submit(dispute.id)]);
    expect(answers.map(({ status }) => [200, 202].includes(status))).toEqual([true, true, true]);
    const submitted = await untilDispute(byToken, payment, 'submitted');
    expect(submitted).toMatchObject({ last_request: { kind: 'evidence', status: 'done' }, closed_at: null });
    expectStatus(await submit(dispute.id), 200);
    expect(await answersSent(payment)).toBe(1);
    expect((await simulator.control.dispute(gatewayId)).evidence).toEqual([
      { kind: TRACKING.kind, bytes: 13, sha256: sha256(TRACKING.text ?? '') },
      { kind: 'receipt', bytes: PDF.length, sha256: sha256(PDF) },
    ]);
    const listed = await list(dispute.id);
    expect(listed.map(({ state }) => state)).toEqual(['submitted', 'submitted']);
    const params = { id: dispute.id, evidence_id: listed[0]?.id ?? '' };
    expectStatus(await byToken('deleteEvidence', { params }), 409);
    // The money stays held until the decision.
    expect(await found(byKey, payment)).toMatchObject({
      disputed_amount: 3_000,
      dispute: { status: 'submitted' },
    });
    await report.report({ status: 'opened', amount: 3_000, after: 1 });
    await untilProcessed(api, payment);
    expect((await onlyDispute(byToken, payment)).status).toBe('submitted');
    await report.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 10 });
    await untilDispute(byToken, payment, 'won');
    expect(await disputePostings(byToken, payment)).toHaveLength(2);
    const query = { subject_type: 'dispute', subject_id: dispute.id } as const;
    const { data } = expectStatus(await byToken('listAuditLog', { query }), 200).body;
    expect(data.map(({ action }) => action).toSorted()).toEqual([
      ...['dispute.add_evidence', 'dispute.add_evidence', 'dispute.submit'],
    ]);
  });

  it('whose answer was lost is asked about and not sent again', async () => {
    const { payment, dispute } = await openedDispute();
    expectStatus(await add(dispute.id, TRACKING), 201);
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'dispute' }, { drop: 'after' });
    expectStatus(await submit(dispute.id), 202);
    await untilDispute(byToken, payment, 'submitted');
    expect(await answersSent(payment)).toBe(1);
  });

  it('that the gateway refuses is drafts again, and the dispute still waits', async () => {
    const { payment, dispute } = await openedDispute({ evidence_due_in: 0.001 });
    expectStatus(await add(dispute.id, TRACKING), 201);
    expectStatus(await submit(dispute.id), 202);
    expect(await untilAnswered(payment)).toMatchObject({
      status: 'opened',
      last_request: { status: 'refused' },
    });
    expect((await list(dispute.id)).map(({ state }) => state)).toEqual(['draft']);
  });

  it('is listed, deleted and replaced while it is a draft, once per kind and idempotency key', async () => {
    const { dispute } = await openedDispute();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = expectStatus(await add(dispute.id, TRACKING, headers), 201).body.data;
    expect(expectStatus(await add(dispute.id, TRACKING, headers), 201).body.data).toEqual(first);
    expectStatus(await add(dispute.id, TRACKING), 409);
    expectStatus(await add(dispute.id, RECEIPT), 201);
    expect(await list(dispute.id)).toMatchObject([
      { kind: TRACKING.kind, text: TRACKING.text, file: null, state: 'draft' },
      { kind: 'receipt', text: null, file: { name: 'receipt.pdf', size: PDF.length }, state: 'draft' },
    ]);
    const params = { id: dispute.id, evidence_id: first.id };
    expectStatus(await byToken('deleteEvidence', { params }), 204);
    expectStatus(await byToken('deleteEvidence', { params }), 404);
    expectStatus(await add(dispute.id, { ...TRACKING, text: 'BR987654321BR' }), 201);
    expect(await list(dispute.id)).toHaveLength(2);
  });

  it('is stored only sealed, so that the customer’s erasure makes it unreadable', async () => {
    const customer = { name: 'Ana Lima', email: 'ana@example.com', document: '11144477735' };
    const { payment, report, dispute } = await openedDispute({}, { customer });
    expectStatus(await add(dispute.id, { kind: 'explanation', text: 'Maria signed for the parcel.' }), 201);
    expectStatus(await add(dispute.id, RECEIPT), 201);
    const [row] = await api.engine.context.db.query<{ text: string }>(
      `SELECT string_agg(e::text, '') AS text FROM dispute_evidence e WHERE dispute_id = $1`,
      [dispute.id],
    );
    expect(row?.text).not.toMatch(/Maria|receipt\.pdf|JVBERi/);
    await report.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 10 });
    await untilDispute(byToken, payment, 'won');
    const token = payment.customer?.token ?? '';
    await waitFor(async () => (await byKey('eraseCustomer', { params: { token } })).status === 204);
    expect(await list(dispute.id)).toMatchObject([
      { kind: 'explanation', text: null },
      { kind: 'receipt', file: { name: null, content_type: 'application/pdf', size: PDF.length } },
    ]);
  });

  it('that is no text or file of its kind, or too long, is refused by field', async () => {
    const { dispute } = await openedDispute();
    const tooLong = Buffer.concat([PDF, Buffer.alloc(2 * 1024 * 1024)]).toString('base64');
    const file = { name: 'a.pdf', content_type: 'application/pdf', content: PDF.toString('base64') } as const;
    const wrong: ReadonlyArray<readonly [string, object]> = [
      ['file', { kind: 'explanation', file }],
      ['text', { kind: 'receipt', text: 'a receipt' }],
      ['file.content', { kind: 'receipt', file: { ...file, content: 'not base64' } }],
      ['file.content', { kind: 'receipt', file: { ...file, content: tooLong } }],
      ['file.content_type', { kind: 'receipt', file: { ...file, content_type: 'image/png' } }],
      ['file.content_type', { kind: 'receipt', file: { ...file, content_type: 'text/html' } }],
      ['text', { kind: 'explanation', text: 'card 4111 1111 1111 1111' }],
    ];
    for (const [field, body] of wrong) {
      const { errors } = expectStatus(await add(dispute.id, body as EvidenceRequest), 422).body;
      expect(Object.keys(errors ?? {})).toContain(field);
    }
    expectStatus(await add(dispute.id, { ...RECEIPT, ...TRACKING }), 422);
    const huge = { kind: 'other', file: { ...file, content: 'A'.repeat(4 * 1024 * 1024) } } as const;
    expect(expectStatus(await add(dispute.id, huge), 413).body.message).toContain('3072 KiB');
    const parts = Buffer.concat([PDF, Buffer.alloc(1_900_000)]).toString('base64');
    expectStatus(await add(dispute.id, { kind: 'other', file: { ...file, content: parts } }), 201);
    expectStatus(await add(dispute.id, { kind: 'receipt', file: { ...file, content: parts } }), 201);
    expectStatus(await add(dispute.id, { kind: 'refund_policy', file: { ...file, content: parts } }), 422);
    expect(await list(dispute.id)).toHaveLength(2);
  });

  it('is refused with 409 without evidence, on a decided dispute, beside an acceptance, and where the gateway takes none', async () => {
    const { payment, report, dispute } = await openedDispute();
    expectStatus(await submit(dispute.id), 409);
    expectStatus(await add(dispute.id, TRACKING), 201);
    const registry = api.engine.context.registries.of(companyId);
    const without = { ...registry.capabilities('gateway_1'), disputeAnswers: ['accept'] as const };
    const unable = jest.spyOn(registry, 'capabilities').mockReturnValue(without);
    const { body } = expectStatus(await submit(dispute.id), 409);
    unable.mockRestore();
    expect(body.message).toContain("on the gateway's own pages");
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'dispute' }, { hang: 'before' });
    expectStatus(await byToken('acceptDispute', { params: { id: dispute.id } }), 202);
    expectStatus(await submit(dispute.id), 409);
    expectStatus(await add(dispute.id, RECEIPT), 409);
    await report.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 10 });
    await untilDispute(byToken, payment, 'won');
    expectStatus(await add(dispute.id, RECEIPT), 409);
    for (const route of ['submitDispute', 'listEvidence'] as const)
      expectStatus(await byToken(route, { params: { id: randomUUID() } }), 404);
  });
});
