import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { Behavior } from '../../../src/simulator/scripts';
import { newCompany } from '../../support/fixtures/payments';
import { ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import {
  operationsOf,
  purchase,
  reloadPurchase,
  requestOperation,
  requestsOf,
  requestUntilSettled,
  type Purchase,
  type PurchaseKind,
} from '../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';

/**
 * Every status that is definite in the gateway's own errors, and two others. That drivers take no status with any body for
 * the gateway's answer is proven by their contract suite; this is what follows from it.
 */
const PAGES: readonly Behavior[] = [
  { html: 401, body: 'html' },
  { html: 403, body: 'json' },
  { html: 422, body: 'json' },
  { html: 429, body: 'empty' },
  { html: 404, body: 'html' },
  { html: 502, body: 'html' },
];

/** gateway_6 settles through the platform's account: only companies named in configuration may use it. */
const PLATFORM_CLIENT_IDS = [...PAGES, 'operations'].map(() => `client_${randomUUID()}`);

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_IDS.join(','),
    GATEWAY_TIMEOUT: '1',
    SEND_WINDOW: '2',
    ABSENCE_PROVEN_AFTER: '3.2',
    STUCK_AFTER: '9',
    PAYMENT_SYNC_TIMEOUT: '3',
    DATABASE_POOL: '20',
  });
});
afterAll(() => engine.stop());

/** A new company, because five answers of this kind within 30 s open a circuit. It has a second gateway. */
function companyAt(gateway: GatewaySlug): Promise<AuthenticatedCompany> {
  if (gateway === 'gateway_6') return newCompany(engine, ['gateway_4'], PLATFORM_CLIENT_IDS.pop());
  return newCompany(engine, [gateway, 'gateway_4']);
}

/** Pays at a gateway whose answer to the charge is this behavior. */
async function payAt(gateway: GatewaySlug, behavior: Behavior): Promise<Purchase> {
  const company = await companyAt(gateway);
  const amount = uniqueAmount();
  await engine.simulator.script({ gateway, amount, operation: 'charge' }, behavior);
  return { company, body: (await pay(engine, company, { amount, gateway_first_try: gateway })).body };
}

function settled(paid: Purchase): Promise<PaymentBody> {
  return waitFor(async () => {
    const payment = await reloadPurchase(engine, paid);
    return payment.status !== 'processing' && payment;
  });
}

async function chargedGateways({ transaction_id }: PaymentBody): Promise<string[]> {
  const requests = await engine.simulator.requests(transaction_id);
  return [...new Set(requests.map(({ gateway }) => gateway))];
}

describe('a charge that the gateway made, answered by a page that is not the gateway’s', () => {
  it.each(['gateway_1', 'gateway_2', 'gateway_6'] as const)(
    'is approved once at %s, whatever the page, and no other gateway is tried',
    async (gateway) => {
      const paid = PAGES.map(async (page) => settled(await payAt(gateway, page)));
      for (const [index, body] of (await Promise.all(paid)).entries()) {
        expect([PAGES[index], body]).toMatchObject([PAGES[index], { status: 'approved', attempts: 1 }]);
        expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount, refunded: 0 });
        expect(await chargedGateways(body)).toEqual([gateway]);
      }
    },
  );

  it('does not fail at a gateway that can say nothing about it: it waits for a manual review', async () => {
    const paid = await Promise.all(PAGES.map((page) => payAt('gateway_3', page)));
    for (const { company, body } of paid) {
      await waitFor(
        async () => (await engine.context.payments.find(company.id, body.transaction_id))?.stuckAt,
      );
      const now = await reloadPurchase(engine, { company, body });
      expect(now).toMatchObject({ status: 'processing', attempts: 1, code: null });
      expect(await chargedGateways(body)).toEqual(['gateway_3']);
    }
  });

  it.each([401, 403, 429])('opens no circuit with status %i', async (html) => {
    const { company, body } = await payAt('gateway_1', { html });
    expect(await settled({ company, body })).toMatchObject({ status: 'approved' });
    const circuit = await engine.context.db.queryOne<{ open_until: Date | null }>(
      `SELECT open_until FROM gateway_circuits WHERE company_id = $1 AND gateway_slug = 'gateway_1'`,
      [company.id],
    );
    expect(circuit?.open_until ?? null).toBeNull();
  });
});

