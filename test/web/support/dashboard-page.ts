import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { PASSWORD } from '../../api/users/user-api';
import type { EngineApi } from '../../api/support/engine-api';
import type { DashboardCompany } from '../../api/dashboard/dashboard-company';
import { openPage, type PageVisit } from './browser';

/** Fills in the sign-in form. */
export async function signIn(
  page: Page,
  { email }: Pick<DashboardCompany, 'email'>,
  password = PASSWORD,
): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a page of the dashboard as a signed-in user of the merchant. */
export async function openDashboard(
  browser: Browser,
  { baseUrl }: Pick<EngineApi, 'baseUrl'>,
  company: Pick<DashboardCompany, 'email'>,
  path = '/',
  options: BrowserContextOptions = {},
): Promise<PageVisit> {
  const visit = await openPage(browser, options);
  await logIn(visit.page, { baseUrl }, company);
  await visit.page.goto(`${baseUrl}/dashboard${path}`);
  await visit.page.getByRole('navigation', { name: /^(?:Main navigation|Navegação principal)$/ }).waitFor();
  return visit;
}

/** Sets the session cookie without the sign-in page. */
export async function logIn(
  page: Page,
  { baseUrl }: Pick<EngineApi, 'baseUrl'>,
  { email }: Pick<DashboardCompany, 'email'>,
): Promise<void> {
  const answer = await page.request.post(`${baseUrl}/api/v1/auth/login`, {
    data: { email, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}

export const pageTitle = (page: Page) => page.getByRole('heading', { level: 1 });
