import type { Transaction } from 'sequelize';
import { startEngine, type Engine } from '../../support/stack/engine';
import { pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { addEndpoint, verifyWebhook, webhooksOf } from '../../support/fixtures/webhooks';
import { presentEvent } from '../../../src/presenters/webhook';
import { startWebhookReceiver } from '../../support/stack/webhook-receiver';
import { newTransactionId } from '../../../src/domain/shared/ids';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'all' });
});
afterAll(() => engine.stop());

function publish(tx: Transaction, companyId: number) {
  return engine.context.events.publish(tx, {
    companyId,
    subject: { type: 'payment', id: newTransactionId() },
    sequence: 1,
    type: 'transaction.approved',
    content: {},
    personal: null,
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
    expect(events).toMatchObject([
      { type: 'transaction.approved', subject: { type: 'payment', id: body.transaction_id }, sequence: 1 },
    ]);
    expect(events[0]?.content).toEqual(body);
  });

  it('has the same event id and body as every webhook of the event, so that duplicates are detected by one id', async () => {
    const company = await newCompany(engine);
    const receiver = await startWebhookReceiver();
    const endpoints = [
      await addEndpoint(engine, company, receiver.url),
      await addEndpoint(engine, company, `${receiver.url}/other`),
    ];
    const { body } = await pay(engine, company);
    const received = await waitFor(() => receiver.received.length === 2 && receiver.received);
    receiver.close();
    const { events } = await waitFor(async () => {
      const page = await list(company.id);
      return page.events.length > 0 && page;
    });
    const [listed] = events.map(presentEvent);
    expect(listed?.body).toMatchObject({
      event_id: events[0]?.id,
      mode: 'test',
      subject: { type: 'payment', id: body.transaction_id },
      sequence: 1,
    });
    for (const webhook of received) {
      const endpoint = endpoints[webhook.path.endsWith('/other') ? 1 : 0];
      expect(verifyWebhook(webhook, endpoint?.secret ?? '')).toEqual(listed?.body);
    }
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
      cursors: [],
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
