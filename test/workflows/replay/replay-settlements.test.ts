import type { SettlementToStart } from '../../../src/domain/settlement/settlement';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { found, pendingPix, sale } from '../../api/support/payment-scenario';
import { upload } from '../../api/settlement/statement-file';
import { recording, saveHistory } from '../../support/scenarios/histories';
import { expectReplay } from '../../support/scenarios/replay';
import { waitFor } from '../../support/stack/wait-for';
import { wakeSignal } from '../../../workflows/messages';
import { settlementWorkflowId } from '../../../workflows/settlement/messages';
import { TODAY } from '../settlement/settlement-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

it('settlement-uploaded: the history replays with the current workflow code', async () => {
  const name = 'settlement-uploaded';
  const { byKey, byToken, user } = await registerCompanyWithUser(api);
  await sale(byKey, { amount: 5_000 });
  const headers = { authorization: `Bearer ${user.registered.token}` };
  const file = `line_id,kind,day,amount,fee,net,currency\nfee-1,fee,${TODAY},0,50,-50,BRL\n`;
  const sent = await upload(api.baseUrl, headers, { gateway: 'gateway_1', day: TODAY }, file);
  const params = { id: sent.body.data?.id ?? '' };
  const { data } = expectStatus(await byToken('getSettlement', { params }), 200).body;
  const workflowId = `settlement/gateway_1/${data.account_id}/${TODAY}`;
  const handle = api.engine.context.temporal.workflow.getHandle(workflowId);
  await handle.result();
  const history = await expectReplay(api.engine, handle);
  if (recording) saveHistory(name, history);
});

/** Begins the fetch of today's statement, as the sweeper does. */
async function beginFetch(companyId: number): Promise<SettlementToStart> {
  const { context, sweeper } = api.engine;
  const [accountId = null] = await context.settlements.listAccounts(companyId, 'gateway_1');
  const account = { companyId, gateway: 'gateway_1', accountId } as const;
  const settlementId = await context.settlements.insertToFetch(account, TODAY, context.now());
  if (settlementId === null) throw new Error('there is a settlement of this day already');
  await sweeper.sweepOnce();
  return { settlementId, ...account, day: TODAY };
}

/** Until its workflow waits for the next step, which a signal then makes at once. */
async function untilPaused(settlement: SettlementToStart): Promise<void> {
  await waitFor(async () => {
    const { events } = await handleOf(settlement).fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes);
  });
}

function handleOf(settlement: SettlementToStart) {
  return api.engine.context.temporal.workflow.getHandle(settlementWorkflowId(settlement));
}

/** Runs it to its end, and replays and records its history. */
async function finish(name: string, settlement: SettlementToStart): Promise<void> {
  const handle = handleOf(settlement);
  await handle.signal(wakeSignal);
  await handle.result();
  expect(await api.engine.context.settlements.find(settlement.settlementId)).toMatchObject({
    status: 'done',
  });
  const history = await expectReplay(api.engine, handle);
  if (recording) saveHistory(name, history);
}

it('settlement-fetched-later: the history of a statement that the gateway sent on the second try replays', async () => {
  const { byKey, companyId, keys } = await registerCompanyWithUser(api);
  await sale(byKey, { amount: 5_000 });
  const secret = `sk_test_${keys['X-Client-ID']}`;
  await api.engine.simulator.setUpAccount(secret, { revoked: true });
  const settlement = await beginFetch(companyId);
  await untilPaused(settlement);
  await api.engine.simulator.setUpAccount(secret, {});
  await finish('settlement-fetched-later', settlement);
});

it('settlement-waiting: the history of a statement that waited for the outcome of a payment replays', async () => {
  const { byKey, companyId, keys } = await registerCompanyWithUser(api);
  await api.engine.simulator.setUpAccount(`sk_test_${keys['X-Client-ID']}`, { callback_url: null });
  const pix = await pendingPix(byKey, { amount: 7_000 });
  await api.engine.simulator.pay(pix.transaction_id);
  const settlement = await beginFetch(companyId);
  await untilPaused(settlement);
  await waitFor(async () => {
    await api.engine.sweeper.sweepOnce();
    return (await found(byKey, pix)).status === 'approved';
  });
  await finish('settlement-waiting', settlement);
});
