import { APPROVED_CARD } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import { BUYER, CheckoutVisit, newLink, type PaymentLinkBody } from './checkout-buyer';

const DECLINED_CARD = '4000000000009987';
/** The simulator declines it for insufficient funds (code 51). */
const WITHOUT_FUNDS = '4000000000009995';
const KNOWN = { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' };

let api: EngineApi;
let client: ApiClient;
let link: PaymentLinkBody;
beforeAll(async () => {
  const settings = { RATE_LIMIT_PUBLIC_PER_MINUTE: '1000', RATE_LIMIT_DECLINES_PER_CARD: '2' };
  ({ api, client } = await startWithTwoCompanies(settings));
  expectStatus(await client('createCustomer', { body: KNOWN }), 201);
  link = await newLink(client);
});
afterAll(() => api.stop());

const visitAs = (document: string) => CheckoutVisit.atLink(api, link, { cpf_cnpj: document });

/** What a buyer learns: the answers without what differs between any two purchases. */
async function answersTo(document: string, card: string): Promise<unknown> {
  const visit = await visitAs(document);
  const paid = expectStatus(await visit.payByCard(card), 200).body;
  const { body } = await visit.getSession();
  const text = JSON.stringify([paid, body], (key, value: unknown) =>
    /_at$|_time$|^id$|_id$|^token$|^idempotency_key$|^document$/.test(key) && value !== null ? 'some' : value,
  );
  return JSON.parse(text);
}

it.each([APPROVED_CARD, DECLINED_CARD])(
  'a purchase with the card %s does not tell whether the document belongs to a customer',
  async (card) => {
    const [known, unknown] = [await answersTo(KNOWN.document, card), await answersTo('11144477735', card)];
    expect(known).toEqual(unknown);
    expect(known).toMatchObject([
      { customer: { id: null, token: null, name: BUYER.full_name, phone: null } },
      {},
    ]);
    expect(JSON.stringify(known)).not.toContain(KNOWN.email);
  },
);

it('the company sees the customer and what the bank said, the public only that the card was declined', async () => {
  const visit = await visitAs(KNOWN.document);
  const { body } = expectStatus(await visit.payByCard(WITHOUT_FUNDS, 'a-key'), 200);
  expect(body).toMatchObject({ status: 'failed', code: 'declined', message: 'declined', webhook: null });
  for (const transaction of body.transactions) {
    expect(transaction).toMatchObject({ response_code: null, response_message: null, decline_type: null });
  }
  const again = expectStatus(await visit.payByCard(WITHOUT_FUNDS, 'a-key'), 200);
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', body]);
  const params = { id: body.transaction_id };
  const seen = expectStatus(await client('getPayment', { params }), 200).body;
  expect(seen).toMatchObject({
    message: 'insufficient funds',
    customer: { id: expect.any(Number), token: expect.stringMatching(/^cus_/) },
  });
  expect(seen.transactions[0]).toMatchObject({ response_code: '51', decline_type: 'soft' });
});

it('a card that was declined too often is tried no more, and that is not counted as a try of the session', async () => {
  const number = '4000000000009979';
  for (let times = 0; times < 2; times += 1) {
    const visit = await visitAs('11144477735');
    expect(expectStatus(await visit.payByCard(number), 200).body.code).toBe('declined');
  }
  const visit = await visitAs('11144477735');
  const limited = expectStatus(await visit.payByCard(number, 'limited'), 429);
  expect(limited.body).toMatchObject({
    code: 'rate_limited',
    message: 'Too many attempts. Try again later.',
  });
  expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(expectStatus(await visit.getSession(), 200).body).toMatchObject({ tries_left: 5, payment: null });
  expect(expectStatus(await visit.payByCard(APPROVED_CARD, 'limited'), 200).body.status).toBe('approved');
});

it('a session of the company’s own customer shows the whole payment and is not limited', async () => {
  const customer = { name: 'Ana Reis', email: 'ana@example.com', document: '15350946056' };
  for (let times = 0; times < 3; times += 1) {
    const visit = await CheckoutVisit.ofCompany(api, client, { customer });
    const { body } = expectStatus(await visit.payByCard(WITHOUT_FUNDS), 200);
    expect(body).toMatchObject({ message: 'insufficient funds', customer: { token: expect.any(String) } });
  }
});
