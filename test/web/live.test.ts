import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { pendingPix, sale } from '../api/support/payment-scenario';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const LANGUAGES = [
  {
    ...{ locale: 'en-US', pending: 'Pending', approved: 'Approved', latest: 'Show the latest' },
    ...{ ask: 'Ask the gateway now', unchanged: 'nothing has changed', changed: 'the answer brought news' },
  },
  {
    ...{ locale: 'pt-BR', pending: 'Pendente', approved: 'Aprovado', latest: 'Mostrar os mais recentes' },
    ...{ ask: 'Consultar o gateway agora', unchanged: 'nada mudou', changed: 'a resposta trouxe novidades' },
  },
];

/** A page whose timers go as fast as the test says. */
async function open(company: DashboardCompany, path: string, locale: string): Promise<Page> {
  visit = await openDashboard(browser, api, company, '/audit', { locale });
  await visit.page.clock.install();
  await visit.page.goto(`${api.baseUrl}/dashboard${path}`);
  return visit.page;
}

/** Moves the page's clock on, until the condition holds. */
async function whileTimePasses(page: Page, isDone: () => Promise<boolean>): Promise<void> {
  for (let seconds = 0; seconds < 600 && !(await isDone()); seconds += 5) await page.clock.runFor(5_000);
  expect(await isDone()).toBe(true);
}

/** Tells the page that its tab is hidden, or shown again. */
function setHidden(page: Page, isHidden: boolean): Promise<unknown> {
  return page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isHidden ? 'hidden' : 'visible'}' });
    window.dispatchEvent(new Event('visibilitychange'))`);
}

/** Counts the requests for what the page shows. */
function countRequests(page: Page, path: RegExp): () => number {
  let requests = 0;
  page.on('request', (request) => {
    if (path.test(new URL(request.url()).pathname)) requests += 1;
  });
  return () => requests;
}

describe.each(LANGUAGES)('pages that are looked at, in $locale', (texts) => {
  const { locale, pending, approved, latest, ask, unchanged, changed } = texts;

  it('a user has the gateway asked about a pix, and sees what came of it', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const { transaction_id: id } = await pendingPix(company.byKey);
    visit = await openDashboard(browser, api, company, `/payments/${id}`, { locale });
    const { page } = visit;
    await page.getByRole('button', { name: ask }).click();
    await page.getByText(unchanged).waitFor();
    await api.engine.simulator.pay(id);
    await api.engine.context.db.execute(
      `UPDATE payments SET inquiry_requested_at = inquiry_requested_at - interval '1 minute' WHERE transaction_id = $1`,
      [id],
    );
    await page.getByRole('button', { name: ask }).click();
    await page.getByText(changed).waitFor();
    await page.getByText(approved, { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: ask }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('the page of a pix shows that it was paid, and asks no more once that is final', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
    const { transaction_id: id } = await pendingPix(company.byKey);
    const page = await open(company, `/payments/${id}`, locale);
    await page.getByText(pending, { exact: true }).first().waitFor();
    await api.engine.simulator.pay(id);
    const paid = page.getByText(approved, { exact: true }).first();
    await whileTimePasses(page, () => paid.isVisible());
    const requests = countRequests(page, /user\/payments\//);
    await page.clock.runFor(10 * 60_000);
    expect(requests()).toBe(0);
    await page.getByText(approved, { exact: true }).first().waitFor();
  });

  it('a list shows the latest state of its rows in their places, and new rows when asked to', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
    const { transaction_id: id } = await pendingPix(company.byKey, { merchant_order_id: 'first' });
    const page = await open(company, '/payments', locale);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'first' }) });
    await row.getByText(pending, { exact: true }).waitFor();
    const before = await row.boundingBox();
    await api.engine.simulator.pay(id);
    await sale(company.byKey, { merchant_order_id: 'second' });
    await whileTimePasses(page, () => row.getByText(approved, { exact: true }).isVisible());
    const show = page.getByRole('button', { name: latest });
    await whileTimePasses(page, () => show.isVisible());
    expect(await row.boundingBox()).toEqual(before);
    expect(await page.getByRole('link', { name: 'second' }).count()).toBe(0);
    await show.click();
    await page.getByRole('link', { name: 'second' }).waitFor();
    expect(await show.count()).toBe(0);
  });
});

it('nothing is asked for while the tab is hidden, and the latest is shown when it is opened again', async () => {
  const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
  const { transaction_id: id } = await pendingPix(company.byKey);
  const page = await open(company, `/payments/${id}`, 'en-US');
  await page.getByText('Pending', { exact: true }).first().waitFor();
  // What loads after the timeline is there.
  await page.getByText('No notes.').waitFor();
  await setHidden(page, true);
  const requests = countRequests(page, /\/api\/v1\//);
  await page.clock.runFor(10 * 60_000);
  expect(requests()).toBe(0);
  await setHidden(page, false);
  await whileTimePasses(page, () => Promise.resolve(requests() > 0));
});

it('a pix that nobody pays is asked for less and less often', async () => {
  const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
  const { transaction_id: id } = await pendingPix(company.byKey);
  const page = await open(company, `/payments/${id}`, 'en-US');
  await page.getByText('Pending', { exact: true }).first().waitFor();
  const requests = countRequests(page, /user\/payments\//);
  const perMinute: number[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    const before = requests();
    for (let second = 0; second < 60; second += 1) await page.clock.runFor(1_000);
    perMinute.push(requests() - before);
  }
  expect(perMinute[0]).toBeGreaterThan(5);
  expect(perMinute.at(-1)).toBeLessThanOrEqual(3);
});
