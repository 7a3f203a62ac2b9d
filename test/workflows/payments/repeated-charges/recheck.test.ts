import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type { GatewayDriver } from '../../../../src/gateways/gateway';
import { newCompany } from '../../../support/fixtures/payments';
import { REFUSALS } from '../../../support/fixtures/refusals';
import { claimNext, type SteppedWorker } from '../../../support/scenarios/interleaving';
import { ledgerOf } from '../../../support/scenarios/pay';
import {
  idlePurchase,
  reloadPurchase,
  requestOperation,
  requestsOf,
  type Purchase,
  type PurchaseKind,
} from '../../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { sameGateways } from '../../../support/same-gateways';
import type { GatewayRegistry } from '../../../../src/gateways/registry';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const MINUTE_MS = 60_000;
const ABSENT = { kind: 'absent', message: 'the gateway never received it' } as const;

async function claimed(kind: PurchaseKind): Promise<{ subject: Purchase; worker: SteppedWorker }> {
  const subject = await idlePurchase(engine, await newCompany(engine, ['gateway_1', 'gateway_2']), kind);
  return { subject, worker: await claimNext(engine, subject) };
}

/** What the workflow does when the sweeper wakes it, `ms` from now. */
async function pollAfter({ company, body }: Purchase, ms: number, deps: Engine['deps'] = engine.deps) {
  const input = { companyId: company.id, transactionId: body.transaction_id };
  return pollPaymentStatus(deps, { ...input, at: Date.now() + ms, offsetMs: 0 });
}

async function wokenInMs({ company, body }: Purchase): Promise<number | null> {
  const payment = await engine.context.payments.find(company.id, body.transaction_id);
  return payment?.recoverAfter ? payment.recoverAfter.getTime() - Date.now() : null;
}

async function isInReview({ body }: Purchase): Promise<boolean> {
  return (await engine.context.payments.get(body.transaction_id)).stuckAt !== null;
}

/** Dependencies with gateways that say nothing about operations of one kind. */
function withoutAnswersAbout(operation: string): Engine['deps'] {
  const { deps } = engine;
  const driver = (slug: GatewaySlug): GatewayDriver => {
    const gateway = deps.registries.of(1).driver(slug);
    const inquire: GatewayDriver['inquire'] = (context, subject) =>
      subject.reference.includes(`-${operation}`)
        ? Promise.resolve({ kind: 'inconclusive', reason: 'no answer' })
        : gateway.inquire(context, subject);
    return Object.assign(Object.create(gateway) as GatewayDriver, { inquire });
  };
  const registry = Object.create(deps.registries.of(1)) as GatewayRegistry;
  return { ...deps, registries: sameGateways(Object.assign(registry, { driver })) };
}

async function rowsOf(subject: Purchase): Promise<string[]> {
  const { transactions } = await reloadPurchase(engine, subject);
  return transactions.map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
}

describe('an abandoned charge', () => {
  it('that arrives at its gateway after all is found without a callback, and refunded', async () => {
    const { subject, worker } = await claimed('sale');
    await worker.record(ABSENT);
    const next = await claimNext(engine, subject);
    await next.record(await next.send());
    await worker.send();
    expect(await wokenInMs(subject)).toBeLessThanOrEqual(MINUTE_MS);
    await pollAfter(subject, MINUTE_MS - 5_000);
    expect(await requestsOf(engine, subject, 'inquiry')).toEqual([]);
    expect(await pollAfter(subject, MINUTE_MS)).toMatchObject({ status: 'approved', ready: true });
    expect(await rowsOf(subject)).toEqual([
      'charge gateway_1 abandoned',
      'charge gateway_2 approved',
      'refund gateway_1 unknown',
    ]);
  });

  it('is asked about five times within a day, after which nothing wakes the payment any more', async () => {
    const { subject, worker } = await claimed('sale');
    await worker.record(ABSENT);
    const next = await claimNext(engine, subject);
    await next.record(await next.send());
    for (const minutes of [1, 5, 10, 60, 360, 1_439]) await pollAfter(subject, minutes * MINUTE_MS);
    expect(await requestsOf(engine, subject, 'inquiry')).toHaveLength(4);
    expect(await wokenInMs(subject)).not.toBeNull();
    await pollAfter(subject, 1_440 * MINUTE_MS);
    expect(await requestsOf(engine, subject, 'inquiry')).toHaveLength(5);
    expect(await wokenInMs(subject)).toBeNull();
  });

  it('that this service certainly did not send is not asked about', async () => {
    const { subject, worker } = await claimed('sale');
    await worker.record(await worker.send(new Date(Date.now() - 1)));
    const next = await claimNext(engine, subject);
    await next.record(await next.send());
    expect(await wokenInMs(subject)).toBeNull();
  });
});

