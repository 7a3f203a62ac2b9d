import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { rawCard } from '../support/fixtures/payments';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import { newPlan, subscriptionBody } from '../workflows/subscriptions/subscription-merchant';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard, pageTitle } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

const PERSON = { name: 'Beatriz Nogueira', email: 'bia@example.com', document: '11144477735' };

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_1']);
  const { byKey } = company;
  const { token } = expectStatus(await byKey('createCustomer', { body: PERSON }), 201).body.data;
  const card = rawCard('5555555555554444');
  await sale(byKey, { merchant_order_id: 'pedido-501', amount: 18_990, customer: { token }, card });
  await sale(byKey, { merchant_order_id: 'outro-1', amount: 500 });
  const saved = rawCard('4111111111111111');
  expectStatus(await byKey('createCustomerCard', { params: { token }, body: saved }), 201);
  const plan = await newPlan(byKey, { name: 'Clube do Café' });
  const body = { ...subscriptionBody(plan.id), customer: { token } };
  expectStatus(await byKey('createSubscription', { body }), 201);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const box = (page: Page) => page.getByRole('search').getByRole('combobox');

const LANGUAGES = [
  {
    locale: 'en-US',
    payments: 'Payments',
    none: /^Nothing found for “zzz”\.$/,
    orderTitle: 'Payment pedido-501',
    note: { label: 'New note', add: 'Add note' },
    filter: 'Customer',
    toCustomer: 'Beatriz Nogueira · bia@example.com',
  },
  {
    locale: 'pt-BR',
    payments: 'Pagamentos',
    none: /^Nada encontrado para “zzz”\.$/,
    orderTitle: 'Pagamento pedido-501',
    note: { label: 'Nova anotação', add: 'Adicionar anotação' },
    filter: 'Cliente',
    toCustomer: 'Beatriz Nogueira · bia@example.com',
  },
] as const;

describe.each(LANGUAGES)('in $locale', ({ locale, payments, none, orderTitle, note, filter, toCustomer }) => {
  const open = async (path = '/') => {
    visit = await openDashboard(browser, api, company, path, { locale });
    return visit.page;
  };

  it('the search box opens by keyboard, groups what it finds, and Enter opens the first result', async () => {
    const page = await open();
    await pageTitle(page).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nogueira b');
    const option = page.getByRole('option', { name: /Beatriz Nogueira.*bia@example\.com/ });
    await option.waitFor();
    await page
      .getByRole('group', { name: payments })
      .getByRole('option', { name: /pedido-501/ })
      .waitFor();
    expect(await option.getAttribute('data-combobox-selected')).toBe('true');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await pageTitle(page).getByText('Beatriz Nogueira').waitFor();
    expect(await box(page).inputValue()).toBe('');
  });

  it.each([['189,90'], ['18990'], ['4444'], ['PEDIDO-5']])('a payment is found by %s', async (text) => {
    const page = await open();
    await pageTitle(page).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    // Before the results are there.
    await page.keyboard.press('Enter');
    await pageTitle(page).getByText(orderTitle).waitFor();
  });

  it('says that nothing was found, and Escape closes it', async () => {
    const page = await open();
    await box(page).fill('zzz');
    await page.getByText(none).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText(none).first().waitFor({ state: 'hidden' });
  });

  it('a customer’s page has payments, subscriptions, cards and notes, and is reached from a payment', async () => {
    const page = await open('/payments?last_four=4444');
    await page.getByRole('link', { name: 'pedido-501' }).click();
    await page.getByRole('link', { name: toCustomer }).click();
    await pageTitle(page).getByText('Beatriz Nogueira').waitFor();
    await page.getByRole('link', { name: 'pedido-501' }).waitFor();
    await page.getByRole('row', { name: /Clube do Café/ }).waitFor();
    await page.getByText('visa •••• 1111').waitFor();
    const text = `Ligou às dez (${locale})`;
    await page.getByLabel(note.label).fill(text);
    await page.getByRole('button', { name: note.add }).click();
    await page.getByRole('listitem').filter({ hasText: text }).waitFor();
    expect(await page.getByLabel(note.label).inputValue()).toBe('');
    await page.getByLabel(note.label).fill('4111 1111 1111 1111');
    await page.getByRole('button', { name: note.add }).click();
    await page.getByRole('alert').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('subscriptions are filtered by the person', async () => {
    const page = await open('/subscriptions');
    const field = page.getByRole('combobox', { name: filter, exact: true });
    await field.fill('beatriz');
    await page.getByRole('option', { name: toCustomer }).click();
    await page.waitForURL(/customer=cus_/);
    await page.getByRole('link', { name: 'Beatriz Nogueira' }).waitFor();
    expect(await field.inputValue()).toBe(toCustomer);
  });
});
