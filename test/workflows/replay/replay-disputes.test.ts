import type { ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { recording, saveHistory } from '../../support/scenarios/histories';
import { expectReplay } from '../../support/scenarios/replay';
import { waitFor } from '../../support/stack/wait-for';
import { disputeEvents, ReportedDispute, untilDispute } from '../disputes/dispute-scenario';

let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  ({ byKey, byToken } = await registerCompanyWithUser(api));
});
afterAll(() => api.stop());

/** Each scenario returns the id of a dispute that is decided. */
const SCENARIOS: Readonly<Record<string, () => Promise<string>>> = {
  'dispute-lost': async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    await dispute.report({ status: 'opened', amount: 5_000, after: 0 });
    await untilDispute(byToken, payment, 'opened');
    await dispute.report({ status: 'lost', amount: 5_000, after: 1 });
    return (await untilDispute(byToken, payment, 'lost')).id;
  },
  'dispute-reminded-and-won': async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    const dispute = new ReportedDispute(api, payment);
    const evidence_due_at = new Date(Date.now() + 3_600_000).toISOString();
    await dispute.report({ status: 'opened', amount: 5_000, after: 0, evidence_due_at });
    const { id } = await untilDispute(byToken, payment, 'opened');
    await waitFor(async () => (await disputeEvents(api, id)).length === 2);
    await dispute.report({ status: 'won', amount: 5_000, returned_amount: 5_000, after: 1 });
    await untilDispute(byToken, payment, 'won');
    return id;
  },
  'dispute-decided-at-once': async () => {
    const payment = await sale(byKey, { amount: 5_000 });
    await new ReportedDispute(api, payment).report({ status: 'lost', amount: 5_000, after: 1 });
    return (await untilDispute(byToken, payment, 'lost')).id;
  },
};

it.each(Object.keys(SCENARIOS))('%s: the history replays with the current workflow code', async (name) => {
  const workflowId = `dispute/${(await SCENARIOS[name]?.()) ?? ''}`;
  const handle = api.engine.context.temporal.workflow.getHandle(workflowId);
  await handle.result();
  const history = await expectReplay(api.engine, handle);
  if (recording) saveHistory(name, history);
});
