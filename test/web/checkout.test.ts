import type { Browser, Frame, Locator, Page, Route } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { newLink, type PaymentLinkBody } from '../api/checkout/checkout-buyer';
import { expectStatus } from '../api/support/api-client';
import { advanceClockByHours } from '../api/support/payment-scenario';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { APPROVED_CARD } from '../support/fixtures/payments';
import { waitFor } from '../support/stack/wait-for';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import {
  enterCard,
  enterDetails,
  generatePix,
  waitForDeclined,
  waitForPaid,
  LOST_CARD,
  createCoupon,
  createPlanLink,
  checkoutUrl,
  payButton,
  payByCard,
} from './support/checkout-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;
let page: Page;

beforeAll(async () => {
  await buildWeb();
  // Lets a gateway respond more slowly than a request waits.
  const slowGateways = { GATEWAY_TIMEOUT: '10', ABSENCE_PROVEN_AFTER: '12', STUCK_AFTER: '13' };
  const settings = { RATE_LIMIT_PUBLIC_PER_MINUTE: '1000', PAYMENT_SYNC_TIMEOUT: '2', ...slowGateways };
  [api, browser] = await Promise.all([startEngineApi(settings), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
}, 180_000);

beforeEach(async () => {
  visit = await openPage(browser, { viewport: { width: 360, height: 740 } });
  ({ page } = visit);
});

/** The screens that axe has looked at: many tests end on the same one. */
const checkedScreens = new Set<string>();

/** What tells one screen from another: its titles, its messages and the labels of its fields. */
const SCREEN = `[...document.querySelectorAll('h1, h2, [role=alert], label, button')].map((one) => one.innerText).join('|')`;

/**
 * After every test: no console errors, no foreign origins, no card data in the browser, no horizontal scrolling and no
 * accessibility violations.
 */
afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  expect([...visit.origins]).toEqual([api.baseUrl]);
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href])',
  );
  expect(stored).not.toMatch(/\d{13}|"?(?:cvv|number|holder|code)"?:/);
  expect(await page.evaluate<number>(HORIZONTAL_OVERFLOW)).toBe(0);
  const screen = await page.evaluate<string>(SCREEN);
  if (!checkedScreens.has(screen)) expect(await axeViolations(page)).toEqual([]);
  checkedScreens.add(screen);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const isFocused = async (what: Locator) => (await what.and(page.locator(':focus')).count()) === 1;

const HORIZONTAL_OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function openLink(link: PaymentLinkBody, where: Page = page): Promise<void> {
  await where.goto(checkoutUrl(api, link));
}

/** Opens a new link's page and enters the buyer's details. */
async function openPayForm(change: object = {}): Promise<PaymentLinkBody> {
  const link = await newLink(company.byKey, change);
  await openLink(link);
  await enterDetails(page);
  return link;
}

function paymentsOf({ amount }: PaymentLinkBody): Promise<Array<{ id: string; status: string }>> {
  return api.engine.context.db.query(
    'SELECT transaction_id AS id, status FROM payments WHERE amount_cents = $1 ORDER BY id',
    [amount],
  );
}

/** Payments with this amount, and what was captured according to the gateway's ledger. */
async function capturesOf(link: PaymentLinkBody): Promise<Array<{ status: string; captured: number }>> {
  return Promise.all(
    (await paymentsOf(link)).map(async ({ id, status }) => {
      const { totals } = await api.engine.simulator.ledger(id);
      return { status, captured: totals.captured };
    }),
  );
}

const oneCapture = ({ amount }: PaymentLinkBody) => [{ status: 'approved', captured: amount }];

/** Holds back payment requests until the returned function is called. */
function holdPayments(where: Page): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  void where.route('**/checkout/pay', (route) => released.then(() => route.continue()));
  return release;
}

