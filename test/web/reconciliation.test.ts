import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import { TODAY } from '../workflows/settlement/settlement-scenario';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';
import { chargeTwice, reconcileToday } from './support/second-charge';

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

async function companyWithSale(): Promise<{ readonly company: DashboardCompany; readonly paid: string }> {
  const company = await registerDashboardCompany(api, ['gateway_1']);
  const { transaction_id: paid } = await sale(company.byKey, { amount: 10_000 });
  return { company, paid };
}

async function chooseFile(page: Page, text: string): Promise<void> {
  const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

describe('a statement', () => {
  it('is refused with its wrong lines, uploaded once mended, and reconciled to the cent once its difference is settled', async () => {
    const { company, paid } = await companyWithSale();
    const { secondChargeId, file } = await chargeTwice(api, paid);
    visit = await openDashboard(browser, api, company, '/reconciliation');
    const { page } = visit;
    await page.getByRole('button', { name: 'Upload a statement' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Day').fill(TODAY);
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await dialog.getByText('Choose a file.', { exact: true }).waitFor();
    await chooseFile(page, file.replace(',sale,', ',gift,'));
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await dialog.getByText('The file has errors. Nothing of it was kept.').waitFor();
    await dialog.getByText(/Line 2:.*kind must be one of sale/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await chooseFile(page, file);
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Statement of gateway_1/ }).waitFor();
    await page.getByRole('link', { name: 'Charged twice' }).click();
    await page.getByRole('heading', { level: 1, name: /Charged twice · R\$\s?100/ }).waitFor();
    const line = page.getByRole('region', { name: 'The line of the statement' });
    await line.getByText(secondChargeId).waitFor();
    const records = page.getByRole('region', { name: 'What was recorded of the payment at this gateway' });
    await records.getByText(/^ch_/).waitFor();
    expect(await records.getByText(secondChargeId).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Settle' }).click();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The gateway returned the second charge.');
    await dialog.getByRole('button', { name: 'Settle' }).click();
    await page.getByText('The gateway returned the second charge.').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Settle' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: paid }).click();
    const ofPayment = page.getByRole('region', { name: 'Differences in statements' });
    await ofPayment.getByText('Settled', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/^Reconciled to the cent until /).waitFor();
  });

  it('is listed by status, and its differences by kind', async () => {
    const { company, paid } = await companyWithSale();
    const { settlement } = await reconcileToday(api, company, (await chargeTwice(api, paid)).file);
    visit = await openDashboard(browser, api, company, '/reconciliation');
    const { page } = visit;
    await page.getByRole('link', { name: '1 open difference' }).first().waitFor();
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('No statements match.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('row').getByRole('link', { name: '1 open difference' }).click();
    await page.waitForURL(`**/reconciliation/differences?*settlement_id=${settlement}*`);
    await page.getByRole('link', { name: 'Charged twice' }).waitFor();
    await page.getByLabel('Kind').selectOption('wrong_day');
    await page.getByText('No differences match.').waitFor();
  });
});

describe('the monthly report', () => {
  it('shows captured amounts, and is downloaded for a spreadsheet in Portuguese', async () => {
    const { company } = await companyWithSale();
    visit = await openDashboard(browser, api, company, '/reconciliation/report', { locale: 'pt-BR' });
    const { page } = visit;
    const report = page.getByRole('region', { name: 'Por gateway' });
    await report
      .getByRole('cell', { name: /R\$\s?100,00/ })
      .first()
      .waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`report-${TODAY.slice(0, 7)}.csv`);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain(`${TODAY.slice(0, 7)};gateway_1;;BRL;10000;0;0;0;10000;0;0`);
  });
});
