import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { webBuildPath } from '../../src/paths';
import { contract } from '../api/support/contract';
import { startTestApi, type TestApi } from '../api/support/test-api';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { DEVICES } from './support/devices';

let api: TestApi;
let browser: Browser;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startTestApi({ webFolder: webBuildPath }), startBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser.close();
  await api.close();
});

/** After every test: nothing from other hosts, nothing that the security policy refuses, nothing that scrolls sideways. */
afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  expect([...visit.origins]).toEqual([api.baseUrl]);
  expect(
    await visit.page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  ).toBe(0);
  await visit.close();
});

async function linksOf(page: PageVisit['page']): Promise<string[]> {
  const links = await page.getByRole('navigation').getByRole('link').all();
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''));
}

it('the pages of the menu show every operation of the contract with a sample in each language', async () => {
  visit = await openPage(browser, DEVICES.desktop);
  const { page } = visit;
  await page.goto(`${api.baseUrl}/docs`);
  const tags = (await linksOf(page)).filter((link) => link.startsWith('/docs/api/'));
  const shown: string[] = [];
  for (const tag of tags) {
    const html = await (await fetch(api.baseUrl + tag)).text();
    const operations = html.split('<article class="operation" id="').slice(1);
    for (const operation of operations) {
      expect(operation.match(/data-language="\w+"/g)).toHaveLength(4);
      expect(operation).not.toContain('{{base-url}}');
      shown.push(operation.slice(0, operation.indexOf('"')));
    }
  }
  expect(shown.sort()).toEqual(contract.routes.map(({ id }) => id).sort());
  expect(await page.getByRole('heading', { name: 'Quick start' }).count()).toBe(1);
});

it('every link within the documentation leads to a page that has its anchor', async () => {
  visit = await openPage(browser, DEVICES.desktop);
  await visit.page.goto(`${api.baseUrl}/docs`);
  const pages = [...new Set((await linksOf(visit.page)).map((link) => link.replace(/#.*/, '')))];
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const response = await fetch(api.baseUrl + path);
    const text = response.ok ? await response.text() : '';
    texts.set(path, text);
    return text;
  };
  const broken: string[] = [];
  for (const page of pages) {
    const links = (await read(page)).matchAll(/href="((?:\/docs|#)[^"]*)"/g);
    for (const [, link = ''] of links) {
      const [path = '', anchor] = link.split('#');
      const target = await read(path === '' ? page : path);
      if (target === '' || (anchor !== undefined && !target.includes(`id="${anchor}"`)))
        broken.push(`${page}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

it('on a phone the search finds an operation by a field, and a chosen language holds for all samples and pages', async () => {
  visit = await openPage(browser, DEVICES.phone);
  const { page } = visit;
  await page.goto(`${api.baseUrl}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('merchant_order_id');
  await page.getByRole('link', { name: /Create a payment by card/ }).click();
  await page.waitForURL('**/docs/api/payments#createCardPayment');
  const sample = page.locator('#createCardPayment .samples');
  await sample.getByRole('radio', { name: 'Python' }).check();
  await sample.getByText('import requests').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${api.baseUrl}/docs/guides/webhook-events`);
  await page.getByRole('heading', { name: 'transaction.approved', exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${api.baseUrl}/docs/api/plans`);
  expect(await page.getByRole('radio', { name: 'Python' }).first().isChecked()).toBe(true);
  await page.getByText('Menu', { exact: true }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).first().waitFor();
});

it('pages are compressed and cached, and a page that does not exist is 404 and not cached', async () => {
  visit = await openPage(browser, DEVICES.desktop);
  await visit.page.goto(`${api.baseUrl}/docs/objects/Payment`);
  const page = await fetch(`${api.baseUrl}/docs/guides/webhooks`);
  expect(page.headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
  expect(page.headers.get('cache-control')).toBe('public, max-age=3600');
  for (const name of ['nothing', '..%2f..%2findex', 'guides/webhooks.html']) {
    const missing = await fetch(`${api.baseUrl}/docs/${name}`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  }
});

it('/docs/openapi.json returns the API contract as JSON', async () => {
  visit = await openPage(browser, DEVICES.phone);
  await visit.page.goto(`${api.baseUrl}/docs`);
  const response = await fetch(`${api.baseUrl}/docs/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('content-encoding')).toMatch(/^(?:br|gzip)$/);
  expect(await response.json()).toEqual(contract.document);
});