/** The API processes the request, but the browser gets no response. */
async function loseResponses(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describe('card payments', () => {
  it('a card payment succeeds and the page redirects to the shop', async () => {
    const shopPage = checkoutUrl(api, await newLink(company.byKey, { name: 'The shop itself' }));
    await page.clock.install();
    const link = await openPayForm({ success_url: shopPage });
    await page.getByText('Test mode. No real payment is made.').waitFor();
    await payByCard(page, APPROVED_CARD);
    await waitForPaid(page);
    expect(await page.getByRole('link', { name: /^Back to/ }).getAttribute('href')).toBe(shopPage);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
    await page.clock.fastForward('00:06');
    await page.waitForURL(shopPage);
    await page.getByLabel('Full name').waitFor();
  });

  it('phone and address are asked for only after a gateway turned out to need them, and the card is then charged', async () => {
    const registry = api.engine.context.registries.of(1);
    const capabilities = registry.capabilities.bind(registry);
    const needy = jest.spyOn(registry, 'capabilities').mockImplementation((slug) => ({
      ...capabilities(slug),
      requires: { card: ['payer.phone', 'billing_address'] },
    }));
    const link = await openPayForm();
    const phone = page.getByLabel('Phone with area code');
    expect(await phone.count()).toBe(0);
    await payByCard(page, APPROVED_CARD);
    await phone.fill('91234-5678');
    await payButton(page).click();
    await page.getByText('Enter a phone number with area code').waitFor();
    expect(await isFocused(phone)).toBe(true);
    await phone.fill('11 91234-5678');
    const address = [
      ['Postal code (CEP)', '01001-000'],
      ['Street', 'Rua das Flores'],
      ['Number', '12'],
      ['Neighborhood', 'Centro'],
      ['City', 'São Paulo'],
      ['State', 'sp'],
    ] as const;
    for (const [label, value] of address) await page.getByLabel(label, { exact: true }).fill(value);
    await payButton(page).click();
    await waitForPaid(page);
    needy.mockRestore();
    expect(await capturesOf(link)).toEqual(oneCapture(link));
    const { payments, db } = api.engine.context;
    const [paid] = await db.query<{ companyId: number; id: string }>(
      'SELECT company_id AS "companyId", transaction_id AS id FROM payments WHERE amount_cents = $1',
      [link.amount],
    );
    const payment = paid && (await payments.find(paid.companyId, paid.id));
    expect(payment).toMatchObject({
      purchase: { payer: { phone: '11 91234-5678' } },
      billingAddress: {
        zip_code: '01001000',
        street: 'Rua das Flores',
        number: '12',
        state: 'SP',
        country: 'BR',
      },
    });
  });

  it('a slow bank shows the processing page, without a button to pay again', async () => {
    const link = await openPayForm();
    const match = { amount: link.amount ?? 0, operation: 'charge' } as const;
    await api.engine.simulator.script(match, { delay_ms: 3_000 });
    await payByCard(page, APPROVED_CARD);
    await page.getByRole('heading', { name: 'Confirming your payment' }).waitFor();
    expect(await payButton(page).count()).toBe(0);
    await waitForPaid(page);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
  });

  it('card fields are validated while typing, and submitting focuses the first invalid field', async () => {
    await openPayForm();
    await payButton(page).click();
    const number = page.getByLabel('Card number');
    expect(await isFocused(number)).toBe(true);
    await enterCard(page, '4111111111111112');
    await page.getByText('This card number is not valid').waitFor();
    expect(await number.inputValue()).toBe('4111 1111 1111 1112');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Expiry').fill('01/20');
    await page.getByText('This card has expired').waitFor();
    await number.fill('378282246310005');
    expect(await number.inputValue()).toBe('3782 822463 10005');
    await page.getByLabel('Security code (CID)').waitFor();
    expect(await page.getByText('This card number is not valid').count()).toBe(0);
  });

  it('a decline does not reveal that the card is lost, and another card can pay', async () => {
    const link = await openPayForm();
    await payByCard(page, LOST_CARD);
    await waitForDeclined(page);
    expect(await isFocused(page.getByRole('alert'))).toBe(true);
    expect(await page.getByRole('alert').innerText()).not.toMatch(/lost|41/);
    await payByCard(page, APPROVED_CARD);
    await waitForPaid(page);
    expect((await capturesOf(link)).map(({ status }) => status)).toEqual(['failed', 'approved']);
  });

  it('after five declines the session is closed and the buyer can start again', async () => {
    const link = await openPayForm();
    // Three declines of before.
    await api.engine.context.db.execute('UPDATE checkout_sessions SET tries = 3 WHERE amount_cents = $1', [
      link.amount,
    ]);
    const response = page.waitForResponse('**/checkout/session');
    await payByCard(page, LOST_CARD);
    await response;
    await waitForDeclined(page);
    await page.getByText('You can try once more.').waitFor();
    await payByCard(page, LOST_CARD);
    await page.getByRole('heading', { name: 'This payment is closed' }).waitFor();
    expect(await capturesOf(link)).toHaveLength(2);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByLabel('Full name').waitFor();
  });

  it('a card can pay in the installments that the session offers, and is charged the total that the page shows', async () => {
    const rates = [2, 3].map((installments) => ({ installments, basis_points: 900 * (installments - 2) }));
    await openPayForm({ amount: 30_001, interest: 'buyer', interest_rates: rates });
    const choice = page.getByLabel('Installments');
    expect(await choice.locator('option').allInnerTexts()).toEqual([
      'R$300.01, in full',
      '2 × R$150.00 interest-free · total R$300.01',
      '3 × R$109.00 with interest · total R$327.01',
    ]);
    await choice.selectOption({ index: 2 });
    await page.getByText('The first installment is R$109.01. The total includes R$27.00 interest.').waitFor();
    await enterCard(page, APPROVED_CARD);
    await page.getByRole('button', { name: 'Pay R$327.01' }).click();
    await waitForPaid(page);
    await page.getByText('R$327.01 · 3 × R$109.00').waitFor();
    const query = { amount_from: 32_701, amount_to: 32_701 };
    const { body } = expectStatus(await company.byKey('listPayments', { query }), 200);
    const params = { id: body.data[0]?.transaction_id ?? '' };
    const paid = expectStatus(await company.byKey('getPayment', { params }), 200).body;
    expect(paid).toMatchObject({ installments: 3, captured_amount: 32_701, interest_amount: 2_700 });
  });
});

describe('duplicate submissions', () => {
  it('clicking the button several times charges once', async () => {
    const link = await openPayForm();
    await enterCard(page, APPROVED_CARD);
    const release = holdPayments(page);
    await payButton(page).dblclick();
    await page.getByRole('button', { name: 'Processing…' }).click({ force: true });
    // The buyer cannot start over during a payment.
    expect(await page.getByRole('button', { name: 'Change your details' }).count()).toBe(0);
    release();
    await waitForPaid(page);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
  });

  it('two tabs of one session charge once', async () => {
    const link = await openPayForm();
    const [twin] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate('void window.open(location.href)'),
    ]);
    await twin.getByLabel('Card number').waitFor();
    for (const tab of [page, twin]) {
      await enterCard(tab, APPROVED_CARD);
      await tab.getByLabel('Name on card').fill('Joana Lima');
    }
    await Promise.all([payButton(page).click(), payButton(twin).click()]);
    await Promise.all([waitForPaid(page), waitForPaid(twin)]);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
  });

  it('reloading the page after a lost response charges once', async () => {
    const link = await openPayForm();
    await page.route('**/checkout/pay', loseResponses);
    await page.route('**/checkout/session', (route) => route.abort());
    await payByCard(page, APPROVED_CARD);
    await page.getByText('you will not be charged twice').waitFor();
    expect(await page.getByRole('button', { name: 'Change your details' }).count()).toBe(0);
    await page.unrouteAll();
    await page.reload();
    await waitForPaid(page);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
    // The console reports the aborted responses.
    expect(visit.consoleErrors.splice(0).every((line) => line.includes('net::ERR_FAILED'))).toBe(true);
  });

  it('clicking again after a lost response sends the same idempotency key and charges once', async () => {
    const link = await openPayForm();
    const keys: Array<string | undefined> = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/checkout/pay')) keys.push(request.headers()['idempotency-key']);
    });
    await page.route('**/checkout/pay', (route) => route.abort(), { times: 1 });
    await payByCard(page, APPROVED_CARD);
    await page.getByText('you will not be charged twice').waitFor();
    await payButton(page).click();
    await waitForPaid(page);
    expect(new Set(keys).size).toBe(1);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
    visit.consoleErrors.splice(0);
  });
});

