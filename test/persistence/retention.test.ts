import fc from 'fast-check';
import { deleteOldCallbackBodies } from '../../src/persistence/retention/old-callback-bodies';
import { deleteOldEvents } from '../../src/persistence/retention/old-events';
import { RetentionPasses } from '../../src/persistence/retention/retention-passes';
import type { AuthenticatedCompany } from '../../src/domain/companies/company';
import { newCompany } from '../support/fixtures/payments';
import { addEndpoint } from '../support/fixtures/webhooks';
import { RetentionRows } from '../support/fixtures/retention-rows';
import { startEngine, type Engine } from '../support/stack/engine';
import { waitFor } from '../support/stack/wait-for';
import { waitingForLocks } from '../support/stack/waiting-for-locks';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

let engine: Engine;
let rows: RetentionRows;
let company: AuthenticatedCompany;
let endpoint: number;
beforeAll(async () => {
  const settings = {
    RETENTION_EVENTS: '60',
    RETENTION_CALLBACK_BODIES: '50',
    RETENTION_UNSIGNED_CALLBACKS: '40',
  };
  engine = await startEngine(settings, { workers: 'none' });
  rows = new RetentionRows(engine.context.db);
});
afterAll(() => engine.stop());

beforeEach(async () => {
  await rows.deleteAll();
  company = await newCompany(engine);
  ({ id: endpoint } = await addEndpoint(engine, company, 'http://127.0.0.1:9/'));
});

const remaining = () => rows.eventIds(company.id);
const deletePass = (before: Date, limit = 1_000) =>
  deleteOldEvents(engine.context.db, { position: 0, before, limit });

describe('old events', () => {
  it('are deleted by the sweeper with their deliveries and attempts, after RETENTION_EVENTS', async () => {
    const paid = await rows.payment(company.id, { status: 'approved' });
    const old = await rows.event(company.id, { subject: paid, createdAt: daysAgo(61) });
    const young = await rows.event(company.id, { subject: paid, createdAt: daysAgo(59) });
    for (const event of [old, young]) await rows.delivery(event, endpoint, 'delivered', 2);
    await engine.sweeper.sweepOnce();
    expect(await remaining()).toEqual([young]);
    expect(await rows.counts()).toEqual({ deliveries: 1, attempts: 2 });
  });

  it('are deleted exactly if nothing needs them: no delivery is pending, and the payment is closed', async () => {
    const status = fc.constantFrom(
      ...(['processing', 'pending', 'authorized', 'approved', 'failed', 'refunded', 'canceled'] as const),
    );
    const event = fc.record({
      age: fc.constantFrom(59, 61),
      deliveries: fc.array(fc.constantFrom('pending', 'delivered', 'failed'), { maxLength: 2 }),
      payment: fc.option(
        fc.record({
          status,
          isStuck: fc.boolean(),
          isRecovered: fc.boolean(),
          dispute: fc.option(fc.constantFrom('opened', 'submitted', 'won', 'lost', 'accepted')),
        }),
      ),
    });
    const endpoints = [endpoint, (await addEndpoint(engine, company, 'http://127.0.0.1:9/other')).id];
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 4 }),
        async (events, limit) => {
          await rows.deleteAll();
          const kept: number[] = [];
          for (const { age, deliveries, payment } of events) {
            const subject = payment === null ? null : await rows.payment(company.id, payment);
            const id = await rows.event(company.id, { subject, createdAt: daysAgo(age) });
            for (const [index, state] of deliveries.entries())
              await rows.delivery(id, endpoints[index] ?? 0, state, 1);
            if (age < 60 || deliveries.includes('pending') || isOpen(payment)) kept.push(id);
          }
          for (let position: number | null = 0; position !== null;) {
            const looked = { position, before: daysAgo(60), limit };
            ({ position } = await deleteOldEvents(engine.context.db, looked));
          }
          expect(await remaining()).toEqual(kept);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stay if one of their deliveries is being resent, and a resend after the deletion finds nothing', async () => {
    const { db, deliveries } = engine.context;
    const resent = await rows.event(company.id, { subject: null, createdAt: daysAgo(61) });
    const delivery = await rows.delivery(resent, endpoint, 'failed', 10);
    const resend = await db.sequelize.transaction();
    await deliveries.requeue(resend, endpoint, delivery, new Date());
    const deleting = deletePass(daysAgo(60));
    await waitFor(async () => (await waitingForLocks(db)) > 0);
    await resend.commit();
    expect(await deleting).toMatchObject({ old: 1, deleted: 0 });
    await deliveries.markFailed(delivery);
    expect(await deletePass(daysAgo(60))).toMatchObject({ deleted: 1 });
    const late = await db.inTransaction((tx) => deliveries.requeue(tx, endpoint, delivery, new Date()));
    expect(late).toBeNull();
  });
});

