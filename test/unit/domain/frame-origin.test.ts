import { frameOriginProblem } from '../../../src/domain/companies/frame-origin';
import { isTimezone } from '../../../src/domain/time/timezone';

describe('an origin that may frame the checkout', () => {
  const inProduction = (text: string) => frameOriginProblem(text, { allowLocalhost: false });
  const inSandbox = (text: string) => frameOriginProblem(text, { allowLocalhost: true });

  it.each(['https://shop.example.com', 'https://shop.example.com:8443', 'https://xn--caf-dma.example'])(
    'the HTTPS origin %s is accepted',
    (text) => {
      expect(inProduction(text)).toBeNull();
    },
  );

  it('localhost is accepted only in the sandbox', () => {
    for (const text of ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://localhost']) {
      expect([inSandbox(text), inProduction(text)]).toEqual([null, 'must begin with https://']);
    }
    expect(inSandbox('http://localhost.example.com')).toBe('must begin with https://');
  });

  it.each([
    'shop.example.com',
    'https://shop.example.com/',
    'https://shop.example.com/checkout',
    'https://Shop.example.com',
    'https://shop.example.com:443',
    'https://user@shop.example.com',
    'https://*.example.com',
    'https://a.example;sandbox',
    'https://a.example,https://b.example',
    'https://a.example https://b.example',
    "'self'",
    'https:',
    'https://a.example:99999',
    'javascript:alert(1)',
    '',
  ])('%j is rejected', (text) => {
    expect(inProduction(text)).toMatch(/^must be an origin/);
  });
});

describe('a time zone', () => {
  it.each([
    'America/Sao_Paulo',
    'UTC',
    'Etc/GMT+3',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
  ])('the name %s is accepted', (text) => {
    expect(isTimezone(text)).toBe(true);
  });

  it.each(['+03:00', '-03', 'Nowhere/Else', '', 'America/Sao Paulo', '../etc/passwd'])(
    '%j is rejected as a time zone',
    (text) => {
      expect(isTimezone(text)).toBe(false);
    },
  );
});
