import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import { ReportedDispute, untilDispute } from '../workflows/disputes/dispute-scenario';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard, pageTitle } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_1']);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

async function openedDispute(merchant_order_id: string) {
  const payment = await sale(company.byKey, { amount: 5_000, merchant_order_id });
  const { id: gatewayId } = await api.engine.simulator.openDispute(payment.transaction_id, { amount: 3_000 });
  const evidence_due_at = new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
  await new ReportedDispute(api, payment, gatewayId).report({
    ...{ status: 'opened', amount: 3_000, after: 0, evidence_due_at },
  });
  return untilDispute(company.byToken, payment, 'opened');
}

describe('a dispute', () => {
  it('is found from its payment, gets a text and a file as evidence, and is submitted after a confirmation', async () => {
    const dispute = await openedDispute('order-evidence');
    visit = await openDashboard(browser, api, company, `/payments/${dispute.transaction_id}`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Chargeback' }).click();
    await page.getByRole('heading', { level: 1, name: /Chargeback · / }).waitFor();
    await page.getByText('No evidence yet').waitFor();
    await page.getByRole('button', { name: 'Add evidence' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it shows').selectOption({ label: 'Tracking number (text)' });
    await dialog.getByRole('textbox', { name: 'Text' }).fill('BR123456789BR');
    await dialog.getByRole('button', { name: 'Add evidence' }).click();
    await page.getByText('BR123456789BR').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add evidence' }).click();
    await dialog.getByLabel('What it shows').selectOption({ label: 'Receipt (file)' });
    const file = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf at all') };
    await page.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Add evidence' }).click();
    await dialog.getByText(/is not what the file is/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(100_000, 'x')]);
    await page.locator('input[type=file]').setInputFiles({ ...file, buffer: pdf });
    await dialog.getByRole('button', { name: 'Add evidence' }).click();
    await page.getByText('receipt.pdf').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Submit evidence' }).click();
    await dialog.getByRole('button', { name: 'Submit evidence' }).click();
    await page.getByText('The gateway has it.').waitFor();
    await page.getByText('Evidence submitted', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Add evidence' }).count()).toBe(0);
  });

  it('for fraud says that subscriptions do not charge the card, until an admin allows it and says why', async () => {
    const dispute = await openedDispute('order-fraud');
    visit = await openDashboard(browser, api, company, `/disputes/${dispute.id}`);
    const { page } = visit;
    await page.getByText(/no subscription charges this card/).waitFor();
    await page.getByRole('button', { name: 'Allow this card again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Allow this card again' }).click();
    await dialog.getByRole('textbox', { name: 'Why' }).and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('textbox', { name: 'Why' }).fill('The cardholder confirmed the charge.');
    await dialog.getByRole('button', { name: 'Allow this card again' }).click();
    await page.getByText(/Subscriptions may charge this card in spite/).waitFor();
    await page.getByText(/Allowed by/).waitFor();
    await page.getByText('The cardholder confirmed the charge.').waitFor();
    expect(await page.getByRole('button', { name: 'Allow this card again' }).count()).toBe(0);
  });

  it('at a gateway that takes no answer through its API offers none, and says where it is answered', async () => {
    const dispute = await openedDispute('order-elsewhere');
    const { company_id: id } = expectStatus(await company.byToken('getMe'), 200).body.data;
    const registry = api.engine.context.registries.of(id);
    const without = { ...registry.capabilities('gateway_1'), disputeAnswers: [] };
    const unable = jest.spyOn(registry, 'capabilities').mockReturnValue(without);
    visit = await openDashboard(browser, api, company, `/disputes/${dispute.id}`);
    const { page } = visit;
    await page.getByText('Answer this on the pages of gateway_1').waitFor();
    unable.mockRestore();
    await page.getByText('The customer’s bank opened a chargeback').waitFor();
    for (const name of ['Accept dispute', 'Add evidence'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    const inTemporal = page.getByRole('link', { name: 'Open in Temporal' });
    expect(await inTemporal.getAttribute('href')).toContain(encodeURIComponent(`dispute/${dispute.id}`));
    expect(await axeViolations(page)).toEqual([]);
  });

  it('is listed by its status, and accepted after a confirmation that names the amount', async () => {
    const dispute = await openedDispute('order-accepted');
    visit = await openDashboard(browser, api, company, '/disputes');
    const { page } = visit;
    await page.getByLabel('Status').selectOption('opened');
    await page.getByRole('row').filter({ hasText: 'order-accepted' }).getByRole('link').click();
    await page.waitForURL(`**/disputes/${dispute.id}`);
    await pageTitle(page).waitFor();
    await page.getByRole('button', { name: 'Accept dispute' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/The customer keeps R\$\s?30/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Accept dispute' }).click();
    await page.getByText('You accepted the dispute').waitFor();
    await page.getByText('Accepted', { exact: true }).waitFor();
  });
});
