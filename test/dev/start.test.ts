import { execFile } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { banner } from '../../src/dev/banner';
import { identifyProcess } from '../../src/dev/process-identity';
import { isPortInUse } from '../../src/dev/ports';
import { addressesOf } from '../../src/dev/sandbox-file';
import { loadSandboxConfig } from '../../src/config';
import { waitFor } from '../support/stack/wait-for';
import {
  freePorts,
  Launcher,
  listPayments,
  makeDataDir,
  payPix,
  readSandbox,
  type Settings,
} from './support';

const PROCESSES = ['api', 'worker', 'worker_2', 'simulator', 'temporal', 'postgres'] as const;

function metricsOf({ METRICS_PORT = '' }: Settings): Record<string, string> {
  const names = ['api', 'worker', 'worker_2'];
  return Object.fromEntries(
    names.map((name, index) => [name, `http://127.0.0.1:${Number(METRICS_PORT) + index}/metrics`]),
  );
}

/** The tests share one run, from an empty folder to its end, and depend on their order. */
describe('npm start', () => {
  const dataDir = makeDataDir();
  let settings: Settings;
  let launcher: Launcher;

  const running = (pid: number | undefined) => pid !== undefined && identifyProcess(pid) !== null;
  const isReady = async () => (await fetch(`${readSandbox(dataDir).base_url}/health/ready`)).status === 200;

  beforeAll(async () => {
    settings = { ...(await freePorts()), DATA_DIR: dataDir, WORKERS: '2' };
    launcher = new Launcher(settings);
    await launcher.ready();
  }, 120_000);

  afterAll(async () => {
    if (launcher.process.exitCode === null) await launcher.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }, 20_000);

  it('prints only the ready line with --quiet', () => {
    expect(launcher.output).toBe(`ready http://127.0.0.1:${settings['PORT']}\n`);
  });

  it('is ready and writes every address and process to sandbox.json, which only its owner can read', async () => {
    const sandbox = readSandbox(dataDir);
    expect(statSync(join(dataDir, 'sandbox.json')).mode & 0o777).toBe(0o600);
    expect(sandbox).toEqual({
      base_url: `http://127.0.0.1:${settings['PORT']}`,
      api_url: `http://127.0.0.1:${settings['PORT']}/api/v1`,
      client_id: expect.any(String) as string,
      api_key: expect.any(String) as string,
      admin: { email: expect.any(String) as string, password: expect.any(String) as string },
      simulator_url: `http://127.0.0.1:${settings['SIMULATOR_PORT']}`,
      temporal_address: `127.0.0.1:${settings['TEMPORAL_PORT']}`,
      temporal_ui_url: `http://127.0.0.1:${settings['TEMPORAL_UI_PORT']}`,
      database_url: expect.stringContaining(`127.0.0.1:${settings['POSTGRES_PORT']}/`) as string,
      metrics: metricsOf(settings),
      pids: Object.fromEntries(PROCESSES.map((name) => [name, expect.any(Number) as number])),
    });
    expect(await isReady()).toBe(true);
    expect((await fetch(`${sandbox.base_url}/dashboard`)).status).toBe(200);
    expect(new Set(Object.values(sandbox.pids)).size).toBe(PROCESSES.length);
    expect(Object.values(sandbox.pids).every(running)).toBe(true);
  });

  it('serves Temporal’s UI without actions that change a workflow', async () => {
    const ui = readSandbox(dataDir).temporal_ui_url ?? '';
    expect((await fetch(`${ui}/namespaces/default/workflows`)).status).toBe(200);
    const settings = await fetch(`${ui}/api/v1/settings`);
    expect(await settings.json()).toMatchObject({
      DisableWriteActions: true,
      Codec: { Endpoint: expect.stringMatching(/_temporal\/codec$/) as string },
    });
    const workflows = `${ui}/api/v1/namespaces/default/workflows`;
    const terminated = await fetch(`${workflows}/none/terminate`, { method: 'POST', body: '{}' });
    expect(terminated.status).toBe(405);
    const queried = await fetch(`${workflows}/none/query/__stack_trace`, { method: 'POST', body: '{}' });
    expect(queried.status).not.toBe(405);
  });

  it('accepts the administrator’s password of sandbox.json, and decodes payloads for the Temporal UI', async () => {
    const { api_url, base_url, admin, temporal_ui_url } = readSandbox(dataDir);
    const response = await fetch(`${api_url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ user: { email: admin.email } });
    const decoded = await fetch(`${base_url}/_temporal/codec/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: temporal_ui_url ?? '' },
      body: '{"payloads": []}',
    });
    expect(await decoded.json()).toEqual({ payloads: [] });
    expect((await fetch(`${base_url}/_sandbox/outbox`)).status).toBe(200);
  });

  it('prints a curl command that makes a payment', async () => {
    const sandbox = readSandbox(dataDir);
    const demo = { clientId: sandbox.client_id, apiKey: sandbox.api_key, admin: sandbox.admin };
    const shown = banner(addressesOf(loadSandboxConfig({ ...settings }), []), demo, dataDir);
    const command = shown.slice(shown.indexOf('curl'), shown.indexOf('\n\n', shown.indexOf('curl')));
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'approved', amount: 12990 });
  });

  it('serves what it has measured of that payment and of a pix, in the API and in the workers with Temporal’s own metrics', async () => {
    const { metrics } = readSandbox(dataDir);
    await payPix(readSandbox(dataDir));
    const named = ['alerts.yaml', 'dashboard.json'].flatMap(
      (file) => readFileSync(`docs/operations/${file}`, 'utf8').match(/\btemporal_\w+/g) ?? [],
    );
    // The API makes the first task of each payment and the one that ends it, a worker that of the clock.
    const texts = await waitFor(
      async () => {
        const served = Object.values(metrics).map(async (url) => (await fetch(url ?? '')).text());
        const all = await Promise.all(served);
        expect(named.filter((name) => !all.join().includes(`\n${name}{`))).toEqual([]);
        return all;
      },
      { what: 'the series of Temporal that rules and dashboard name', withinMs: 10_000, everyMs: 500 },
    );
    const [api = '', ...workers] = texts;
    expect(api).toContain(
      'payment_engine_http_request_duration_seconds_count{route="createCardPayment",status="2xx"} 1\n',
    );
    const calls = texts.flatMap((text) =>
      [...text.matchAll(/^payment_engine_gateway_call_duration_seconds_count\{(.*charge.*)\} (\d+)$/gm)].map(
        ([, labels, count]) => [labels, count],
      ),
    );
    expect(calls).toEqual([
      ['gateway="gateway_1",vendor="simulator",operation="charge",outcome="approved"', '1'],
      ['gateway="gateway_1",vendor="simulator",operation="charge",outcome="pending"', '1'],
    ]);
    for (const text of workers) expect(text).toMatch(/^temporal_num_pollers\{/m);
    expect(named).not.toEqual([]);
    expect(texts.join()).not.toMatch(/4111|ana@example|Ana Souza|12345678909|_source_failures_total\{/);
  });

  it('refuses to start on ports in use and names every one', async () => {
    const second = new Launcher(settings);
    expect(await second.ended()).toBe(1);
    for (const name of [
      'PORT',
      'SIMULATOR_PORT',
      'POSTGRES_PORT',
      'TEMPORAL_PORT',
      'TEMPORAL_UI_PORT',
      'METRICS_PORT',
    ]) {
      expect(second.output).toMatch(new RegExp(`port ${settings[name]}, .* is in use: .* ${name}$`, 'm'));
    }
  });

  it('refuses to start a second run on the same folder', async () => {
    const second = new Launcher({ ...(await freePorts()), DATA_DIR: dataDir });
    expect(await second.ended()).toBe(1);
    expect(second.output).toContain(`process ${launcher.process.pid} already runs on ${dataDir}`);
    expect(await isReady()).toBe(true);
  });

  it.each(PROCESSES)('restarts a killed %s within 2 s and records its new process id', async (name) => {
    const killed = readSandbox(dataDir).pids[name];
    expect(running(killed)).toBe(true);
    process.kill(killed ?? 0, 'SIGKILL');
    const restarted = () => {
      const { pids } = readSandbox(dataDir);
      return pids[name] !== killed && running(pids[name]);
    };
    await waitFor(restarted, { what: `a new ${name}`, withinMs: 2_000 });
    await waitFor(isReady, { what: 'readiness' });
  });

  it('keeps the company and its payments after a SIGKILL and a restart', async () => {
    const before = readSandbox(dataDir);
    await launcher.end('SIGKILL');
    launcher = new Launcher(settings);
    await launcher.ready();
    const after = readSandbox(dataDir);
    expect({ ...after, pids: null }).toEqual({ ...before, pids: null });
    expect(Object.values(before.pids).some(running)).toBe(false);
    expect(await listPayments(after)).toHaveLength(2);
  }, 180_000);

  it('stops within 10 s on SIGTERM and leaves no process and no used port', async () => {
    const { pids } = readSandbox(dataDir);
    const stoppedAt = Date.now();
    expect(await launcher.end('SIGTERM')).toBe(0);
    expect(Date.now() - stoppedAt).toBeLessThan(10_000);
    expect(Object.values(pids).some(running)).toBe(false);
    const ports = Object.entries(settings).filter(([name]) => name.endsWith('PORT'));
    expect(await Promise.all(ports.map(([, port]) => isPortInUse(Number(port))))).not.toContain(true);
  }, 40_000);
});
