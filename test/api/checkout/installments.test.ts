import { ledgerOf } from '../../support/scenarios/pay';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { registerDashboardCompany } from '../dashboard/dashboard-company';
import { CheckoutVisit, newLink, type CheckoutSessionBody } from './checkout-buyer';

/* What a session shows for installments is what a card is charged. */

const BUYER_PAYS = {
  max_installments: 6,
  interest: 'buyer',
  interest_rates: [
    { installments: 2, basis_points: 0 },
    { installments: 3, basis_points: 899 },
  ],
};

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }, { workers: 'payments' });
  client = await registerWithGateways(api);
}, 60_000);
afterAll(() => api.stop());

const totalsOf = ({ installment_options: options }: CheckoutSessionBody) =>
  options.map(({ installments, total }) => [installments, total]);

async function expectNotOffered(visit: CheckoutVisit, installments: number): Promise<void> {
  const answer = await visit.payByCard(APPROVED_CARD, undefined, { installments });
  const { errors } = expectStatus(answer, 422).body;
  expect(Object.keys(errors ?? {})).toEqual(['installments']);
  const { body: session } = expectStatus(await visit.getSession(), 200);
  expect(session).toMatchObject({ tries_left: 5, payment: null });
}

it('a card is charged the total that the session shows for its installments, and the payment says what is interest', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client, { amount: 10_000, ...BUYER_PAYS }));
  expect(visit.session.installment_options).toEqual([
    { installments: 1, amount: 10_000, first_amount: 10_000, total: 10_000, interest_amount: 0 },
    { installments: 2, amount: 5_000, first_amount: 5_000, total: 10_000, interest_amount: 0 },
    { installments: 3, amount: 3_633, first_amount: 3_633, total: 10_899, interest_amount: 899 },
  ]);
  const { body: paid } = expectStatus(
    await visit.payByCard(APPROVED_CARD, undefined, { installments: 3 }),
    200,
  );
  const expected = { status: 'approved', amount: 10_899, captured_amount: 10_899, interest_amount: 899 };
  expect(paid).toMatchObject({ ...expected, installments: 3 });
  expect(await ledgerOf(api.engine, paid)).toMatchObject({ captured: 10_899 });
  const params = { id: paid.transaction_id };
  expect(expectStatus(await client('getPayment', { params }), 200).body).toMatchObject(expected);
  expect(expectStatus(await visit.getSession(), 200).body).toMatchObject({
    amount: 10_000,
    payment: expected,
  });
});

it('a number of installments that a session does not offer is rejected on its field, and costs no try', async () => {
  const byDefault = await CheckoutVisit.atLink(api, await newLink(client, { amount: 100_000 }));
  expect(totalsOf(byDefault.session)).toHaveLength(12);
  await expectNotOffered(byDefault, 24);
  const once = await CheckoutVisit.ofCompany(api, client, { amount: 100_000, max_installments: 1 });
  await expectNotOffered(once, 2);
  const large = { amount: 5_999, min_installment_amount: 2_000 };
  const parts = await CheckoutVisit.ofCompany(api, client, large);
  expect(totalsOf(parts.session)).toEqual([
    [1, 5_999],
    [2, 5_999],
  ]);
  await expectNotOffered(parts, 3);
  const dollars = await CheckoutVisit.ofCompany(api, client, { amount: 100_000, currency: 'USD' });
  expect(totalsOf(dollars.session)).toEqual([[1, 100_000]]);
});

it('a subscription has no installments', async () => {
  const body = { name: 'Gold', amount: 99_900, currency: 'BRL', interval: 'monthly' };
  const { id } = expectStatus(await client('createPlan', { body }), 201).body.data;
  const offer = { type: 'subscription', amount: null, plan_id: id };
  const visit = await CheckoutVisit.atLink(api, await newLink(client, offer));
  expect(visit.session.installment_options).toEqual([]);
  await expectNotOffered(visit, 2);
});

it('a card with installments that are not offered does not cancel the pix of the session', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client, { max_installments: 1 }));
  expectStatus(await visit.payByPix(), 200);
  expectStatus(await visit.payByCard(APPROVED_CARD, undefined, { installments: 2 }), 422);
  expect(expectStatus(await visit.getSession(), 200).body.payment?.status).toBe('pending');
});

it('a pix pays the price at once, without interest', async () => {
  const visit = await CheckoutVisit.atLink(api, await newLink(client, { amount: 10_000, ...BUYER_PAYS }));
  const { body: pix } = expectStatus(await visit.pay({ payment_method: 'pix', installments: 3 }), 200);
  expect(pix).toMatchObject({ amount: 10_000, installments: 1, interest_amount: 0 });
});

it('a session charges what it showed, although the link has changed since', async () => {
  const link = await newLink(client, { amount: 10_000, ...BUYER_PAYS });
  const visit = await CheckoutVisit.atLink(api, link);
  const params = { token: link.token };
  const change = { amount: 20_000, max_installments: 1, interest: 'merchant' };
  expectStatus(await client('updatePaymentLink', { params, body: change }), 200);
  const shown = expectStatus(await visit.getSession(), 200).body;
  expect(shown.installment_options).toEqual(visit.session.installment_options);
  const { body: paid } = expectStatus(
    await visit.payByCard(APPROVED_CARD, undefined, { installments: 3 }),
    200,
  );
  expect(paid).toMatchObject({ status: 'approved', amount: 10_899, installments: 3 });
  const later = await CheckoutVisit.atLink(api, link);
  expect(totalsOf(later.session)).toEqual([[1, 20_000]]);
});

it('links and sessions have the company’s installments, and may set their own', async () => {
  const { byKey, byToken } = await registerDashboardCompany(api, ['gateway_1']);
  const link = await newLink(byKey, { amount: 10_000 });
  expect(link).toMatchObject({ max_installments: null, interest: null, interest_rates: null });
  expectStatus(await byToken('updateCompanyConfig', { body: BUYER_PAYS }), 200);
  const inherited = [
    [1, 10_000],
    [2, 10_000],
    [3, 10_899],
  ];
  expect(totalsOf((await CheckoutVisit.atLink(api, link)).session)).toEqual(inherited);
  expect(totalsOf((await CheckoutVisit.ofCompany(api, byKey, { amount: 10_000 })).session)).toEqual(
    inherited,
  );
  const own = { amount: 10_000, interest: 'merchant', max_installments: 4 };
  expect(totalsOf((await CheckoutVisit.ofCompany(api, byKey, own)).session)).toEqual(
    [1, 2, 3, 4].map((installments) => [installments, 10_000]),
  );
  const params = { token: link.token };
  const set = async (body: object) => {
    const { data } = expectStatus(await byKey('updatePaymentLink', { params, body }), 200).body;
    expect(data).toMatchObject(body);
    return totalsOf((await CheckoutVisit.atLink(api, link)).session);
  };
  expect(await set({ interest_rates: [{ installments: 4, basis_points: 1_000 }] })).toEqual([
    [1, 10_000],
    [4, 11_000],
  ]);
  expect(await set({ max_installments: 3 })).toEqual([[1, 10_000]]);
  expect(await set({ max_installments: null, interest_rates: null })).toEqual(inherited);
});
