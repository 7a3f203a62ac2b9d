import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { expectStatus } from '../api/support/api-client';
import { openShop } from '../api/dashboard/dashboard-company';
import { startWebhookReceiver } from '../support/stack/webhook-receiver';
import { inaccessible } from './support/axe';
import { openPage, startBrowser, type Visit } from './support/browser';
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

describe('webhook endpoints', () => {
  it('show their secret once, and what the receiver answered to a test', async () => {
    const receiver = await startWebhookReceiver();
    const shop = await openShop(api, ['gateway_1']);
    visit = await atTheDashboard(browser, api, shop, '/webhooks');
    const { page } = visit;
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: /^What to do with/ }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await page.getByRole('button', { name: /webhook\.test/ }).click();
    await page.getByRole('cell', { name: '200' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    receiver.close();
  });

  it('tell beside the field what is wrong with an address', async () => {
    visit = await atTheDashboard(browser, api, await openShop(api, ['gateway_1']), '/webhooks');
    const { page } = visit;
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('ftp://shop.example.com');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Please look at the fields that are marked.').waitFor();
    expect(await inaccessible(page)).toEqual([]);
    expect(await address.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('gateways', () => {
  it('are put in another order and turned off, as the audit log tells', async () => {
    const shop = await openShop(api, ['gateway_1', 'gateway_2']);
    visit = await atTheDashboard(browser, api, shop, '/gateways');
    const { page } = visit;
    await page.getByRole('button', { name: 'Move gateway_2 up' }).click();
    await page.getByText('The order is changed.').waitFor();
    await page.getByRole('switch', { name: 'New payments go to gateway_1' }).click();
    await page.getByRole('switch', { name: 'New payments go to gateway_1', checked: false }).waitFor();
    const { body } = expectStatus(await shop.admin('listGateways', {}), 200);
    const standing = body.data.map(({ gateway_slug, order, enabled }) => [gateway_slug, order, enabled]);
    expect(standing.slice(0, 2)).toEqual([
      ['gateway_1', 2, false],
      ['gateway_2', 1, true],
    ]);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Gateway changed').nth(2).waitFor();
  });
});

describe('routing rules', () => {
  it('are refused with the reason beside the rule, and saved once they are right', async () => {
    const shop = await openShop(api, ['gateway_1', 'gateway_2']);
    visit = await atTheDashboard(browser, api, shop, '/settings/routing');
    const { page } = visit;
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Side by side');
    await page.getByText('Shared by percent').click();
    for (const percent of ['60', '30']) {
      await page.getByRole('button', { name: 'Add a gateway' }).click();
      await page
        .getByLabel(/^Percent of/)
        .last()
        .fill(percent);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must add up to 100 percent, not 90').waitFor();
    await page
      .getByLabel(/^Percent of/)
      .last()
      .fill('40');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = expectStatus(await shop.admin('getCompanyConfig', {}), 200);
    expect(body.data.routing_rules).toMatchObject([
      {
        name: 'Side by side',
        split: [
          { gateway: 'gateway_1', percent: 60 },
          { gateway: 'gateway_2', percent: 40 },
        ],
      },
    ]);
  });
});

describe('the settings', () => {
  it('are changed where something was changed, and tell what is wrong beside its field', async () => {
    const shop = await openShop(api, ['gateway_1']);
    visit = await atTheDashboard(browser, api, shop, '/settings');
    const { page } = visit;
    const due = page.getByRole('textbox', { name: 'A billet is due after' });
    await due.fill('99');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be at most 30').waitFor();
    await due.fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = expectStatus(await shop.admin('getCompanyConfig', {}), 200);
    expect([body.data.billet_due_days, body.data.pix_expires_in]).toEqual([5, 86_400]);
  });
});

describe('plans and coupons', () => {
  it('are made, changed and deactivated', async () => {
    const shop = await openShop(api, ['gateway_1']);
    visit = await atTheDashboard(browser, api, shop, '/plans');
    const { page } = visit;
    await page.getByRole('button', { name: 'New plan' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gold');
    await page.getByRole('textbox', { name: 'Price' }).fill('99.90');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: /Gold R\$99\.90 every month Active/ }).waitFor();
    await page.getByRole('button', { name: 'What to do with Gold' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('row', { name: /Gold R\$99\.90 every month Inactive/ }).waitFor();

    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByRole('button', { name: 'New coupon' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('WELCOME 25');
    await page.getByRole('textbox', { name: 'Name' }).fill('Welcome');
    await page.getByRole('textbox', { name: 'Percent' }).fill('25');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be 1 to 50 letters and digits').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill('WELCOME25');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'What to do with WELCOME25' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await page.getByRole('textbox', { name: /^Uses in all/ }).fill('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /WELCOME25 Welcome 25% off .* 0 of 100 Active/ }).waitFor();
  });
});

describe('a company', () => {
  it('is registered with its first user, who sees its API key once', async () => {
    visit = await openPage(browser);
    const { page } = visit;
    await page.goto(`${api.baseUrl}/dashboard/register`);
    await page.getByLabel('Company name').fill('Padaria do Bairro');
    await page.getByLabel('Your name').fill('Rita Lima');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('rita@example.com');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('short');
    await page.getByRole('textbox', { name: 'The password again' }).fill('a good long password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('must have at least 8 characters').waitFor();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('a good long password');
    await page.getByRole('button', { name: 'Register' }).click();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    expect(key).not.toBe('');
    await page.getByLabel('I have stored the API key').check();
    await page.getByRole('button', { name: 'Go to the dashboard' }).click();
    await titleOf(page).getByText('Overview').waitFor();
    expect(await page.content()).not.toContain(key);
  });
});
