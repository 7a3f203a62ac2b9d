import { EventEmitter, once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** What the network does: carries bytes, late ones, none without a word, or refuses. */
export type Weather =
  { readonly kind: 'fair' | 'silent' | 'refused' } | { readonly kind: 'slow'; readonly delayMs: number };

const HOST = '127.0.0.1';

/** A network between two parts, whose weather can change. */
export class TcpProxy {
  private weather: Weather = { kind: 'fair' };
  private readonly changes = new EventEmitter().setMaxListeners(0);
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly port: number,
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (client) => this.carry(client));
  }

  static async start(port: number, targetPort: number): Promise<TcpProxy> {
    const server = createServer();
    server.listen(port, HOST);
    await once(server, 'listening');
    return new TcpProxy(port, server, targetPort);
  }

  /** Open connections break when the network begins to refuse; when it was silent, what was held back arrives late. */
  set(weather: Weather): void {
    this.weather = weather;
    this.changes.emit('change');
    if (weather.kind === 'refused') this.breakConnections();
  }

  async stop(): Promise<void> {
    this.set({ kind: 'refused' });
    const closed = once(this.server, 'close');
    this.server.close();
    await closed;
  }

  private breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  private carry(client: Socket): void {
    if (this.weather.kind === 'refused') return void client.destroy();
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
    client.pipe(this.wire()).pipe(server);
    server.pipe(this.wire()).pipe(client);
  }

  private wire(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done: TransformCallback) => {
        void this.passage().then(() => done(null, chunk));
      },
    });
  }

  private async passage(): Promise<void> {
    if (this.weather.kind === 'slow') await delay(this.weather.delayMs);
    while (this.weather.kind === 'silent') await once(this.changes, 'change');
  }
}
