import { createHash } from 'node:crypto';
import { MAX_LOGO_BYTES } from '../../../src/domain/companies/company-config';
import { GIF, PNG, sending, startPictureHost, type PictureHost } from '../../support/stack/picture-host';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { expectError } from '../support/expect-error';
import { registerUser } from '../users/user-api';

let api: EngineApi;
let host: PictureHost;
beforeAll(async () => {
  [api, host] = await Promise.all([startEngineApi({}, { workers: 'none' }), startPictureHost()]);
});
afterAll(async () => {
  host.close();
  await api.stop();
});

const brandOf = async (client: ApiClient) =>
  expectStatus(await client('getCompanyConfig'), 200).body.data.brand;
const change = (client: ApiClient, brand: object) => client('updateCompanyConfig', { body: { brand } });
const changed = async (client: ApiClient, brand: object) =>
  expectStatus(await change(client, brand), 200).body.data.brand;
/** The image at a public URL, fetched from this process. */
const served = (url: string | null) => {
  if (url === null) throw new Error('there is no logo');
  return fetch(api.baseUrl + new URL(url).pathname);
};
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a logo', () => {
  it('is fetched once and then served from this host, immutable and with its content type', async () => {
    const { client } = await registerUser(api);
    const { url, asked } = host.serve(sending(PNG, 'text/html'));
    const brand = await changed(client, { logo_url: url });
    const address = `${api.engine.config.publicBaseUrl}/logos/${hashOf(PNG)}.png`;
    expect(brand).toMatchObject({ logo_url: address, logo_source_url: url });
    for (let n = 0; n < 2; n += 1) {
      const response = await served(brand.logo_url);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/png',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(Buffer.from(await response.arrayBuffer()).equals(PNG)).toBe(true);
    }
    expect(asked()).toBe(1);
  });

  it('stays unchanged if the config is sent back as it was returned, and is fetched again if its source URL is sent', async () => {
    const { client } = await registerUser(api);
    let bytes = PNG;
    const source = host.serve((response) => sending(bytes)(response));
    const brand = await changed(client, { logo_url: source.url });
    expect(await changed(client, brand)).toEqual(brand);
    expect(source.asked()).toBe(1);
    bytes = GIF;
    const renewed = await changed(client, { logo_url: source.url });
    expect(renewed.logo_url).toMatch(new RegExp(`/logos/${hashOf(GIF)}\\.gif$`));
    expect((await served(renewed.logo_url)).headers.get('content-type')).toBe('image/gif');
  });

  it('is removed by null, while another company with the same image keeps it', async () => {
    const picture = Buffer.concat([PNG, Buffer.from('of two')]);
    const { url } = host.serve(sending(picture));
    const [one, other] = [(await registerUser(api)).client, (await registerUser(api)).client];
    const { logo_url: address } = await changed(one, { logo_url: url });
    expect((await changed(other, { logo_url: url })).logo_url).toBe(address);
    expect(await changed(one, { logo_url: null })).toMatchObject({ logo_url: null, logo_source_url: null });
    expect((await served(address)).status).toBe(200);
    await changed(other, { logo_url: null });
    await expectError(await served(address), 'not_found');
  });

  it.each([
    ['is not there', sending(PNG, 'image/png', 404)],
    ['has moved', sending(PNG, 'image/png', 302)],
    ['is an SVG', sending(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['is a page that says it is a picture', sending(Buffer.from('<html></html>'), 'image/png')],
    ['is empty', sending(Buffer.alloc(0))],
    ['has more than 256 KiB', sending(Buffer.concat([PNG, Buffer.alloc(MAX_LOGO_BYTES)]))],
  ])('that %s is rejected with an error on the field, and nothing is changed', async (_, answer) => {
    const { client } = await registerUser(api);
    const { url } = host.serve(answer);
    const { body } = expectStatus(await change(client, { logo_url: url, name: 'Flores' }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['brand.logo_url']);
    expect(await brandOf(client)).toEqual({ name: null, logo_url: null, logo_source_url: null, color: null });
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/logo.png',
    'https://[::ffff:10.0.0.1]/logo.png',
    'https://user:pass@shop.example.com/logo.png',
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    'logo.png',
  ])('is not fetched from %s', async (url) => {
    const { client } = await registerUser(api);
    const { body } = expectStatus(await change(client, { logo_url: url }), 422);
    expect(Object.keys(body.errors ?? {})).toEqual(['brand.logo_url']);
  });

  it('is not fetched if the change is invalid', async () => {
    const { client } = await registerUser(api);
    const { url, asked } = host.serve(sending(PNG));
    const body = { brand: { logo_url: url }, timezone: 'Nowhere' };
    expectStatus(await client('updateCompanyConfig', { body }), 422);
    expect(asked()).toBe(0);
  });
});

describe('GET /logos/{hash}.{extension}', () => {
  it('answers 404 for an unknown hash and for a wrong extension', async () => {
    const { client } = await registerUser(api);
    const { url } = host.serve(sending(PNG));
    await changed(client, { logo_url: url });
    const names = [`${hashOf(PNG)}.gif`, `${hashOf(PNG)}`, `${'0'.repeat(64)}.png`, 'x.png', '%00.png'];
    for (const name of names) await expectError(await fetch(`${api.baseUrl}/logos/${name}`), 'not_found');
  });

  it('answers 405 to other methods', async () => {
    const response = await fetch(`${api.baseUrl}/logos/${hashOf(PNG)}.png`, { method: 'DELETE' });
    await expectError(response, 'method_not_allowed');
  });
});