describe('Pix payments', () => {
  it('a Pix code survives a reload, also of a used-up link, and the page shows the payment automatically', async () => {
    const link = await openPayForm({ max_uses: 1 });
    await generatePix(page);
    await page.reload();
    await page.getByRole('img', { name: 'Pix QR code' }).waitFor();
    expect(await page.getByLabel('Pix code').inputValue()).toContain('br.gov.bcb.pix');
    expect(await page.getByRole('timer').innerText()).toMatch(/23:5\d:\d\d$/);
    const [payment] = await paymentsOf(link);
    await api.engine.simulator.pay(payment?.id ?? '');
    await waitForPaid(page);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
  });

  it('an expired Pix code can be replaced by a new one', async () => {
    const link = await openPayForm();
    await generatePix(page);
    const [row] = await paymentsOf(link);
    const payment = expectStatus(
      await company.byKey('getPayment', { params: { id: row?.id ?? '' } }),
      200,
    ).body;
    await advanceClockByHours(company.byKey, payment, 25);
    await page.getByText('The Pix code has expired').waitFor();
    await generatePix(page);
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['failed', 'pending']);
  });

  it('paying by card cancels the open Pix', async () => {
    const link = await openPayForm();
    await generatePix(page);
    await page.getByRole('button', { name: 'Pay by card instead' }).click();
    await payByCard(page, APPROVED_CARD);
    await waitForPaid(page);
    expect(await capturesOf(link)).toEqual([{ status: 'canceled', captured: 0 }, ...oneCapture(link)]);
  });
});

