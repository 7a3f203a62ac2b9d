import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { newCompany } from '../../support/fixtures/payments';
import { expectStatus } from '../support/api-client';
import {
  callbackBody,
  sentPayment,
  signed,
  startCallbackApi,
  storedCallbacks,
  type CallbackApi,
} from './callback-api';

const OWN_SECRET = 'whsec_sandbox_gateway_1';
const OTHER_SECRET = 'secret_of_the_gateway_of_the_other_mode';

let api: CallbackApi;
let own: AuthenticatedCompany;
let other: AuthenticatedCompany;
beforeAll(async () => {
  // The deployment's own mode is test here and live in production: what keeps the modes apart is the same.
  api = await startCallbackApi({}, undefined, (config) => ({
    ...config,
    otherGateways: {
      ...config.gateways,
      webhookSecrets: new Map([['gateway_1', [OTHER_SECRET]]]),
    },
  }));
  own = await newCompany(api);
  await api.context.db.inTransaction((tx) => api.context.companies.addMode(tx, own.id, 'live'));
  other = { ...own, id: -own.id };
});
afterAll(() => api.stop());

function send(body: Record<string, unknown>, secret: string, mode?: string) {
  const query = mode === undefined ? {} : { mode };
  return api.client('receiveCallback', {
    params: { gateway: 'gateway_1' },
    query,
    body,
    headers: signed(body, secret),
  });
}

it('a callback about data of its mode, signed with the secret of its mode, is stored', async () => {
  const test = await sentPayment(api, own);
  const live = await sentPayment(api, other);
  expectStatus(await send(callbackBody(test.reference), OWN_SECRET), 200);
  expectStatus(await send(callbackBody(live.reference), OTHER_SECRET, 'live'), 200);
  expect(await storedCallbacks(api, test.payment)).toMatchObject([{ trusted: true }]);
  expect(await storedCallbacks(api, live.payment)).toMatchObject([{ trusted: true }]);
});

it.each([
  ['the other mode', 'live', OTHER_SECRET],
  ['the other mode, signed with the own secret', 'live', OWN_SECRET],
])('a callback that comes as one of %s finds no payment of the own mode', async (_, mode, secret) => {
  const { payment, reference } = await sentPayment(api, own);
  expectStatus(await send(callbackBody(reference), secret, mode), 200);
  expect(await storedCallbacks(api, payment)).toEqual([]);
});

it('a callback without a mode finds no payment of the other mode', async () => {
  const { payment, reference } = await sentPayment(api, other);
  for (const secret of [OWN_SECRET, OTHER_SECRET])
    expectStatus(await send(callbackBody(reference), secret), 200);
  expect(await storedCallbacks(api, payment)).toEqual([]);
});

it('the secret of one mode verifies no callback of the other', async () => {
  const test = await sentPayment(api, own);
  const live = await sentPayment(api, other);
  expectStatus(await send(callbackBody(test.reference), OTHER_SECRET), 401);
  expectStatus(await send(callbackBody(live.reference), OWN_SECRET, 'live'), 401);
});

it('a mode that does not exist is refused with the name of the parameter', async () => {
  const { reference } = await sentPayment(api, own);
  const answer = await send(callbackBody(reference), OWN_SECRET, `mode-${randomUUID()}`);
  expect(expectStatus(answer, 422).body).toMatchObject({ errors: { mode: [expect.any(String)] } });
});
