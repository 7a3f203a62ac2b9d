import { readFileSync } from 'node:fs';
import type { Browser, Page, Route } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import {
  detailOf,
  startLostCharge,
  registerDashboardCompany,
  SLOW_MACHINE_TIMES,
  untilTimelineEndsWith,
  type DashboardCompany,
} from '../api/dashboard/dashboard-company';
import { uniqueAmount } from '../support/scenarios/pay';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { openDashboard, signIn, pageTitle } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(SLOW_MACHINE_TIMES), startBrowser()]);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  expect([...visit.origins]).toEqual([api.baseUrl]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** The page of a payment, seen by a user of the merchant. */
async function openPayment(company: DashboardCompany, id: string): Promise<Page> {
  visit = await openDashboard(browser, api, company, `/payments/${id}`);
  return visit.page;
}

async function refundPart(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Refund' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Partial amount').check();
  await dialog.getByLabel('Amount', { exact: true }).fill(amount);
  await dialog.getByRole('button', { name: 'Refund' }).click();
}

/** The API processes the first request, but the browser gets no response. */
function loseFirstResponse(): (route: Route) => Promise<void> {
  let isFirst = true;
  return async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    await route.fetch();
    await route.abort();
  };
}

describe('signing in', () => {
  it('signing in is required, reports a wrong password, and returns to the requested page', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openPage(browser);
    const { page } = visit;
    await page.goto(`${api.baseUrl}/dashboard/payments?status=failed`);
    await signIn(page, company, 'not the password');
    expect(await page.getByRole('alert').innerText()).toBe('Wrong email or password.');
    await signIn(page, company);
    await pageTitle(page).getByText('Payments').waitFor();
    expect(new URL(page.url()).search).toBe('?status=failed');
  });

  it('no token is stored where scripts could read it', async () => {
    visit = await openDashboard(browser, api, await registerDashboardCompany(api, ['gateway_1']));
    const visible = await visit.page.evaluate<string>('JSON.stringify([localStorage, document.cookie])');
    expect(visible).toBe('[{},""]');
    const stored = await visit.page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    expect(stored).not.toMatch(/eyJ|token/);
  });

  it('an ended session requires signing in again and returns to the requested page', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/audit');
    const { page } = visit;
    await pageTitle(page).getByText('Audit log').waitFor();
    await page.evaluate(`fetch('/api/v1/auth/logout', { method: 'POST' })`);
    await page.getByRole('link', { name: 'Gateways' }).click();
    await signIn(page, company);
    await pageTitle(page).getByText('Gateways').waitFor();
  });
});

describe('the list of payments', () => {
  it('is exported whole as CSV, though the download was cut off within a row', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const made = [
      await sale(company.byKey, {}),
      await sale(company.byKey, {}),
      await sale(company.byKey, {}),
    ];
    visit = await openDashboard(browser, api, company, '/payments');
    const { page } = visit;
    let requests = 0;
    await page.route('**/user/exports/payments?*', async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      const response = await route.fetch();
      const body = await response.text();
      await route.fulfill({ response, body: body.slice(0, -50) });
    });
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Payments' }).click(),
    ]);
    await page.getByText('Export complete. Rows: 3.').waitFor();
    const [header, ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(header?.startsWith('\uFEFFtransaction_id,created_at,')).toBe(true);
    expect(lines.map((line) => line.split(',')[0])).toEqual(
      made.map(({ transaction_id: id }) => id).reverse(),
    );
    expect(requests).toBe(2);
    expect(await axeViolations(page)).toEqual([]);
  });
});

describe('modes', () => {
  it('the dashboard says that its data is test data, and shows only live data after the switch', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await sale(company.byKey, { merchant_order_id: 'order-of-the-test' });
    visit = await openDashboard(browser, api, company, '/payments');
    const { page } = visit;
    await page.getByText('Test data. No real money moves.').waitFor();
    await page.getByRole('link', { name: 'order-of-the-test' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'Data' }).getByText('Live').click();
    await page.getByText('0 approved, 0 failed').waitFor();
    expect(await page.getByText('Test data. No real money moves.').count()).toBe(0);
    await page.getByRole('link', { name: 'Payments', exact: true }).click();
    await pageTitle(page).getByText('Payments').waitFor();
    expect(await page.getByRole('link', { name: 'order-of-the-test' }).count()).toBe(0);
    await page.getByRole('radiogroup', { name: 'Data' }).getByText('Test').click();
    await page.getByText('1 approved, 0 failed').waitFor();
  });
});

describe('a payment', () => {
  it('a payment is found by its order and can be partially refunded', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const payment = await sale(company.byKey, { amount: 12_990, merchant_order_id: 'order-77' });
    visit = await openDashboard(browser, api, company);
    const { page } = visit;
    await page.getByText('1 approved, 0 failed').waitFor();
    await page.getByRole('search').getByRole('combobox').fill('ORDER-77');
    await page.keyboard.press('Enter');
    await pageTitle(page).getByText('Payment order-77').waitFor();
    await refundPart(page, '20.50');
    await page.getByText('Refunded.').waitFor();
    await page.getByText('R$20.50').first().waitFor();
    const { payment: now } = await detailOf(company, payment);
    expect([now.status, now.refunded_amount]).toEqual(['approved', 2_050]);
    const postings = page.getByRole('table').filter({ hasText: 'Gateway receivable' }).getByRole('row');
    await postings.filter({ hasText: 'Refunds' }).getByText('R$20.50').waitFor();
    await postings.filter({ hasText: 'Sales' }).waitFor();
  });

  it('a refund retried after a lost response is executed once', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const payment = await sale(company.byKey, { amount: 10_000 });
    const page = await openPayment(company, payment.transaction_id);
    await page.route('**/refund', loseFirstResponse());
    await refundPart(page, '30.00');
    await page.getByText('The service did not respond.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
    await page.getByText('Refunded.').waitFor();
    expect((await detailOf(company, payment)).payment.refunded_amount).toBe(3_000);
    // The console reports the aborted response.
    expect(visit.consoleErrors.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
  });

  it('a refund above the refundable amount is rejected beside its field', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const page = await openPayment(company, (await sale(company.byKey, { amount: 1_000 })).transaction_id);
    await refundPart(page, '20.00');
    await page.getByText('At most R$10.00.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('a payment with an unknown outcome can be resolved by manual review', async () => {
    const company = await registerDashboardCompany(api, ['gateway_3']);
    const id = await startLostCharge(api, company, uniqueAmount());
    await untilTimelineEndsWith(company, { transaction_id: id }, 'desk_entered');
    visit = await openDashboard(browser, api, company);
    const { page } = visit;
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByText('Manual review', { exact: true }).waitFor();
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    await page.getByLabel('Completed').check();
    await page.getByLabel('Reason').fill('Seen on the page of the gateway');
    await page.getByRole('button', { name: 'Confirm resolution' }).click();
    await page.getByText('Resolution accepted.').waitFor();
    await page.getByText('Payment approved').waitFor();
    expect((await detailOf(company, { transaction_id: id })).payment.status).toBe('approved');
  });
});
