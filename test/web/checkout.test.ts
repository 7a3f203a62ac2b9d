import type { Browser, Frame, Locator, Page, Route } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { newLink, type Link } from '../api/checkout/checkout-buyer';
import { expectStatus } from '../api/support/api-client';
import { hoursLater } from '../api/support/payment-scenario';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { openShop, type Shop } from '../api/dashboard/dashboard-company';
import { APPROVED_CARD } from '../support/fixtures/payments';
import { waitFor } from '../support/stack/wait-for';
import { inaccessible } from './support/axe';
import { openPage, startBrowser, type Visit } from './support/browser';
import {
  enterCard,
  enterDetails,
  getPix,
  isDeclined,
  isPaid,
  LOST_CARD,
  newCoupon,
  newPlanLink,
  pageOf,
  payButton,
  payByCard,
} from './support/checkout-page';

let api: EngineApi;
let browser: Browser;
let shop: Shop;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  await buildWeb();
  // A bank may take longer to answer than a request waits.
  const patient = { GATEWAY_TIMEOUT: '10', ABSENCE_PROVEN_AFTER: '12', STUCK_AFTER: '13' };
  const settings = { RATE_LIMIT_PUBLIC_PER_MINUTE: '1000', PAYMENT_SYNC_TIMEOUT: '4', ...patient };
  [api, browser] = await Promise.all([startEngineApi(settings), startBrowser()]);
  shop = await openShop(api, ['gateway_1'], { calledBack: 'signed' });
}, 180_000);

beforeEach(async () => {
  visit = await openPage(browser, { viewport: { width: 360, height: 740 } });
  ({ page } = visit);
});

/** Whatever happened: no policy was broken, nobody else asked, nothing of a card left behind, and all of it could be used. */
afterEach(async () => {
  expect(visit.complaints).toEqual([]);
  expect([...visit.hosts]).toEqual([api.baseUrl]);
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, location.href])',
  );
  expect(kept).not.toMatch(/\d{13}|"?(?:cvv|number|holder|code)"?:/);
  expect(await page.evaluate<number>(SIDEWAYS)).toBe(0);
  expect(await inaccessible(page)).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const hasFocus = async (what: Locator) => (await what.and(page.locator(':focus')).count()) === 1;

const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function goTo(link: Link, where: Page = page): Promise<void> {
  await where.goto(pageOf(api, link));
}

/** A new link's page, with who buys entered. */
async function atTheTill(change: object = {}): Promise<Link> {
  const link = await newLink(shop.byKey, change);
  await goTo(link);
  await enterDetails(page);
  return link;
}

function paymentsOf({ amount }: Link): Promise<Array<{ id: string; status: string }>> {
  return api.engine.parts.db.query(
    'SELECT transaction_id AS id, status FROM payments WHERE amount_cents = $1 ORDER BY id',
    [amount],
  );
}

/** What was charged for something with this amount, by the gateway's own books. */
async function chargedFor(link: Link): Promise<Array<{ status: string; captured: number }>> {
  return Promise.all(
    (await paymentsOf(link)).map(async ({ id, status }) => {
      const { totals } = await api.engine.simulator.ledger(id);
      return { status, captured: totals.captured };
    }),
  );
}

const paidOnce = ({ amount }: Link) => [{ status: 'approved', captured: amount }];

/** Lets no payment through until what it returns is called. */
function holdPayments(where: Page): () => void {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  void where.route('**/checkout/pay', (route) => released.then(() => route.continue()));
  return release;
}

