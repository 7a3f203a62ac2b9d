import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What a load balancer does during a deployment: it sends each request to the API process that is in service. */
export class Switch {
  private readonly server: Server;

  private constructor(private target: number) {
    this.server = createServer((incoming, outgoing) => this.forward(incoming, outgoing));
  }

  static async to(port: number): Promise<Switch> {
    const balancer = new Switch(port);
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sends later requests to another port. */
  turnTo(port: number): void {
    this.target = port;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, url: path, headers } = incoming;
    const toApi = request({ port: this.target, host: '127.0.0.1', method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The client sends again after a broken connection, as after any other.
    toApi.once('error', () => outgoing.destroy());
    incoming.pipe(toApi);
  }
}
