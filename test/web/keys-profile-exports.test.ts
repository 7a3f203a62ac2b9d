import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany } from '../api/dashboard/dashboard-company';
import { apiClient, expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { newKey, sale, to } from '../api/support/payment-scenario';
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
  expect([...visit.origins]).toEqual([api.baseUrl]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

/** The lines of the file that the click downloads, without the header. */
async function exported(page: Page, click: () => Promise<void>): Promise<string[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), click()]);
  const text = readFileSync(await download.path(), 'utf8');
  return text.trimEnd().split('\r\n').slice(1);
}

describe('API keys', () => {
  it('a key that may only read is created, shown once, used and revoked', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/settings');
    const { page } = visit;
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('row', { name: /Registration test Everything/ }).waitFor();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Reports');
    await page.getByRole('radio', { name: 'Read only' }).check();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    const clientId = await page.getByLabel('X-Client-ID', { exact: true }).innerText();
    const apiKey = await page.getByLabel('X-API-Key', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('row', { name: /Reports test Read only never/ }).waitFor();
    expect(await page.content()).not.toContain(apiKey);

    const reports = apiClient(api.baseUrl, { 'X-Client-ID': clientId, 'X-API-Key': apiKey });
    expectStatus(await reports('listPayments'), 200);
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '52998224725' };
    expectStatus(await reports('createCustomer', { body: customer }), 403);
    await page.getByRole('button', { name: 'Revoke Reports' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The API key is revoked.').waitFor();
    await page.getByRole('row', { name: /Reports/ }).waitFor({ state: 'detached' });
    expectStatus(await reports('listPayments'), 401);
  });

  it('a key with chosen scopes is created in Portuguese, also on a phone', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 } };
    visit = await openDashboard(browser, api, company, '/settings/api-keys', phone);
    const { page } = visit;
    await page.getByRole('button', { name: 'Nova chave de API' }).click();
    await page.getByRole('textbox', { name: 'Nome' }).fill('Loja virtual');
    await page.getByRole('radio', { name: 'Ler, e alterar o que você escolher' }).check();
    await page.getByRole('checkbox', { name: 'Pagamentos' }).check();
    await page.getByRole('button', { name: 'Criar' }).click();
    await page.getByRole('button', { name: 'Guardei a chave' }).click();
    await page.getByRole('row', { name: /Loja virtual teste Somente ler · Pagamentos/ }).waitFor();
    const { data } = expectStatus(await company.byToken('listApiKeys'), 200).body;
    expect(data[0]).toMatchObject({ name: 'Loja virtual', scopes: ['read', 'payments:write'] });
  });
});

describe('the own account', () => {
  it('name and language of the mails can be changed, in Portuguese on a phone', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const phone = { locale: 'pt-BR', viewport: { width: 390, height: 844 } };
    visit = await openDashboard(browser, api, company, '/account', phone);
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Nome' }).fill('Maria Lima');
    await page.getByRole('combobox', { name: 'Idioma dos e-mails' }).selectOption('Português');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Salvo').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const { data } = expectStatus(await company.byToken('getMe'), 200).body;
    expect(data).toMatchObject({ name: 'Maria Lima', language: 'pt' });
  });
});

describe('the list of payments', () => {
  it('shows and exports only payments with the metadata that is entered', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const wanted = await sale(company.byKey, { merchant_order_id: 'wanted', metadata: { store: '7' } });
    await sale(company.byKey, { merchant_order_id: 'other', metadata: { store: '8' } });
    visit = await openDashboard(browser, api, company, '/payments');
    const { page } = visit;
    await page.getByRole('link', { name: 'other' }).waitFor();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('textbox', { name: 'Metadata key' }).fill('store');
    await page.getByRole('textbox', { name: 'Metadata value' }).fill('7');
    await page.getByText(/^1 payment ·/).waitFor();
    expect(await page.getByRole('link', { name: 'other' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const lines = await exported(page, () => page.getByRole('menuitem', { name: 'Payments' }).click());
    expect(lines.map((line) => line.split(',')[0])).toEqual([wanted.transaction_id]);
  });

  it('exports refunds, and the page of webhooks exports events', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const payment = await sale(company.byKey, { amount: 5_000 });
    expectStatus(await company.byKey('refundPayment', to(payment, { headers: newKey() })), 200);
    visit = await openDashboard(browser, api, company, '/payments');
    const { page } = visit;
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const refunds = await exported(page, () => page.getByRole('menuitem', { name: 'Refunds' }).click());
    expect(refunds).toEqual([expect.stringContaining(payment.transaction_id)]);
    await page.getByText('Export complete. Rows: 1.').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const events = await exported(page, () => page.getByRole('button', { name: 'Export CSV' }).click());
    expect(events.map((line) => line.split(',')[3])).toEqual([
      'transaction.approved',
      'transaction.refunded',
    ]);
  });
});
