import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { openShop, type Shop } from '../api/dashboard/dashboard-company';
import { RUNS_DRY } from '../workflows/subscriptions/command-requests';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
} from '../workflows/subscriptions/subscription-merchant';
import { waitFor } from '../support/stack/wait-for';
import { startWebhookReceiver } from '../support/stack/webhook-receiver';
import { inaccessible } from './support/axe';
import { startBrowser, type Visit } from './support/browser';
import { atTheDashboard, titleOf } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: Visit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
}, 120_000);

afterEach(async () => {
  expect(visit.complaints).toEqual([]);
  expect([...visit.hosts]).toEqual([api.baseUrl]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

async function subscribed(shop: Shop, change: object = {}): Promise<TestSubscription> {
  const plan = await newPlan(shop.byKey, { name: 'Clube do Café', interval: 'monthly' });
  return TestSubscription.create(shop.byKey, subscriptionBody(plan.id, change));
}

async function visitSubscription(shop: Shop, { id }: TestSubscription): Promise<Page> {
  visit = await atTheDashboard(browser, api, shop, `/subscriptions/${id}`);
  return visit.page;
}

/** Presses the page's button, and the same button of the dialog that asks for a last word. */
async function ask(page: Page, deed: string): Promise<void> {
  await page.getByRole('button', { name: deed }).click();
  await page.getByRole('dialog').getByRole('button', { name: deed }).click();
}

describe('a subscription', () => {
  it('is found by its status, with the charges to come and the payment of its first cycle', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const { created } = await subscribed(shop);
    visit = await atTheDashboard(browser, api, shop, '/subscriptions');
    const { page } = visit;
    await page.getByLabel('Status').selectOption('Canceled');
    await page.getByText('No subscription matches').waitFor();
    await page.getByLabel('Status').selectOption('Active');
    await page.getByRole('link', { name: 'Maria Souza' }).click();
    await titleOf(page).getByText('Subscription of Maria Souza').waitFor();
    const upcoming = page.getByRole('region', { name: 'Charges to come' });
    await upcoming.getByRole('row').nth(12).waitFor();
    expect(await upcoming.getByRole('cell', { name: 'R$99.90' }).count()).toBe(12);
    await page.getByRole('link', { name: 'Payment 1 of cycle 1' }).click();
    await page.getByRole('link', { name: 'The subscription it is for' }).click();
    await page.waitForURL(`**/subscriptions/${created.id}`);
  });

  it('is paused until somebody resumes it, as the audit log tells', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const subscription = await subscribed(shop);
    const page = await visitSubscription(shop, subscription);
    await ask(page, 'Pause');
    await page.getByText('Paused since').waitFor();
    expect((await subscription.now()).status).toBe('paused');
    await ask(page, 'Resume');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await subscription.now()).status).toBe('active');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: 'Subscription resumed' }).waitFor();
    await page.getByRole('cell', { name: 'Subscription paused' }).waitFor();
  });

  it('is paused until a day begins in the company’s time zone', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const subscription = await subscribed(shop);
    const page = await visitSubscription(shop, subscription);
    await page.getByRole('button', { name: 'Pause' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Until a day').check();
    const day = dialog.getByLabel('The day it goes on');
    await day.fill('2999-03-01');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('must be at most 10 years ahead').waitFor();
    const nextYear = new Date().getUTCFullYear() + 1;
    await day.fill(`${nextYear}-03-01`);
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused until').waitFor();
    expect((await subscription.now()).paused_until).toBe(`${nextYear}-03-01T03:00:00.000Z`);
  });

  it('is canceled with its period, taken back, and canceled now', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const subscription = await subscribed(shop);
    const page = await visitSubscription(shop, subscription);
    await ask(page, 'Cancel the subscription');
    await page.getByText('Ends on', { exact: true }).waitFor();
    expect(await subscription.now()).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await page.getByText('Nothing will be charged.').waitFor();
    await ask(page, 'Let it go on');
    await page.getByText('Ends on', { exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Cancel the subscription' }).click();
    await page.getByRole('dialog').getByLabel('Now').check();
    expect(await inaccessible(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the subscription' }).click();
    await page.getByText('It was asked for').waitFor();
    expect((await subscription.now()).status).toBe('canceled');
  });

  it('whose renewal was declined tells so, and is charged again by hand', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const subscription = await subscribed(shop, { card: RUNS_DRY });
    await subscription.liveTo(32);
    const page = await visitSubscription(shop, subscription);
    await page.getByText('A charge is unpaid since').waitFor();
    await page.getByText('Charge unpaid', { exact: true }).waitFor();
    expect(await inaccessible(page)).toEqual([]);
    await ask(page, 'Charge again');
    await page.getByRole('link', { name: 'Payment 3 of cycle 2' }).waitFor();
    expect((await subscription.now()).dunning).not.toBeNull();
  });
});

describe('a delivery', () => {
  it('leads to the subscription it tells of, and to its workflow', async () => {
    const receiver = await startWebhookReceiver();
    const shop = await openShop(api, ['gateway_1']);
    const body = { url: receiver.url, events: ['subscription.created'] };
    const { id } = expectStatus(await shop.admin('createWebhookEndpoint', { body }), 201).body;
    const { created } = await subscribed(shop);
    visit = await atTheDashboard(browser, api, shop, `/webhooks/${id}`);
    const { page } = visit;
    await page.getByRole('button', { name: 'subscription.created' }).click();
    const temporal = page.getByRole('link', { name: 'In Temporal' });
    expect(await temporal.getAttribute('href')).toMatch(/WorkflowId%3D%22webhook-delivery%2F/);
    await page.getByRole('link', { name: created.id }).click();
    await titleOf(page).getByText('Subscription of Maria Souza').waitFor();
    expect(await page.getByRole('link', { name: 'In Temporal' }).getAttribute('href')).toContain(
      encodeURIComponent(`subscription/${created.id}`),
    );
    receiver.close();
  });
});

describe('a payment link', () => {
  it('is made, and its address copied, opened, turned off and deleted', async () => {
    const shop = await openShop(api, ['gateway_1']);
    visit = await atTheDashboard(browser, api, shop, '/payment-links');
    const { page } = visit;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Ceramics workshop');
    await page.getByRole('textbox', { name: 'Amount' }).fill('180.00');
    await page.getByLabel('How buyers can pay').selectOption('By pix or card, pix first');
    await page.getByLabel('Last day').fill('2999-12-31');
    expect(await inaccessible(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Copy Address' }).click();
    const { data } = expectStatus(await shop.admin('listUserPaymentLinks', {}), 200).body;
    expect(data).toMatchObject([
      { amount: 18_000, payment_methods: ['pix', 'card'], expires_at: '3000-01-01T03:00:00.000Z' },
    ]);
    const address = data[0]?.checkout_url ?? '';
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address);
    expect(await page.getByRole('link', { name: 'Open the page', exact: true }).getAttribute('href')).toBe(
      address,
    );
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await page.getByRole('button', { name: 'Copy the address of Ceramics workshop' }).click();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(address);
    await choose(page, 'Turn off');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('row', { name: /Ceramics workshop.*Off/ }).waitFor();
    await choose(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No links yet').waitFor();
  });

  it('sells a plan, and is changed in what may change', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const plan = await newPlan(shop.byKey, { name: 'Clube do Café' });
    visit = await atTheDashboard(browser, api, shop, '/payment-links');
    const { page } = visit;
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByText('A subscription', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Join the club');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('is required').waitFor();
    await page.getByRole('combobox', { name: 'Plan' }).selectOption(plan.id);
    await page.getByRole('button', { name: 'Create' }).click();
    // The form has a button to close it too: until the link is made, the last one of that name is the form's.
    await page.getByRole('button', { name: 'Copy Address' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('Plan Clube do Café').waitFor();
    await choose(page, 'Change');
    await page.getByLabel('How often it can be bought').fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '0 of 30' }).waitFor();
    const link = await waitFor(async () => {
      const { data } = expectStatus(await shop.admin('listUserPaymentLinks', {}), 200).body;
      return data[0];
    });
    const audited = await shop.admin('listAuditLog', { query: { subject_id: link.token } });
    expect(expectStatus(audited, 200).body.data[0]).toMatchObject({
      action: 'payment_link.update',
      changes: { max_uses: { from: null, to: 30 } },
    });
  });
});

async function choose(page: Page, deed: string): Promise<void> {
  await page.getByRole('button', { name: /^What to do with/ }).click();
  await page.getByRole('menuitem', { name: deed }).click();
}
