import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import { ReportedDispute, untilDispute } from '../workflows/disputes/dispute-scenario';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../workflows/subscriptions/subscription-merchant';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { logIn } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

const LONG = 'Confeitaria e Padaria Nossa Senhora da Conceição dos Campos Gerais de Minas';
const CUSTOMER = { name: LONG, email: 'confeitaria.nossa.senhora@example.com', document: '52998224725' };

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_1']);
  await fillLists();
  visit = await openPage(browser, { locale: 'pt-BR', viewport: { width: 390, height: 844 } });
  await logIn(visit.page, api, company);
}, 120_000);

afterAll(async () => {
  await visit.close();
  await browser.close();
  await api.stop();
});

/** Every list has a row with long texts. */
async function fillLists(): Promise<void> {
  const { byKey, byToken } = company;
  const order = 'pedido-2026-11-28-confeitaria-nossa-senhora-da-conceicao-0001';
  const paid = await sale(byKey, { amount: 123_456_789, merchant_order_id: order, customer: CUSTOMER });
  const named = { name: LONG, description: `${LONG}. ${LONG}.` };
  const plan = await newPlan(byKey, named);
  await TestSubscription.create(byKey, { ...subscriptionBody(plan.id), customer: CUSTOMER });
  // Last: no subscription charges a card that was disputed for fraud.
  await new ReportedDispute(api, paid).report({ status: 'opened', amount: 990, after: 0 });
  await untilDispute(byToken, paid, 'opened');
  const offer = { ...named, type: 'subscription', plan_id: plan.id };
  expectStatus(await byToken('createUserPaymentLink', { body: offer }), 201);
  const coupon = {
    ...{ code: 'CONFEITARIANOSSASENHORADACONCEICAO2026', name: LONG, max_cycles: 12 },
    ...{
      discount_type: 'fixed',
      discount_value: 12_345,
      valid_from: '2026-03-01',
      valid_until: '2027-12-31',
    },
  };
  expectStatus(await byKey('createCoupon', { body: coupon }), 201);
  const scopes = ['read', 'payments:write', 'customers:write', 'subscriptions:write'];
  expectStatus(await byToken('createApiKey', { body: { name: LONG, scopes } }), 201);
}

/** For each row of a table, the most lines of text that one of its cells has. */
const LINES_PER_ROW = `[...document.querySelectorAll('section tbody tr')]
  .filter((row) => row.offsetParent !== null)
  .map((row) => Math.max(...[...row.cells].map((cell) => {
    const tops = [];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      if (!parentElement.checkVisibility()) continue;
      const box = parentElement.getBoundingClientRect();
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { top, bottom, width } of range.getClientRects()) {
        // Lines that a clamp cuts off are below the box of their element.
        if (width > 0 && (top + bottom) / 2 < box.bottom + 1) tops.push((top + bottom) / 2);
      }
    }
    return tops.sort((a, b) => a - b).filter((top, index) => index === 0 || top - tops[index - 1] > 8).length;
  })))`;

it.each([
  '/payments',
  '/subscriptions',
  '/customers',
  '/disputes',
  '/payment-links',
  '/plans',
  '/coupons',
  '/team',
  '/settings/api-keys',
  '/audit',
])('on a phone, no row of %s has more than three lines', async (path) => {
  const { page, consoleErrors } = visit;
  await page.goto(`${api.baseUrl}/dashboard${path}`);
  await page.locator('section tbody tr').first().waitFor();
  await page.evaluate('document.fonts.ready.then(() => true)');
  const lines = await page.evaluate<number[]>(LINES_PER_ROW);
  expect(lines).not.toEqual([]);
  expect(lines.filter((count) => count > 3)).toEqual([]);
  expect(consoleErrors).toEqual([]);
});

it.each(['/', '/login', '/register', '/forgot-password', '/payments'])(
  'a visit of %s without a session sends no request that is refused, and logs no error',
  async (path) => {
    const { page, close } = await openPage(browser);
    const errors: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) errors.push(message.text());
    });
    page.on('pageerror', ({ message }) => errors.push(message));
    await page.goto(`${api.baseUrl}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(errors).toEqual([]);
    await close();
  },
);

it.each([
  { screen: 'a phone', viewport: { width: 390, height: 844 }, navbar: 0 },
  { screen: 'a desktop', viewport: { width: 1440, height: 900 }, navbar: 232 },
])('on $screen, the header and the navigation have their places before the script has run', async (given) => {
  const { page, close } = await openPage(browser, { viewport: given.viewport });
  await logIn(page, api, company);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(`${api.baseUrl}/dashboard/payments`);
  const sizeOf = (name: string) =>
    page.evaluate<{ width: number; height: number }>(
      `(({ width, height }) => ({ width, height }))(document.querySelector('#boot .${name}').getBoundingClientRect())`,
    );
  expect(await sizeOf('header')).toEqual({ width: given.viewport.width, height: 60 });
  expect((await sizeOf('navbar')).width).toBe(given.navbar);
  await page.unroute('**/assets/*.js');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  const header = await page.getByRole('banner').boundingBox();
  expect(header).toMatchObject({ width: given.viewport.width, height: 60 });
  expect(await page.locator('#boot').isVisible()).toBe(false);
  await close();
});
