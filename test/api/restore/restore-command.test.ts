import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnv } from '../../../src/config';
import { projectRoot } from '../../../src/paths';
import { uniqueAmount } from '../../support/scenarios/pay';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { sale } from '../support/payment-scenario';

let api: EngineApi;
const folder = mkdtempSync(join(tmpdir(), 'restore-command-'));
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

/** `npm run restore` on the service's database, from the sources. Returns its exit code and its output. */
function restore(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const { databaseUrl = '', temporal } = api.engine.config;
  const env = childEnv({
    SANDBOX: 'true',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address ?? '',
  });
  const program = ['--import', require.resolve('tsx'), join(projectRoot, 'src', 'restore.ts')];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...program, ...args],
      { env, cwd: projectRoot },
      (_, out, error) => resolve({ code: child.exitCode ?? -1, output: out + error }),
    );
  });
}

function report(...lines: readonly object[]): string {
  const file = join(folder, `${randomUUID()}.jsonl`);
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

it('a restore goes from begin through import and settle to finish, and finish waits for each step', async () => {
  const client = await registerWithGateways(api);
  const payment = await sale(client, { amount: uniqueAmount() });
  const { entries } = await api.engine.simulator.ledger(payment.transaction_id);
  const known = {
    gateway: 'gateway_1',
    gateway_transaction_id: entries[0]?.charge_id,
    reference: `${payment.transaction_id}-1`,
    status: 'approved',
    amount: payment.amount,
    captured: payment.amount,
    refunded: 0,
    changed_at: new Date().toISOString(),
  };
  const lost = { ...known, gateway_transaction_id: randomUUID(), reference: `${randomUUID()}-1` };
  const moment = new Date(Date.now() - 60_000).toISOString();

  expect(await restore('begin', 'yesterday')).toMatchObject({ code: 1 });
  expect(await restore('begin', moment)).toMatchObject({ code: 0 });
  expect((await restore('begin', moment)).output).toContain('in progress already');
  expect((await restore('finish')).output).toContain('nothing was imported yet');
  expect((await restore('import', report({ ...known, amount: '1' }))).output).toContain(
    'line 1: amount must',
  );

  const behind = { ...known, captured: payment.amount - 1 };
  expect((await restore('import', report(behind, lost))).output).toContain('waiting: 2');
  const again = await restore('import', report(known, lost));
  expect(again).toMatchObject({ code: 0 });
  expect(again.output).toContain('matched: 1\nwaiting: 1\n');
  expect(again.output).toContain(`${lost.reference}, ${payment.amount}: no payment has it`);
  expect((await restore('finish')).output).toContain('wait for a person');

  expect((await restore('settle', 'all')).code).toBe(1);
  expect((await restore('settle', 'all', 'the', 'merchant', 'was', 'told')).output).toContain('settled: 1');
  expect((await restore('import', report(known, lost))).output).toContain('matched: 1\nsettled: 1\n');
  expect(await restore('finish')).toMatchObject({ code: 0 });
  expect((await restore('status')).output).toContain('no restore is in progress');
});