describe('a pass', () => {
  it('reads the rows that are old, and one batch of those that are not, however many there are', async () => {
    await rows.manyEvents(company.id, 30, daysAgo(61));
    await rows.manyEvents(company.id, 500, daysAgo(1));
    const passes = new RetentionPasses(engine.context.db);
    const looked: Array<number | null> = [];
    const next = async (now: Date) =>
      passes.next('event', now, async (position) => {
        const batch = await deleteOldEvents(engine.context.db, { position, before: daysAgo(60), limit: 20 });
        looked.push(batch.position === null ? null : batch.position - position);
        return batch;
      });
    const now = new Date();
    const deleted = [await next(now), await next(now), await next(now), await next(now)];
    expect(deleted).toEqual([20, 10, 0, 0]);
    expect(looked).toHaveLength(3);
    expect(await next(new Date(now.getTime() + 3_600_000))).toBe(0);
    expect(looked).toHaveLength(4);
  });

  it('is done by one worker at a time, and goes on where a worker died', async () => {
    const passes = new RetentionPasses(engine.context.db);
    const now = new Date();
    const batch = { position: 7, old: 3, deleted: 3 };
    await passes.next('event', now, async () => batch);
    const positions: number[] = [];
    const die = async (position: number) => {
      positions.push(position);
      await passes.next('event', now, () => Promise.reject(new Error('two workers in one batch')));
      throw new Error('died');
    };
    await expect(passes.next('event', now, die)).rejects.toThrow('died');
    expect(await passes.next('event', new Date(now.getTime() + 59_000), async () => batch)).toBe(0);
    const later = new Date(now.getTime() + 60_000);
    await passes.next('event', later, async (position) => {
      positions.push(position);
      return { position: null, old: 0, deleted: 0 };
    });
    expect(positions).toEqual([7, 7]);
  });
});

describe('old bodies of callbacks', () => {
  it('are deleted exactly if the callback is processed and the payment is closed; the rows stay', async () => {
    const closed = await rows.payment(company.id, { status: 'approved' });
    const open = await rows.payment(company.id, { status: 'pending' });
    const gone = await rows.callback(closed, { receivedAt: daysAgo(51), isProcessed: true });
    const kept = [
      await rows.callback(closed, { receivedAt: daysAgo(49), isProcessed: true }),
      await rows.callback(closed, { receivedAt: daysAgo(51), isProcessed: false }),
      await rows.callback(open, { receivedAt: daysAgo(51), isProcessed: true }),
    ];
    await engine.sweeper.sweepOnce();
    expect(await rows.callbacksWithBody()).toEqual([
      { id: gone, hasBody: false },
      ...kept.map((id) => ({ id, hasBody: true })),
    ]);
    const again = { position: 0, before: daysAgo(50), limit: 10 };
    expect(await deleteOldCallbackBodies(engine.context.db, again)).toMatchObject({ old: 3, deleted: 0 });
  });

  it('are not what is deleted of unsigned callbacks, which go as a whole after RETENTION_UNSIGNED_CALLBACKS', async () => {
    const closed = await rows.payment(company.id, { status: 'approved' });
    const unsigned = (days: number) =>
      rows.callback(closed, { receivedAt: daysAgo(days), isProcessed: true, isTrusted: false });
    await unsigned(41);
    const young = await unsigned(39);
    await engine.sweeper.sweepOnce();
    expect(await rows.callbacksWithBody()).toEqual([{ id: young, hasBody: false }]);
  });
});

interface PaymentState {
  readonly status: string;
  readonly isStuck: boolean;
  readonly isRecovered: boolean;
  readonly dispute: string | null;
}

function isOpen(payment: PaymentState | null): boolean {
  if (payment === null) return false;
  const { status, isStuck, isRecovered, dispute } = payment;
  const isUnfinished = ['processing', 'pending', 'authorized'].includes(status);
  return isUnfinished || isStuck || isRecovered || dispute === 'opened' || dispute === 'submitted';
}
