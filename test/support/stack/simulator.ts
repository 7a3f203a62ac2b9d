import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSandboxConfig } from '../../../src/config';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { startConfiguredSimulator } from '../../../src/simulator/configured-simulator';
import type { WireStatementLine } from '../../../src/gateways/simulator/wire-statement';
import type { SentCallback } from '../../../src/simulator/callbacks';
import type { StoredDispute } from '../../../src/simulator/charge-store';
import type { LedgerEntry, LedgerTotals } from '../../../src/simulator/ledger';
import type { OutageKind } from '../../../src/simulator/outages';
import type { LoggedRequest } from '../../../src/simulator/requests';
import type { StatementError } from '../../../src/simulator/statements/statement-errors';
import type { Behavior, PendingResult, ScriptedOperation } from '../../../src/simulator/scripts';
import { freePort } from '../../../src/dev/ports';
import { projectRoot } from '../../../src/paths';

export interface ScriptMatch {
  readonly gateway?: GatewaySlug;
  readonly amount?: number;
  readonly operation?: ScriptedOperation;
  readonly transaction_id?: string;
}

export interface SimulatedDispute extends Pick<
  StoredDispute,
  'id' | 'kind' | 'status' | 'amount' | 'returned'
> {
  /** Of its charge. */
  readonly reference: string;
}

/** The simulator's control routes, typed; an answer that is not the promised one is an error. */
export class SimulatorControl {
  constructor(readonly url: string) {}

  ledger(transactionId: string): Promise<{ entries: LedgerEntry[]; totals: LedgerTotals }> {
    return this.call('GET', `ledger?transaction_id=${transactionId}`, 200);
  }

  async requests(transactionId: string): Promise<LoggedRequest[]> {
    const path = `requests?transaction_id=${transactionId}`;
    return (await this.call<{ requests: LoggedRequest[] }>('GET', path, 200)).requests;
  }

  /** The charges that were changed since then, as `npm run restore -- import` reads them. */
  async chargesSince(since: Date): Promise<Array<{ readonly gateway: string }>> {
    const path = `charges?since=${since.toISOString()}`;
    const { charges } = await this.call<{ charges: Array<{ gateway: string }> }>('GET', path, 200);
    return charges;
  }

  /** The first matching script acts; `times` 0 is for ever. Name the transaction, so that tests leave each other alone. */
  async script(match: ScriptMatch, behavior: Behavior, times = 1): Promise<void> {
    await this.call('POST', 'scripts', 201, { match, times, behavior });
  }

  /** Only at a simulator of your own: at the shared one it removes the scripts of tests in other files. */
  async clearScripts(): Promise<void> {
    await this.call('DELETE', 'scripts', 204);
  }

  pay(transactionId: string, amount?: number): Promise<{ status: string; paid_amount: number }> {
    return this.call('POST', 'pay', 200, { transaction_id: transactionId, amount });
  }

  /** A refund that the merchant makes on the gateway's own pages; without `amount` all that is left. */
  refund(transactionId: string, amount?: number): Promise<{ status: string; refunded_amount: number }> {
    return this.call('POST', 'refunds', 200, { transaction_id: transactionId, amount });
  }

  /** The gateway's own mistake: it takes the money of a payment a second time. */
  chargeAgain(
    transactionId: string,
  ): Promise<{ charge_id: string; first_charge_id: string; amount: number }> {
    return this.call('POST', 'second-charges', 201, { transaction_id: transactionId });
  }

  /** A dispute of what was captured; all of it without `amount`. */
  openDispute(
    transactionId: string,
    options: { kind?: string; amount?: number; reason_code?: string; evidence_due_in?: number } = {},
  ): Promise<{ id: string }> {
    return this.call('POST', 'disputes', 201, { transaction_id: transactionId, ...options });
  }

  /** Every dispute that the gateways have, or those of a payment. */
  async disputes(transactionId?: string): Promise<SimulatedDispute[]> {
    const path = transactionId === undefined ? 'disputes' : `disputes?transaction_id=${transactionId}`;
    return (await this.call<{ disputes: SimulatedDispute[] }>('GET', path, 200)).disputes;
  }

  /** A dispute as the gateway has it, with a hash of each piece of evidence. */
  dispute(id: string): Promise<{
    status: string;
    evidence: ReadonlyArray<{ kind: string; bytes: number; sha256: string }>;
  }> {
    return this.call('GET', `disputes/${id}`, 200);
  }

  async changeDispute(
    id: string,
    change: { status: 'submitted' | 'won' | 'lost' | 'reopened'; returned?: number },
  ): Promise<void> {
    await this.call('POST', `disputes/${id}`, 200, change);
  }

  /** The statement of a payment's account; of all accounts of the gateway without one. */
  statement(
    gateway: GatewaySlug,
    day: string,
    transactionId?: string,
  ): Promise<{ day: string; data: WireStatementLine[] }> {
    const query = new URLSearchParams({
      gateway,
      day,
      ...(transactionId && { transaction_id: transactionId }),
    });
    return this.call('GET', `statements?${query.toString()}`, 200);
  }

