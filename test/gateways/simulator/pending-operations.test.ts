import { startCallbackReceiver, type CallbackReceiver } from '../../support/stack/callback-receiver';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import {
  startOwnSimulator,
  startSimulatorProcess,
  type SimulatorControl,
  type OwnSimulator,
} from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { payment, SECRET, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let receiver: CallbackReceiver;
let control: SimulatorControl;
let vendor: VendorClient;
beforeAll(async () => {
  [simulator, receiver] = await Promise.all([startOwnSimulator(), startCallbackReceiver()]);
  control = simulator.control;
  vendor = new VendorClient(simulator.url, 'gateway_1');
  await control.setUpAccount(SECRET, { callback_url: receiver.url, webhook_secret: 'whsec_of_this_test' });
});
afterAll(async () => {
  await simulator.dispose();
  receiver.close();
});

async function pendingRefund(behavior: object, amount = 4_000) {
  const { transactionId, body } = payment();
  const { id } = await vendor.charge(body);
  await control.script({ transaction_id: transactionId, operation: 'refund' }, behavior);
  const reference = `${transactionId}-1-refund`;
  const refund = { reference, amount };
  const key = `key-of-${transactionId}`;
  const answer = await vendor.sendAccepted(`charges/${id}/refunds`, refund, key);
  return { transactionId, id, refund, key, answer };
}

const refundedCents = async (transactionId: string) => (await control.ledger(transactionId)).totals.refunded;
const callbackCount = (transactionId: string) => receiver.of(transactionId).length;

describe('a pending operation', () => {
  it('moves no money and sends no callback until a control route gives it its result', async () => {
    const { transactionId, id, refund, key, answer } = await pendingRefund({ pending_then: 'executed' });
    expect(answer).toMatchObject({ status: 'pending', amount: 4_000 });
    expect(await refundedCents(transactionId)).toBe(0);
    expect(callbackCount(transactionId)).toBe(0);
    expect(await control.finishOperation(transactionId)).toMatchObject({
      operation: 'refund',
      status: 'refunded',
      amount: 4_000,
    });
    await waitFor(() => Promise.resolve(callbackCount(transactionId) === 1));
    const { entries } = await control.ledger(transactionId);
    expect(ledgerViolations(entries)).toEqual([]);
    expect(await refundedCents(transactionId)).toBe(4_000);
    // The answer to a key stays the first one.
    expect(await vendor.sendAccepted(`charges/${id}/refunds`, refund, key)).toEqual(answer);
    await expect(control.finishOperation(transactionId)).rejects.toThrow('404');
  });

  it('gets its result by itself after the time of its script, also if that is a refusal', async () => {
    const { transactionId, id } = await pendingRefund({ pending_then: 'refused', pending_ms: 1 });
    await waitFor(() => Promise.resolve(callbackCount(transactionId) === 1));
    expect(await refundedCents(transactionId)).toBe(0);
    const { text } = await vendor.send(`charges/${id}`, null);
    expect(JSON.parse(text)).toMatchObject({
      status: 'approved',
      operations: [{}, { operation: 'refund', status: 'declined', response: { code: '57' } }],
    });
  });

  it('reserves its amount', async () => {
    const { transactionId, id } = await pendingRefund({ pending_then: 'executed' }, 6_000);
    const second = { reference: `${transactionId}-1-refund-2`, amount: 5_000 };
    expect((await vendor.send(`charges/${id}/refunds`, second)).status).toBe(422);
    expect((await vendor.send(`charges/${id}/refunds`, { ...second, amount: 4_000 })).status).toBe(200);
    await control.finishOperation(transactionId, { result: 'refused' });
    expect((await vendor.send(`charges/${id}/refunds`, { ...second, amount: 6_000 })).status).toBe(200);
    expect(await refundedCents(transactionId)).toBe(10_000);
  });

  it('is still pending after a restart of the simulator', async () => {
    const own = await startSimulatorProcess();
    const { transactionId, body } = payment();
    const { id } = await new VendorClient(own.url, 'gateway_1').charge(body);
    await own.control.script({ operation: 'refund' }, { pending_then: 'executed' });
    const refund = { reference: `${transactionId}-1-refund`, amount: 10_000 };
    await new VendorClient(own.url, 'gateway_1').sendAccepted(`charges/${id}/refunds`, refund);
    await own.end('SIGKILL');
    const restarted = await startSimulatorProcess({ folder: own.folder });
    expect(await restarted.control.finishOperation(transactionId)).toMatchObject({ status: 'refunded' });
    await restarted.dispose();
  });
});

it.each([
  ['pending_ms without pending_then', { pending_ms: 5 }],
  ['an unknown result', { pending_then: 'done' }],
])('rejects a script with %s', async (_what, behavior) => {
  await expect(control.script({}, behavior as object)).rejects.toThrow('422');
});
