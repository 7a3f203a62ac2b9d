import { DRIVERS } from '../../../src/composition/drivers';
import { DRIVER_NAMES } from '../../../src/gateways/driver-names';
import { GatewayError } from '../../../src/gateways/errors';
import { foreignPage, FOREIGN_BODIES } from '../../../src/simulator/foreign-pages';
import { cardRequest, httpStub, REFERENCE, type StubAnswer } from './http-stub';

const ROOT = 'https://vendor.test';

const FOREIGN_ANSWERS: ReadonlyArray<readonly [string, StubAnswer]> = [
  ...FOREIGN_BODIES.map(
    (form) => [`a ${form} page`, { status: 502, body: foreignPage(502, form).text }] as const,
  ),
  ['half of a body', { status: 200, body: '{"id":"ch_1","status":"pa' }],
  ['an unknown state', { status: 200, body: { id: 'ch_1', status: 'awaiting_moon_phase' } }],
  ['an unknown status', { status: 299, body: {} }],
];

/** A charge, and an inquiry about it, both answered like this. Returns the statuses that the driver did not recognize. */
async function ask(name: (typeof DRIVER_NAMES)[number], answer: StubAnswer): Promise<readonly number[]> {
  const driver = DRIVERS[name]();
  const { ctx, unrecognized } = httpStub([answer], ROOT, {
    gateway: 'gateway_1',
    endpoints: { api: ROOT, query: ROOT, oauth: ROOT, keys: ROOT },
    secretKey: 'secret',
    clientId: 'client',
    credentials: { merchant_account: 'loja', live_url_prefix: 'loja', pix_key: 'chave' },
  });
  await driver.charge(ctx, cardRequest()).catch((error: unknown) => {
    if (!(error instanceof GatewayError)) throw error;
  });
  await driver.inquire(ctx, { reference: REFERENCE, gatewayTransactionId: 'ch_1', sentAt: new Date() });
  return unrecognized;
}

describe.each(DRIVER_NAMES)('the driver of %s', (name) => {
  it.each(FOREIGN_ANSWERS)('reports %s as an answer that it does not recognize', async (_, answer) => {
    expect((await ask(name, answer)).length).toBeGreaterThan(0);
  });
});

it('an error in the vendor’s own words is recognized, also if it leaves the outcome unknown', async () => {
  const own = { error: { type: 'api_error', code: 'lock_timeout', message: 'Try again.' } };
  expect(await ask('stripe', { status: 500, body: own })).toEqual([]);
});

it('that Cielo does not know a sale is recognized, although it proves nothing', async () => {
  expect(await ask('cielo', { status: 404, body: '' })).toEqual([]);
});
