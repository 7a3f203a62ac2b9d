import { waitFor } from '../../../support/stack/wait-for';
import { AsaasBench, AsaasPayment, CARDS } from './asaas-bench';

let bench: AsaasBench;
beforeAll(async () => {
  bench = await AsaasBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AsaasPayment(bench);
const found = async ({ reference }: AsaasPayment, at = bench) =>
  (await at.get(`payments?externalReference=${reference}`)).body.data;
const script = ({ transactionId }: AsaasPayment, behavior: Parameters<typeof bench.control.script>[1]) =>
  bench.control.script({ transaction_id: transactionId }, behavior);

describe('scripts at the fake of Asaas', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('lose the answer %s the commit, and the list tells which', async (drop, payments) => {
    const payment = newPayment();
    await script(payment, { drop });
    await expect(payment.pay()).rejects.toThrow();
    expect(await payment.totals()).toMatchObject({ captured: payments * 10_000 });
    expect(await found(payment)).toHaveLength(payments);
  });

  it.each([400, 401, 403, 429, 500, 503])(
    'answer with Asaas’ list of errors for status %d and commit nothing',
    async (status) => {
      const payment = newPayment();
      await script(payment, { status });
      expect(await payment.pay()).toMatchObject({
        status,
        body: { errors: [{ code: expect.any(String) as string }] },
      });
      expect(await found(payment)).toEqual([]);
    },
  );

  it('refuse a capture and a refund, which leave no trace', async () => {
    const payment = newPayment();
    const { body } = await payment.pay(CARDS.approved, { authorizeOnly: true });
    await script(payment, { decline: '57' });
    expect(await bench.post(`payments/${body.id}/captureAuthorizedPayment`, {})).toMatchObject({
      status: 400,
    });
    expect((await bench.get(`payments/${body.id}`)).body.status).toBe('AUTHORIZED');
    await bench.post(`payments/${body.id}/captureAuthorizedPayment`, {});
    await script(payment, { decline: '57' });
    expect(await bench.post(`payments/${body.id}/refund`, {})).toMatchObject({ status: 400 });
    expect((await bench.get(`payments/${body.id}`)).body).toMatchObject({
      status: 'CONFIRMED',
      refunds: null,
    });
  });

  it.each([
    ['raw_cards', 'invalid_billingType'],
    ['pix', 'invalid_billingType'],
    ['splits', 'invalid_action'],
  ] as const)('take %s from an account', async (lacks, code) => {
    const payment = newPayment();
    await script(payment, { lacks });
    expect(await payment.pay()).toMatchObject({ status: 400, body: { errors: [{ code }] } });
  });

  it.each([
    ['executed', 'CONFIRMED', 10_000, 'PAYMENT_APPROVED_BY_RISK_ANALYSIS'],
    ['refused', 'REFUNDED', 0, 'PAYMENT_REPROVED_BY_RISK_ANALYSIS'],
  ] as const)('leave a card in the risk analysis until it is %s', async (then, status, captured, event) => {
    const payment = newPayment();
    const match = { transaction_id: payment.transactionId, operation: 'charge' } as const;
    await bench.control.script(match, { pending_then: then });
    const { body } = await payment.pay();
    expect(body.status).toBe('AWAITING_RISK_ANALYSIS');
    expect(await bench.post(`payments/${body.id}/refund`, {})).toMatchObject({ status: 400 });
    expect(await bench.post(`payments/${body.id}/captureAuthorizedPayment`, {})).toMatchObject({
      status: 400,
    });
    await bench.control.finishOperation(payment.transactionId);
    expect((await bench.get(`payments/${body.id}`)).body.status).toBe(status);
    expect(await payment.totals()).toMatchObject({ captured, held: 0 });
    const events = (await bench.events(payment.reference, 4)).map((each) => each.event.event);
    expect(events.slice(0, 3)).toEqual(['PAYMENT_CREATED', 'PAYMENT_AWAITING_RISK_ANALYSIS', event]);
  });

  it('show another payment than the one that was made', async () => {
    const other = await newPayment().pay();
    const payment = newPayment();
    await script(payment, { duplicate_id: true });
    expect((await payment.pay()).body.id).toBe(other.body.id);
    expect(await payment.totals()).toMatchObject({ captured: 10_000 });
  });
});

describe('the fake of Asaas', () => {
  it('shows a key’s account only the payments and customers of the same account', async () => {
    const [mine, other] = ['$aact_hmlg_mine', '$aact_hmlg_other'];
    await bench.control.setUpAccount(mine, { account: 'mine' });
    await bench.control.setUpAccount(other, { account: 'other' });
    const payment = newPayment();
    const body = payment.body(await bench.customer({ key: mine }), 'PIX');
    const { id } = (await bench.post('payments', body, { key: mine })).body;
    expect((await bench.get(`payments/${id}`, { key: mine })).status).toBe(200);
    for (const path of [`payments/${id}`, `payments/${id}/pixQrCode`, 'payments/pay_1', 'customers/cus_1'])
      expect((await bench.get(path, { key: other })).status).toBe(404);
    expect(await bench.send('DELETE', `payments/${id}`, undefined, { key: other })).toMatchObject({
      status: 404,
    });
    expect((await bench.post('payments', body, { key: other })).body.errors).toMatchObject([
      { code: 'invalid_customer' },
    ]);
  });

  it('knows a new payment by its id at once, and in lists only after the lag', async () => {
    const slow = await AsaasBench.start({ searchLagMs: 1_000 });
    try {
      const payment = new AsaasPayment(slow);
      const { body } = await payment.pay();
      expect(await found(payment, slow)).toEqual([]);
      expect((await slow.get(`payments/${body.id}`)).body).toEqual(body);
      await waitFor(async () => (await found(payment, slow)).length === 1);
    } finally {
      await slow.stop();
    }
  });

  it('writes no card number, name or document to the disk, and keeps its payments over a restart', async () => {
    const payment = newPayment();
    const { body } = await payment.pay();
    const written = bench.dataOnDisk();
    expect(written).toContain(payment.reference);
    for (const secret of [CARDS.approved, 'Ana Lima', 'ANA LIMA', '52998224725'])
      expect(written).not.toContain(secret);
    await bench.restart();
    expect((await bench.get(`payments/${body.id}`)).body).toEqual(body);
  });
});
