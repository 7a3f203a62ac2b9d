import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { expectStatus } from '../api/support/api-client';
import { sale } from '../api/support/payment-scenario';
import { openShop, type Shop } from '../api/dashboard/dashboard-company';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../workflows/subscriptions/subscription-merchant';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stack/webhook-receiver';
import { inaccessible } from './support/axe';
import { openPage, startBrowser, type Visit } from './support/browser';
import { enter } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let receiver: WebhookReceiver;
let shop: Shop;
/** What the names in addresses stand for. */
let ids: { readonly payment: string; readonly endpoint: number; readonly subscription: string };

beforeAll(async () => {
  await buildWeb();
  [api, browser, receiver] = await Promise.all([startEngineApi(), startBrowser(), startWebhookReceiver()]);
  shop = await openShop(api, ['gateway_1', 'gateway_2']);
  const endpoint = { url: receiver.url, events: ['transaction.approved'] };
  const created = expectStatus(await shop.admin('createWebhookEndpoint', { body: endpoint }), 201);
  const plan = await newPlan(shop.byKey);
  const { id: subscription } = await TestSubscription.create(shop.byKey, subscriptionBody(plan.id));
  const offer = { name: 'Workshop', type: 'subscription', plan_id: plan.id };
  expectStatus(await shop.admin('createUserPaymentLink', { body: offer }), 201);
  const payment = (await sale(shop.byKey, {})).transaction_id;
  ids = { endpoint: created.body.id, payment, subscription };
}, 120_000);

afterAll(async () => {
  receiver.close();
  await browser.close();
  await api.stop();
});

const OUTSIDE = ['/login', '/register', '/forgot-password', '/reset-password', '/nowhere'];
const INSIDE = [
  '/',
  '/payments',
  '/payments/:payment',
  '/subscriptions',
  '/subscriptions/:subscription',
  '/payment-links',
  '/plans',
  '/coupons',
  '/gateways',
  '/webhooks',
  '/webhooks/:endpoint',
  '/settings',
  '/settings/routing',
  '/audit',
];

/** Tables that a panel cuts off at its right edge; those only for screen readers take no room. */
const CUT_OFF = `[...document.querySelectorAll('section table')]
  .filter((table) => table.parentElement.clientWidth > 1)
  .filter((table) => table.scrollWidth > table.closest('section').clientWidth)
  .map((table) => table.innerText)`;
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.each([
  { screen: 'a desktop, in English', locale: 'en-US', viewport: { width: 1280, height: 900 } },
  { screen: 'a small phone, in Portuguese', locale: 'pt-BR', viewport: { width: 360, height: 740 } },
])('on $screen', ({ locale, viewport }) => {
  let visit: Visit;
  beforeAll(async () => {
    visit = await openPage(browser, { locale, viewport });
  });
  afterAll(() => visit.close());

  it.each(OUTSIDE)('%s is accessible, fits, and keeps the security policy', (path) => check(path));

  describe('signed in', () => {
    beforeAll(() => enter(visit.page, api, shop));

    it.each(INSIDE)('%s is accessible, fits, and keeps the security policy', (path) => check(path));
  });

  async function check(path: string): Promise<void> {
    const { page, complaints } = visit;
    const address = path.replace(/:(\w+)/, (_, name: keyof typeof ids) => String(ids[name]));
    await page.goto(`${api.baseUrl}/dashboard${address}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: /Loading|Carregando/ }).waitFor({ state: 'hidden' });
    expect(await inaccessible(page)).toEqual([]);
    expect(await page.evaluate<number>(SIDEWAYS)).toBe(0);
    expect(await page.evaluate<string[]>(CUT_OFF)).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    expect(complaints).toEqual([]);
  }
});
