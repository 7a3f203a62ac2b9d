import { randomUUID } from 'node:crypto';
import { adoptParkedCallbacks } from '../../../src/application/payments/adopt-parked-callbacks';
import { ReceiveCallback } from '../../../src/application/payments/receive-callback';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type {
  CallbackHint,
  CallbackProof,
  CallbackReading,
  RawCallback,
} from '../../../src/gateways/callback';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { newCompany } from '../../support/fixtures/payments';
import { expectStatus } from '../support/api-client';
import {
  bringSecret,
  callbackBody,
  sentPayment,
  signed,
  startCallbackApi,
  storedCallbacks,
  type CallbackApi,
} from './callback-api';
import { sameGateways } from '../../support/same-gateways';

const HOUR_MS = 3_600_000;
const PUBLISHED_KEY = 'a key that the gateway publishes';

/** A gateway whose callbacks are a list of hints in JSON, with a token that is the same each time. */
class ListDriver extends SimulatorDriver {
  override readonly callbackProof: CallbackProof;

  constructor(
    kind: CallbackProof['kind'],
    private readonly truth: 'inquiry' | 'signed_callback',
  ) {
    super();
    this.callbackProof = { kind, coversBody: true, coversTime: false, headers: ['x-token'] };
  }

  override capabilities(slug: GatewaySlug) {
    return { ...super.capabilities(slug), truth: this.truth, subAccounts: false };
  }

  override readCallback({ body }: RawCallback): CallbackReading {
    if (body.length === 0) return { kind: 'foreign' };
    return { kind: 'hints', hints: JSON.parse(body.toString()) as CallbackHint[] };
  }

  override verifyCallback(
    { headers }: RawCallback,
    _: CallbackHint,
    secrets: readonly string[],
  ): 'valid' | 'invalid' {
    return ['token', ...secrets].includes(headers['x-token'] ?? '') ? 'valid' : 'invalid';
  }
}

let api: CallbackApi;
let company: AuthenticatedCompany;
beforeAll(async () => {
  api = await startCallbackApi();
  company = await newCompany(api);
});
afterAll(() => api.stop());

async function receive(
  hints: readonly CallbackHint[],
  {
    kind = 'signature',
    token = 'token',
    truth = 'inquiry',
  }: { kind?: CallbackProof['kind']; token?: string; truth?: 'inquiry' | 'signed_callback' } = {},
): Promise<string[]> {
  const woken: string[] = [];
  const driver = new ListDriver(kind, truth);
  const registry = new GatewayRegistry({
    ...api.config.gateways,
    drivers: new Map(GATEWAY_SLUGS.map((slug) => [slug, driver])),
  });
  const receiver = new ReceiveCallback({
    publishedKeys: ({ slug }) => Promise.resolve(slug === 'gateway_1' ? [PUBLISHED_KEY] : []),
    knownKeys: () => [],
    keepShape: () => undefined,
    ...api.context,
    registries: sameGateways(registry),
    wake: ({ transactionId }) => {
      woken.push(transactionId);
      return Promise.resolve();
    },
    wakeDispute: () => Promise.resolve(),
    reportError: () => undefined,
  });
  const body = hints.length === 0 ? Buffer.alloc(0) : Buffer.from(JSON.stringify(hints));
  const raw: RawCallback = { body, headers: { 'x-token': token, cookie: 'private' }, query: '' };
  await receiver.execute({ slug: 'gateway_1', mode: null }, raw, new Date());
  return woken;
}

const hint = (subject: CallbackHint['subject']): CallbackHint => ({
  eventId: `evt_${randomUUID()}`,
  kind: 'status',
  subject,
  reportedState: null,
});

const adopt = (laterMs = 0) => adoptParkedCallbacks(api.context, 3_000, new Date(Date.now() + laterMs));

async function chargedPayment(gatewayTransactionId: string) {
  const sent = await sentPayment(api, company);
  await api.context.db.query(
    `UPDATE gateway_attempts SET gateway_transaction_id = $2 WHERE payment_id = $1`,
    [sent.payment.id, gatewayTransactionId],
  );
  return sent;
}

it("a callback that has only the gateway's id of the charge wakes that charge's payment", async () => {
  const id = `ch_${randomUUID()}`;
  const { payment } = await chargedPayment(id);
  expect(await receive([hint({ reference: null, gatewayTransactionId: id })])).toEqual([
    payment.transactionId,
  ]);
  expect(await storedCallbacks(api, payment)).toMatchObject([{ operation: 'charge', trusted: true }]);
});

