import { waitFor } from '../../../support/stack/wait-for';
import { APPROVED_CARD, CieloBench, CieloSale } from './cielo-bench';

let bench: CieloBench;
beforeAll(async () => {
  bench = await CieloBench.start();
});
afterAll(() => bench.stop());

const newSale = () => new CieloSale(bench);
const found = async ({ order }: CieloSale, at = bench) =>
  (await at.query(`sales?merchantOrderId=${order}`)).status;
const script = ({ transactionId }: CieloSale, behavior: Parameters<typeof bench.control.script>[1]) =>
  bench.control.script({ transaction_id: transactionId }, behavior);

describe('scripts at the fake of Cielo', () => {
  it.each([
    ['before', 0, 404],
    ['after', 1, 200],
  ] as const)('lose the answer %s the commit, and the order tells which', async (drop, sales, status) => {
    const sale = newSale();
    await script(sale, { drop });
    await expect(sale.pay()).rejects.toThrow();
    expect(await sale.totals()).toMatchObject({ captured: sales * 15_700 });
    expect(await found(sale)).toBe(status);
  });

  it.each([400, 401, 403, 500, 503])('answer with Cielo’s list of errors for status %d', async (status) => {
    const sale = newSale();
    await script(sale, { status });
    expect(await sale.pay()).toMatchObject({ status, body: [{ Code: expect.any(Number) as number }] });
    expect(await found(sale)).toBe(404);
  });

  it('refuse a capture and a void with the acquirer’s code, and the sale stays as it was', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pay({ Capture: false })).body.Payment;
    for (const [action, Status] of [
      ['capture', 1],
      ['void', 1],
    ] as const) {
      await script(sale, { decline: '57' });
      const { body } = await bench.put(`sales/${PaymentId}/${action}`);
      expect(body).toMatchObject({ Status, ReasonCode: 7, ReturnCode: '57' });
    }
    expect((await bench.put(`sales/${PaymentId}/capture`)).body).toMatchObject({ Status: 2 });
  });

  it('show another sale than the one that was made, and a sale without raw cards', async () => {
    const other = (await newSale().pay()).body.Payment.PaymentId;
    const sale = newSale();
    await script(sale, { duplicate_id: true });
    expect((await sale.pay()).body.Payment.PaymentId).toBe(other);
    const refused = newSale();
    await script(refused, { lacks: 'raw_cards' });
    expect(await refused.pay()).toMatchObject({ status: 400, body: [{ Code: 173 }] });
  });

  it('announce captures, voids and chargebacks, and no authorization', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pay({ Capture: false })).body.Payment;
    await bench.put(`sales/${PaymentId}/capture`);
    await bench.put(`sales/${PaymentId}/void`);
    await bench.notifications(PaymentId, 2);
    await bench.control.sendCallbacks(sale.transactionId, { kind: 'chargeback' });
    const sent = await bench.notifications(PaymentId, 3);
    expect(sent.map(({ body }) => (JSON.parse(String(body)) as { ChangeType: number }).ChangeType)).toEqual([
      1, 1, 7,
    ]);
  });
});

describe('the fake of Cielo', () => {
  it('has two hosts: one answers no queries, the other takes no sales', async () => {
    const sale = newSale();
    const { PaymentId } = (await sale.pay()).body.Payment;
    expect((await bench.send('GET', `1/sales/${PaymentId}`, null)).status).toBe(404);
    expect((await bench.send('PUT', `apiquery/1/sales/${PaymentId}/void`, null)).status).toBe(404);
    expect((await bench.send('GET', `query/1/sales/${PaymentId}`, null)).status).toBe(200);
    expect((await bench.send('PUT', `api/1/sales/${PaymentId}/void`, null)).status).toBe(200);
  });

  it('needs a MerchantId and a key of 40 characters, and JSON', async () => {
    const body = newSale().cardBody();
    expect(await bench.post('sales', body, { key: 'short' })).toMatchObject({
      status: 401,
      body: [{ Code: 132 }],
    });
    const nobody = { headers: { merchantid: 'me' } };
    expect(await bench.post('sales', body, nobody)).toMatchObject({ status: 401 });
    const form = { headers: { 'content-type': 'text/plain' } };
    expect(await bench.post('sales', body, form)).toMatchObject({ status: 400, body: [{ Code: 184 }] });
    expect(await bench.send('POST', '1/sales', '{')).toMatchObject({ status: 400, body: [{ Code: 184 }] });
  });

  it('shows a merchant the sales of its own account only, as an empty 404', async () => {
    const [mine, other] = ['m'.repeat(40), 'o'.repeat(40)];
    await bench.control.setUpAccount(mine, { account: 'mine' });
    await bench.control.setUpAccount(other, { account: 'other' });
    const sale = newSale();
    const { PaymentId } = (await bench.post('sales', sale.cardBody(), { key: mine })).body.Payment;
    expect((await bench.query(`sales/${PaymentId}`, { key: mine })).status).toBe(200);
    const nothing = { status: 404, body: null };
    expect(await bench.query(`sales/${PaymentId}`, { key: other })).toEqual(nothing);
    expect(await bench.query(`sales?merchantOrderId=${sale.order}`, { key: other })).toEqual(nothing);
    expect(await bench.put(`sales/${PaymentId}/void`, { key: other })).toEqual(nothing);
  });

  it('knows a new sale by its id at once, and by its order only after the lag', async () => {
    const slow = await CieloBench.start({ searchLagMs: 1_000 });
    try {
      const sale = new CieloSale(slow);
      const { PaymentId } = (await sale.pay()).body.Payment;
      expect(await found(sale, slow)).toBe(404);
      expect((await slow.query(`sales/${PaymentId}`)).status).toBe(200);
      await waitFor(async () => (await found(sale, slow)) === 200);
    } finally {
      await slow.stop();
    }
  });

  it('writes no card number, name or document to the disk, and keeps its sales over a restart', async () => {
    const sale = newSale();
    const { Payment } = (await sale.pay()).body;
    const written = bench.dataOnDisk();
    expect(written).toContain(sale.reference);
    for (const secret of [APPROVED_CARD, 'Ana Lima', 'ANA LIMA', '52998224725', 'Rua das Flores'])
      expect(written).not.toContain(secret);
    await bench.restart();
    expect((await bench.query(`sales/${Payment.PaymentId}`)).body.Payment).toEqual(Payment);
  });
});
