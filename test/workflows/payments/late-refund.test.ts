import { callbackBody, signed } from '../../api/callbacks/callback-api';
import { expectStatus } from '../../api/support/api-client';
import { registerCompanyWithUser, untilStuck } from '../../api/support/manual-resolution';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { found, sale, to } from '../../api/support/payment-scenario';
import { uniqueAmount } from '../../support/scenarios/pay';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

/* This file has its own simulator, because it clears the scripts of the gateway. */

let simulator: OwnSimulator;
let api: EngineApi;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  const url = `http://127.0.0.1:${simulator.port}/gateway_1`;
  const settings = { GATEWAY_1_URL: url, STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '6' };
  api = await startEngineApi(settings, { workers: 'payments' });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

describe('a refund that an operator wrongly resolved as absent', () => {
  it('it is recorded as refunded once a callback and an inquiry report it', async () => {
    const office = await registerCompanyWithUser(api);
    const payment = await sale(office.byKey, { amount: uniqueAmount() });
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'refund' }, { drop: 'after' });
    await simulator.control.script({ transaction_id, operation: 'inquiry' }, { status: 500 }, 0);
    expectStatus(await office.byKey('refundPayment', to(payment, { body: { amount: 100 } })), 202);
    await untilStuck(api.engine, payment);
    // A recent refund would be sent again.
    await api.engine.context.db.query(
      `UPDATE gateway_attempts SET created_at = created_at - interval '1 hour' WHERE operation = 'refund'
         AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [transaction_id],
    );
    const resolution = { reason: 'not on the gateway’s page', outcome: 'absent' };
    expectStatus(await office.byToken('resolvePayment', to(payment, { body: resolution })), 200);
    const { transactions, refunded_amount: refunded } = await found(office.byKey, payment);
    const refund = transactions.find(({ operation }) => operation === 'refund');
    expect([refund?.status, refunded]).toEqual(['abandoned', 0]);
    await simulator.control.clearScripts();
    const body = callbackBody(`${transaction_id}-1`, { kind: 'refunded', amount: 100 });
    const request = { params: { gateway: 'gateway_1' as const }, body, headers: signed(body) };
    expectStatus(await api.anonymous('receiveCallback', request), 200);
    const after = await waitFor(async () => {
      const current = await found(office.byKey, payment);
      return current.refunded_amount === 100 && current;
    });
    expect(after.status).toBe('approved');
    const { totals } = await simulator.control.ledger(transaction_id);
    expect(totals.refunded).toBe(100);
  });
});
