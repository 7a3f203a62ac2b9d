import { createHash } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, sale } from '../../api/support/payment-scenario';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { disputeEvents } from '../../workflows/disputes/dispute-scenario';

const DRIVERS = {
  GATEWAY_1_DRIVER: 'mercadopago',
  GATEWAY_2_DRIVER: 'pagarme',
  GATEWAY_4_DRIVER: 'asaas',
} as const;
const SECRETS = {
  gateway_1: 'TEST-4934588586838432-disputes',
  gateway_2: 'sk_test_disputes',
  gateway_4: '$aact_hmlg_disputes',
} as const;
type Slug = keyof typeof SECRETS;
/** What some of them demand of a card's charge. */
const PAYER = { payer: { ip: '203.0.113.7', phone: '+5511912345678' } };

let simulator: SimulatorProcess;
let api: EngineApi;
const clients = new Map<Slug, { byKey: ApiClient; byToken: ApiClient }>();
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVERS });
  const slugs = Object.keys(SECRETS) as Slug[];
  const urls = Object.fromEntries(
    slugs.map((slug) => [`${slug.toUpperCase()}_URL`, `${simulator.url}/${slug}`]),
  );
  const keys = { GATEWAY_2_KEYS_URL: `${simulator.url}/gateway_2` };
  const settings = {
    ...DRIVERS,
    ...urls,
    ...keys,
    GATEWAY_TIMEOUT: '5',
    ABSENCE_PROVEN_AFTER: '7',
    STUCK_AFTER: '30',
  };
  api = await startEngineApi(settings, { workers: 'payments' });
  for (const slug of slugs) {
    const { byKey, byToken } = await registerCompanyWithUser(api, []);
    const gateways = [{ gateway_slug: slug, secret_key: SECRETS[slug] }];
    expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
    await simulator.control.setUpAccount(SECRETS[slug], { callback_url: `${api.baseUrl}/api/v1` });
    clients.set(slug, { byKey, byToken });
  }
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

function clientsOf(slug: Slug) {
  const both = clients.get(slug);
  if (both === undefined) throw new Error('the company is not registered');
  return both;
}

/** Sweeps meanwhile: an inquiry leaves what it shows about disputes to the sweeper. */
function untilShown(byToken: ApiClient, { transaction_id }: PaymentBody, status: string) {
  return waitFor(
    async () => {
      await api.engine.sweeper.sweepOnce();
      const { data } = expectStatus(await byToken('listDisputes', { query: { transaction_id } }), 200).body;
      expect(data.length).toBeLessThan(2);
      return data[0]?.status === status && data[0];
    },
    { what: `a dispute that is ${status}`, everyMs: 200 },
  );
}

const DUE = { evidence_due_in: 10 * 24 * 3_600 };

describe('a chargeback that an inquiry shows', () => {
  it.each(['gateway_1', 'gateway_4'] as const)(
    'at %s is a dispute with its amount, reason and deadline, which is decided',
    async (slug) => {
      const { byKey, byToken } = clientsOf(slug);
      const payment = await sale(byKey, { amount: 1_000, ...PAYER });
      const reason_code = slug === 'gateway_1' ? 'fraud' : 'ABSENT_CARD_FRAUD';
      const { id } = await simulator.control.openDispute(payment.transaction_id, {
        ...{ amount: 600, reason_code },
        ...DUE,
      });
      const opened = await untilShown(byToken, payment, 'opened');
      expect(opened).toMatchObject({ kind: 'chargeback', amount: 600, reason_code, gateway: slug });
      expect(opened.card_block).toEqual({ active: true, release: null });
      expect(Date.parse(opened.evidence_due_at ?? '')).toBeGreaterThan(Date.now());
      await simulator.control.changeDispute(id, { status: 'submitted' });
      await untilShown(byToken, payment, 'submitted');
      await simulator.control.changeDispute(id, { status: 'lost' });
      await untilShown(byToken, payment, 'lost');
      expect(await found(byKey, payment)).toMatchObject({
        ...{ status: 'approved', refunded_amount: 0, disputed_amount: 600 },
      });
      expect(await disputeEvents(api, opened.id)).toEqual(['opened', 'closed']);
    },
  );

  it('at Mercado Pago is answered with files, once, also if the answer is lost, and with nothing else', async () => {
    const { byKey, byToken } = clientsOf('gateway_1');
    const payment = await sale(byKey, { amount: 800, ...PAYER });
    const { transaction_id } = payment;
    const { id: gatewayId } = await simulator.control.openDispute(transaction_id, DUE);
    const { id } = await untilShown(byToken, payment, 'opened');
    const params = { id };
    expectStatus(await byToken('acceptDispute', { params }), 409);
    const text = { kind: 'explanation', text: 'It was delivered.' } as const;
    const { data: said } = expectStatus(await byToken('addEvidence', { params, body: text }), 201).body;
    expectStatus(await byToken('submitDispute', { params }), 202);
    await waitFor(async () => {
      const { data } = expectStatus(await byToken('getDispute', { params }), 200).body;
      return data.last_request?.status === 'refused';
    });
    expectStatus(await byToken('deleteEvidence', { params: { id, evidence_id: said.id } }), 204);
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 13, 10])]);
    const content = bytes.toString('base64');
    const file = { name: 'recibo ç.pdf', content_type: 'application/pdf', content } as const;
    for (const kind of ['receipt', 'other'] as const)
      expectStatus(await byToken('addEvidence', { params, body: { kind, file } }), 201);
    await simulator.control.script({ transaction_id, operation: 'dispute' }, { drop: 'after' });
    expectStatus(await byToken('submitDispute', { params }), 202);
    expect(await untilShown(byToken, payment, 'submitted')).toMatchObject({
      last_request: { kind: 'evidence', status: 'done' },
    });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect((await simulator.control.dispute(gatewayId)).evidence).toEqual(
      ['receipt.pdf', 'other.pdf'].map((kind) => ({ kind, bytes: bytes.length, sha256 })),
    );
    const requests = await simulator.control.requests(transaction_id);
    expect(requests.filter(({ operation }) => operation === 'dispute')).toHaveLength(1);
  });

  it('at Mercado Pago that covers the seller is won', async () => {
    const { byKey, byToken } = clientsOf('gateway_1');
    const payment = await sale(byKey, { amount: 700, ...PAYER });
    const { id } = await simulator.control.openDispute(payment.transaction_id);
    await untilShown(byToken, payment, 'opened');
    await simulator.control.changeDispute(id, { status: 'won' });
    expect(await untilShown(byToken, payment, 'won')).toMatchObject({ returned_amount: 700 });
  });

  it('at Pagar.me is lost at once, of all that was paid, and tells neither reason nor deadline', async () => {
    const { byKey, byToken } = clientsOf('gateway_2');
    const payment = await sale(byKey, { amount: 900, ...PAYER });
    await simulator.control.openDispute(payment.transaction_id);
    expect(await untilShown(byToken, payment, 'lost')).toMatchObject({
      ...{ kind: 'chargeback', amount: 900, reason_code: null, evidence_due_at: null, card_block: null },
    });
    expect(await found(byKey, payment)).toMatchObject({ status: 'approved', disputed_amount: 900 });
  });
});
