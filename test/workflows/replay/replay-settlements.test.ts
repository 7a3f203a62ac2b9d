import { expectStatus } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { upload } from '../../api/settlement/statement-file';
import { recording, saveHistory } from '../../support/scenarios/histories';
import { expectReplay } from '../../support/scenarios/replay';
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
