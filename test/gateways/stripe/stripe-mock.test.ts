import type { GatewayHttpRequest } from '../../../src/gateways/http';
import { describeWithStripeMock } from '../../support/vendors/stripe-mock';
import { allRequests } from '../../unit/gateways/stripe/all-requests';

describeWithStripeMock('Stripe’s own mock of its API', (url) => {
  const mirror = async (request: GatewayHttpRequest, body = request.body): Promise<Response> => {
    const { method, headers } = request;
    const { pathname, search } = new URL(request.url);
    return fetch(`${url()}${pathname}${search}`, { method, headers, ...(body !== undefined && { body }) });
  };

  it('accepts every request of the driver', async () => {
    const requests = await allRequests();
    const refused = await Promise.all(
      requests.map(async (request) => {
        const response = await mirror(request);
        const text = await response.text();
        return response.status < 400 ? [] : [`${request.method} ${request.url}: ${response.status} ${text}`];
      }),
    );
    expect(refused.flat()).toEqual([]);
    expect(requests.length).toBeGreaterThan(12);
  });

  it('refuses a parameter that it does not know, and a request without a key', async () => {
    const created = (await allRequests()).find(({ method }) => method === 'POST');
    if (created === undefined) throw new Error('the driver creates nothing');
    expect((await mirror(created, `${created.body}&unknown=1`)).status).toBe(400);
    const { authorization: _, ...headers } = created.headers;
    expect((await mirror({ ...created, headers })).status).toBe(401);
  });
});
