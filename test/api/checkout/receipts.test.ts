import { SendReceipts } from '../../../src/application/checkout/send-receipts';
import { MailNotSent, type Mail } from '../../../src/domain/companies/mail';
import { ReceiptRepository } from '../../../src/persistence/checkout/receipt-repository';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { newPlan } from '../../workflows/subscriptions/subscription-merchant';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { mailsTo } from '../support/outbox';
import { sale } from '../support/payment-scenario';
import { CheckoutVisit, newLink } from './checkout-buyer';

const LOST_CARD = '4000000000009987';
const HOUR_MS = 3_600_000;

let api: EngineApi;
let company: CompanyWithUser;
let buyers = 0;
beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }, { workers: 'payments' });
});
beforeEach(async () => {
  company = await registerCompanyWithUser(api);
});
afterAll(() => api.stop());

function newBuyer(): { readonly email: string } {
  buyers += 1;
  return { email: `buyer-${company.companyId}-${buyers}@example.com` };
}

/** A payment of a new link, by a browser that prefers this language. */
async function paidLink(language: string, change: object = {}) {
  const buyer = newBuyer();
  const link = await newLink(company.byKey, { name: 'Ceramics workshop', amount: 18_000, ...change });
  const visit = await CheckoutVisit.atLink(api, link, buyer);
  const paid = expectStatus(
    await visit.browser('payCheckout', {
      body: { payment_method: 'card', card: cardOf(APPROVED_CARD) },
      headers: { 'Accept-Language': language },
    }),
    200,
  ).body;
  return { ...buyer, visit, paid };
}

const cardOf = (number: string) => ({
  ...{ number, holder_name: 'Joana Lima', expire_month: '12', expire_year: '2030', cvv: '123' },
});

/** Sends what is due, as workers do that sweep at the same time; `send` replaces the mail server. */
async function sendAt(
  at: Date,
  send: (mail: Mail) => Promise<void>,
): Promise<PromiseSettledResult<number>[]> {
  const sender = () =>
    new SendReceipts({ ...api.engine.context, mailer: { send }, now: () => at }).execute(50);
  return Promise.allSettled([sender(), sender()]);
}

async function paymentIdOf({ transaction_id: id }: { readonly transaction_id: string }): Promise<number> {
  const { db } = api.engine.context;
  const [payment] = await db.query<{ id: number }>('SELECT id FROM payments WHERE transaction_id = $1', [id]);
  if (payment === undefined) throw new Error('the payment does not exist');
  return payment.id;
}

const subjectsTo = async (email: string) => (await mailsTo(api, email)).map(({ subject }) => subject);

