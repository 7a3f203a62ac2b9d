import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startMetricsServer } from '../../../src/composition/metrics';
import { freePort } from '../../../src/dev/ports';
import { Metrics } from '../../../src/metrics/metrics';
import { serveMetrics, type MetricsServer } from '../../../src/metrics/metrics-server';
import { projectRoot } from '../../../src/paths';
import { RestoreRepository } from '../../../src/persistence/restore/restore-repository';
import { insertCompany, insertCustomer } from '../../support/fixtures/companies';
import { holdCharge, insertPlan, insertSubscription } from '../../support/fixtures/recurring-rows';
import {
  findPrometheus,
  namedPromtool,
  startPrometheus,
  type AlertState,
  type RunningPrometheus,
} from '../../support/processes/prometheus';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { examplePaymentRequest } from '../support/payment-examples';

const RULES = join(projectRoot, 'docs/operations/alerts.yaml');

const program = findPrometheus();
if (program === null) {
  it('the alert rules in Prometheus are left out, because the program is missing', () =>
    expect(namedPromtool).toBeUndefined());
} else describe('Prometheus with the alert rules, while it scrapes the service', () => define(program));

/** Of alerts whose condition has to last, it shows that the condition is true: they are `pending` for that time. */
function define(file: string): void {
  let api: EngineApi;
  let served: MetricsServer | null;
  let otherProcess: MetricsServer;
  let prometheus: RunningPrometheus;
  beforeAll(async () => {
    const [port, otherPort] = [await freePort(), await freePort()];
    api = await startEngineApi({ METRICS_PORT: String(port) }, { workers: 'payments' });
    served = await startMetricsServer(api.engine.config, api.engine.context, [], api.engine.tracing);
    otherProcess = await serveMetrics(new Metrics(), { host: '127.0.0.1', port: otherPort });
    prometheus = await startPrometheus(file, RULES, [`127.0.0.1:${port}`, `127.0.0.1:${otherPort}`]);
  });
  afterAll(async () => {
    await prometheus.stop();
    await served?.close();
    await api.stop();
  });

  const sql = (text: string, values: unknown[] = []) => api.engine.context.db.query(text, values);
  const payment = () => ({ body: { ...examplePaymentRequest(), amount: uniqueAmount() } });
  const accepted = async (client: ApiClient): Promise<string> =>
    expectStatus(await client('createCardPayment', payment()), 200).body.transaction_id;

  /** Makes more of the condition until the alert shows it: a rate needs growth between two scrapes. */
  async function untilAlert(alert: string, state: AlertState, more?: () => Promise<unknown>): Promise<void> {
    const seen = async () => {
      await more?.();
      return (await prometheus.alerts()).get(alert) === state;
    };
    await waitFor(seen, { what: `${alert} to be ${state}`, withinMs: 40_000, everyMs: 500 });
  }

  it('has no alert while payments are approved, and counts those payments', async () => {
    const client = await registerWithGateways(api);
    for (let count = 0; count < 5; count += 1) await accepted(client);
    const requests = 'sum(payment_engine_http_request_duration_seconds_count{route="createCardPayment"})';
    await waitFor(async () => (await prometheus.query(requests)).get('{}') === 5);
    await waitFor(async () => (await prometheus.query('count(up == 1)')).get('{}') === 2);
    // Before the first scrape the metrics are missing, and the machine that runs the tests may be too busy for one process.
    const busy = 'PaymentEngineEventLoopBlocked';
    await waitFor(async () => [...(await prometheus.alerts()).keys()].every((alert) => alert === busy));
  });

  it('sees a payment that waits for a person, one that no worker goes on with, and a renewal on hold', async () => {
    const { context } = api.engine;
    const client = await registerWithGateways(api);
    const [stuck, overdue] = [await accepted(client), await accepted(client)];
    await sql(`UPDATE payments SET stuck_at = now() - interval '2 hours' WHERE transaction_id = $1`, [stuck]);
    await sql(`UPDATE payments SET recover_after = now() - interval '1 hour' WHERE transaction_id = $1`, [
      overdue,
    ]);
    const companyId = await insertCompany(context);
    const customer = await context.db.inTransaction((tx) => insertCustomer(context, tx, companyId));
    const planId = await insertPlan(context.db, companyId);
    const held = await insertSubscription(context.db, { companyId, customerId: customer.id, planId });
    await holdCharge(context.db, held, new Date().toISOString());
    await untilAlert('PaymentEnginePaymentsWaitForPerson', 'firing');
    await untilAlert('PaymentEngineWorkNotPickedUp', 'pending');
    await untilAlert('PaymentEngineRenewalsHeld', 'pending');
  });

  it('sees a gateway that rejects credentials, fires, and sees the circuit that opens', async () => {
    const secret = `sk_test_${randomUUID()}`;
    await api.engine.simulator.setUpAccount(secret, {});
    const client = await registerWithGateways(api, ['gateway_2'], () => secret);
    await api.engine.simulator.setUpAccount(secret, { revoked: true });
    await untilAlert('PaymentEngineCredentialsRejected', 'firing', () =>
      client('createCardPayment', payment()),
    );
    await untilAlert('PaymentEngineCircuitsOpen', 'pending');
  });

  it('sees that a gateway leaves outcomes unknown', async () => {
    const client = await registerWithGateways(api, ['gateway_3']);
    await untilAlert('PaymentEngineOutcomesUnknown', 'pending', async () => {
      const request = payment();
      const { amount } = request.body;
      await api.engine.simulator.script({ amount, operation: 'charge' }, { drop: 'after' });
      await client('createCardPayment', request);
    });
  });

  it('sees that requests are answered 503', async () => {
    const client = await registerWithGateways(api);
    const restores = new RestoreRepository(api.engine.context.db);
    await restores.begin(new Date(Date.now() - 60_000), new Date());
    await api.engine.context.restoreState.refresh();
    await untilAlert('PaymentEngineRequestsFail', 'pending', async () =>
      expectStatus(await client('createCardPayment', payment()), 503),
    );
  });

  it('sees a process that has ended', async () => {
    await otherProcess.close();
    await untilAlert('PaymentEngineProcessDown', 'pending');
  });

  it('sees that the database cannot be read', async () => {
    await sql('ALTER TABLE gateway_callbacks RENAME TO gone');
    await untilAlert('PaymentEngineDatabaseUnreadable', 'pending');
  });

  it('sees that no process serves metrics', async () => {
    await served?.close();
    served = null;
    await untilAlert('PaymentEngineMetricsMissing', 'pending');
  });
}
