import type { Transaction } from 'sequelize';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { webhooksOf } from '../../support/fixtures/webhooks';
import { newTransactionId } from '../../../src/domain/shared/ids';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

function publish(tx: Transaction, companyId: number) {
  return engine.context.events.publish(tx, {
    companyId,
    resourceType: 'payment',
    resourceId: newTransactionId(),
    sequence: 1,
    type: 'transaction.approved',
    payload: '{}',
    createdAt: new Date(),
  });
}

function list(companyId: number, after: string | null = null, limit = 10) {
  return webhooksOf(engine).listEvents.execute(companyId, { after, type: null, limit });
}

describe('the list of events', () => {
  it('contains events without subscribers', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company);
    const { events } = await waitFor(async () => {
      const page = await list(company.id);
      return page.events.length > 0 && page;
    });
    expect(events).toMatchObject([{ type: 'transaction.approved' }]);
    expect(JSON.parse(events[0]?.payload ?? '')).toEqual({
      ...body,
      event: 'transaction.approved',
      sequence: 1,
    });
  });

  it('returns every event of the company once when it is read page by page', async () => {
    const company = await newCompany(engine);
    const other = await newCompany(engine);
    const { db } = engine.context;
    for (const { id } of [company, company, other, company, company, company]) {
      await db.inTransaction((tx) => publish(tx, id));
    }
    const all = await waitFor(async () => {
      const page = await list(company.id);
      return page.events.length === 5 && page;
    });
    const read: number[] = [];
    let page = await list(company.id, null, 2);
    for (;;) {
      read.push(...page.events.map(({ id }) => id));
      if (!page.hasMore) break;
      page = await list(company.id, page.nextAfter, 2);
    }
    expect(read).toEqual(all.events.map(({ id }) => id));
    expect(await list(company.id, page.nextAfter)).toEqual({
      events: [],
      nextAfter: page.nextAfter,
      hasMore: false,
    });
  });

  it('never shows an event before an earlier one whose transaction commits later', async () => {
    const company = await newCompany(engine);
    const { sequelize } = engine.context.db;
    const slow = await sequelize.transaction();
    await publish(slow, company.id);
    await engine.context.db.inTransaction((tx) => publish(tx, company.id));
    const early = await list(company.id);
    expect(early.events).toEqual([]);
    await slow.commit();
    const after = await waitFor(async () => {
      const page = await list(company.id, early.nextAfter);
      return page.events.length === 2 && page;
    });
    const ids = after.events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });
});