it('a refund that is told alone is counted once, in whatever body its event comes again, and only if its signature covers it', async () => {
  const { payment, reference } = await sentPayment(api, company);
  const refund = { ...hint({ reference, gatewayTransactionId: null }), refundCents: 250 };
  const counted = async () =>
    (await api.context.callbacks.listUnprocessed(payment.transactionId)).map((each) => each.refundCents);
  await receive([refund], { kind: 'static_token' });
  expect(await counted()).toEqual([null]);
  expect(await receive([refund])).toEqual([payment.transactionId]);
  expect(await receive([{ ...refund, reportedState: null, refundCents: 249 }])).toEqual([]);
  expect(await counted()).toEqual([null, 250]);
});

it('every charge that a callback names is processed', async () => {
  const [first, second] = [await sentPayment(api, company), await sentPayment(api, company)];
  const hints = [first, second].map(({ reference }) => hint({ reference, gatewayTransactionId: null }));
  expect(await receive(hints)).toEqual([first.payment.transactionId, second.payment.transactionId]);
  expect(await storedCallbacks(api, second.payment)).toHaveLength(1);
});

it('a callback to the address with `/pix`, which banks add, is stored like any other, with any query', async () => {
  const { payment, reference } = await sentPayment(api, company);
  const body = callbackBody(reference);
  const request = { params: { gateway: 'gateway_1' }, query: { hmac: 'x' }, body, headers: signed(body) };
  expectStatus(await api.client('receivePixCallback', request), 200);
  expect(await storedCallbacks(api, payment)).toMatchObject([{ kind: 'status', trusted: true }]);
});

it('a callback of the gateway about something else is accepted, and nothing is stored', async () => {
  expect(await receive([])).toEqual([]);
});

it('a key that the gateway publishes proves its callbacks', async () => {
  const { payment, reference } = await sentPayment(api, company);
  await receive([hint({ reference, gatewayTransactionId: null })], { token: PUBLISHED_KEY });
  expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: true }]);
});

it('a token that is the same each time does not make a callback trusted', async () => {
  const { payment, reference } = await sentPayment(api, company);
  await receive([hint({ reference, gatewayTransactionId: null })], { kind: 'static_token' });
  expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: false, body: null, headers: null }]);
});

it('a wrong proof is refused for each charge that the callback names', async () => {
  const { payment, reference } = await sentPayment(api, company);
  const refused = receive([hint({ reference, gatewayTransactionId: null })], { token: 'guessed' });
  await expect(refused).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await storedCallbacks(api, payment)).toEqual([]);
});

it('only the headers that prove a callback are stored with it', async () => {
  const { payment, reference } = await sentPayment(api, company);
  await receive([hint({ reference, gatewayTransactionId: null })]);
  expect(await storedCallbacks(api, payment)).toMatchObject([{ headers: { 'x-token': 'token' } }]);
});

