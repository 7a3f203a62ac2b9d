import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, to } from '../../api/support/payment-scenario';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import {
  connectBank,
  paidPix,
  PIX_DRIVER,
  PIX_SLUG,
  pixSettings,
  untilReturn,
} from '../../support/stories/pix-return';
import { disputePostings } from '../../workflows/disputes/dispute-scenario';

let simulator: SimulatorProcess;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: PIX_DRIVER });
  api = await startEngineApi(pixSettings(simulator), { workers: 'payments' });
  ({ byKey, byToken } = await registerCompanyWithUser(api, []));
  await connectBank({ api, byKey, byToken }, simulator);
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

const merchant = () => ({ api, byKey, byToken });

describe('a special return of a pix (MED)', () => {
  /** A story of the support runbook. */
  it('is a dispute that the callback announces and the bank’s record tells, of the part that is returned, and no refund', async () => {
    const payment = await paidPix(merchant(), simulator, { amount: 1_000 });
    const { id } = await simulator.control.openDispute(payment.transaction_id, { kind: 'med', amount: 600 });
    const opened = await untilReturn(merchant(), payment, 'opened');
    expect(opened).toMatchObject({
      ...{ kind: 'med', amount: 600, reason_code: 'MED_FRAUDE', evidence_due_at: null, gateway: PIX_SLUG },
    });
    // The banks decide: nothing can be answered.
    const answered = await byToken('getDispute', { params: { id: opened.id } });
    expect(expectStatus(answered, 200).body.data).toMatchObject({ answers: [], subscription: null });
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 500 } })), 409);
    // The payer's bank finds a part of the money only.
    await simulator.control.changeDispute(id, { status: 'won', returned: 400 });
    expect(await untilReturn(merchant(), payment, 'lost')).toMatchObject({ amount: 200 });
    expect(await found(byKey, payment)).toMatchObject({
      ...{ status: 'approved', refunded_amount: 0, disputed_amount: 200 },
    });
    const totals = (await simulator.control.ledger(payment.transaction_id)).totals;
    expect(totals).toMatchObject({ captured: 1_000, refunded: 0, disputed: 200 });
    expect(await disputePostings(byToken, payment)).toEqual([
      ['dispute_held', 'dispute_hold 600', 'gateway_receivable -600'],
      ['dispute_lost', 'dispute_hold -600', 'gateway_receivable 400', 'dispute_losses 200'],
    ]);
    // What the customer did not get back is theirs to ask for.
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 800 } })), 200);
    expect(await found(byKey, payment)).toMatchObject({ refunded_amount: 800, disputed_amount: 200 });
  });

  it('that the banks refuse leaves the money with the company', async () => {
    const payment = await paidPix(merchant(), simulator, { amount: 700 });
    const { id } = await simulator.control.openDispute(payment.transaction_id, { kind: 'med' });
    await untilReturn(merchant(), payment, 'opened');
    await simulator.control.changeDispute(id, { status: 'won' });
    await untilReturn(merchant(), payment, 'won');
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 0, refunded_amount: 0 });
  });
});
