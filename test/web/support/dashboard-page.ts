import type { Browser, Page } from 'playwright-core';
import { PASSWORD } from '../../api/users/user-api';
import type { EngineApi } from '../../api/support/engine-api';
import type { Shop } from '../../api/dashboard/dashboard-company';
import { openPage, type Visit } from './browser';

/** Fills in the sign-in that the page shows. */
export async function signIn(page: Page, { email }: Pick<Shop, 'email'>, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Somebody of the shop at the dashboard, signed in, at this page of it. */
export async function atTheDashboard(
  browser: Browser,
  { baseUrl }: Pick<EngineApi, 'baseUrl'>,
  shop: Pick<Shop, 'email'>,
  path = '/',
): Promise<Visit> {
  const visit = await openPage(browser);
  await enter(visit.page, { baseUrl }, shop);
  await visit.page.goto(`${baseUrl}/dashboard${path}`);
  await visit.page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
  return visit;
}

/** The session's cookie, without the page that asks for it. */
export async function enter(
  page: Page,
  { baseUrl }: Pick<EngineApi, 'baseUrl'>,
  { email }: Pick<Shop, 'email'>,
): Promise<void> {
  const answer = await page.request.post(`${baseUrl}/api/v1/auth/login`, {
    data: { email, password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}

/** What the page is about. */
export const titleOf = (page: Page) => page.getByRole('heading', { level: 1 });
