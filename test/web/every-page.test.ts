import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { expectStatus } from '../api/support/api-client';
import { sale } from '../api/support/payment-scenario';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { verifyAddress } from '../api/users/team-api';
import { registration } from '../api/users/user-api';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../workflows/subscriptions/subscription-merchant';
import { ReportedDispute, untilDispute } from '../workflows/disputes/dispute-scenario';
import { uniqueAmount } from '../support/scenarios/pay';
import { startWebhookReceiver, type WebhookReceiver } from '../support/stack/webhook-receiver';
import { axeViolations, colorViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { logIn } from './support/dashboard-page';
import { chargeTwice, reconcileToday } from './support/second-charge';
import { englishTexts, visibleTexts } from './support/language';

let api: EngineApi;
let browser: Browser;
let receiver: WebhookReceiver;
let company: DashboardCompany;
/** Values of the path parameters. */
let ids: {
  readonly payment: string;
  readonly routed: string;
  readonly customer: string;
  readonly dispute: string;
  readonly settlement: string;
  readonly difference: string;
  readonly endpoint: number;
  readonly subscription: string;
};

beforeAll(async () => {
  await buildWeb();
  const { email } = registration();
  [api, browser, receiver] = await Promise.all([
    startEngineApi({ SUPPORT_EMAILS: email }),
    startBrowser(),
    startWebhookReceiver(),
  ]);
  company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2'], { email });
  // An operator of the deployment has proved to read mail at the address.
  await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
  const endpoint = { url: receiver.url, events: ['transaction.approved'] };
  const created = expectStatus(await company.byToken('createWebhookEndpoint', { body: endpoint }), 201);
  const plan = await newPlan(company.byKey);
  const { id: subscription } = await TestSubscription.create(company.byKey, subscriptionBody(plan.id));
  const offer = { name: 'Workshop', type: 'subscription', plan_id: plan.id };
  expectStatus(await company.byToken('createUserPaymentLink', { body: offer }), 201);
  const paid = await sale(company.byKey, {});
  const { transaction_id: routed } = await declinedOnce();
  await new ReportedDispute(api, paid).report({ status: 'opened', amount: 990, after: 0 });
  const { id: dispute } = await untilDispute(company.byToken, paid, 'opened');
  const { transaction_id: payment, customer } = paid;
  const reconciled = await reconcileToday(api, company, (await chargeTwice(api, payment)).file);
  ids = {
    ...reconciled,
    endpoint: created.body.id,
    payment,
    routed,
    customer: customer?.token ?? '',
    dispute,
    subscription,
  };
}, 120_000);

/** A payment that went to its second gateway, and not first to the requested one: its timeline explains both. */
async function declinedOnce() {
  const amount = uniqueAmount();
  await api.engine.simulator.script({ gateway: 'gateway_1', amount, operation: 'charge' }, { decline: '91' });
  return sale(company.byKey, { amount, gateway_first_try: 'gateway_5' });
}

afterAll(async () => {
  receiver.close();
  await browser.close();
  await api.stop();
});

const PUBLIC_PATHS = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/accept-invitation',
  '/nowhere',
];
const SIGNED_IN_PATHS = [
  '/',
  '/payments',
  '/payments/:payment',
  '/disputes',
  '/disputes/:dispute',
  '/payments/:routed',
  '/reconciliation',
  '/reconciliation/statements/:settlement',
  '/reconciliation/differences',
  '/reconciliation/differences/:difference',
  '/reconciliation/report',
  '/subscriptions',
  '/subscriptions/:subscription',
  '/customers',
  '/customers/:customer',
  '/payment-links',
  '/plans',
  '/coupons',
  '/gateways',
  '/webhooks',
  '/webhooks/:endpoint',
  '/webhooks/receiver',
  '/settings',
  '/settings/routing',
  '/settings/api-keys',
  '/audit',
  '/team',
  '/account',
  '/system',
];

/** Tables that overflow their panel; tables only for screen readers have no size. */
const OVERFLOWING_TABLES = `[...document.querySelectorAll('section table')]
  .filter((table) => table.parentElement.clientWidth > 1)
  .filter((table) => table.scrollWidth > table.closest('section').clientWidth)
  .map((table) => table.innerText)`;
