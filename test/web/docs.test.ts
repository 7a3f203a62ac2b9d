import { chromium, type Browser } from 'playwright-core';
import { contract } from '../api/support/contract';
import { startTestApi, type TestApi } from '../api/support/test-api';

let api: TestApi;
let browser: Browser;
beforeAll(async () => {
  api = await startTestApi();
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking'],
  });
});
afterAll(async () => {
  await browser.close();
  await api.close();
});

it('/docs shows the contract, loads nothing from elsewhere and breaks no security policy', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
  });

  await page.goto(`${api.baseUrl}/docs`);
  await page
    .locator('.opblock')
    .nth(contract.operations.length - 1)
    .waitFor();
  expect(await page.title()).toBe('Payment orchestration API');
  expect(await page.locator('.opblock').count()).toBe(contract.operations.length);
  expect(await page.locator('.info').innerText()).toContain('Idempotency-Key');

  await page.locator('.opblock-summary', { hasText: '/payments/card' }).click();
  await page.getByText('merchant_order_id').first().waitFor();

  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual([api.baseUrl]);
  await page.close();
});

it('/docs/openapi.json is the contract as JSON', async () => {
  const response = await fetch(`${api.baseUrl}/docs/openapi.json`);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(contract.document);
});
