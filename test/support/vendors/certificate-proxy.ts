import { once } from 'node:events';
import { request as forward } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ClientCertificate } from '../../../src/gateways/http';
import { newCertificate } from './certificates';

/**
 * A TLS server in front of a vendor's fake, as banks have one: it refuses a client without one of the trusted certificates, and
 * tells the fake in `x-forwarded-client-cert` whose it is.
 */
export class CertificateProxy {
  /** Of the server, which a client must trust. */
  readonly own = newCertificate('localhost');
  private readonly server: Server;

  private constructor(upstream: URL, trusted: readonly ClientCertificate[]) {
    this.server = createServer(
      {
        ...{ key: this.own.privateKey, cert: this.own.certificate },
        ...{ ca: trusted.map(({ certificate }) => certificate), requestCert: true, rejectUnauthorized: true },
      },
      (request, response) => {
        const { fingerprint256 } = (request.socket as TLSSocket).getPeerCertificate();
        const headers = { ...request.headers, 'x-forwarded-client-cert': `Hash=${fingerprint256}` };
        const { method, url: path } = request;
        const { hostname, port } = upstream;
        const sent = forward({ hostname, port, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        sent.once('error', () => response.destroy());
        request.pipe(sent);
      },
    );
  }

  /** `upstream` is an address without a path. */
  static async start(upstream: string, trusted: readonly ClientCertificate[]): Promise<CertificateProxy> {
    const proxy = new CertificateProxy(new URL(upstream), trusted);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
