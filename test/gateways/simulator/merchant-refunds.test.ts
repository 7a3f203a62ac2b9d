import { startCallbackReceiver, type CallbackReceiver } from '../../support/stack/callback-receiver';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { startOwnSimulator, type SimulatorControl, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { payment, pixPayment, SECRET, VendorClient } from './vendor-client';

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

const lastCallback = (transactionId: string, kind: string) =>
  waitFor(() => {
    const bodies = receiver
      .of(transactionId)
      .map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
    return Promise.resolve(bodies.findLast((body) => body['kind'] === kind));
  });

describe('POST /_admin/refunds', () => {
  it('refunds a part, then the rest, in the ledger and in the callbacks, without a request', async () => {
    const { transactionId, body } = payment();
    const { id } = await vendor.charge(body);
    expect(await control.refund(transactionId, 4_000)).toEqual({
      charge_id: id,
      status: 'approved',
      refunded_amount: 4_000,
    });
    expect(await lastCallback(transactionId, 'approved')).toMatchObject({ refunded_amount: 4_000 });
    expect(await control.refund(transactionId)).toMatchObject({
      status: 'refunded',
      refunded_amount: 10_000,
    });
    expect(await lastCallback(transactionId, 'refunded')).toMatchObject({
      reference: body.reference,
      refunded_amount: 10_000,
    });
    const { entries, totals } = await control.ledger(transactionId);
    expect(totals).toMatchObject({ captured: 10_000, refunded: 10_000 });
    expect(ledgerViolations(entries)).toEqual([]);
    expect(await control.requests(transactionId)).toHaveLength(1);
  });

  it('shows the refund in the charge, under a reference of the gateway', async () => {
    const { transactionId, body } = payment();
    const { id } = await vendor.charge(body);
    await control.refund(transactionId, 4_000);
    const charge = JSON.parse((await vendor.send(`charges/${id}`, null)).text) as {
      operations: Array<{ operation: string; reference: string; status: string; amount: number }>;
    };
    expect(charge).toMatchObject({ status: 'approved', captured_amount: 10_000, refunded_amount: 4_000 });
    expect(charge.operations[1]).toMatchObject({ operation: 'refund', status: 'refunded', amount: 4_000 });
    expect(charge.operations[1]?.reference).not.toContain(transactionId);
  });

  it('refunds a paid pix', async () => {
    const { transactionId, body } = pixPayment();
    await vendor.charge(body);
    await expect(control.refund(transactionId)).rejects.toThrow('404');
    await control.pay(transactionId);
    expect(await control.refund(transactionId)).toMatchObject({ status: 'refunded' });
  });

  it('never refunds more than was captured', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    await expect(control.refund(transactionId, 10_001)).rejects.toThrow('422');
    await control.refund(transactionId);
    await expect(control.refund(transactionId)).rejects.toThrow('already_refunded');
    expect((await control.ledger(transactionId)).totals.refunded).toBe(10_000);
  });
});
