import { deleteOldEvents } from '../../../src/persistence/retention/old-events';
import { paymentRequest } from '../../support/fixtures/payments';
import { RetentionRows } from '../../support/fixtures/retention-rows';
import { expectStatus } from '../support/api-client';
import { waitFor } from '../../support/stack/wait-for';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

let api: EngineApi;
let rows: RetentionRows;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  rows = new RetentionRows(api.engine.context.db);
});
afterAll(() => api.stop());

const SUBJECTS = 6;
const RARE = 'transaction.refunded';

/** A company of whose six events the first `old` are deleted after it has read its first page of two. The third has a rare type. */
async function companyWithDeleted(old: number) {
  const client = await registerWithGateways(api);

  expectStatus(await client('createCardPayment', { body: paymentRequest() }), 200);
  const listed = await waitFor(async () => {
    const { data } = expectStatus(await client('listEvents'), 200).body;
    return data[0];
  });
  for (let index = 0; index < SUBJECTS; index += 1) {
    const createdAt = new Date(index < old ? '2026-01-01' : Date.now());
    await rows.copyEvent(listed.id, { type: index === 2 ? RARE : 'transaction.approved', createdAt });
  }
  const { db } = api.engine.context;
  await db.query('DELETE FROM events WHERE id = $1', [listed.id]);
  // Events are listed once no older transaction of the server is open.
  await waitFor(async () => expectStatus(await client('listEvents'), 200).body.data.length === SUBJECTS);
  const first = expectStatus(await client('listEvents', { query: { per_page: 2 } }), 200).body;
  await deleteOldEvents(db, { position: 0, before: new Date('2026-02-01'), limit: 100_000 });
  const read = (query: { after?: string; type?: typeof RARE | 'transaction.approved' }) =>
    client('listEvents', { query });
  return { first, read };
}

describe('GET /events after old events were deleted', () => {
  it('begins with the oldest event that is kept', async () => {
    const { first, read } = await companyWithDeleted(2);
    const { data } = expectStatus(await read({}), 200).body;
    expect(data).toHaveLength(4);
    expect(data[0]?.id).toBeGreaterThan(first.data[1]?.id ?? 0);
  });

  it('answers 410 if an event after the cursor was deleted, so that no reader misses one unnoticed', async () => {
    const { first, read } = await companyWithDeleted(4);
    const answer = expectStatus(await read({ after: first.meta.next_after ?? '' }), 410);
    expect(answer.body).toMatchObject({ code: 'cursor_expired' });
    expect(answer.body.message).toContain("start again without 'after'");
  });

  it('goes on if the reader has seen every deleted event', async () => {
    const { first, read } = await companyWithDeleted(2);
    const { data } = expectStatus(await read({ after: first.meta.next_after ?? '' }), 200).body;
    expect(data).toHaveLength(4);
  });

  it('goes on with a rare type if only events of other types were deleted', async () => {
    const { first, read } = await companyWithDeleted(4);
    const after = first.meta.next_after ?? '';
    expectStatus(await read({ after, type: RARE }), 410);
    const rare = await companyWithDeleted(2);
    expectStatus(await rare.read({ after: '0-0', type: 'transaction.approved' }), 410);
    const { data } = expectStatus(await rare.read({ after: '0-0', type: RARE }), 200).body;
    expect(data).toHaveLength(1);
  });

  it('tells nothing of another company: its deleted events leave the cursors of others alone', async () => {
    const kept = await companyWithDeleted(0);
    await companyWithDeleted(6);
    expectStatus(await kept.read({ after: kept.first.meta.next_after ?? '' }), 200);
  });
});