describe('subscriptions', () => {
  it('the summary shows the discounted first charge before the payment', async () => {
    const { code } = await createCoupon(company);
    await openLink(await createPlanLink(company));
    await enterDetails(page, { coupon: code });
    const summary = page.getByRole('region', { name: 'Order summary' });
    expect(await summary.innerText()).toMatch(
      /25% off the first charge[^]*Today[^]*R\$74\.92[^]*After that[^]*R\$99\.90 per month/,
    );
    await enterCard(page, APPROVED_CARD);
    await page.getByRole('button', { name: 'Subscribe and pay R$74.92' }).click();
    await page.getByRole('heading', { name: 'Subscription confirmed' }).waitFor();
  });

  it('an unknown coupon is reported beside its field', async () => {
    await openLink(await createPlanLink(company));
    await page.getByRole('button', { name: 'I have a coupon' }).click();
    await page.getByLabel('Coupon').fill('NOSUCH');
    const details = enterDetails(page).catch(() => undefined);
    await page.getByText('Coupon not found').waitFor();
    expect(await isFocused(page.getByLabel('Coupon'))).toBe(true);
    await page.getByLabel('Coupon').fill('');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await details;
  });

  it('a plan with a trial shows the free days and starts the trial', async () => {
    await openLink(await createPlanLink(company, { trial_period_days: 7 }));
    await page.getByText('7 days free').waitFor();
    await enterDetails(page);
    await enterCard(page, APPROVED_CARD);
    await page.getByRole('button', { name: 'Start the free trial' }).click();
    await page.getByRole('heading', { name: 'Your free trial has started' }).waitFor();
  });
});