const HORIZONTAL_OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** In Portuguese, whose texts are the longer ones. */
describe('in Portuguese, on a desktop in the light theme and on a small phone in the dark one', () => {
  let visit: PageVisit;
  beforeAll(async () => {
    visit = await openPage(browser, { locale: 'pt-BR' });
  });
  afterAll(() => visit.close());

  it.each(PUBLIC_PATHS)('%s is accessible, fits the screen and respects the security policy', (path) =>
    check(path),
  );

  describe('signed in', () => {
    beforeAll(async () => {
      await logIn(visit.page, api, company);
      await visit.page.goto('about:blank');
    });

    it.each(SIGNED_IN_PATHS)('%s is accessible, fits the screen and respects the security policy', (path) =>
      check(path),
    );
  });

  async function check(path: string): Promise<void> {
    const { page, consoleErrors } = visit;
    await show(page, { viewport: DESKTOP, colorScheme: 'light' });
    await open(
      page,
      path.replace(/:(\w+)/, (_, name: keyof typeof ids) => String(ids[name])),
    );
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>(HORIZONTAL_OVERFLOW)).toBe(0);
    expect(await page.evaluate<string[]>(OVERFLOWING_TABLES)).toEqual([]);
    await show(page, { viewport: SMALL_PHONE, colorScheme: 'light' });
    expect(await colorViolations(page)).toEqual([]);
    await show(page, { viewport: SMALL_PHONE, colorScheme: 'dark' });
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate<number>(HORIZONTAL_OVERFLOW)).toBe(0);
    expect(await page.evaluate<string[]>(OVERFLOWING_TABLES)).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    expect(englishTexts(await visibleTexts(page))).toEqual([]);
    expect(consoleErrors).toEqual([]);
  }

  /** The first one by its address, the others as a link of the page before does. */
  async function open(page: Page, address: string): Promise<void> {
    if (page.url() === 'about:blank') await page.goto(`${api.baseUrl}/dashboard${address}`);
    else await page.evaluate(follow(`/dashboard${address}`));
    await page.locator('h1:not([data-left])').waitFor();
    await page
      .getByRole('status', { name: /Carregando/ })
      .first()
      .waitFor({ state: 'hidden' });
  }
});

const DESKTOP = { width: 1280, height: 900 };
const SMALL_PHONE = { width: 360, height: 740 };

interface Shown {
  readonly viewport: typeof DESKTOP;
  readonly colorScheme: 'light' | 'dark';
}

/** Waits for what a script changes with the size of the screen; colors change at once. */
async function show(page: Page, { viewport, colorScheme }: Shown): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  if (page.url() === 'about:blank') return;
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
  await page.evaluate('new Promise(requestAnimationFrame)');
}

/** Script that goes to the address without loading the page anew, and marks the title of the page that it leaves. */
function follow(address: string): string {
  return `document.querySelector('h1').setAttribute('data-left', '');
    history.pushState({}, '', ${JSON.stringify(address)})`;
}

it('shows an operator of the deployment what waits, of which processes, and nobody else the page', async () => {
  const { page, consoleErrors, close } = await openPage(browser);
  await logIn(page, api, company);
  await page.goto(`${api.baseUrl}/dashboard/`);
  await page.getByRole('link', { name: 'System status' }).click();
  await page.getByRole('row', { name: 'Payments that wait for a person 0 –' }).waitFor();
  await page.getByRole('row', { name: /^Main workflow tasks 0 –/ }).waitFor();
  await page
    .getByRole('region', { name: 'This API process' })
    .getByText(/in use, \d+ waiting/)
    .waitFor();
  expect(consoleErrors).toEqual([]);
  await close();
  const other = await openPage(browser);
  await logIn(other.page, api, await registerDashboardCompany(api, ['gateway_1']));
  await other.page.goto(`${api.baseUrl}/dashboard/system`);
  await other.page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  expect(await other.page.getByRole('link', { name: 'System status' }).count()).toBe(0);
  await other.close();
});

it('tells in Portuguese why a payment went to its gateways', async () => {
  const { page, close } = await openPage(browser, { locale: 'pt-BR' });
  await logIn(page, api, company);
  await page.goto(`${api.baseUrl}/dashboard/payments/${ids.routed}`);
  const timeline = page.getByRole('region', { name: 'Linha do tempo' });
  await timeline.getByText('ordem 1; não foi primeiro, como pedido: gateway_5 não tem credenciais').waitFor();
  await timeline.getByText('próximo depois que gateway_1 recusou; ordem 2').waitFor();
  await close();
});

it('finds a visitor without a session signed out without a request that is refused', async () => {
  const { page, consoleErrors, close } = await openPage(browser);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${api.baseUrl}/dashboard/`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(refused).toEqual([]);
  expect(consoleErrors).toEqual([]);
  await close();
});

it.each([
  '/payments/0197f3c4-0000-7000-8000-000000000000',
  '/subscriptions/unknown',
  '/webhooks/999999999',
  '/nowhere',
])('%s, which does not exist, has a heading', async (path) => {
  const { page, close } = await openPage(browser);
  await logIn(page, api, company);
  await page.goto(`${api.baseUrl}/dashboard${path}`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await close();
});
