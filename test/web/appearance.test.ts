import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { logIn, openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_1']);
}, 120_000);

afterEach(() => visit.close());

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const DARK_PAGE = 'rgb(21, 24, 30)';

/** Waits until the pages have this theme. */
const untilTheme = (page: Page, theme: 'light' | 'dark') =>
  page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached' });

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(?:Your account|Sua conta)$/ }).click();
}

/** The color of text deep in the page as soon as the other theme is set. */
const CHANGE_THEME = `(() => {
  const text = document.querySelector('#content h1');
  const before = getComputedStyle(text).color;
  const { dataset } = document.documentElement;
  dataset.mantineColorScheme = 'dark';
  const after = getComputedStyle(text).color;
  dataset.mantineColorScheme = 'light';
  return [before, after];
})()`;

const background = (page: Page, selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

describe('the theme', () => {
  it('follows the system until one is chosen, which the next visit keeps', async () => {
    visit = await openDashboard(browser, api, company, '/', { colorScheme: 'dark' });
    const { page, consoleErrors } = visit;
    await untilTheme(page, 'dark');
    expect(await background(page, '#content')).toBe(DARK_PAGE);
    await page.emulateMedia({ colorScheme: 'light' });
    await untilTheme(page, 'light');
    // Text that changed later than its background could not be read meanwhile.
    const [light, dark] = await page.evaluate<string[]>(CHANGE_THEME);
    expect(dark).not.toBe(light);
    await openMenu(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'Appearance' }).getByText('Dark').click();
    await untilTheme(page, 'dark');
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
    await untilTheme(page, 'dark');
    await openMenu(page);
    await page.getByRole('radiogroup', { name: 'Appearance' }).getByText('System').click();
    await untilTheme(page, 'light');
    expect(consoleErrors).toEqual([]);
  });

  it.each([
    { chosen: 'dark', system: 'light', shown: DARK_PAGE },
    { chosen: 'light', system: 'dark', shown: 'rgb(246, 247, 249)' },
    { chosen: null, system: 'dark', shown: DARK_PAGE },
  ] as const)(
    'is there before any script has run: $chosen is chosen and the system is $system',
    async ({ chosen, system, shown }) => {
      visit = await openPage(browser, { colorScheme: system });
      const { page } = visit;
      await logIn(page, api, company);
      if (chosen !== null) {
        const cookie = { name: 'theme', value: chosen, url: `${api.baseUrl}/dashboard` };
        await page.context().addCookies([cookie]);
      }
      await page.route('**/assets/*.js', (route) => route.abort());
      await page.goto(`${api.baseUrl}/dashboard/`);
      expect(await background(page, '#boot')).toBe(shown);
      expect(await background(page, 'html')).toBe(shown);
    },
  );
});

describe('the language', () => {
  it('is that of the browser until one is chosen, which the next visit keeps', async () => {
    visit = await openDashboard(browser, api, company, '/payments', { locale: 'en-US' });
    const { page, consoleErrors } = visit;
    await openMenu(page);
    await page.getByRole('radiogroup', { name: 'Language' }).getByText('Português').click();
    await page.getByRole('heading', { level: 1, name: 'Pagamentos' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
    await page.goto(`${api.baseUrl}/dashboard/plans`);
    await page.getByRole('heading', { level: 1, name: 'Planos' }).waitFor();
    await openMenu(page);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'Idioma' }).getByText('Navegador').click();
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en-US');
    expect(consoleErrors).toEqual([]);
  });
});
