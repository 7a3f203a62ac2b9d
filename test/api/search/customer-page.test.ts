import { randomUUID } from 'node:crypto';
import { rawCard } from '../../support/fixtures/payments';
import { CheckoutVisit, newLink } from '../checkout/checkout-buyer';
import { registerDashboardCompany, type DashboardCompany } from '../dashboard/dashboard-company';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { sale } from '../support/payment-scenario';

let api: EngineApi;
let company: DashboardCompany;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' });
  company = await registerDashboardCompany(api, ['gateway_1']);
});
afterAll(() => api.stop());

const PERSON = { name: 'Rosa Prado', email: 'rosa@example.com', document: '11144477735' };

describe('a customer, for users', () => {
  it('has saved cards without their numbers, and the payment link of a purchase', async () => {
    const { byKey, byToken } = company;
    const { token } = expectStatus(await byKey('createCustomer', { body: PERSON }), 201).body.data;
    const saved = { ...rawCard('4111111111111111'), holder_name: 'ROSA PRADO' };
    expectStatus(await byKey('createCustomerCard', { params: { token }, body: saved }), 201);
    const link = await newLink(byKey);
    const buyer = { full_name: PERSON.name, email: PERSON.email, cpf_cnpj: PERSON.document };
    const visit = await CheckoutVisit.atLink(api, link, buyer);
    expectStatus(await visit.payByPix(), 200);
    const { data } = expectStatus(await byToken('getUserCustomer', { params: { token } }), 200).body;
    expect(data).toMatchObject({
      customer: { token, name: 'Rosa Prado', document: '***.444.777-**' },
      cards: [{ last_4_digits: '1111', first_6_digits: '411111', holder_name: 'ROSA PRADO' }],
      checkout_purchases: [{ payment_link: { token: link.token }, subscription_id: null }],
    });
    expect(JSON.stringify(data)).not.toContain('4111111111111111');
    const [purchase] = data.checkout_purchases;
    const listed = expectStatus(await byToken('listUserPayments', { query: { customer: token } }), 200).body;
    expect(listed.data.map(({ transaction_id: id }) => id)).toEqual([purchase?.transaction_id]);
    expect(listed.meta.total).toBe(1);
    const customers = expectStatus(
      await byToken('listUserCustomers', { query: { email: PERSON.email } }),
      200,
    );
    expect(customers.body.data).toMatchObject([{ token }]);
  });

  it('lists of payments filter by customer and by the last four digits of the card, with other filters', async () => {
    const { byKey, byToken } = company;
    const mark = randomUUID();
    const card = rawCard('5555555555554444');
    await sale(byKey, { merchant_order_id: `${mark}-1`, card });
    await sale(byKey, { merchant_order_id: `${mark}-2`, card });
    await sale(byKey, { merchant_order_id: `${mark}-3` });
    const orders = async (query: Record<string, string>) => {
      const { data, meta } = expectStatus(await byToken('listUserPayments', { query }), 200).body;
      expect(meta.total).toBe(data.length);
      return data.map(({ merchant_order_id: order }) => order);
    };
    expect(await orders({ last_four: '4444' })).toEqual([`${mark}-2`, `${mark}-1`]);
    expect(await orders({ last_four: '4444', status: 'failed' })).toEqual([]);
    const [payment] = expectStatus(await byToken('listUserPayments', { query: { q: `${mark}-3` } }), 200).body
      .data;
    const customer = payment?.customer?.token ?? '';
    expect(await orders({ customer })).toEqual([`${mark}-3`, `${mark}-2`, `${mark}-1`]);
    expect(await orders({ customer, last_four: '4444' })).toEqual([`${mark}-2`, `${mark}-1`]);
    expect(await orders({ customer: 'cus_unknown' })).toEqual([]);
    const malformed = await byToken('listUserPayments', { query: { last_four: '44' } });
    expect(expectStatus(malformed, 422).body).toMatchObject({ errors: { last_four: ['must be 4 digits'] } });
  });
});

