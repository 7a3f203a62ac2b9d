import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { verifyAddress } from './team-api';
import { registerUser, registration, type TestUser } from './user-api';

const OPERATOR_EMAIL = registration().email;

let api: EngineApi;
let operator: TestUser;
beforeAll(async () => {
  api = await startEngineApi({ SUPPORT_EMAILS: OPERATOR_EMAIL.toUpperCase() });
  operator = await registerUser(api, { email: OPERATOR_EMAIL });
});
afterAll(() => api.stop());

const status = async () => expectStatus(await operator.client('getSystemStatus'), 200).body.data;

describe('GET /user/system-status', () => {
  it('does not exist for an operator’s email that nobody has proved to read, nor for other users', async () => {
    const answer = await operator.client('getSystemStatus');
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(expectStatus(await operator.client('getMe'), 200).body.data.operator).toBe(false);
    await verifyAddress(api, operator.registered.user.id);
    expect(expectStatus(await operator.client('getMe'), 200).body.data.operator).toBe(true);
    await status();
    const other = await registerUser(api);
    await verifyAddress(api, other.registered.user.id);
    expectStatus(await other.client('getSystemStatus'), 404);
    expect(expectStatus(await other.client('getMe'), 200).body.data.operator).toBe(false);
  });

  it('counts what waits and the open circuits over all companies, as the metrics do', async () => {
    const { db, circuits } = api.engine.context;
    const company = operator.registered.user.company_id;
    const before = await status();
    const openOf = ({ circuits: states }: typeof before) =>
      states?.find(({ gateway }) => gateway === 'gateway_3')?.open;
    const failure = { at: new Date(), reason: 'refused', opensAtOnce: true, openForMs: 60_000 };
    await db.inTransaction((tx) =>
      circuits.recordFailure(tx, { companyId: company, slug: 'gateway_3' }, failure),
    );
    const after = await status();
    expect(openOf(after)).toBe((openOf(before) ?? 0) + 1);
    expect(after.backlog?.map(({ kind }) => kind)).toEqual(before.backlog?.map(({ kind }) => kind));
    expect(after.backlog).toContainEqual({ kind: 'payment_review', count: 0, oldest_age_seconds: 0 });
  });

  it('shows the task queues of Temporal with the workers that poll them', async () => {
    const { task_queues: queues } = await status();
    expect(queues?.map(({ queue, tasks }) => `${queue} ${tasks}`)).toEqual([
      'main workflow',
      'main activity',
      'webhooks workflow',
      'webhooks activity',
    ]);
    expect(queues?.every(({ pollers }) => pollers > 0)).toBe(true);
  });

  it('tells of the process that answers its connections and how often it waited for one', async () => {
    const { process: answering } = await status();
    expect(answering).toMatchObject({ pid: process.pid, connections: { max: expect.any(Number) } });
    expect(answering.connection_waits.count).toBeGreaterThan(0);
  });
});
