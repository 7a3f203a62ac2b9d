import { randomUUID } from 'node:crypto';
import { card, CARDS, chargeOf, PagarmeBench, PagarmePayment, rawCard } from './pagarme-bench';

let bench: PagarmeBench;
beforeAll(async () => {
  bench = await PagarmeBench.start();
});
afterAll(() => bench.stop());

function recipient(document = '26224451990') {
  const phone_numbers = [{ ddd: '21', number: '994647568', type: 'mobile' }];
  const bank = { bank: '341', branch_number: '1234', branch_check_digit: '6', type: 'checking' };
  const account = { account_number: '12345', account_check_digit: '6' };
  const holder = { holder_name: 'Tony Stark', holder_type: 'individual', holder_document: document };
  return {
    code: randomUUID(),
    payment_mode: 'bank_transfer',
    register_information: {
      type: 'individual',
      name: 'Tony Stark',
      email: 'a@example.com',
      document,
      phone_numbers,
    },
    default_bank_account: { ...holder, ...bank, ...account },
    transfer_settings: { transfer_enabled: false, transfer_interval: 'Daily', transfer_day: 0 },
  };
}

const created = async (document?: string) => {
  const body = recipient(document);
  return { code: body.code, ...(await bench.send('POST', 'recipients', body)) };
};
const rule = (recipient_id: string, amount: number, main: boolean, type = 'flat') => {
  const options = { liable: main, charge_processing_fee: main, charge_remainder_fee: main };
  return { type, amount, recipient_id, options };
};

describe('a recipient at the fake of Pagar.me', () => {
  it('is found by its id and by our code, and its personal data is not stored', async () => {
    const { code, status, body } = await created();
    expect({ status, body }).toMatchObject({ status: 200, body: { code, status: 'active' } });
    expect(body.id).toMatch(/^rp_/);
    expect((await bench.get(`recipients/${body.id}`)).body).toMatchObject({ code });
    expect((await bench.get(`recipients/${code}`)).body).toMatchObject({ id: body.id });
    expect(await bench.get('recipients/rp_unknown')).toMatchObject({
      status: 404,
      body: { message: 'Recipient not found.' },
    });
    expect(bench.dataOnDisk()).not.toMatch(/26224451990|Tony Stark/);
  });

  it('is registered, then needs a proof of life at a link, then is active', async () => {
    const { body } = await created('26224451900');
    expect(body).toMatchObject({ status: 'registration' });
    expect(body).not.toHaveProperty('kyc_details');
    expect((await bench.get(`recipients/${body.id}`)).body).toMatchObject({
      status: 'affiliation',
      kyc_details: { status: 'partially_denied', status_reason: 'additional_documents_required' },
    });
    expect((await bench.send('POST', `recipients/${body.id}/kyc_link`)).body).toMatchObject({
      url: expect.stringContaining(body.id) as string,
      expiration_date: expect.any(String) as string,
    });
    await bench.control.decideRecipient(coreIdOf(body.id), 'active');
    expect((await bench.get(`recipients/${body.id}`)).body).toMatchObject({
      status: 'active',
      kyc_details: { status: 'approved' },
    });
  });

  it('is refused by its document, repeated by its key, and invalid without its data', async () => {
    expect((await created('26224451999')).body).toMatchObject({ status: 'refused' });
    const body = recipient();
    const key = randomUUID();
    const first = await bench.send('POST', 'recipients', body, { key });
    expect((await bench.send('POST', 'recipients', body, { key })).body.id).toBe(first.body.id);
    expect(await bench.send('POST', 'recipients', { code: 'x' })).toMatchObject({ status: 422 });
  });
});

/** The id that the control routes know. */
function coreIdOf(id: string): string {
  return id.replace(/^rp_(.{8})(.{4})(.{4})(.{4})(.{12})$/, 're_$1-$2-$3-$4-$5');
}

describe('a split at the fake of Pagar.me', () => {
  const split = async (payment: PagarmePayment, rules: object[], credit_card: object = {}) =>
    payment.create({ ...card({ card: rawCard(CARDS.approved), ...credit_card }), split: rules });
  const received = async ({ transactionId }: PagarmePayment) => {
    const { entries } = await bench.control.ledger(transactionId);
    return entries.filter(({ kind }) => kind === 'split').map(({ amount }) => amount);
  };

  it('pays gross parts in cents, or percentages with the remainder to the recipient that takes it', async () => {
    const [one, two] = [await created(), await created()];
    const flat = new PagarmePayment(bench);
    const answer = await split(flat, [rule(one.body.id, 7_001, true), rule(two.body.id, 2_999, false)]);
    expect(chargeOf(answer).last_transaction).toMatchObject({
      split: [
        { type: 'flat', amount: 7_001, recipient: { id: one.body.id }, options: { liable: true } },
        { type: 'flat', amount: 2_999, recipient: { id: two.body.id }, options: { liable: false } },
      ],
    });
    expect(await received(flat)).toEqual([7_001, 2_999]);
    const percent = new PagarmePayment(bench);
    const rules = [rule(one.body.id, 33, false, 'percentage'), rule(two.body.id, 67, true, 'percentage')];
    const { id } = chargeOf(await split(percent, rules, { operation_type: 'auth_only' }));
    await bench.send('POST', `charges/${id}/capture`, { amount: 101 });
    expect(await received(percent)).toEqual([33, 68]);
  });

  it('pays a recipient before its proof of life, but none that was refused', async () => {
    const pending = await created('26224451900');
    const payment = new PagarmePayment(bench);
    const answer = await split(payment, [rule(pending.body.id, 10_000, true)]);
    expect(answer).toMatchObject({ body: { status: 'paid' } });
    expect(await received(payment)).toEqual([10_000]);
    const refused = await created('26224451999');
    expect(await split(new PagarmePayment(bench), [rule(refused.body.id, 10_000, true)])).toMatchObject({
      status: 404,
    });
  });

  it('is refused if it does not sum up, if nobody is liable and if a recipient is unknown', async () => {
    const { body } = await created();
    const send = async (rules: object[]) => {
      const { status, text } = await split(new PagarmePayment(bench), rules);
      return { status, text };
    };
    expect(await send([rule(body.id, 9_999, true)])).toMatchObject({
      status: 422,
      text: expect.stringContaining('order.payments[0].split') as string,
    });
    expect(await send([rule(body.id, 10_000, false)])).toMatchObject({
      status: 422,
      text: expect.stringContaining('liable') as string,
    });
    expect(await send([rule('rp_unknown', 10_000, true)])).toMatchObject({ status: 404 });
  });

  it('is taken back from its recipients by the rules of a refund, and in full by a full one', async () => {
    const { body } = await created();
    const debited = async ({ transactionId }: PagarmePayment) => {
      const { entries } = await bench.control.ledger(transactionId);
      return entries.filter(({ kind }) => kind === 'refunded').map(({ debit, amount }) => [debit, amount]);
    };
    const recipientAccount = `recipient:${coreIdOf(body.id)}`;
    const payment = new PagarmePayment(bench);
    const { id } = chargeOf(await split(payment, [rule(body.id, 10_000, true)]));
    await bench.send('DELETE', `charges/${id}`, { amount: 1_000, split: [rule(body.id, 1_000, true)] });
    expect(await debited(payment)).toEqual([[recipientAccount, 1_000]]);
    const whole = new PagarmePayment(bench);
    const charge = chargeOf(await split(whole, [rule(body.id, 10_000, true)]));
    await bench.send('DELETE', `charges/${charge.id}`);
    expect(await debited(whole)).toEqual([[recipientAccount, 10_000]]);
  });
});