describe('the buyer of a payment link', () => {
  it('gets one receipt, in the language of the browser and with the date in the company’s zone', async () => {
    const brand = { name: 'Flores do Centro' };
    const config = { brand, timezone: 'America/Manaus' };
    expectStatus(await company.byToken('updateCompanyConfig', { body: config }), 200);
    const { email, paid } = await paidLink('pt-BR,en;q=0.5');
    for (const _ of [1, 2]) await api.engine.sweeper.sweepOnce();
    const mails = await mailsTo(api, email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Recibo de Flores do Centro: R$ 180,00']);
    const text = mails[0]?.text ?? '';
    expect(text).toContain('Você pagou R$ 180,00 a Flores do Centro.');
    expect(text).toContain('Item: Ceramics workshop');
    expect(text).toContain('Pago com: Visa com final 1111');
    expect(text).toMatch(/^Data: \d+ de \S+ de \d{4} às \d\d:\d\d \(America\/Manaus\)$/m);
    expect(text).toContain(`Pedido: ${paid.merchant_order_id ?? ''}`);
    expect(text).toContain(`Pagamento: ${paid.transaction_id}`);
  });

  it('gets it in English from any other browser', async () => {
    const { email } = await paidLink('fr-FR');
    await api.engine.sweeper.sweepOnce();
    const [mail] = await mailsTo(api, email);
    expect(mail?.text).toContain('Paid with: Visa ending in 1111');
  });

  it('gets none for a card that was declined', async () => {
    const buyer = newBuyer();
    const visit = await CheckoutVisit.atLink(api, await newLink(company.byKey), buyer);
    expectStatus(await visit.payByCard(LOST_CARD), 200);
    await api.engine.sweeper.sweepOnce();
    expect(await subjectsTo(buyer.email)).toEqual([]);
  });

  it('gets none once the company has turned receipts off', async () => {
    const off = { send_receipts: false };
    expect(
      expectStatus(await company.byToken('updateCompanyConfig', { body: off }), 200).body.data,
    ).toMatchObject(off);
    const { email } = await paidLink('en');
    await api.engine.sweeper.sweepOnce();
    expect(await subjectsTo(email)).toEqual([]);
  });

  it('whose name for the company has several lines gets them as one', async () => {
    const { email } = await paidLink('en', { name: 'Workshop\nAmount: R$0.01' });
    await api.engine.sweeper.sweepOnce();
    const [mail] = await mailsTo(api, email);
    expect(mail?.text).toContain('Item: Workshop Amount: R$0.01');
  });
});

describe('other customers', () => {
  it('get none: the company charged them by its own program', async () => {
    const { email } = newBuyer();
    const customer = { name: 'Maria Souza', email, document: '52998224725' };
    await sale(company.byKey, { customer });
    await api.engine.sweeper.sweepOnce();
    expect(await subjectsTo(email)).toEqual([]);
  });

  it('of a subscription that began at a checkout get one for each charge, the renewals’ included', async () => {
    const plan = await newPlan(company.byKey, { name: 'Gold' });
    const offer = { type: 'subscription', amount: null, plan_id: plan.id, name: 'Gold club' };
    const buyer = newBuyer();
    const visit = await CheckoutVisit.atLink(api, await newLink(company.byKey, offer), buyer);
    expectStatus(await visit.payByCard(APPROVED_CARD), 201);
    for (const _ of [1, 2]) await api.engine.sweeper.sweepOnce();
    expect(await mailsTo(api, buyer.email)).toHaveLength(1);
    const [subscription] = expectStatus(await company.byKey('listSubscriptions', {}), 200).body.data;
    const eightDaysLater = new Date(Date.now() + 8 * 24 * HOUR_MS).toISOString();
    const move = { params: { uuid: subscription?.id ?? '' }, body: { advance_to: eightDaysLater } };
    expectStatus(await company.byKey('moveSubscriptionClock', move), 200);
    await waitFor(async () => {
      await api.engine.sweeper.sweepOnce();
      return (await mailsTo(api, buyer.email)).length > 1;
    });
    for (const _ of [1, 2]) await api.engine.sweeper.sweepOnce();
    const texts = (await mailsTo(api, buyer.email)).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain('Item: Gold club');
    expect(new Set(texts.map((text) => /^(?:Payment|Pagamento): (.+)$/m.exec(text)?.[1])).size).toBe(2);
  });
});

describe('a mail server', () => {
  it('that certainly did not take a receipt gets it again later, from one worker only', async () => {
    const { email } = await paidLink('en');
    const taken: string[] = [];
    const refuse = () => Promise.reject(new MailNotSent('connection refused'));
    const take = ({ to }: Mail) => Promise.resolve(void taken.push(to));
    const results = await sendAt(new Date(), refuse);
    expect(results.map(({ status }) => status)).toContain('rejected');
    await sendAt(new Date(), take);
    expect(taken).not.toContain(email);
    await sendAt(new Date(Date.now() + HOUR_MS), take);
    await sendAt(new Date(Date.now() + 2 * HOUR_MS), take);
    expect(taken.filter((to) => to === email)).toEqual([email]);
  });

  it('whose answer was lost never gets the receipt again', async () => {
    const { email } = await paidLink('en');
    const taken: string[] = [];
    await sendAt(new Date(), ({ to }) => {
      taken.push(to);
      return Promise.reject(new Error('the connection broke'));
    });
    await sendAt(new Date(Date.now() + HOUR_MS), ({ to }) => Promise.resolve(void taken.push(to)));
    expect(taken.filter((to) => to === email)).toEqual([email]);
  });

  it('gets no receipts of test data, unless it is the sandbox’s outbox', async () => {
    const { db, receipts: stored } = api.engine.context;
    const sent = new ReceiptRepository(db, { isMailSent: true, forTestData: false });
    const { paid } = await paidLink('en');
    const id = await paymentIdOf(paid);
    const requested = async (receipts: ReceiptRepository, companyId: number) => {
      await db.query('DELETE FROM receipts WHERE payment_id = $1', [id]);
      const approved = { id, companyId, checkoutSessionId: 1, subscriptionId: null };
      await db.inTransaction((tx) => receipts.request(tx, approved, new Date()));
      return (await db.query('SELECT 1 FROM receipts WHERE payment_id = $1', [id])).length;
    };
    expect(await requested(sent, company.companyId)).toBe(0);
    expect(await requested(stored, company.companyId)).toBe(1);
    const liveKey = { name: 'Live', mode: 'live' };
    expectStatus(await company.byToken('createApiKey', { body: liveKey }), 201);
    // The company's row of live data.
    expect(await requested(sent, -company.companyId)).toBe(1);
  });
});
