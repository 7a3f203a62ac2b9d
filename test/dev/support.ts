import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isPortInUse } from '../../src/dev/ports';
import type { SandboxFile } from '../../src/dev/sandbox-file';
import { projectRoot } from '../../src/paths';

export type Settings = Readonly<Record<string, string>>;

export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'payment-engine-local-'));
  chmodSync(folder, 0o711);
  return folder;
}

export async function freePorts(): Promise<Settings> {
  const names = ['PORT', 'SIMULATOR_PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'];
  const ports = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [name, String(await freePort())]),
  );
  return { ...Object.fromEntries(ports), METRICS_PORT: String(await freePortsFrom(3)) };
}

/** The first of `count` consecutive free ports. Below those that systems give to outgoing connections, which would take one meanwhile. */
async function freePortsFrom(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(20_000, 30_000);
    const inUse = await Promise.all(Array.from({ length: count }, (_, index) => isPortInUse(first + index)));
    if (!inUse.includes(true)) return first;
  }
}

/** `npm start -- --quiet`, without npm. */
export class Launcher {
  output = '';
  readonly process: ChildProcess;
  private readonly exited: Promise<unknown>;

  constructor(settings: Settings) {
    this.process = spawn(process.execPath, ['--import', 'tsx', 'src/dev/main.ts', '--quiet'], {
      cwd: projectRoot,
      // With npm's variable it stops when the test process exits.
      env: { ...process.env, npm_lifecycle_event: 'start', ...settings },
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    this.exited = once(this.process, 'exit');
  }

  async ready(): Promise<void> {
    const ended = this.exited.then(() => Promise.reject(new Error(`npm start exited:\n${this.output}`)));
    const ready = new Promise<void>((resolve) => {
      const check = () => /^ready /m.test(this.output) && resolve();
      this.process.stdout?.on('data', check);
      check();
    });
    await Promise.race([ready, ended]);
  }

  /** The exit code; null if a signal killed it. */
  async ended(): Promise<number | null> {
    await this.exited;
    return this.process.exitCode;
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.ended();
  }
}

export function readSandbox(dataDir: string): SandboxFile {
  return JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile;
}

/**
 * Makes a pix payment and has it paid, so that the gateway's callback wakes its workflow. Before that its clock moves without anything
 * falling due: workers make the tasks that change nothing.
 */
export async function payPix(sandbox: SandboxFile): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'x-client-id': sandbox.client_id,
    'x-api-key': sandbox.api_key,
  };
  const customer = { name: 'Ana Souza', email: 'ana@example.com', document: '12345678909' };
  const payment = {
    merchant_order_id: 'order-1002',
    amount: 500,
    currency: 'BRL',
    payment_method: 'pix',
    customer,
  };
  const created = await fetch(`${sandbox.api_url}/payments/pix`, {
    method: 'POST',
    headers,
    body: JSON.stringify(payment),
  });
  const { transaction_id } = (await created.json()) as { transaction_id?: string };
  const clock = await fetch(`${sandbox.api_url}/payments/${transaction_id}/clock`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ advance_to: new Date(Date.now() + 60_000) }),
  });
  const paid = await fetch(`${sandbox.simulator_url}/_admin/pay`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ transaction_id }),
  });
  const statuses = [created, clock, paid].map(({ status }) => status);
  if (statuses.some((status) => status >= 300))
    throw new Error(`a pix, its clock and its payer answered ${statuses.join()}`);
}

/** Lists the sandbox company's payments. */
export async function listPayments({ api_url, client_id, api_key }: SandboxFile): Promise<unknown[]> {
  const headers = { 'x-client-id': client_id, 'x-api-key': api_key };
  const response = await fetch(`${api_url}/payments`, { headers });
  return ((await response.json()) as { data: unknown[] }).data;
}
