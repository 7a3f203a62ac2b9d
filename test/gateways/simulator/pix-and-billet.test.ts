import { randomUUID } from 'node:crypto';
import { formatBoleto } from '@brazilian-utils/brazilian-utils/format-boleto';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { startOwnSimulator, type SimulatorControl, type OwnSimulator } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { billetPayment, payment, pixPayment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
beforeAll(async () => {
  simulator = await startOwnSimulator({ SIMULATOR_PAYS_AFTER: '1' });
  control = simulator.control;
  vendor = new VendorClient(simulator.url, 'gateway_1');
});
afterAll(() => simulator.dispose());

const recipient = async () => {
  const information = {
    name: 'Loja',
    email: 'loja@example.com',
    document: '52998224725',
    type: 'individual',
  };
  return (await vendor.sendAccepted('recipients', { reference: randomUUID(), ...information })).id;
};

describe('SIMULATOR_PAYS_AFTER', () => {
  it.each([
    ['pix', pixPayment],
    ['billet', billetPayment],
  ])('pays a %s automatically, and only once', async (_, waiting) => {
    const { transactionId, body } = waiting();
    const { status } = await vendor.charge(body);
    expect(status).toBe('pending');
    const { totals } = await waitFor(async () => {
      const ledger = await control.ledger(transactionId);
      return ledger.totals.captured > 0 && ledger;
    });
    expect(totals).toMatchObject({ authorized: 10_000, captured: 10_000, held: 0 });
  });

  it('does not pay partly paid or canceled charges', async () => {
    const partlyPaid = pixPayment();
    await vendor.charge(partlyPaid.body);
    await control.pay(partlyPaid.transactionId, 4_000);
    const canceled = pixPayment();
    const { id } = await vendor.charge(canceled.body);
    const cancel = { reference: `${canceled.transactionId}-1-cancel`, amount: 10_000 };
    await vendor.sendAccepted(`charges/${id}/cancels`, cancel);
    const later = pixPayment();
    await vendor.charge(later.body);
    await waitFor(async () => (await control.ledger(later.transactionId)).totals.captured > 0);
    expect((await control.ledger(partlyPaid.transactionId)).totals.captured).toBe(4_000);
    expect((await control.ledger(canceled.transactionId)).totals.captured).toBe(0);
  });
});

describe('the ledger of a pix', () => {
  const split = { liable: true, charge_processing_fee: true };

  it('captures the splits once, with the payment that completes the amount, and does not split an overpayment', async () => {
    const [first, second] = [await recipient(), await recipient()];
    const { transactionId, body } = pixPayment({
      splits: [
        { ...split, recipient_id: first, amount: 6_000 },
        { ...split, recipient_id: second, amount: 4_000 },
      ],
    });
    await control.script({ transaction_id: transactionId }, { fee: 100 });
    await vendor.charge(body);
    await control.pay(transactionId, 3_000);
    await control.pay(transactionId, 7_500);
    await control.pay(transactionId, 200);
    const { entries } = await control.ledger(transactionId);
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['pending', 10_000],
      ['paid', 3_000],
      ['captured', 3_000],
      ['paid', 7_500],
      ['captured', 7_500],
      ['fee', 100],
      ['split', 5_900],
      ['split', 4_000],
      ['paid', 200],
      ['captured', 200],
    ]);
    expect(ledgerViolations(entries)).toEqual([]);
  });

  it('debits refunds from the recipients of the charge, and rejects other recipients', async () => {
    const [first, other] = [await recipient(), await recipient()];
    const { transactionId, body } = payment({ splits: [{ ...split, recipient_id: first, amount: 10_000 }] });
    const { id } = await vendor.charge(body);
    const refund = (recipientId: string) => ({
      reference: `${transactionId}-1-refund`,
      amount: 1_000,
      splits: [{ ...split, recipient_id: recipientId, amount: 1_000 }],
    });
    expect((await vendor.send(`charges/${id}/refunds`, refund(other))).status).toBe(422);
    await vendor.sendAccepted(`charges/${id}/refunds`, refund(first));
    expect((await control.ledger(transactionId)).entries.at(-1)).toMatchObject({
      kind: 'refunded',
      amount: 1_000,
      recipient_id: first,
    });
  });
});

describe('a billet', () => {
  it('has a page with its line, amount, due date and barcode that loads no resources', async () => {
    const { body } = billetPayment({ due_at: '2031-07-09', instructions: '<b>Não receber & devolver</b>' });
    const { billet } = await vendor.charge(body);
    const response = await fetch(billet?.url ?? '');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    expect(page).toContain(formatBoleto(billet?.line ?? ''));
    expect(page).toMatch(/R\$\s100,00/);
    expect(page).toContain('09/07/2031');
    expect(page).toContain('&lt;b&gt;Não receber &amp; devolver&lt;/b&gt;');
    expect(page).toContain('<svg ');
  });

  it('has no page at another gateway, and a card charge has none', async () => {
    const { body } = billetPayment();
    const { billet } = await vendor.charge(body);
    const elsewhere = (billet?.url ?? '').replace('gateway_1', 'gateway_2');
    expect((await fetch(elsewhere)).status).toBe(404);
    const { id } = await vendor.charge(payment().body);
    expect((await fetch(`${simulator.url}/gateway_1/billets/${id}`)).status).toBe(404);
  });

  it.each([
    ['a due date', { due_at: undefined }],
    ['an expiry', { expires_at: undefined }],
    ['an amount of at most ten digits', { amount: 10_000_000_000 }],
    ['a real date', { due_at: '2031-02-30' }],
  ])('needs %s', async (_, change) => {
    expect((await vendor.send('charges', billetPayment(change).body)).status).toBe(422);
  });

  it('stores no bank account on disk', async () => {
    const { transactionId, body } = billetPayment();
    const { id } = await vendor.charge(body);
    await control.pay(transactionId);
    const bankAccount = {
      holder_name: 'Ana Lima',
      holder_type: 'individual',
      holder_document: '52998224725',
      bank_code: '341',
      branch_number: '0001',
      account_number: '7654321',
      account_check_digit: '6',
      type: 'checking',
    };
    const refund = { reference: `${transactionId}-1-refund`, amount: 10_000, bank_account: bankAccount };
    expect(await vendor.sendAccepted(`charges/${id}/refunds`, refund)).toMatchObject({ status: 'refunded' });
    expect(simulator.dataOnDisk()).not.toContain('7654321');
  });
});