describe.each(['error', 'declined'] as const)('a charge recorded as %s that a callback names', (status) => {
  it('is asked about, and refunded if it was made after all', async () => {
    const { subject, worker } = await claimed('sale');
    await worker.send();
    await worker.record(REFUSALS[status]);
    const next = await claimNext(engine, subject);
    await next.record(await next.send());
    const callback = {
      attemptId: worker.attemptId,
      kind: 'status',
      trusted: true,
      gatewayTransactionId: null,
    };
    const listUnprocessed = () =>
      Promise.resolve([{ ...callback, id: 0, reportedState: null, receivedAt: new Date() }]);
    const callbacks = Object.assign(Object.create(engine.deps.callbacks) as Engine['deps']['callbacks'], {
      listUnprocessed,
    });
    await pollAfter(subject, 0, { ...engine.deps, callbacks });
    expect(await rowsOf(subject)).toEqual([
      `charge gateway_1 ${status}`,
      'charge gateway_2 approved',
      'refund gateway_1 unknown',
    ]);
  });
});

describe('an abandoned pix that was created after all', () => {
  it('does not keep the payment from being polled while it is canceled', async () => {
    const { subject, worker } = await claimed('pix');
    const late = await worker.send();
    await worker.record(ABSENT);
    const next = await claimNext(engine, subject);
    await next.record(await next.send());
    await worker.record(late);
    expect((await rowsOf(subject)).at(-1)).toBe('cancel gateway_1 unknown');
    expect((await pollAfter(subject, 0)).pollAt).toBeGreaterThan(Date.now());
  });
});

describe('an abandoned operation', () => {
  /** A charge of which `operation` was requested a day ago, so that it is not sent again, and abandoned. */
  async function abandoned(kind: PurchaseKind, operation: 'refund' | 'capture', amount: number) {
    const { subject, worker } = await claimed(kind);
    await worker.record(await worker.send());
    await requestOperation({ payments: engine.idlePayments }, subject, operation, { amount });
    await engine.context.db.query(
      `UPDATE gateway_attempts SET created_at = created_at - interval '1 day' WHERE operation = $2
         AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [subject.body.transaction_id, operation],
    );
    const sender = await claimNext(engine, subject);
    await sender.record(ABSENT);
    expect(await rowsOf(subject)).toContain(`${operation} gateway_1 abandoned`);
    await sender.send();
    return subject;
  }

  it('a refund that was made after all is found without a callback, and recorded', async () => {
    const subject = await abandoned('sale', 'refund', 100);
    expect(await wokenInMs(subject)).toBeLessThanOrEqual(MINUTE_MS);
    await pollAfter(subject, MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 100 });
  });

  it('a refund that its gateway does not tell of at once is not taken for another one, so it counts once', async () => {
    const subject = await abandoned('sale', 'refund', 100);
    await pollAfter(subject, MINUTE_MS, withoutAnswersAbout('refund'));
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(await isInReview(subject)).toBe(true);
    await pollAfter(subject, 10 * MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 100 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 100 });
    expect(await isInReview(subject)).toBe(false);
  });

  it('of twelve refunds the ten newest are asked about in one poll, so that the poll ends in time', async () => {
    const subject = await abandoned('sale', 'refund', 100);
    await engine.context.db.query(
      `INSERT INTO gateway_attempts SELECT copy.* FROM gateway_attempts a, generate_series(1, 11) n,
         jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'reference', a.reference || '-' || n)) copy
        WHERE a.operation = 'refund' AND a.payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [subject.body.transaction_id],
    );
    await pollAfter(subject, MINUTE_MS);
    const inquiries = await requestsOf(engine, subject, 'inquiry');
    expect(new Set(inquiries.map(({ reference }) => reference))).toHaveProperty('size', 1 + 10);
    expect(await isInReview(subject)).toBe(true);
  });

  it('a capture that was made after all is found without a callback, and recorded', async () => {
    const subject = await abandoned('authorization', 'capture', 100);
    expect(await wokenInMs(subject)).toBeLessThanOrEqual(MINUTE_MS);
    await pollAfter(subject, MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', captured_amount: 100 });
    const captures = (await rowsOf(subject)).filter((row) => row.startsWith('capture'));
    expect(captures).toEqual(['capture gateway_1 approved']);
    expect(await isInReview(subject)).toBe(false);
  });
});
