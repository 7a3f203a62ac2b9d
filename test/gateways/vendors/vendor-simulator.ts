import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../src/dev/ports';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server';
import type { SimulatedVendor } from '../../../src/simulator/vendors/registry';
import { SimulatorControl } from '../../support/stack/simulator';

/** A webhook as the vendor's merchant receives it. */
export interface VendorWebhook {
  readonly body: Buffer;
  /** Of the address. */
  readonly path: string;
  /** Of the address, without `?`. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
}

export interface VendorSimulatorOptions {
  readonly slug: GatewaySlug;
  readonly vendor: SimulatedVendor;
  readonly webhookSecret: string;
  readonly searchLagMs?: number;
}

/** A simulator in this process that speaks a vendor's protocol at one slug, and the receiver of its webhooks. */
export class VendorSimulator {
  readonly received: VendorWebhook[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'vendor-fake-'));
  private readonly receiver: Server;
  private simulator: RunningSimulator | undefined;
  private port = 0;

  private constructor(private readonly options: VendorSimulatorOptions) {
    this.receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        const [path = '', query = ''] = (request.url ?? '').split('?');
        this.received.push({ body, path, query, headers: request.headers });
        response.writeHead(200).end();
      });
    });
  }

  static async start(options: VendorSimulatorOptions): Promise<VendorSimulator> {
    const started = new VendorSimulator(options);
    started.receiver.listen(0, '127.0.0.1');
    await once(started.receiver, 'listening');
    started.port = await freePort();
    await started.open();
    return started;
  }

  get control(): SimulatorControl {
    return new SimulatorControl(this.running.url);
  }

  /** The address of a path at the slug. */
  urlOf(path: string): string {
    return `${this.running.url}/${this.options.slug}/${path}`;
  }

  /** Ends the simulator and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.running.stop();
    await this.open();
  }

  /** All that the simulator has written. */
  dataOnDisk(): string {
    return readdirSync(this.folder)
      .map((name) => readFileSync(join(this.folder, name), 'utf8'))
      .join('\n');
  }

  async stop(): Promise<void> {
    await this.running.stop();
    this.receiver.closeAllConnections();
    this.receiver.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private get running(): RunningSimulator {
    if (this.simulator === undefined) throw new Error('the simulator does not run');
    return this.simulator;
  }

  private async open(): Promise<void> {
    const { slug, vendor, webhookSecret, searchLagMs = 0 } = this.options;
    const address = this.receiver.address();
    this.simulator = await startSimulator({
      port: this.port,
      folder: this.folder,
      paysAfterMs: null,
      baseUrl: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      webhookSecret: () => webhookSecret,
      vendors: new Map([[slug, vendor]]),
      searchLagMs,
    });
  }
}