  /** Errors in the lines of a payment; in those of all accounts of the gateway without one. */
  async plantStatementErrors(plant: {
    gateway?: GatewaySlug;
    day: string;
    kind: StatementError;
    count?: number;
    transaction_id?: string;
  }): Promise<Array<{ kind: StatementError; line_id: string; reference: string | null }>> {
    const body = { gateway: 'gateway_1', ...plant };
    const { planted } = await this.call<{
      planted: Array<{ kind: StatementError; line_id: string; reference: string | null }>;
    }>('POST', 'statement-errors', 201, body);
    return planted;
  }

  /** Settles what is left of a payment today. */
  async anticipate(transactionId: string, options: { day?: string; cost?: number } = {}): Promise<void> {
    await this.call('POST', 'anticipations', 201, { transaction_id: transactionId, ...options });
  }

  /** Gives the payment's oldest pending operation its result: as its script says, or `result`. */
  finishOperation(
    transactionId: string,
    options: { operation?: string; result?: PendingResult } = {},
  ): Promise<{ operation: string; reference: string; status: string; amount: number }> {
    return this.call('POST', 'operations', 200, { transaction_id: transactionId, ...options });
  }

  /** Takes a gateway, or all of them, out of service. */
  async startOutage(gateway: GatewaySlug | 'all', how: OutageKind, seconds: number): Promise<void> {
    await this.call('POST', 'outages', 201, { gateway, how, seconds });
  }

  async endOutages(): Promise<void> {
    await this.call('DELETE', 'outages', 204);
  }

  async sendCallbacks(
    transactionId: string,
    options: { kind?: 'chargeback'; times?: number; delay_ms?: number; forge?: boolean } = {},
  ): Promise<void> {
    await this.call('POST', 'callbacks', 202, { transaction_id: transactionId, ...options });
  }

  async callbacks(transactionId: string): Promise<SentCallback[]> {
    const path = `callbacks?transaction_id=${transactionId}`;
    return (await this.call<{ callbacks: SentCallback[] }>('GET', path, 200)).callbacks;
  }

  /** Ends the wait of a pending recipient. */
  async decideRecipient(recipientId: string, status: 'active' | 'refused'): Promise<void> {
    await this.call('POST', 'recipients', 200, { recipient_id: recipientId, status });
  }

  /** The settings of a secret key: a test has a secret, so a test has its own callbacks and its own account. */
  async setUpAccount(
    secret: string,
    settings: {
      callback_url?: string | null;
      webhook_secret?: string | null;
      account?: string;
      revoked?: boolean;
    },
  ): Promise<void> {
    await this.call('POST', 'accounts', 204, { secret, ...settings });
  }

  private async call<T>(method: string, path: string, status: number, body?: object): Promise<T> {
    const response = await fetch(`${this.url}/_admin/${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

/** A simulator of the test's own. */
export interface OwnSimulator {
  readonly url: string;
  readonly port: number;
  readonly control: SimulatorControl;
  /** All that it has written, as text. */
  dataOnDisk(): string;
  /** Ends it cleanly and removes its data. */
  dispose(): Promise<void>;
}

/** In this process: starting another takes longer than many tests. */
export async function startOwnSimulator(
  settings: Readonly<Record<string, string>> = {},
): Promise<OwnSimulator> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'simulator-test-'));
  const config = loadSandboxConfig({ SIMULATOR_PORT: String(port), DATA_DIR: folder, ...settings });
  const { url, stop } = await startConfiguredSimulator(config);
  return {
    url,
    port,
    control: new SimulatorControl(url),
    dataOnDisk: () => textOnDisk(folder),
    async dispose() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function textOnDisk(folder: string): string {
  const data = join(folder, 'simulator');
  return readdirSync(data)
    .map((name) => readFileSync(join(data, name), 'utf8'))
    .join('\n');
}

export interface SimulatorProcess extends OwnSimulator {
  readonly folder: string;
  /** Sends the signal and waits until the process is gone; returns its exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface SimulatorPlace {
  readonly port?: number;
  /** `DATA_DIR`. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** As a process, as `npm start` does; it ends with the process that runs the test. */
export async function startSimulatorProcess(place: SimulatorPlace = {}): Promise<SimulatorProcess> {
  const port = place.port ?? (await freePort());
  const folder = place.folder ?? mkdtempSync(join(tmpdir(), 'simulator-test-'));
  const file = (path: string): string => join(projectRoot, 'src', path);
  const child = spawn(
    process.execPath,
    [
      ...['--import', require.resolve('tsx')],
      ...['--require', file('dev/exit-with-parent.ts'), file('simulator/main.ts')],
    ],
    {
      env: { ...process.env, SIMULATOR_PORT: String(port), DATA_DIR: folder, ...place.settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  let output = '';
  const gone = once(child, 'exit');
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('simulator ready')) resolve();
      });
    }
  });
  await Promise.race([
    ready,
    gone.then(() => {
      throw new Error(`the simulator ended with ${child.exitCode}: ${output}`);
    }),
  ]);
  const url = `http://127.0.0.1:${port}`;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return {
    url,
    port,
    folder,
    control: new SimulatorControl(url),
    dataOnDisk: () => textOnDisk(folder),
    end,
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
