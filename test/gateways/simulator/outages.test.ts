import { waitFor } from '../../support/stack/wait-for';
import { startOwnSimulator, type SimulatorControl, type OwnSimulator } from '../../support/stack/simulator';
import { payment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  control = simulator.control;
});
afterEach(() => control.endOutages());
afterAll(() => simulator.dispose());

const vendorAt = (slug: 'gateway_1' | 'gateway_2') => new VendorClient(simulator.url, slug);
const HOUR_SECONDS = 3_600;

describe('POST /_admin/outages', () => {
  it('503 answers with the gateway’s own error, commits nothing and uses up no script', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { decline: '51' });
    await control.startOutage('gateway_1', '503', HOUR_SECONDS);
    const { status, text } = await vendorAt('gateway_1').send('charges', body);
    expect([status, JSON.parse(text)]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    expect((await vendorAt('gateway_1').send(`charges?reference=${body.reference}`, null)).status).toBe(503);
    expect((await control.ledger(transactionId)).entries).toEqual([]);
    await control.endOutages();
    expect(await vendorAt('gateway_1').charge(body)).toMatchObject({ status: 'declined' });
    const answered = (await control.requests(transactionId)).map((request) => request.answered);
    expect(answered).toEqual([503, 503, 200]);
  });

  it('refuse closes the connection, and hang never responds', async () => {
    const { transactionId, body } = payment();
    await control.startOutage('gateway_1', 'refuse', HOUR_SECONDS);
    await expect(vendorAt('gateway_1').send('charges', body)).rejects.toThrow('fetch failed');
    await control.startOutage('gateway_1', 'hang', HOUR_SECONDS);
    const hanging = fetch(`${simulator.url}/gateway_1/charges`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(300),
    });
    await expect(hanging).rejects.toThrow('timeout');
    const requests = await control.requests(transactionId);
    expect(requests.map((request) => request.answered)).toEqual(['dropped', 'hung']);
    expect((await control.ledger(transactionId)).entries).toEqual([]);
  });

  it('affects one gateway or all of them, and no control route', async () => {
    await control.startOutage('gateway_1', '503', HOUR_SECONDS);
    expect((await vendorAt('gateway_2').send('charges', payment().body)).status).toBe(200);
    await control.startOutage('all', '503', HOUR_SECONDS);
    expect((await vendorAt('gateway_2').send('charges', payment().body)).status).toBe(503);
    const everywhere = await fetch(`${simulator.url}/_admin/outages`, {
      method: 'POST',
      body: JSON.stringify({ all: true, seconds: 1.5, how: 'refuse' }),
    });
    expect([everywhere.status, await everywhere.json()]).toMatchObject([201, { how: 'refuse' }]);
    await expect(vendorAt('gateway_2').send('charges', payment().body)).rejects.toThrow();
  });

  it('ends after its seconds', async () => {
    await control.startOutage('gateway_1', '503', 0.3);
    const { transactionId, body } = payment();
    const answers = async () => (await vendorAt('gateway_1').send('charges', body)).status;
    expect(await answers()).toBe(503);
    await waitFor(async () => (await answers()) === 200);
    expect((await control.ledger(transactionId)).totals.captured).toBe(10_000);
  });
});
