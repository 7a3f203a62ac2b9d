import { APPROVED_CARD } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { BUYER, CheckoutVisit, newLink, slugsOf } from './checkout-buyer';

const LOST_CARD = '4000000000009987';
const JANE = { full_name: 'Jane Miller', email: 'jane@example.com', cpf_cnpj: null };

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' });
  client = await registerWithGateways(api);
});
afterAll(() => api.stop());

const customersOf = async (email: string) =>
  expectStatus(await client('listCustomers', { query: { email } }), 200).body.data;

describe('a link in another currency than BRL', () => {
  it('asks its buyer for no CPF or CNPJ, and the payment has none', async () => {
    const link = await newLink(client, { currency: 'USD' });
    const offer = expectStatus(await api.anonymous('getPublicPaymentLink', { params: slugsOf(link) }), 200);
    expect(offer.body.data).toMatchObject({ currency: 'USD', document_required: false });
    const visit = await CheckoutVisit.atLink(api, link, JANE);
    expect(visit.session).toMatchObject({ document_required: false });
    const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    expect(paid).toMatchObject({
      status: 'approved',
      customer: { name: 'Jane Miller', email: 'jane@example.com', document: null, type: 'individual' },
    });
    const own = expectStatus(await client('getPayment', { params: { id: paid.transaction_id } }), 200).body;
    expect(own.customer).toMatchObject({ name: 'Jane Miller', document: null, token: expect.any(String) });
  });

  it('still takes a CPF or CNPJ from a buyer who gives one', async () => {
    const visit = await CheckoutVisit.atLink(api, await newLink(client, { currency: 'USD' }));
    const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    expect(paid.customer).toMatchObject({ document: '***.533.447-**' });
  });

  it('makes one customer of a buyer however often the card is declined, and another of each purchase', async () => {
    const email = 'john@example.com';
    const link = await newLink(client, { currency: 'USD' });
    for (const purchase of [1, 2]) {
      const visit = await CheckoutVisit.atLink(api, link, { ...JANE, email });
      expect(expectStatus(await visit.payByCard(LOST_CARD), 200).body.status).toBe('failed');
      expect(expectStatus(await visit.payByCard(APPROVED_CARD), 200).body.status).toBe('approved');
      expect(await customersOf(email)).toHaveLength(purchase);
    }
  });

  it('has a guest whom an erasure forgets everywhere, also in the session', async () => {
    const email = 'forget.me@example.com';
    const visit = await CheckoutVisit.atLink(api, await newLink(client, { currency: 'USD' }), {
      ...JANE,
      email,
    });
    expectStatus(await visit.payByCard(APPROVED_CARD), 200);
    const [guest] = await customersOf(email);
    expectStatus(await client('eraseCustomer', { params: { token: guest?.token ?? '' } }), 204);
    expect(await customersOf(email)).toEqual([]);
    const shown = expectStatus(await visit.getSession(), 200).body;
    expect(JSON.stringify(shown)).not.toContain(email);
  });
});

describe('a session that the company opened in another currency', () => {
  it('takes a buyer without a CPF or CNPJ', async () => {
    const visit = await CheckoutVisit.ofCompany(api, client, { currency: 'USD', amount: uniqueAmount() });
    expect(visit.session).toMatchObject({ customer_required: true, document_required: false });
    const customer = { name: 'Jane Miller', email: 'jane@example.com' };
    const { body: paid } = expectStatus(await visit.payByCard(APPROVED_CARD, undefined, { customer }), 200);
    expect(paid).toMatchObject({ status: 'approved', customer: { name: 'Jane Miller', document: null } });
  });
});

describe('in BRL', () => {
  it('a link’s buyer and a session’s customer without a CPF or CNPJ are refused by the name of the field', async () => {
    const link = await newLink(client);
    const request = { params: slugsOf(link), body: { ...BUYER, cpf_cnpj: null } };
    const refused = expectStatus(await api.anonymous('createLinkSession', request), 422).body;
    expect(refused.errors).toEqual({ cpf_cnpj: ['is required in BRL'] });
    const visit = await CheckoutVisit.ofCompany(api, client);
    expect(visit.session).toMatchObject({ document_required: true });
    const customer = { name: 'Joana Lima', email: 'joana@example.com' };
    const { body } = expectStatus(await visit.payByCard(APPROVED_CARD, undefined, { customer }), 422);
    expect(body.errors).toEqual({ 'customer.document': ['is required in BRL'] });
  });

  it('and in any currency a customer that the API names needs a document', async () => {
    const customer = { name: 'Jane Miller', email: 'jane@example.com' };
    const body = { type: 'one_time', amount: 5_000, currency: 'USD', customer };
    const refused = expectStatus(await client('createCheckoutSession', { body }), 422).body;
    expect(Object.keys(refused.errors ?? {})).toEqual(['customer.document']);
  });
});