/** The service hears of it, and the browser hears nothing. */
async function loseAnswers(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describe('a card', () => {
  it('pays, and the page goes back to the shop by itself', async () => {
    const shopPage = pageOf(api, await newLink(shop.byKey, { name: 'The shop itself' }));
    const link = await atTheTill({ success_url: shopPage });
    await payByCard(page, APPROVED_CARD);
    await isPaid(page);
    expect(await page.getByRole('link', { name: /^Back to/ }).getAttribute('href')).toBe(shopPage);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
    await page.waitForURL(shopPage);
    await page.getByLabel('Full name').waitFor();
  });

  it('whose bank takes its time is waited for, and nobody need pay again', async () => {
    const link = await atTheTill();
    const match = { amount: link.amount ?? 0, operation: 'charge' } as const;
    await api.engine.simulator.script(match, { delay_ms: 6_000 });
    await payByCard(page, APPROVED_CARD);
    await page.getByRole('heading', { name: 'Confirming your payment' }).waitFor();
    expect(await payButton(page).count()).toBe(0);
    await isPaid(page);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
  });

  it('is looked at as it is typed, and the focus goes to the first fault', async () => {
    await atTheTill();
    await payButton(page).click();
    const number = page.getByLabel('Card number');
    expect(await hasFocus(number)).toBe(true);
    await enterCard(page, '4111111111111112');
    await page.getByText('this is no valid card').waitFor();
    expect(await number.inputValue()).toBe('4111 1111 1111 1112');
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Expiry').fill('01/20');
    await page.getByText('This card has expired').waitFor();
    await number.fill('378282246310005');
    expect(await number.inputValue()).toBe('3782 822463 10005');
    await page.getByLabel('Security code (CID)').waitFor();
    expect(await page.getByText('this is no valid card').count()).toBe(0);
  });

  it('that is declined is told of in words, and another one pays', async () => {
    const link = await atTheTill();
    await payByCard(page, LOST_CARD);
    await isDeclined(page);
    expect(await hasFocus(page.getByRole('alert'))).toBe(true);
    expect(await page.getByRole('alert').innerText()).not.toMatch(/lost|41/);
    await payByCard(page, APPROVED_CARD);
    await isPaid(page);
    expect((await chargedFor(link)).map(({ status }) => status)).toEqual(['failed', 'approved']);
  });

  it('is declined five times, and then the way is to begin anew', async () => {
    const link = await atTheTill();
    for (let tries = 1; tries < 5; tries += 1) {
      const answered = page.waitForResponse('**/checkout/session');
      await payByCard(page, LOST_CARD);
      await answered;
      await isDeclined(page);
    }
    await page.getByText('You can try once more.').waitFor();
    await payByCard(page, LOST_CARD);
    await page.getByRole('heading', { name: 'This payment is closed' }).waitFor();
    expect(await chargedFor(link)).toHaveLength(5);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByLabel('Full name').waitFor();
  });

  it('pays in parts', async () => {
    const link = await atTheTill({ amount: 30_000 });
    await page.getByLabel('Installments').selectOption({ index: 2 });
    await payByCard(page, APPROVED_CARD);
    await isPaid(page);
    const { body } = expectStatus(
      await shop.byKey('listPayments', { query: { amount_from: 30_000, amount_to: 30_000 } }),
      200,
    );
    const id = body.data[0]?.transaction_id ?? '';
    expect(expectStatus(await shop.byKey('getPayment', { params: { id } }), 200).body.installments).toBe(3);
    expect(link.amount).toBe(30_000);
  });
});

describe('is charged once', () => {
  it('however often the button is pressed', async () => {
    const link = await atTheTill();
    await enterCard(page, APPROVED_CARD);
    const release = holdPayments(page);
    await payButton(page).dblclick();
    await page.getByRole('button', { name: 'Processing…' }).click({ force: true });
    // Nobody begins anew while this goes on.
    expect(await page.getByRole('button', { name: 'Change your details' }).count()).toBe(0);
    release();
    await isPaid(page);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
  });

  it('by two tabs of one session', async () => {
    const link = await atTheTill();
    const [twin] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate('void window.open(location.href)'),
    ]);
    await twin.getByLabel('Card number').waitFor();
    for (const tab of [page, twin]) {
      await enterCard(tab, APPROVED_CARD);
      await tab.getByLabel('Name on the card').fill('Joana Lima');
    }
    await Promise.all([payButton(page).click(), payButton(twin).click()]);
    await Promise.all([isPaid(page), isPaid(twin)]);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
  });

  it('when the answer is lost and the page is loaded again', async () => {
    const link = await atTheTill();
    await page.route('**/checkout/pay', loseAnswers);
    await page.route('**/checkout/session', (route) => route.abort());
    await payByCard(page, APPROVED_CARD);
    await page.getByText('you will not be charged twice').waitFor();
    expect(await page.getByRole('button', { name: 'Change your details' }).count()).toBe(0);
    await page.unrouteAll();
    await page.reload();
    await isPaid(page);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
    // The browser tells of the answers that this test took away.
    expect(visit.complaints.splice(0).every((line) => line.includes('net::ERR_FAILED'))).toBe(true);
  });

  it('when the answer is lost and the button is pressed again', async () => {
    const link = await atTheTill();
    const keys: Array<string | undefined> = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/checkout/pay')) keys.push(request.headers()['idempotency-key']);
    });
    await page.route('**/checkout/pay', (route) => route.abort(), { times: 1 });
    await payByCard(page, APPROVED_CARD);
    await page.getByText('you will not be charged twice').waitFor();
    await payButton(page).click();
    await isPaid(page);
    expect(new Set(keys).size).toBe(1);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
    visit.complaints.splice(0);
  });
});