describe("a callback that names a gateway's id that no charge has yet", () => {
  const parkedCount = async () =>
    (await api.context.db.queryOne<{ count: number }>('SELECT count(*) FROM parked_callbacks'))?.count;
  afterEach(() => api.context.db.execute('DELETE FROM parked_callbacks', []));

  it('is stored as an unsigned one once the answer to the charge has brought the id', async () => {
    const id = `ch_${randomUUID()}`;
    const early = hint({ reference: null, gatewayTransactionId: id });
    expect(await receive([early])).toEqual([]);
    await receive([early]);
    await adopt();
    expect(await parkedCount()).toBe(1);
    const { payment } = await chargedPayment(id);
    await adopt();
    expect(await storedCallbacks(api, payment)).toMatchObject([
      { operation: 'charge', trusted: false, body: null, headers: null },
    ]);
    expect(await parkedCount()).toBe(0);
    const later = new Date(Date.now() + HOUR_MS);
    const overdue = await api.context.callbacks.claimOverdue(50, later);
    expect(overdue.map(({ transactionId }) => transactionId)).toContain(payment.transactionId);
  });

  it('is refused by a gateway whose callbacks are facts, which then sends it again', async () => {
    const early = hint({ reference: null, gatewayTransactionId: `ch_${randomUUID()}` });
    const refused = receive([early], { truth: 'signed_callback' });
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(await parkedCount()).toBe(0);
  });

  it('is forgotten after a day', async () => {
    await receive([hint({ reference: null, gatewayTransactionId: `ch_${randomUUID()}` })]);
    await adopt(23 * HOUR_MS);
    expect(await parkedCount()).toBe(1);
    await adopt(25 * HOUR_MS);
    expect(await parkedCount()).toBe(0);
  });

  it('takes the place of the oldest one of 2,000 of its gateway, because anyone can name any id', async () => {
    await api.context.db.execute(
      `INSERT INTO parked_callbacks (gateway_slug, gateway_transaction_id, event_id, kind, body_hash, received_at)
       SELECT 'gateway_1', 'ch_' || n, 'evt', 'status', '', now() FROM generate_series(1, 2000) n`,
      [],
    );
    const id = `ch_${randomUUID()}`;
    const newest = hint({ reference: null, gatewayTransactionId: id });
    await receive([newest]);
    await receive([newest]);
    const ids = await api.context.db.query<{ id: string }>(
      'SELECT gateway_transaction_id AS id FROM parked_callbacks ORDER BY received_at, parked_callbacks.id',
    );
    expect(ids).toHaveLength(2_000);
    expect([ids[0]?.id, ids.at(-1)?.id]).toEqual(['ch_2', id]);
  });
});

describe('a verified callback about nothing of this service', () => {
  const unknown = () => hint({ reference: `${randomUUID()}-1`, gatewayTransactionId: null });
  const early = () => hint({ reference: null, gatewayTransactionId: `ch_${randomUUID()}` });

  /** A company with a secret of its own for the callbacks, and the counts that it is shown. */
  async function companyWithSecret() {
    const [owner, token] = [await newCompany(api), randomUUID()];
    await bringSecret(api, owner, 'gateway_1', token);
    const counts = async () => {
      const counted = await api.context.unmatchedCallbacks.list(owner.id, 'gateway_1');
      return Object.fromEntries(counted.map(({ kind, seenCount }) => [kind, seenCount]));
    };
    return { token, counts };
  }

  it('is counted by its kind for the company whose secret verifies it, and any other leaves no trace', async () => {
    const { token, counts } = await companyWithSecret();
    const other = await companyWithSecret();
    for (const proof of [{ token }, { token }, { token: 'guessed' }, { token, kind: 'none' } as const]) {
      await receive([], proof);
      await receive([unknown()], proof);
    }
    await expect(receive(Array.from({ length: 101 }, unknown), { token })).rejects.toMatchObject({
      code: 'malformed_request',
    });
    expect(await counts()).toEqual({ other: 2, status: 2, unreadable: 1 });
    expect(await other.counts()).toEqual({});
  });

  it('is counted, if its charge may still become known, only after a day in which it did not', async () => {
    const { token, counts } = await companyWithSecret();
    const matched = early();
    for (const callback of [matched, early(), early()]) await receive([callback], { token });
    await receive([early()], { token: 'guessed' });
    await chargedPayment(matched.subject.gatewayTransactionId ?? '');
    await adopt(23 * HOUR_MS);
    expect(await counts()).toEqual({});
    await adopt(25 * HOUR_MS);
    expect(await counts()).toEqual({ status: 2 });
  });

  it('gives way to no unverified one when too many wait', async () => {
    const { token, counts } = await companyWithSecret();
    await receive([early()], { token });
    await api.context.db.execute(
      `INSERT INTO parked_callbacks (gateway_slug, gateway_transaction_id, event_id, kind, body_hash, received_at)
       SELECT 'gateway_1', 'ch_' || n, 'evt', 'status', '', now() FROM generate_series(1, 2500) n`,
      [],
    );
    await receive([early()], { token: 'guessed' });
    await adopt(25 * HOUR_MS);
    expect(await counts()).toEqual({ status: 1 });
  });
});

describe('a callback with a query', () => {
  it('is received whatever its parameters are, because a signature may cover them', async () => {
    const body = JSON.stringify(callbackBody(`${randomUUID()}-1`));
    const url = `${api.baseUrl}/api/v1/webhooks/gateway_1?data.id=999&type=payment`;
    const answer = await fetch(url, { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
  });
});
