import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { joined, mailedToken, newEmail, verifyAddress } from '../api/users/team-api';
import { PASSWORD } from '../api/users/user-api';
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

describe('the team', () => {
  it('somebody who is invited creates an account by the mailed link and sees only what the role allows', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
    visit = await openDashboard(browser, api, company, '/team');
    const { page } = visit;
    const email = newEmail();
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Read only');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).waitFor();
    await page.goto(`${api.baseUrl}/dashboard/accept-invitation#${await mailedToken(api, email)}`);
    await page.getByLabel('Your name').fill('João Lima');
    await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD);
    await page.getByRole('textbox', { name: 'Repeat the password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await pageTitle(page).getByText('Overview').waitFor();
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('cell', { name: 'João Lima (you)' }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite someone' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Plans' }).click();
    await pageTitle(page).getByText('Plans').waitFor();
    expect(await page.getByRole('button', { name: 'New plan' }).count()).toBe(0);
  });

  it('an owner sees where a user is signed in, and signs the user out there', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
    const member = await joined(api, { client: company.byToken }, 'support');
    visit = await openDashboard(browser, api, company, '/team');
    const { page } = visit;
    await page.getByRole('button', { name: 'Actions for João Lima' }).click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where João Lima is signed in' });
    const end = dialog.getByRole('button', { name: /^Sign out of/ });
    await end.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expectStatus(await member.client('getMe'), 200);
    await end.click();
    await dialog.getByText('João Lima is not signed in anywhere.').waitFor();
    expectStatus(await member.client('getMe'), 401);
  });

  it('an admin cannot sign an owner out', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
    const admin = await joined(api, { client: company.byToken }, 'admin');
    visit = await openDashboard(browser, api, admin, '/team');
    const { page } = visit;
    await page.getByRole('button', { name: 'Actions for João Lima' }).waitFor();
    expect(await page.getByRole('button', { name: /^Actions for/ }).count()).toBe(1);
  });
});