describe('a pix', () => {
  it('is there after a reload, also of the last that was to be had, and turns to paid by itself', async () => {
    const link = await atTheTill({ max_uses: 1 });
    await getPix(page);
    await page.reload();
    await page.getByRole('img', { name: 'QR code of the Pix' }).waitFor();
    expect(await page.getByLabel('Pix code').inputValue()).toContain('br.gov.bcb.pix');
    expect(await page.getByRole('timer').innerText()).toMatch(/23:5\d:\d\d$/);
    const [payment] = await paymentsOf(link);
    await api.engine.simulator.pay(payment?.id ?? '');
    await isPaid(page);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
  });

  it('that has expired gives way to another', async () => {
    const link = await atTheTill();
    await getPix(page);
    const [row] = await paymentsOf(link);
    const payment = expectStatus(await shop.byKey('getPayment', { params: { id: row?.id ?? '' } }), 200).body;
    await hoursLater(shop.byKey, payment, 25);
    await page.getByText('The Pix has expired').waitFor();
    await getPix(page);
    expect((await paymentsOf(link)).map(({ status }) => status)).toEqual(['failed', 'pending']);
  });

  it('gives way to a card', async () => {
    const link = await atTheTill();
    await getPix(page);
    await page.getByRole('button', { name: 'Pay by card instead' }).click();
    await payByCard(page, APPROVED_CARD);
    await isPaid(page);
    expect(await chargedFor(link)).toEqual([{ status: 'canceled', captured: 0 }, ...paidOnce(link)]);
  });
});

describe('a subscription', () => {
  it('shows what the coupon makes of the price before anything is paid', async () => {
    const { code } = await newCoupon(shop);
    await goTo(await newPlanLink(shop));
    await enterDetails(page, { coupon: code });
    const summary = page.getByRole('region', { name: 'What you are buying' });
    expect(await summary.innerText()).toMatch(
      /25% off the first charge[^]*Today[^]*R\$74\.92[^]*After that[^]*R\$99\.90 per month/,
    );
    await enterCard(page, APPROVED_CARD);
    await page.getByRole('button', { name: 'Subscribe and pay R$74.92' }).click();
    await page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
  });

  it('tells beside the field what is wrong with a coupon', async () => {
    await goTo(await newPlanLink(shop));
    await page.getByRole('button', { name: 'I have a coupon' }).click();
    await page.getByLabel('Coupon').fill('NOSUCH');
    const details = enterDetails(page).catch(() => undefined);
    await page.getByText('There is no such coupon').waitFor();
    expect(await hasFocus(page.getByLabel('Coupon'))).toBe(true);
    await page.getByLabel('Coupon').fill('');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await details;
  });

  it('begins with a trial, and is charged when that is over', async () => {
    await goTo(await newPlanLink(shop, { trial_period_days: 7 }));
    await page.getByText('7 days free').waitFor();
    await enterDetails(page);
    await enterCard(page, APPROVED_CARD);
    await page.getByRole('button', { name: 'Start the free trial' }).click();
    await page.getByRole('heading', { name: 'Your free trial has begun' }).waitFor();
  });
});

