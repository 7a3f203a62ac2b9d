import type { Browser } from 'playwright-core';
import { contract } from '../api/support/contract';
import { startTestApi, type TestApi } from '../api/support/test-api';
import { startBrowser } from './support/browser';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startTestApi();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

it('/docs shows the API contract, loads nothing from other hosts and respects the security policy', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const consoleErrors: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('requestfailed', (request) => consoleErrors.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });

  await page.goto(`${api.baseUrl}/docs`);
  await page
    .locator('.opblock')
    .nth(contract.routes.length - 1)
    .waitFor();
  expect(await page.title()).toBe('Payment orchestration API');
  expect(await page.locator('.opblock').count()).toBe(contract.routes.length);
  expect(await page.locator('.info').innerText()).toContain('Idempotency-Key');

  await page.locator('.opblock-summary', { hasText: '/payments/card' }).click();
  await page.getByText('merchant_order_id').first().waitFor();

  expect(consoleErrors).toEqual([]);
  expect([...origins]).toEqual([api.baseUrl]);
  await page.close();
});

it('/docs/openapi.json returns the API contract as JSON', async () => {
  const response = await fetch(`${api.baseUrl}/docs/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(contract.document);
});
