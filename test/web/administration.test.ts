import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { expectStatus } from '../api/support/api-client';
import { totpCode } from '../../src/security/totp';
import { registerDashboardCompany } from '../api/dashboard/dashboard-company';
import { verifyAddress } from '../api/users/team-api';
import { PASSWORD } from '../api/users/user-api';
import { startWebhookReceiver } from '../support/stack/webhook-receiver';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { logIn, openDashboard, pageTitle, signIn } from './support/dashboard-page';

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

describe('webhook endpoints', () => {
  it('an endpoint’s secret is shown once, and a test event shows the receiver’s response', async () => {
    const receiver = await startWebhookReceiver();
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/webhooks');
    const { page } = visit;
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { level: 1, name: 'Endpoint' }).waitFor();
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: /webhook\.test/ }).click();
    await page.getByRole('cell', { name: '200' }).waitFor();
    expect(await page.content()).not.toContain(secret);
    receiver.close();
  });

  it('an invalid URL is reported beside its field', async () => {
    visit = await openDashboard(
      browser,
      api,
      await registerDashboardCompany(api, ['gateway_1']),
      '/webhooks',
    );
    const { page } = visit;
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('ftp://shop.example.com');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Check the highlighted fields.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await url.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('gateways', () => {
  it('gateways can be reordered and disabled, and the audit log records both', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    visit = await openDashboard(browser, api, company, '/gateways');
    const { page } = visit;
    await page.getByRole('button', { name: 'Move gateway_2 up' }).click();
    await page.getByText('The order has been saved.').waitFor();
    await page.getByRole('switch', { name: 'Send new payments to gateway_1' }).click();
    await page.getByRole('switch', { name: 'Send new payments to gateway_1', checked: false }).waitFor();
    const { body } = expectStatus(await company.byToken('listGateways', {}), 200);
    const states = body.data.map(({ gateway_slug, order, enabled }) => [gateway_slug, order, enabled]);
    expect(states.slice(0, 2)).toEqual([
      ['gateway_1', 2, false],
      ['gateway_2', 1, true],
    ]);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Gateway changed').nth(2).waitFor();
  });
});

describe('credentials', () => {
  it('a gateway is connected with the fields that its vendor needs, and refused credentials are named', async () => {
    const company = await registerDashboardCompany(api, ['gateway_2']);
    visit = await openDashboard(browser, api, company, '/gateways');
    const { page } = visit;
    await page.getByRole('button', { name: 'Connect gateway_1' }).click();
    const key = page.getByLabel('Secret key');
    await key.fill('sk_invalid_key');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('gateway_1 rejected it').waitFor();
    await key.fill('sk_test_gateway_1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'gateway_1 · Simulator' }).waitFor();
    await page.getByRole('button', { name: 'Change the credentials of gateway_1' }).waitFor();
  });

  it('each field says in Portuguese where its value is found, to a user of that language', async () => {
    const company = await registerDashboardCompany(api, ['gateway_2']);
    visit = await openPage(browser, { locale: 'pt-BR' });
    const { page } = visit;
    await logIn(page, api, company);
    await page.goto(`${api.baseUrl}/dashboard/gateways`);
    await page.getByRole('button', { name: 'Alterar as credenciais de gateway_2' }).click();
    await page.getByText('Qualquer texto: o simulador tem uma conta para cada um.').waitFor();
    expect(await page.getByText('Any text').count()).toBe(0);
  });
});

describe('routing rules', () => {
  it('an invalid rule is rejected with the reason beside it, and saved once it is valid', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    visit = await openDashboard(browser, api, company, '/settings/routing');
    const { page } = visit;
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Side by side');
    await page.getByText('Split by percentage').click();
    for (const percent of ['60', '30']) {
      await page.getByRole('button', { name: 'Add gateway' }).click();
      await page
        .getByLabel(/^Percentage of/)
        .last()
        .fill(percent);
    }
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must add up to 100 percent, not 90').waitFor();
    await page
      .getByLabel(/^Percentage of/)
      .last()
      .fill('40');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    const { body } = expectStatus(await company.byToken('getCompanyConfig', {}), 200);
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

describe('settings', () => {
  it('an invalid setting is reported beside its field, and saving leaves other settings unchanged', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/settings');
    const { page } = visit;
    const due = page.getByRole('textbox', { name: 'Boleto due after' });
    await due.fill('99');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must be at most 30').waitFor();
    await due.fill('5');
    await page.getByLabel('Maximum installments').fill('6');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved.').waitFor();
    const { body } = expectStatus(await company.byToken('getCompanyConfig', {}), 200);
    expect(body.data).toMatchObject({ billet_due_days: 5, pix_expires_in: 86_400 });
    expect(body.data).toMatchObject({ max_installments: 6, min_installment_amount: 500, interest_rates: [] });
  });
});

describe('plans and coupons', () => {
  it('plans and coupons can be created, edited and deactivated', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    visit = await openDashboard(browser, api, company, '/plans');
    const { page } = visit;
    await page.getByRole('button', { name: 'New plan' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gold');
    await page.getByRole('textbox', { name: 'Price' }).fill('99.90');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: /Gold R\$99\.90 every month Active/ }).waitFor();
    await page.getByRole('button', { name: 'Actions for Gold' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('row', { name: /Gold R\$99\.90 every month Inactive/ }).waitFor();

    await page.getByRole('link', { name: 'Coupons' }).click();
    await page.getByRole('button', { name: 'New coupon' }).click();
    await page.getByRole('textbox', { name: 'Code' }).fill('WELCOME 25');
    await page.getByRole('textbox', { name: 'Name' }).fill('Welcome');
    await page.getByRole('textbox', { name: 'Percentage' }).fill('25');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('must be 1 to 50 letters and digits').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill('WELCOME25');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Actions for WELCOME25' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: /^Maximum uses/ }).fill('100');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /WELCOME25 Welcome 25% off .* 0 of 100 Active/ }).waitFor();
  });
});

describe('the own account', () => {
  it('a second factor is turned on by a code, and the next sign-in asks for one', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
    visit = await openDashboard(browser, api, company, '/account');
    const { page } = visit;
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = await page.getByLabel('Secret', { exact: true }).innerText();
    const code = (later: number) => totpCode(secret, Math.floor(Date.now() / 30_000) + later);
    await page.getByRole('textbox', { name: 'Code' }).fill(code(0));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('Recovery codes left: 10.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signIn(page, company);
    await page.getByRole('textbox', { name: 'Code' }).fill(code(1));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await pageTitle(page).getByText('Overview').waitFor();
    // The browser reports the answer that asked for the code.
    visit.consoleErrors.splice(0);
  });
});

describe('registration', () => {
  it('registering a company signs its first user in and shows the API key once', async () => {
    visit = await openPage(browser);
    const { page } = visit;
    await page.goto(`${api.baseUrl}/dashboard/register`);
    await page.getByLabel('Company name').fill('Padaria do Bairro');
    await page.getByLabel('Your name').fill('Rita Lima');
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('rita@example.com');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('short');
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill('a good long password');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('must have at least 8 characters').waitFor();
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('a good long password');
    await page.getByRole('button', { name: 'Register' }).click();
    const key = await page.getByLabel('API key', { exact: true }).innerText();
    expect(key).not.toBe('');
    await page.getByLabel('I have stored the API key').check();
    await page.getByRole('button', { name: 'Go to the dashboard' }).click();
    await pageTitle(page).getByText('Overview').waitFor();
    expect(await page.content()).not.toContain(key);
  });
});