describe('unavailable links', () => {
  const waitForTitle = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('an expired link responds 410 and says so', async () => {
    const link = await newLink(company.byKey);
    const expire = `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE token = $1`;
    await api.engine.context.db.execute(expire, [link.token]);
    const response = await page.goto(checkoutUrl(api, link));
    await waitForTitle('This link has expired');
    expect(response?.status()).toBe(410);
  });

  it('a used-up link responds 410, but still shows the receipt to its buyer', async () => {
    const link = await openPayForm({ max_uses: 1 });
    await payByCard(page, APPROVED_CARD);
    await waitForPaid(page);
    expect((await page.reload())?.status()).toBe(410);
    await waitForPaid(page);
    await page.evaluate('sessionStorage.clear()');
    await openLink(link);
    await waitForTitle('This link is no longer available');
  });

  it('a deleted link responds 404, and its open page cannot charge', async () => {
    const link = await openPayForm();
    expectStatus(await company.byKey('deletePaymentLink', { params: { token: link.token } }), 204);
    await payByCard(page, APPROVED_CARD);
    await waitForTitle('This link was removed');
    await page.evaluate('sessionStorage.clear()');
    expect((await page.goto(checkoutUrl(api, link)))?.status()).toBe(404);
    await waitForTitle('This page is not available');
    expect(await capturesOf(link)).toEqual([]);
  });

  it('an expired session can be started again', async () => {
    const link = await openPayForm();
    await api.engine.context.db.execute(
      `UPDATE checkout_sessions SET expires_at = now() - interval '1 second' WHERE amount_cents = $1`,
      [link.amount],
    );
    await page.reload();
    await waitForTitle('This session has expired');
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByLabel('Full name').waitFor();
  });
});

describe('embedded in a frame', () => {
  const SHOP = 'https://shop.example.com/';

  /** A page of another site that embeds the checkout in a frame. */
  async function embedIn(
    origin: string,
    link: PaymentLinkBody,
  ): Promise<{ readonly visit: PageVisit; frame: Frame }> {
    const other = await openPage(browser);
    const body = `<!doctype html><iframe src="${checkoutUrl(api, link)}" width="400" height="800"></iframe>`;
    await other.page.route(origin, (route) => route.fulfill({ contentType: 'text/html', body }));
    await other.page.goto(origin);
    const [, frame] = other.page.frames();
    if (frame === undefined) throw new Error('the page has no frame');
    return { visit: other, frame };
  }

  beforeAll(async () => {
    const change = { body: { checkout_frame_origins: [new URL(SHOP).origin] } };
    expectStatus(await company.byToken('updateCompanyConfig', change), 200);
  });

  it('a buyer can pay in a frame of an allowed origin, without a redirect', async () => {
    const link = await newLink(company.byKey, { success_url: `${api.baseUrl}/health/live` });
    const embedded = await embedIn(SHOP, link);
    await enterDetails(embedded.frame);
    await payByCard(embedded.frame, APPROVED_CARD);
    await waitForPaid(embedded.frame);
    expect(await embedded.frame.getByText(/^Redirecting in/).count()).toBe(0);
    expect(await capturesOf(link)).toEqual(oneCapture(link));
    await embedded.visit.close();
    await openLink(link);
  });

  it('other origins cannot embed the checkout', async () => {
    const link = await newLink(company.byKey);
    const embedded = await embedIn('https://elsewhere.example.com/', link);
    await waitFor(() => embedded.visit.consoleErrors.some((line) => line.includes('frame-ancestors')));
    expect(embedded.frame.url()).not.toContain(api.baseUrl);
    await embedded.visit.close();
    await openLink(link);
  });
});

it('a Portuguese browser gets Portuguese texts, and a light brand color stays readable', async () => {
  const brand = { name: 'Loja Amarela', color: '#ffee00' };
  expectStatus(await company.byToken('updateCompanyConfig', { body: { brand } }), 200);
  await visit.close();
  visit = await openPage(browser, { viewport: { width: 360, height: 740 }, locale: 'pt-BR' });
  ({ page } = visit);
  await openLink(await newLink(company.byKey));
  await page.getByLabel('Nome completo').fill('Joana Lima');
  await page.getByLabel('CPF ou CNPJ').fill('39053344704');
  await page.getByText('Este CPF ou CNPJ não é válido').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
});
