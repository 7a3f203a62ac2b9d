import { NativeConnection, type Worker } from '@temporalio/worker';
import { createAppContext, type AppContext } from '../../../src/composition/app-context';
import { createActivityDeps, createPaymentWorker } from '../../../src/composition/worker';
import type { Config } from '../../../src/config';
import { newSubAccountId } from '../../../src/domain/shared/ids';
import type { Recipient } from '../../../src/gateways/gateway';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { encryptionContext } from '../../../src/security/encryption-context';
import { RecipientWorkflows, type RecipientToStart } from '../../../src/temporal/recipients';
import { individual } from '../../unit/domain/subaccount-fixtures';
import '../../support/stack/quiet-runtime';
import { testConfig } from '../../support/stack/test-config';
import { readStack } from '../../support/stack/stack';
import { waitFor } from '../../support/stack/wait-for';
import { sameGateways } from '../../support/same-gateways';

/** A gateway that accepts a pending recipient when the test calls `accept`. */
class AcceptingDriver extends SimulatorDriver {
  private readonly accepted = new Set<string>();

  accept(reference: string): void {
    this.accepted.add(reference);
  }

  /** The inquiries about recipients that wait for consent, by their references. */
  readonly links = new Map<string, number>();

  override async findRecipient(
    ...[ctx, reference]: Parameters<SimulatorDriver['findRecipient']>
  ): Promise<Recipient | null> {
    const found = await super.findRecipient(ctx, reference);
    const link = this.links.get(reference);
    if (found !== null && link !== undefined && !this.accepted.has(reference)) {
      this.links.set(reference, link + 1);
      return { ...found, status: 'needs_consent', consentUrl: `https://vendor.example/consent/${link + 1}` };
    }
    return found && this.accepted.has(reference) ? { ...found, status: 'active', message: null } : found;
  }
}

const driver = new AcceptingDriver();
let config: Config;
let context: AppContext;
let connection: NativeConnection;
let worker: Worker;
let running: Promise<void>;
let recipients: RecipientWorkflows;

beforeAll(async () => {
  config = testConfig();
  const composed = createAppContext(config);
  const registry = new GatewayRegistry({ drivers: new Map([['gateway_1', driver]]), ...config.gateways });
  context = { ...composed, registries: sameGateways(registry) };
  connection = await NativeConnection.connect({ address: readStack().temporalAddress });
  const deps = createActivityDeps(config, context, {
    warn: () => undefined,
    error: () => undefined,
  });
  worker = await createPaymentWorker({
    config,
    context,
    deps,
    connection,
    bundlePath: readStack().workflowBundlePath,
  });
  running = worker.run();
  recipients = new RecipientWorkflows(context.temporal, config.temporal.taskQueue);
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await Promise.all([context.temporal.connection.close(), context.db.close()]);
  await connection.close();
});

async function newSubAccount(document: string): Promise<RecipientToStart> {
  const id = newSubAccountId();
  const company = await context.companies.insert({
    mode: 'test',
    name: 'Loja',
    clientId: id,
    apiKeyHash: id,
  });
  const information = JSON.stringify(individual({ document }));
  return context.subAccounts.insertOrRestart({
    id,
    companyId: company.id,
    gatewaySlug: 'gateway_1',
    informationHash: id,
    sealedInformation: await context.envelope.seal(information, encryptionContext.subAccount(company.id, id)),
    name: 'Maria Souza',
    documentMasked: '***',
  });
}

const soon = (): Date => new Date(Date.now() + 10_000);
const runOf = ({ id }: RecipientToStart) => context.temporal.workflow.getHandle(`recipient/${id}`);

it('a pending recipient is returned at once, and its workflow polls until the gateway accepts it', async () => {
  const subAccount = await newSubAccount('52998224700');
  expect(await recipients.awaitRecipient(subAccount, soon())).toMatchObject({ status: 'pending' });
  expect((await runOf(subAccount).describe()).status.name).toBe('RUNNING');
  driver.accept(subAccount.id);
  expect(await runOf(subAccount).result()).toEqual({ status: 'active', message: null });
  expect(await context.subAccounts.get(subAccount.id)).toMatchObject({ status: 'active' });
});

it('a request for a recipient that waits for consent is answered after the gateway gave a new link', async () => {
  const subAccount = await newSubAccount('52998224700');
  driver.links.set(subAccount.id, 0);
  await recipients.awaitRecipient(subAccount, soon());
  const { consentUrl } = await waitFor(async () => {
    const row = await context.subAccounts.get(subAccount.id);
    return row.consentUrl !== null && row;
  });
  const known = driver.links.get(subAccount.id) ?? 0;
  const answer = await recipients.awaitRecipient({ ...subAccount, consentUrl }, soon());
  expect(answer).toMatchObject({ status: 'pending' });
  expect(driver.links.get(subAccount.id)).toBeGreaterThan(known);
  expect((await context.subAccounts.get(subAccount.id)).consentUrl).not.toBe(consentUrl);
  driver.accept(subAccount.id);
  expect(await runOf(subAccount).result()).toEqual({ status: 'active', message: null });
});

it('concurrent requests share one run, and a run with nothing to do answers and ends', async () => {
  const subAccount = await newSubAccount('52998224725');
  const answers = await Promise.all([1, 2, 3].map(() => recipients.awaitRecipient(subAccount, soon())));
  expect(answers).toEqual(Array(3).fill({ status: 'active', message: null }));
  expect(await recipients.awaitRecipient(subAccount, soon())).toEqual({ status: 'active', message: null });
  await waitFor(async () => (await runOf(subAccount).describe()).status.name === 'COMPLETED');
});

it('a cancellation does not stop the workflow, because a request may be in flight', async () => {
  const subAccount = await newSubAccount('52998224700');
  await recipients.awaitRecipient(subAccount, soon());
  await runOf(subAccount).cancel();
  driver.accept(subAccount.id);
  expect(await runOf(subAccount).result()).toEqual({ status: 'active', message: null });
});

it('the Temporal UI shows the status, and the history contains no personal data', async () => {
  const subAccount = await newSubAccount('52998224700');
  await recipients.awaitRecipient(subAccount, soon());
  const { staticSummary, currentDetails } = await waitFor(async () => {
    const description = await runOf(subAccount).describe();
    const details = await runOf(subAccount).query<{ currentDetails?: string }>(
      '__temporal_workflow_metadata',
    );
    return { staticSummary: await description.staticSummary(), currentDetails: details.currentDetails };
  });
  expect(staticSummary).toBe('recipient at gateway_1');
  expect(currentDetails).toContain('**Status: pending** (documents are being checked)');
  const history = await runOf(subAccount).fetchHistory();
  const codec = context.dataConverter.payloadCodecs?.[0];
  const payloads = (history.events ?? []).flatMap(
    (event) => event.workflowExecutionStartedEventAttributes?.input?.payloads ?? [],
  );
  const { workflowId } = runOf(subAccount);
  const decoded = await codec?.decode(payloads, {
    type: 'workflow',
    namespace: readStack().temporalNamespace,
    workflowId,
  });
  const input = Buffer.from(decoded?.[0]?.data ?? []).toString();
  expect(JSON.parse(input)).toEqual({ subAccountId: subAccount.id });
  driver.accept(subAccount.id);
});