describe('where nothing is sold', () => {
  const titled = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('an expired link says so', async () => {
    const link = await newLink(shop.byKey);
    const past = `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE token = $1`;
    await api.engine.parts.db.execute(past, [link.token]);
    const response = await page.goto(pageOf(api, link));
    await titled('This link has expired');
    expect(response?.status()).toBe(410);
  });

  it('a link that is used up says so, and shows who has bought what', async () => {
    const link = await atTheTill({ max_uses: 1 });
    await payByCard(page, APPROVED_CARD);
    await isPaid(page);
    expect((await page.reload())?.status()).toBe(410);
    await isPaid(page);
    await page.evaluate('sessionStorage.clear()');
    await goTo(link);
    await titled('This link is no longer available');
  });

  it('a deleted link is not there, and an open page of it says so', async () => {
    const link = await atTheTill();
    expectStatus(await shop.byKey('deletePaymentLink', { params: { token: link.token } }), 204);
    await payByCard(page, APPROVED_CARD);
    await titled('This link was removed');
    await page.evaluate('sessionStorage.clear()');
    expect((await page.goto(pageOf(api, link)))?.status()).toBe(404);
    await titled('This page is not available');
    expect(await chargedFor(link)).toEqual([]);
  });

  it('a session that has ended leads to another', async () => {
    const link = await atTheTill();
    await api.engine.parts.db.execute(
      `UPDATE checkout_sessions SET expires_at = now() - interval '1 second' WHERE amount_cents = $1`,
      [link.amount],
    );
    await page.reload();
    await titled('This page was open too long');
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByLabel('Full name').waitFor();
  });
});

describe('in a frame', () => {
  const SHOP = 'https://shop.example.com/';

  /** A page of somebody else's, with the checkout in it. */
  async function framedBy(origin: string, link: Link): Promise<{ readonly visit: Visit; frame: Frame }> {
    const other = await openPage(browser);
    const body = `<!doctype html><iframe src="${pageOf(api, link)}" width="400" height="800"></iframe>`;
    await other.page.route(origin, (route) => route.fulfill({ contentType: 'text/html', body }));
    await other.page.goto(origin);
    const [, frame] = other.page.frames();
    if (frame === undefined) throw new Error('the page has no frame');
    return { visit: other, frame };
  }

  beforeAll(async () => {
    const change = { body: { checkout_frame_origins: [new URL(SHOP).origin] } };
    expectStatus(await shop.admin('updateCompanyConfig', change), 200);
  });

  it('of a page that the company names, a buyer pays, and stays there', async () => {
    const link = await newLink(shop.byKey, { success_url: `${api.baseUrl}/health/live` });
    const framed = await framedBy(SHOP, link);
    await enterDetails(framed.frame);
    await payByCard(framed.frame, APPROVED_CARD);
    await isPaid(framed.frame);
    expect(await framed.frame.getByText(/^You go back in/).count()).toBe(0);
    expect(await chargedFor(link)).toEqual(paidOnce(link));
    await framed.visit.close();
    await goTo(link);
  });

  it('of any other page there is nothing', async () => {
    const link = await newLink(shop.byKey);
    const framed = await framedBy('https://elsewhere.example.com/', link);
    await waitFor(() => framed.visit.complaints.some((line) => line.includes('frame-ancestors')));
    expect(framed.frame.url()).not.toContain(api.baseUrl);
    await framed.visit.close();
    await goTo(link);
  });
});

it('speaks Portuguese to whoever does, in a color that can be read whatever it is', async () => {
  const brand = { name: 'Loja Amarela', color: '#ffee00' };
  expectStatus(await shop.admin('updateCompanyConfig', { body: { brand } }), 200);
  await visit.close();
  visit = await openPage(browser, { viewport: { width: 360, height: 740 }, locale: 'pt-BR' });
  ({ page } = visit);
  await goTo(await newLink(shop.byKey));
  await page.getByLabel('Nome completo').fill('Joana Lima');
  await page.getByLabel('CPF ou CNPJ').fill('39053344704');
  await page.getByText('este CPF ou CNPJ não existe').waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
});
