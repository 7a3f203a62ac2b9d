import { randomUUID } from 'node:crypto';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, sale } from '../../api/support/payment-scenario';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import {
  disputeEvents,
  disputePostings,
  onlyDispute,
  ReportedDispute,
  untilDispute,
  untilProcessed,
} from './dispute-scenario';

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

/** A dispute that the gateway has, and that its callback opened. */
async function openedDispute() {
  const payment = await sale(byKey, { amount: 5_000 });
  const { id: gatewayId } = await simulator.control.openDispute(payment.transaction_id, { amount: 3_000 });
  const dispute = new ReportedDispute(api, payment, gatewayId);
  await dispute.report({ status: 'opened', amount: 3_000, after: 0 });
  return { payment, report: dispute, dispute: await untilDispute(byToken, payment, 'opened') };
}

const accept = (id: string) => byToken('acceptDispute', { params: { id } });

function untilAnswered(payment: PaymentBody) {
  return waitFor(async () => {
    const dispute = await onlyDispute(byToken, payment);
    const status = dispute.last_request?.status;
    return status !== 'requested' && status !== 'sent' && dispute;
  });
}

async function acceptancesSent({ transaction_id }: PaymentBody): Promise<number> {
  const requests = await simulator.control.requests(transaction_id);
  return requests.filter(({ operation }) => operation === 'dispute').length;
}

describe('the acceptance of a dispute', () => {
  it('is sent to the gateway once, audited once, and leaves the money with the customer', async () => {
    const { payment, report, dispute } = await openedDispute();
    const answers = await Promise.all([accept(dispute.id), accept(dispute.id), accept(dispute.id)]);
    expect(answers.map(({ status }) => [200, 202].includes(status))).toEqual([true, true, true]);
    const accepted = await untilDispute(byToken, payment, 'accepted');
    expect(accepted).toMatchObject({ last_request: { kind: 'accept', status: 'done', message: null } });
    expect(accepted.closed_at).not.toBeNull();
    expectStatus(await accept(dispute.id), 200);
    // The gateway reports an accepted dispute as a lost one.
    await report.report({ status: 'lost', amount: 3_000, after: 10 });
    await untilProcessed(api, payment);
    expect(await found(byKey, payment)).toMatchObject({
      disputed_amount: 3_000,
      dispute: { status: 'accepted' },
    });
    expect(await disputePostings(byToken, payment)).toEqual([
      ['dispute_held', 'dispute_hold 3000', 'gateway_receivable -3000'],
      ['dispute_lost', 'dispute_hold -3000', 'dispute_losses 3000'],
    ]);
    expect(await disputeEvents(api, dispute.id)).toEqual(['opened', 'closed']);
    expect(await acceptancesSent(payment)).toBe(1);
    const { totals } = await simulator.control.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ captured: 5_000, refunded: 0, disputed: 3_000 });
    const query = { action: 'dispute.accept', subject_type: 'dispute', subject_id: dispute.id } as const;
    expect(expectStatus(await byToken('listAuditLog', { query }), 200).body.data).toHaveLength(1);
  });

  it('whose answer was lost is asked about and not sent again', async () => {
    const { payment, dispute } = await openedDispute();
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'dispute' }, { drop: 'after' });
    expectStatus(await accept(dispute.id), 202);
    await untilDispute(byToken, payment, 'accepted');
    expect(await acceptancesSent(payment)).toBe(1);
    expect(await disputePostings(byToken, payment)).toHaveLength(2);
  });

  it('gives way to a later decision of the gateway for the company', async () => {
    const { payment, report, dispute } = await openedDispute();
    expectStatus(await accept(dispute.id), 202);
    await untilDispute(byToken, payment, 'accepted');
    await report.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 10 });
    await untilDispute(byToken, payment, 'won');
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 0 });
  });

  it('that the gateway refuses changes nothing and tells why', async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    // The gateway does not know this one.
    await new ReportedDispute(api, payment).report({ status: 'opened', amount: 5_000, after: 0 });
    const { id } = await untilDispute(byToken, payment, 'opened');
    expectStatus(await accept(id), 202);
    const refused = await untilAnswered(payment);
    expect(refused).toMatchObject({ status: 'opened', last_request: { status: 'refused' } });
    expect(refused.last_request?.message).not.toBeNull();
    expect(await disputePostings(byToken, payment)).toHaveLength(1);
  });

  it('is refused with 409 once the dispute is decided, for a retrieval request, and where the gateway takes none', async () => {
    const decided = await openedDispute();
    await decided.report.report({ status: 'won', amount: 3_000, returned_amount: 3_000, after: 10 });
    await untilDispute(byToken, decided.payment, 'won');
    const retrieved = await sale(byKey, { amount: 5_000 });
    const report = new ReportedDispute(api, retrieved);
    await report.report({ kind: 'retrieval', status: 'opened', amount: 5_000, after: 0 });
    const retrieval = await untilDispute(byToken, retrieved, 'opened');
    for (const id of [decided.dispute.id, retrieval.id])
      expect(expectStatus(await accept(id), 409).body).toMatchObject({ code: 'invalid_state' });
    const { dispute } = await openedDispute();
    const registry = api.engine.context.registries.of(companyId);
    const without = { ...registry.capabilities('gateway_1'), disputeAnswers: [] };
    const unable = jest.spyOn(registry, 'capabilities').mockReturnValue(without);
    const { body } = expectStatus(await accept(dispute.id), 409);
    unable.mockRestore();
    expect(body).toMatchObject({ message: expect.stringContaining("on the gateway's own pages") as string });
    expectStatus(await accept(randomUUID()), 404);
  });
});
