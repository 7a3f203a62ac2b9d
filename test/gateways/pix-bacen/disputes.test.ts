import { sandboxAccount } from '../../../src/gateways/sandbox-accounts';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, pendingPix, to, untilStatus } from '../../api/support/payment-scenario';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { disputePostings, onlyDispute } from '../../workflows/disputes/dispute-scenario';

const SLUG = 'gateway_5';
const DRIVER = { GATEWAY_5_DRIVER: 'pix-bacen' };
const { values, clientId } = sandboxAccount('pix-bacen', SLUG);

let simulator: SimulatorProcess;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/${SLUG}`;
  const urls = { GATEWAY_5_URL: `${url}/api/v2`, GATEWAY_5_OAUTH_URL: `${url}/oauth/token` };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
  ({ byKey, byToken } = await registerCompanyWithUser(api, []));
  const account = { gateway_slug: SLUG, secret_key: values.secretKey, client_id: clientId } as const;
  const gateways = [{ ...account, credentials: values.credentials }];
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  await simulator.control.setUpAccount(values.secretKey, { callback_url: `${api.baseUrl}/api/v1` });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

async function paidPix(amount: number): Promise<PaymentBody> {
  const payment = await pendingPix(byKey, { amount });
  await simulator.control.pay(payment.transaction_id);
  return untilStatus(byKey, payment, 'approved');
}

/** Sweeps meanwhile: an inquiry leaves what it shows about disputes to the sweeper. */
const untilShown = (payment: PaymentBody, status: string) =>
  waitFor(
    async () => {
      await api.engine.sweeper.sweepOnce();
      const query = { transaction_id: payment.transaction_id };
      const { data } = expectStatus(await byToken('listDisputes', { query }), 200).body;
      return data[0]?.status === status && (await onlyDispute(byToken, payment));
    },
    { what: `a dispute that is ${status}`, everyMs: 200 },
  );

describe('a special return of a pix (MED)', () => {
  it('is a dispute that the callback announces and the bank’s record tells, of the part that is returned, and no refund', async () => {
    const payment = await paidPix(1_000);
    const { id } = await simulator.control.openDispute(payment.transaction_id, { kind: 'med', amount: 600 });
    expect(await untilShown(payment, 'opened')).toMatchObject({
      ...{ kind: 'med', amount: 600, reason_code: 'MED_FRAUDE', evidence_due_at: null, gateway: SLUG },
    });
    expectStatus(await byKey('refundPayment', to(payment, { body: { amount: 500 } })), 409);
    // The payer's bank finds a part of the money only.
    await simulator.control.changeDispute(id, { status: 'won', returned: 400 });
    expect(await untilShown(payment, 'lost')).toMatchObject({ amount: 200 });
    expect(await found(byKey, payment)).toMatchObject({
      ...{ status: 'approved', refunded_amount: 0, disputed_amount: 200 },
    });
    const totals = (await simulator.control.ledger(payment.transaction_id)).totals;
    expect(totals).toMatchObject({ captured: 1_000, refunded: 0, disputed: 200 });
    expect((await disputePostings(byToken, payment)).map(([kind]) => kind)).toEqual([
      'dispute_held',
      'dispute_lost',
    ]);
  });

  it('that the banks refuse leaves the money with the company', async () => {
    const payment = await paidPix(700);
    const { id } = await simulator.control.openDispute(payment.transaction_id, { kind: 'med' });
    await untilShown(payment, 'opened');
    await simulator.control.changeDispute(id, { status: 'won' });
    await untilShown(payment, 'won');
    expect(await found(byKey, payment)).toMatchObject({ disputed_amount: 0, refunded_amount: 0 });
  });
});
