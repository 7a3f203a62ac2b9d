import { randomUUID } from 'node:crypto';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { paymentRequest } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { apiClient, expectStatus, type ApiClient, type RequestOptions } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { serve } from '../support/serve';

const LIMIT = 60;

let first: EngineApi;
/** Another API process: its own connections, caches and counters, on the same database. */
let second: { readonly baseUrl: string; close(): Promise<void>; readonly context: AppContext };
beforeAll(async () => {
  first = await startEngineApi({ RATE_LIMIT_COMPANY_PER_SECOND: String(LIMIT) }, { workers: 'payments' });
  const { config } = first.engine;
  const context = createAppContext(config);
  second = { context, ...(await serve({ config, context })) };
});
afterAll(async () => {
  await second.close();
  await Promise.all([second.context.temporal.connection.close(), second.context.db.close()]);
  await first.stop();
});

/** A client of a new company at each of the two processes. */
async function clientsOf(...gateways: Array<'gateway_1' | 'gateway_2'>): Promise<[ApiClient, ApiClient]> {
  const { body } = expectStatus(await first.anonymous('registerCompany', { body: { name: 'Loja' } }), 200);
  const keys = { 'X-Client-ID': body.credentials.client_id, 'X-API-Key': body.credentials.api_key };
  const clients: [ApiClient, ApiClient] = [apiClient(first.baseUrl, keys), apiClient(second.baseUrl, keys)];
  const saved = gateways.map((slug) => ({ gateway_slug: slug, secret_key: `sk_test_${slug}` }));
  expectStatus(await clients[0]('saveGateways', { body: { gateways: saved } }), 200);
  return clients;
}

describe('two API processes on one database', () => {
  it('make one charge with one body of 50 requests with one idempotency key', async () => {
    const clients = await clientsOf('gateway_1');
    const request = { body: paymentRequest(), headers: { 'Idempotency-Key': randomUUID() } };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        waitFor(() => resultOf(clients[index % 2] ?? clients[0], request), { everyMs: 1_000 }),
      ),
    );
    const bodies = new Set(answers.map((body) => JSON.stringify(body)));
    expect(bodies.size).toBe(1);
    const { transaction_id: id, amount } = answers[0] ?? { transaction_id: '', amount: 0 };
    const { totals, entries } = await first.engine.simulator.ledger(id);
    expect(totals).toMatchObject({ authorized: amount, captured: amount });
    expect(new Set(entries.map(({ charge_id: charge }) => charge)).size).toBe(1);
  });

  it('keep the rate limit of a company together, once they know of each other', async () => {
    const clients = await clientsOf('gateway_1');
    // Until each admits a part only, it admits the whole limit.
    await waitFor(async () => {
      const [own, others] = await Promise.all(clients.map((client) => admittedIn(client, 1_000)));
      return (own ?? 0) + (others ?? 0) < 1.5 * LIMIT;
    });
    const seconds = 3;
    const admitted = await Promise.all(clients.map((client) => admittedIn(client, seconds * 1_000)));
    // Each window may be met at its beginning and at its end.
    expect((admitted[0] ?? 0) + (admitted[1] ?? 0)).toBeLessThanOrEqual((seconds + 1) * LIMIT * 1.05);
    for (const count of admitted) expect(count).toBeGreaterThan(0);
  });

  it('see the circuit that the other one has opened', async () => {
    const [opening, seeing] = await clientsOf('gateway_1', 'gateway_2');
    const amount = uniqueAmount();
    const match = { gateway: 'gateway_1', amount, operation: 'charge' } as const;
    await first.engine.simulator.script(match, { status: 500 }, 0);
    const pay = async (client: ApiClient) =>
      expectStatus(await client('createCardPayment', { body: paymentRequest({ amount }) }), 200).body;
    for (let failures = 0; failures < 5; failures += 1) {
      expect((await pay(opening)).transactions[0]?.gateway).toBe('gateway_1');
    }
    const { transactions } = await pay(seeing);
    expect(transactions.map(({ gateway, status }) => [gateway, status])).toEqual([['gateway_2', 'approved']]);
  });
});

/** The payment as the first 200 has it. On a busy machine a request may get 202 at its deadline, and is sent again, which the limit may refuse. */
async function resultOf(client: ApiClient, request: RequestOptions) {
  const answer = await client('createCardPayment', request);
  return answer.status === 202 || answer.status === 429 ? null : expectStatus(answer, 200).body;
}

/** How many requests a process admits of five callers who send for so long what they can. */
async function admittedIn(client: ApiClient, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let admitted = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      const { status } = await client('listEvents');
      if (status === 200) admitted += 1;
    }
  };
  await Promise.all(Array.from({ length: 5 }, caller));
  return admitted;
}
