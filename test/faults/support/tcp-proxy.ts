import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** `stalled`: connections stay open, and bytes are held back. `refused`: connections are closed. */
export type NetworkCondition =
  | { readonly kind: 'normal' | 'stalled' | 'refused' }
  | { readonly kind: 'slow'; readonly delayMs: number };

const HOST = '127.0.0.1';

/** A TCP proxy that simulates network faults between a program and a server. */
export class TcpProxy {
  private condition: NetworkCondition = { kind: 'normal' };
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly port: number,
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (client) => this.forward(client));
  }

  static async start(port: number, targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    server.listen(port, HOST);
    await once(server, 'listening');
    return new TcpProxy(port, server, targetPort);
  }

  /** `refused` closes open connections. Bytes held back while `stalled` are delivered when that ends. */
  setCondition(condition: NetworkCondition): void {
    this.condition = condition;
    this.changes.emit('change');
    if (condition.kind === 'refused') this.closeConnections();
  }

  async stop(): Promise<void> {
    this.setCondition({ kind: 'refused' });
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private closeConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private forward(client: Socket): void {
    if (this.condition.kind === 'refused') return void client.destroy();
    const server = connect(this.targetPort, HOST);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(this.conditioned()).pipe(server);
    server.pipe(this.conditioned()).pipe(client);
  }

  private conditioned(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done: TransformCallback) => {
        void this.delayChunk().then(() => done(null, chunk));
      },
    });
  }

  private async delayChunk(): Promise<void> {
    if (this.condition.kind === 'slow') await delay(this.condition.delayMs);
    while (this.condition.kind === 'stalled') await once(this.changes, 'change');
  }
}
