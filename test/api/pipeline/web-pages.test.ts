import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectError } from '../support/expect-error';
import { startTestApi, type TestApi } from '../support/test-api';

const PAGE = `<!doctype html><title>Payments</title><link rel="stylesheet" href="/assets/a-1.css" nonce="{{csp-nonce}}">`;
const SCRIPT = 'console.log("a script");';

let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payment-engine-pages-'));
  for (const name of ['dashboard', 'assets']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'dashboard', 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'a-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'a-1.js.br'), 'brotli');
  writeFileSync(join(folder, 'secret.txt'), 'not for anybody');
  api = await startTestApi({ webFolder: folder });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(api.baseUrl + path, init);

const policyOf = ({ headers }: Response) => headers.get('content-security-policy')?.split(';');

describe('the dashboard', () => {
  it.each(['/dashboard', '/dashboard/', '/dashboard/payments/0193a7c2?x=1'])(
    'is the same page at every path below /dashboard and is revalidated on every load: %s',
    async (path) => {
      const response = await get(path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Payments</title>');
    },
  );

  it('loads scripts only from this host, cannot be framed, and connects to no other host', async () => {
    const response = await get('/dashboard');
    const [, nonce] = /nonce="([^"]+)"/.exec(await response.text()) ?? [];
    expect(policyOf(response)).toEqual([
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self' 'nonce-${nonce}'`,
      `font-src 'self'`,
      `img-src 'self' data:`,
      `connect-src 'self'`,
      `object-src 'none'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ]);
  });

  it('has a different nonce in each response and no placeholder', async () => {
    const pages = await Promise.all(
      ['/dashboard', '/dashboard'].map(async (path) => (await get(path)).text()),
    );
    expect(new Set(pages).size).toBe(2);
    expect(pages.join()).not.toContain('csp-nonce');
  });

  it('answers only GET', async () => {
    await expectError(await get('/dashboard/payments', { method: 'POST' }), 'method_not_allowed');
  });
});

describe('the pages’ assets', () => {
  it('are immutable, because their names contain a hash of their content', async () => {
    const response = await get('/assets/a-1.js', { headers: { 'accept-encoding': 'identity' } });
    expect([response.status, await response.text()]).toEqual([200, SCRIPT]);
    expect(response.headers.get('cache-control')).toBe('public,max-age=31536000,immutable');
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('are served compressed if the client accepts it', async () => {
    const response = await get('/assets/a-1.js', { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
  });

  it.each([
    '/assets/b-2.js',
    '/assets/',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets/%E0%A4%A',
  ])('are 404 for an unknown file: %s', async (path) => {
    await expectError(await get(path), 'not_found');
  });
});

it('a service without built pages starts and answers 503 with the missing build step', async () => {
  const bare = await startTestApi();
  const error = await expectError(await fetch(`${bare.baseUrl}/dashboard`), 'unavailable');
  expect(error.message).toContain('npm run build');
  await expectError(await fetch(`${bare.baseUrl}/assets/a-1.js`), 'not_found');
  await bare.close();
});
