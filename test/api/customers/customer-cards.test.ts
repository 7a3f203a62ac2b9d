import {
  ADDRESS,
  cardBody,
  newCustomer,
  register,
  startCompanyApi,
  type CompanyApi,
  type RegisteredCompany,
} from '../support/company-api';
import { expectStatus } from '../support/api-client';

let api: CompanyApi;
let company: RegisteredCompany;
let other: RegisteredCompany;
let token: string;
beforeAll(async () => {
  api = await startCompanyApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  [company, other] = [await register(api), await register(api)];
  token = await newCustomer(company);
});

const post = (body: object, customer = token) =>
  company.client('createCustomerCard', { params: { token: customer }, body });

async function saveCard(number?: string, change: object = {}) {
  return expectStatus(await post(cardBody(number, change)), 201).body.data;
}

async function listCards() {
  return expectStatus(await company.client('listCustomerCards', { params: { token } }), 200).body.data;
}

describe('POST /customers/{token}/cards', () => {
  it('answers 201 with the card, masked', async () => {
    const answer = expectStatus(await post({ ...cardBody(), billing_address: ADDRESS }), 201);
    expect(answer.body.data).toEqual({
      token: expect.stringMatching(/^card_/),
      brand: 'visa',
      first_6_digits: '411111',
      last_4_digits: '1111',
      holder_name: 'MARIA SOUZA',
      expire_month: '12',
      expire_year: '2035',
      is_default: true,
      created_at: expect.any(String),
    });
  });

  it('accepts month and year as strings, and a year of two digits', async () => {
    expect(await saveCard(undefined, { expire_month: '03', expire_year: '35' })).toMatchObject({
      expire_month: '03',
      expire_year: '2035',
    });
  });

  it('makes only the first card the default card', async () => {
    expect(await saveCard('4111111111111111')).toMatchObject({ is_default: true });
    expect(await saveCard('5555555555554444')).toMatchObject({ is_default: false, brand: 'mastercard' });
  });

  it('updates the expiry of a card that the customer saved before, and keeps its token', async () => {
    const first = await saveCard();
    const again = await saveCard(undefined, { expire_year: 2036 });
    expect(again).toMatchObject({ token: first.token, expire_year: '2036', is_default: true });
    expect(await listCards()).toHaveLength(1);
  });

  it('stores no CVV', async () => {
    await saveCard();
    const rows = await api.engine.context.db.query<{ sealed: unknown }>(
      `SELECT v.sealed_cvv AS sealed FROM vault_cards v JOIN customer_cards c ON c.vault_card_id = v.id
         JOIN customers u ON u.id = c.customer_id WHERE u.token = $1`,
      [token],
    );
    expect(rows).toEqual([{ sealed: null }]);
  });

  it.each([
    ['number', { number: '4111111111111112' }],
    ['number', { number: '411111' }],
    ['holder_name', { holder_name: ' ' }],
    ['expire_month', { expire_month: 13 }],
    ['expire_year', { expire_year: 203 }],
    ['expire_year', { expire_year: 2020 }],
    ['cvv', { cvv: '12' }],
    ['cvv', { cvv: undefined }],
    ['billing_address.zip_code', { billing_address: { ...ADDRESS, zip_code: undefined } }],
  ])('answers 422 on %s for %j, and returns nothing of the card', async (field, change) => {
    const answer = expectStatus(await post(cardBody(undefined, change)), 422);
    expect(Object.keys(answer.body.errors ?? {})).toEqual([field]);
    const { request_id: _own, ...body } = answer.body;
    expect(JSON.stringify(body)).not.toMatch(/411111|\b737\b/);
    expect(await listCards()).toEqual([]);
  });

  it('answers 404 for another company’s customer', async () => {
    const answer = await other.client('createCustomerCard', { params: { token }, body: cardBody() });
    expectStatus(answer, 404);
    expectStatus(await post(cardBody(), 'cus_never'), 404);
  });

  it('answers 401 without a key pair', async () => {
    expectStatus(await api.anonymous('createCustomerCard', { params: { token }, body: cardBody() }), 401);
  });
});

describe('GET /customers/{token}/cards', () => {
  it('lists only this customer’s cards, newest first and in pages', async () => {
    const older = await saveCard('4111111111111111');
    const newer = await saveCard('5555555555554444');
    const neighbour = await newCustomer(company, { document: '11111111111' });
    await post(cardBody(), neighbour);
    expect(await listCards()).toEqual([newer, older]);
    const paged = await company.client('listCustomerCards', {
      params: { token },
      query: { page: 2, per_page: 1 },
    });
    expect(expectStatus(paged, 200).body).toEqual({
      data: [older],
      meta: { current_page: 2, per_page: 1, total: 2, last_page: 2 },
    });
  });

  it('answers 404 for another company’s customer, and 401 without a key pair', async () => {
    expectStatus(await other.client('listCustomerCards', { params: { token } }), 404);
    expectStatus(await api.anonymous('listCustomerCards', { params: { token } }), 401);
  });

  it('answers 422 for an invalid page', async () => {
    expectStatus(
      await company.client('listCustomerCards', { params: { token }, query: { per_page: 101 } }),
      422,
    );
  });
});

describe('DELETE /customers/{token}/cards/{card_token}', () => {
  const remove = (card_token: string, by = company, customer = token) =>
    by.client('deleteCustomerCard', { params: { token: customer, card_token } });

  it('answers 204 and deletes the card, and answers 404 the second time', async () => {
    const card = await saveCard();
    expectStatus(await remove(card.token), 204);
    expect(await listCards()).toEqual([]);
    expectStatus(await remove(card.token), 404);
  });

  it('makes the newest remaining card the default if the default card is deleted', async () => {
    const first = await saveCard('4111111111111111');
    await saveCard('5555555555554444');
    const newest = await saveCard('4000000000000010');
    expectStatus(await remove(first.token), 204);
    expect((await listCards()).map((card) => card.is_default)).toEqual([true, false]);
    expect((await listCards())[0]?.token).toBe(newest.token);
  });

  it('allows saving the same number again, under another token', async () => {
    const card = await saveCard();
    expectStatus(await remove(card.token), 204);
    const again = await saveCard();
    expect(again.token).not.toBe(card.token);
    expect(again.is_default).toBe(true);
  });

  it('erases the number from the vault', async () => {
    const card = await saveCard();
    expectStatus(await remove(card.token), 204);
    await api.engine.context.vault.sweep(1_000);
    const [row] = await api.engine.context.db.query<{ vaultCardId: string | null }>(
      'SELECT vault_card_id AS "vaultCardId" FROM customer_cards WHERE token = $1',
      [card.token],
    );
    expect(row?.vaultCardId).toBeNull();
  });

  it('answers 404 for another company’s or customer’s card without deleting it, and 401 without a key pair', async () => {
    const card = await saveCard();
    const neighbour = await newCustomer(company, { document: '11111111111' });
    expectStatus(await remove(card.token, other), 404);
    expectStatus(await remove(card.token, other, await newCustomer(other)), 404);
    expectStatus(await remove(card.token, company, neighbour), 404);
    expectStatus(
      await api.anonymous('deleteCustomerCard', { params: { token, card_token: card.token } }),
      401,
    );
    expect(await listCards()).toEqual([card]);
  });
});
