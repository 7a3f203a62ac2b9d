import type { Browser, Page, Route } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import {
  detailOf,
  lostSale,
  openShop,
  PATIENT_TIMES,
  untilTold,
  type Shop,
} from '../api/dashboard/dashboard-company';
import { uniqueAmount } from '../support/scenarios/pay';
import { inaccessible } from './support/axe';
import { openPage, startBrowser, type Visit } from './support/browser';
import { atTheDashboard, signIn, titleOf } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: Visit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(PATIENT_TIMES), startBrowser()]);
}, 120_000);

afterEach(async () => {
  expect(visit.complaints).toEqual([]);
  expect([...visit.hosts]).toEqual([api.baseUrl]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** The page of one payment, as somebody of the shop sees it. */
async function visitPayment(shop: Shop, id: string): Promise<Page> {
  visit = await atTheDashboard(browser, api, shop, `/payments/${id}`);
  return visit.page;
}

async function refundPart(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('A part').check();
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: 'Refund' }).click();
}

/** The service carries the request out, and the browser never hears of it. */
function loseTheFirstAnswer(): (route: Route) => Promise<void> {
  let isFirst = true;
  return async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    await route.fetch();
    await route.abort();
  };
}

describe('signing in', () => {
  it('is asked for, tells of a wrong password, and leads to the page that was wanted', async () => {
    const shop = await openShop(api, ['gateway_1']);
    visit = await openPage(browser);
    const { page } = visit;
    await page.goto(`${api.baseUrl}/dashboard/payments?status=failed`);
    await signIn(page, shop, 'not the password');
    expect(await page.getByRole('alert').innerText()).toBe('The email or the password is wrong.');
    await signIn(page, shop);
    await titleOf(page).getByText('Payments').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  it('leaves nothing in the browser’s storage that a script could read', async () => {
    visit = await atTheDashboard(browser, api, await openShop(api, ['gateway_1']));
    const kept = await visit.page.evaluate<string>('JSON.stringify([localStorage, document.cookie])');
    expect(kept).toBe('[{},""]');
    const stored = await visit.page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    expect(stored).not.toMatch(/eyJ|token/);
  });

  it('is asked for again when the session has ended, and leads back', async () => {
    const shop = await openShop(api, ['gateway_1']);
    visit = await atTheDashboard(browser, api, shop, '/audit');
    const { page } = visit;
    await page.getByText('No changes match').waitFor();
    await page.evaluate(`fetch('/api/v1/auth/logout', { method: 'POST' })`);
    await page.getByRole('link', { name: 'Gateways' }).click();
    await signIn(page, shop);
    await titleOf(page).getByText('Gateways').waitFor();
  });
});

describe('a payment', () => {
  it('is found from the overview on, and refunded in part', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const payment = await sale(shop.byKey, { amount: 12_990, merchant_order_id: 'order-77' });
    visit = await atTheDashboard(browser, api, shop);
    const { page } = visit;
    await page.getByText('1 approved, 0 failed').waitFor();
    await page.getByRole('search').getByRole('searchbox').fill('order-77');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'order-77' }).click();
    await titleOf(page).getByText('Payment of order-77').waitFor();
    await refundPart(page, '20.50');
    await page.getByText('Refunded.').waitFor();
    await page.getByText('R$20.50').first().waitFor();
    const { payment: now } = await detailOf(shop, payment);
    expect([now.status, now.refunded_amount]).toEqual(['approved', 2_050]);
  });

  it('is refunded once when the answer gets lost and the person tries again', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const payment = await sale(shop.byKey, { amount: 10_000 });
    const page = await visitPayment(shop, payment.transaction_id);
    await page.route('**/refund', loseTheFirstAnswer());
    await refundPart(page, '30.00');
    await page.getByText('The service did not answer.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Refunded.').waitFor();
    expect((await detailOf(shop, payment)).payment.refunded_amount).toBe(3_000);
    // The browser tells of the answer that this test took away.
    expect(visit.complaints.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
  });

  it('tells beside the field why a refund of too much is refused', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const page = await visitPayment(shop, (await sale(shop.byKey, { amount: 1_000 })).transaction_id);
    await refundPart(page, '20.00');
    await page.getByText('must be 1 to 1000, what can be refunded').waitFor();
    expect(await inaccessible(page)).toEqual([]);
  });

  it('that no gateway can tell of is resolved by a person', async () => {
    const shop = await openShop(api, ['gateway_3']);
    const id = await lostSale(api, shop, uniqueAmount());
    await untilTold(shop, { transaction_id: id }, 'desk_entered');
    visit = await atTheDashboard(browser, api, shop);
    const { page } = visit;
    await page.getByRole('link', { name: 'See them' }).click();
    await page.getByText('Waits for a person', { exact: true }).waitFor();
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByLabel('It was done').check();
    await page.getByLabel('How do you know?').fill('Seen on the page of the gateway');
    await page.getByRole('button', { name: 'This is what I saw' }).click();
    await page.getByText('Your answer is taken up.').waitFor();
    await page.getByText('Payment approved').waitFor();
    expect((await detailOf(shop, { transaction_id: id })).payment.status).toBe('approved');
  });
});
