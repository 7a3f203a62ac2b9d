import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { DECLINED_ON_RENEWAL_CARD } from '../workflows/subscriptions/command-requests';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../workflows/subscriptions/subscription-merchant';
import { waitFor } from '../support/stack/wait-for';
import { startWebhookReceiver } from '../support/stack/webhook-receiver';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard, pageTitle } from './support/dashboard-page';

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

async function createSubscription(company: DashboardCompany, change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(company.byKey, { name: 'Clube do Café', interval: 'monthly' });
  return TestSubscription.create(company.byKey, subscriptionBody(plan.id, change));
}

async function openSubscription(company: DashboardCompany, { id }: TestSubscription): Promise<Page> {
  visit = await openDashboard(browser, api, company, `/subscriptions/${id}`);
  return visit.page;
}

/** Clicks the button on the page and the button of the same name in the dialog. */
async function clickAndConfirm(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
}

describe('a subscription', () => {
  it('the list filters by status, and the page shows upcoming charges and the payments of a cycle', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const { created } = await createSubscription(company);
    visit = await openDashboard(browser, api, company, '/subscriptions');
    const { page } = visit;
    await page.getByLabel('Status').selectOption('Canceled');
    await page.getByText('No matching subscriptions').waitFor();
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('link', { name: 'Maria Souza' }).click();
    await pageTitle(page).getByText('Subscription of Maria Souza').waitFor();
    const upcoming = page.getByRole('region', { name: 'Upcoming charges' });
    await upcoming.getByRole('row').nth(12).waitFor();
    expect(await upcoming.getByRole('cell', { name: 'R$99.90' }).count()).toBe(12);
    await page.getByRole('link', { name: 'Payment 1 of cycle 1' }).click();
    await page.getByRole('link', { name: 'View subscription' }).click();
    await page.waitForURL(`**/subscriptions/${created.id}`);
  });

  it('a subscription is paused until it is resumed, and the audit log records both', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const subscription = await createSubscription(company);
    const page = await openSubscription(company, subscription);
    await clickAndConfirm(page, 'Pause');
    await page.getByText('Paused since').waitFor();
    expect((await subscription.current()).status).toBe('paused');
    await clickAndConfirm(page, 'Resume');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await subscription.current()).status).toBe('active');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'Subscription resumed' }).waitFor();
    await page.getByRole('cell', { name: 'Subscription paused' }).waitFor();
  });

  it('a pause until a date ends when the date begins in the company’s time zone', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const subscription = await createSubscription(company);
    const page = await openSubscription(company, subscription);
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Until a date').check();
    const day = dialog.getByLabel('Resume date');
    await day.fill('2999-03-01');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('must be at most 10 years ahead').waitFor();
    const nextYear = new Date().getUTCFullYear() + 1;
    await day.fill(`${nextYear}-03-01`);
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused until').waitFor();
    expect((await subscription.current()).paused_until).toBe(`${nextYear}-03-01T03:00:00.000Z`);
  });

  it('a cancellation at the end of the period can be reverted, and a subscription can be canceled immediately', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const subscription = await createSubscription(company);
    const page = await openSubscription(company, subscription);
    await clickAndConfirm(page, 'Cancel subscription');
    await page.getByText('Ends on', { exact: true }).waitFor();
    expect(await subscription.current()).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await page.getByText('No upcoming charges.').waitFor();
    await clickAndConfirm(page, 'Revert cancellation');
    await page.getByText('Ends on', { exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByRole('dialog').getByLabel('Immediately').check();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('Canceled on request').waitFor();
    expect((await subscription.current()).status).toBe('canceled');
  });

  it('a declined renewal is shown, and its charge can be retried', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const subscription = await createSubscription(company, { card: DECLINED_ON_RENEWAL_CARD });
    await subscription.advanceDays(32);
    const page = await openSubscription(company, subscription);
    await page.getByText('Charge unpaid since').waitFor();
    await page.getByText('Charge unpaid', { exact: true }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'No. 2' });
    expect(await row.getByRole('listitem').first().innerText()).toMatch(
      /Payment 1 .* · Failed · Declined: 51/,
    );
    expect(await axeViolations(page)).toEqual([]);
    await clickAndConfirm(page, 'Retry charge');
    await page.getByRole('link', { name: 'Payment 3 of cycle 2' }).waitFor();
    expect((await subscription.current()).dunning).not.toBeNull();
  });
});