describe('a charge that never reached the gateway, answered by a page that is not the gateway’s', () => {
  it.concurrent.each([401, 403, 422, 429])(
    'is made at the next gateway after its absence is proven, with status %i',
    async (status) => {
      const body = await settled(await payAt('gateway_2', { html: status, status }));
      expect(body).toMatchObject({ status: 'approved', attempts: 2 });
      expect(operationsOf(body, 'charge').map(([result]) => result)).toEqual(['abandoned', 'approved']);
      expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount, refunded: 0 });
    },
  );
});

describe('an inquiry answered by a page that is not the gateway’s', () => {
  it.concurrent.each<Behavior>([
    { html: 404, body: 'json' },
    { html: 404 },
    { html: 200, body: 'json' },
    { html: 401, body: 'empty' },
  ])('proves no absence with %j', async (page) => {
    const company = await companyAt('gateway_2');
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_2', amount, operation: 'charge' }, { hang: 'after' });
    const paying = pay(engine, company, { amount });
    const { transaction_id } = await waitFor(() =>
      engine.context.db.queryOne<{ transaction_id: string }>(
        'SELECT transaction_id FROM payments WHERE company_id = $1',
        [company.id],
      ),
    );
    // Enough of them to prove absence, if they counted.
    await engine.simulator.script({ transaction_id, operation: 'inquiry' }, page, 4);
    const { body } = await paying;
    expect(await settled({ company, body })).toMatchObject({ status: 'approved', attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: amount, refunded: 0 });
    const inquiries = await requestsOf(engine, { company, body }, 'inquiry');
    expect(inquiries.filter(({ answered }) => answered === page.html).length).toBeGreaterThanOrEqual(4);
  });
});

const AMOUNT = 700;
const CASES: ReadonlyArray<readonly [PaymentOperation, PurchaseKind, GatewaySlug]> = [
  ['capture', 'authorization', 'gateway_1'],
  ['cancel', 'authorization', 'gateway_1'],
  ['cancel', 'pix', 'gateway_2'],
  ['refund', 'sale', 'gateway_1'],
  ['refund', 'sale', 'gateway_2'],
  ['refund', 'sale', 'gateway_3'],
  ['refund', 'sale', 'gateway_6'],
];

describe('an operation that the gateway made, answered by a page that is not the gateway’s', () => {
  it.each(CASES)('a %s of a %s at %s is made once and never refused', async (operation, kind, gateway) => {
    const company = await companyAt(gateway);
    const results = PAGES.map(async (page) => {
      const subject = await purchase(engine, company, kind, { gateway_first_try: gateway });
      const { transaction_id } = subject.body;
      await engine.simulator.script({ transaction_id, operation }, page);
      const options = { key: randomUUID(), ...(operation === 'cancel' ? {} : { amount: AMOUNT }) };
      const { status, code } = await requestUntilSettled(engine, subject, operation, options);
      const again = await requestOperation(engine, subject, operation, options);
      const sent = await requestsOf(engine, subject, operation);
      return [page, status, code, again.status, again.replayed, sent.length];
    });
    expect(await Promise.all(results)).toEqual(PAGES.map((page) => [page, 200, null, 200, true, 1]));
  });

  it('a refund of everything is never made twice, though it is requested again under another key', async () => {
    const company = await companyAt('gateway_1');
    const refunds = PAGES.map(async (page) => {
      const subject = await purchase(engine, company, 'sale');
      const { transaction_id, amount } = subject.body;
      await engine.simulator.script({ transaction_id, operation: 'refund' }, page);
      const answers = [
        await requestUntilSettled(engine, subject, 'refund'),
        await requestUntilSettled(engine, subject, 'refund'),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 409]);
      expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, refunded: amount });
      expect(await reloadPurchase(engine, subject)).toMatchObject({
        status: 'refunded',
        refunded_amount: amount,
      });
    });
    await Promise.all(refunds);
  });
});
