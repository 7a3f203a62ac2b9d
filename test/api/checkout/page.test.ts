import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unavailable } from '../../../src/domain/shared/errors';
import type { CheckoutPage } from '../../../src/http/pages/checkout-page';
import { expectError } from '../support/expect-error';
import { startTestApi, type TestApi } from '../support/test-api';

const PAGE = `<!doctype html><title>{{title}}</title><meta name="checkout" content="{{checkout}}">
  <script type="module" src="/assets/a-1.js" nonce="{{csp-nonce}}"></script>`;

const OFFER: CheckoutPage['offer'] = {
  company: { name: 'Fish & Chips', logo_url: null, color: '#112233' },
  mode: 'test',
  name: `"Cod" <script>alert('1')</script>`,
  description: null,
  type: 'one_time',
  amount: 1_990,
  currency: 'BRL',
  plan: null,
  payment_methods: ['card', 'pix'],
  accepts_coupons: false,
  document_required: true,
};

const PAGES: Readonly<Record<string, CheckoutPage>> = {
  open: { offer: OFFER, problem: null, frameOrigins: [] },
  framed: {
    offer: OFFER,
    problem: null,
    frameOrigins: ['https://shop.example.com', 'https://other.example'],
  },
  expired: { offer: OFFER, problem: 'link_expired', frameOrigins: [] },
  exhausted: { offer: OFFER, problem: 'link_exhausted', frameOrigins: [] },
};

let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'payment-engine-checkout-'));
  mkdirSync(join(folder, 'checkout'));
  writeFileSync(join(folder, 'checkout', 'index.html'), PAGE);
  api = await startTestApi({
    webFolder: folder,
    findCheckoutPage: (company, link) => {
      if (link === 'busy') return Promise.reject(unavailable('The service is unavailable for a moment.'));
      return Promise.resolve(company === 'shop' ? (PAGES[link] ?? null) : null);
    },
  });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, init: RequestInit = {}) => fetch(`${api.baseUrl}/checkout/${path}`, init);

function embeddedIn(html: string): unknown {
  const [, text = ''] = /name="checkout" content="([^"]*)"/.exec(html) ?? [];
  const marks: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': `'` };
  return JSON.parse(text.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => marks[name] ?? ''));
}

it.each([
  ['shop/open', 200, null, OFFER],
  ['shop/expired', 410, 'link_expired', OFFER],
  ['shop/exhausted', 410, 'link_exhausted', OFFER],
  ['shop/nothing', 404, 'not_found', null],
  ['nobody/open', 404, 'not_found', null],
  ['shop/busy', 503, 'unavailable', null],
])('the page %s has the status %i and its reason', async (path, status, problem, offer) => {
  const response = await get(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    status,
    'text/html; charset=utf-8',
  ]);
  expect(embeddedIn(await response.text())).toEqual({ problem, offer });
});

it('the page is not cached, and its URL is not sent as a referrer', async () => {
  const { headers } = await get('shop/open');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

it('the page escapes the company’s texts', async () => {
  const html = await (await get('shop/open')).text();
  expect(html).toContain(
    '<title>&quot;Cod&quot; &lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; · Fish &amp; Chips</title>',
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('{{');
});

it('the page loads scripts only from this host and cannot be framed', async () => {
  const { headers } = await get('shop/open');
  expect(headers.get('content-security-policy')?.split(';')).toEqual([
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ]);
});

it('the page can be framed by the origins that the company allows, and by no other', async () => {
  const { headers } = await get('shop/framed');
  expect(headers.get('content-security-policy')?.split(';').at(-1)).toBe(
    'frame-ancestors https://shop.example.com https://other.example',
  );
  // X-Frame-Options cannot name origins: a browser that obeys it would not show the page at all.
  expect(headers.has('x-frame-options')).toBe(false);
});

it('the page answers only GET', async () => {
  await expectError(await get('shop/open', { method: 'POST' }), 'method_not_allowed');
});