describe('a webhook delivery', () => {
  it('a delivery links to its subscription and to its workflow', async () => {
    const receiver = await startWebhookReceiver();
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const body = { url: receiver.url, events: ['subscription.created'] };
    const { id } = expectStatus(await company.byToken('createWebhookEndpoint', { body }), 201).body;
    const { created } = await createSubscription(company);
    visit = await openDashboard(browser, api, company, `/webhooks/${id}`);
    const { page } = visit;
    await page.getByRole('button', { name: 'subscription.created' }).click();
    const temporal = page.getByRole('link', { name: 'Open in Temporal' });
    expect(await temporal.getAttribute('href')).toMatch(/\/workflows\/webhook-delivery%2F/);
    await page.getByRole('link', { name: created.id }).click();
    await pageTitle(page).getByText('Subscription of Maria Souza').waitFor();
    expect(await page.getByRole('link', { name: 'Open in Temporal' }).getAttribute('href')).toContain(
      encodeURIComponent(`subscription/${created.id}`),
    );
    receiver.close();
  });
});

describe('a payment link', () => {
  it('a link can be created, copied, opened, deactivated and deleted', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/payment-links');
    const { page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ceramics workshop');
    await page.getByRole('textbox', { name: 'Amount' }).fill('180.00');
    await page.getByLabel('Payment methods').selectOption('Pix or card, Pix first');
    await page.getByLabel('Last day').fill('2999-12-31');
    await page.getByLabel('Maximum installments').fill('3');
    await page.getByLabel('Interest is paid by').selectOption('The buyer');
    await page.getByLabel('2 ×').fill('1.99');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Copy URL' }).click();
    const { data } = expectStatus(await company.byToken('listUserPaymentLinks', {}), 200).body;
    expect(data).toMatchObject([
      {
        ...{ amount: 18_000, payment_methods: ['pix', 'card'], expires_at: '3000-01-01T03:00:00.000Z' },
        ...{ max_installments: 3, min_installment_amount: null, interest: 'buyer' },
        interest_rates: [{ installments: 2, basis_points: 199 }],
      },
    ]);
    const url = data[0]?.checkout_url ?? '';
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(url);
    expect(await page.getByRole('link', { name: 'Open page', exact: true }).getAttribute('href')).toBe(url);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await page.getByRole('button', { name: 'Copy the URL of Ceramics workshop' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(url);
    await choose(page, 'Deactivate');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('row', { name: /Ceramics workshop.*Inactive/ }).waitFor();
    await choose(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No links yet').waitFor();
  });

  it('a link can sell a plan and be edited', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const plan = await newPlan(company.byKey, { name: 'Clube do Café' });
    visit = await openDashboard(browser, api, company, '/payment-links');
    const { page } = visit;
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByText('Subscription', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Join the club');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('is required').waitFor();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption(plan.id);
    await page.getByRole('button', { name: 'Create' }).click();
    // The form also has a Close button: once the link is created, the last Close button belongs to the new dialog.
    await page.getByRole('button', { name: 'Copy URL' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Plan Clube do Café').waitFor();
    await choose(page, 'Edit');
    await page.getByLabel('Maximum uses').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '0 of 30' }).waitFor();
    const link = await waitFor(async () => {
      const { data } = expectStatus(await company.byToken('listUserPaymentLinks', {}), 200).body;
      return data[0];
    });
    const audited = await company.byToken('listAuditLog', { query: { subject_id: link.token } });
    expect(expectStatus(audited, 200).body.data[0]).toMatchObject({
      action: 'payment_link.update',
      changes: { max_uses: { from: null, to: 30 } },
    });
  });
});

async function choose(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: button }).click();
}
