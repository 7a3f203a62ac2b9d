import { deviceOf, networkOf } from '../../../../src/domain/users/user-session';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/123.0 Mobile/15E148 Safari/604.1',
    'Chrome on iOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Safari/537.36 Edg/124.0',
    'Edge on Windows',
  ],
  ['curl/8.7.1', 'curl'],
  ['4111111111111111', null],
  [null, null],
])('a session keeps the names of browser and system only: %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1234:5678::9', '2001:db8:1234::/48'],
  ['2001:db8::9', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  [null, null],
])('a session keeps the network of the address only: %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