describe('notes', () => {
  it('are listed newest first with author and time, for the payment or the customer that they are about', async () => {
    const { byKey, byToken } = company;
    const payment = await sale(byKey);
    const params = { id: payment.transaction_id };
    const customer = { token: payment.customer?.token ?? '' };
    const first = expectStatus(
      await byToken('addPaymentNote', { params, body: { text: ' Called.\nPaid twice? ' } }),
      201,
    );
    expect(first.body.data).toEqual({
      id: expect.any(String),
      author: expect.any(String),
      text: 'Called.\nPaid twice?',
      created_at: expect.any(String),
    });
    expectStatus(await byToken('addPaymentNote', { params, body: { text: 'Refund promised.' } }), 201);
    expectStatus(
      await byToken('addCustomerNote', { params: customer, body: { text: 'Prefers email.' } }),
      201,
    );
    const texts = ({ data }: { data: ReadonlyArray<{ text: string | null }> }) =>
      data.map(({ text }) => text);
    const ofPayment = expectStatus(await byToken('listPaymentNotes', { params }), 200).body;
    expect(texts(ofPayment)).toEqual(['Refund promised.', 'Called.\nPaid twice?']);
    expect(ofPayment.meta.total).toBe(2);
    const ofCustomer = expectStatus(await byToken('listCustomerNotes', { params: customer }), 200).body;
    expect(texts(ofCustomer)).toEqual(['Prefers email.']);
  });

  it('are refused if they are blank, too long or have a card number, and are not audited with their text', async () => {
    const { byKey, byToken } = company;
    const params = { id: (await sale(byKey)).transaction_id };
    for (const text of [' ', 'a'.repeat(2_001), 'card 4111 1111 1111 1111']) {
      const refused = expectStatus(await byToken('addPaymentNote', { params, body: { text } }), 422);
      expect(refused.body).toMatchObject({ errors: { text: [expect.any(String)] } });
    }
    const secret = `secret ${randomUUID()}`;
    const { id } = expectStatus(await byToken('addPaymentNote', { params, body: { text: secret } }), 201).body
      .data;
    const query = { action: 'payment.add_note', subject_id: params.id } as const;
    const audit = expectStatus(await byToken('listAuditLog', { query }), 200).body;
    expect(audit.data).toMatchObject([{ changes: { note_id: id }, user: { email: company.email } }]);
    expect(JSON.stringify(audit)).not.toContain(secret);
  });

  it('that are sent again with their idempotency key are kept once, and the erasure blanks the repeated answer', async () => {
    const { byKey, byToken } = company;
    const body = { name: 'Ivo Luz', email: 'ivo@example.com', document: '39053344705' };
    const { token } = expectStatus(await byKey('createCustomer', { body }), 201).body.data;
    const params = { id: (await sale(byKey, { customer: { token } })).transaction_id };
    const request = { params, body: { text: 'Paid twice.' }, headers: { 'Idempotency-Key': randomUUID() } };
    const answers = await Promise.all([
      byToken('addPaymentNote', request),
      byToken('addPaymentNote', request),
    ]);
    const [first, again] = answers.map((answer) => expectStatus(answer, 201).body.data);
    expect(again).toEqual(first);
    const kept = expectStatus(await byToken('listPaymentNotes', { params }), 200).body;
    expect(kept.data).toEqual([first]);
    const query = { action: 'payment.add_note', subject_id: params.id } as const;
    expect(expectStatus(await byToken('listAuditLog', { query }), 200).body.meta.total).toBe(1);
    const changed = await byToken('addPaymentNote', { ...request, body: { text: 'Paid once.' } });
    expect(expectStatus(changed, 422).body).toMatchObject({ code: 'idempotency_key_reused' });
    expectStatus(await byKey('eraseCustomer', { params: { token } }), 204);
    const late = expectStatus(await byToken('addPaymentNote', request), 201).body.data;
    expect(late).toEqual({ ...first, text: null });
  });

  it('become unreadable with the erasure of the customer, and no further ones are kept', async () => {
    const { byKey, byToken } = company;
    const body = { name: 'Elza Reis', email: 'elza@example.com', document: '52998224725' };
    const { token } = expectStatus(await byKey('createCustomer', { body }), 201).body.data;
    const params = { id: (await sale(byKey, { customer: { token } })).transaction_id };
    const text = `Lives next door ${randomUUID()}`;
    expectStatus(await byToken('addPaymentNote', { params, body: { text } }), 201);
    expectStatus(await byToken('addCustomerNote', { params: { token }, body: { text } }), 201);
    expectStatus(await byKey('eraseCustomer', { params: { token } }), 204);
    const kept = expectStatus(await byToken('listPaymentNotes', { params }), 200).body;
    expect(kept.data).toMatchObject([{ text: null }]);
    expectStatus(await byToken('listCustomerNotes', { params: { token } }), 404);
    const late = expectStatus(await byToken('addPaymentNote', { params, body: { text } }), 409);
    expect(late.body).toMatchObject({ code: 'invalid_state' });
  });
});
