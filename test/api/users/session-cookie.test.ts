import { SessionCookie } from '../../../src/http/auth/session-cookie';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { expectError } from '../support/expect-error';
import { PASSWORD, registerUser, signIn } from './user-api';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'none' });
});
afterAll(() => api.stop());

const send = (method: string, path: string, headers: Record<string, string>) =>
  fetch(`${api.baseUrl}/api/v1${path}`, { method, headers });

const logIn = (email: string) =>
  fetch(`${api.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });

describe('the session cookie', () => {
  it('contains the access token until it expires, inaccessible to scripts and other sites', async () => {
    const response = await logIn((await registerUser(api)).email);
    const { token, expires_at } = (await response.json()) as { token: string; expires_at: string };
    const expires = new Date(expires_at).toUTCString();
    expect(response.headers.getSetCookie()).toEqual([
      `session=${token}; Path=/; Expires=${expires}; HttpOnly; SameSite=Strict`,
      expect.stringMatching(/^device=[\w-]+\.[\w-]+; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/),
    ]);
  });

  it('has the __Host- prefix and Secure over TLS', () => {
    const cookie = new SessionCookie('https://payments.example.com');
    expect(cookie.create('t', new Date(0))).toMatch(/^__Host-session=t; Path=\/; .*HttpOnly; Secure; /);
  });

  it('is not set by a failed sign-in', async () => {
    const response = await logIn('nobody@example.com');
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, []]);
  });

  it('authenticates reads from any page, but changes only from our own pages', async () => {
    const { cookie } = await signIn(api, await registerUser(api));
    expect((await send('GET', '/user/me', { cookie })).status).toBe(200);
    for (const origin of [undefined, 'null', 'https://evil.example', `${api.baseUrl}.evil.example`]) {
      const headers = { cookie, ...(origin === undefined ? {} : { origin }) };
      await expectError(await send('POST', '/auth/logout', headers), 'unauthenticated');
    }
    expect((await send('GET', '/user/me', { cookie })).status).toBe(200);
    const response = await send('POST', '/auth/logout', { cookie, origin: api.baseUrl });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      'session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ]);
    await expectError(await send('GET', '/user/me', { cookie }), 'unauthenticated');
  });

  it('authenticates changes under the public address, whatever the Host header of a proxy', async () => {
    const { cookie } = await signIn(api, await registerUser(api));
    const origin = new URL(api.engine.config.publicBaseUrl).origin;
    expect((await send('POST', '/auth/logout', { cookie, origin })).status).toBe(204);
  });

  it('is ignored if the request has an Authorization header', async () => {
    const { cookie } = await signIn(api, await registerUser(api));
    const answer = await send('GET', '/user/me', { cookie, authorization: 'Bearer wrong' });
    await expectError(answer, 'unauthenticated');
  });
});
