import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { GatewayHttp, type ClientCertificate } from '../../../src/gateways/http';
import { newCertificate } from '../../support/vendors/certificates';

const NEVER_LATE = null;
const own = newCertificate('localhost');
const one = newCertificate('merchant-1');
const other = newCertificate('merchant-2');

/** A gateway that answers with the name in the certificate of its client. */
let gateway: Server;
let http: GatewayHttp;
beforeAll(async () => {
  const trusted = [one, other].map(({ certificate }) => certificate);
  gateway = createServer(
    {
      ...{ key: own.privateKey, cert: own.certificate },
      ...{ ca: trusted, requestCert: true, rejectUnauthorized: true },
    },
    (req, res) => res.end((req.socket as TLSSocket).getPeerCertificate().subject.CN),
  ).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  http = new GatewayHttp();
  // Stands in for the authority that signs the certificates of real gateways.
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => TLSSocket;
  jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: own.certificate })) as typeof tls.connect);
});
afterAll(async () => {
  jest.restoreAllMocks();
  await http.close();
  gateway.close();
});

function ask(clientCertificate: ClientCertificate | null) {
  const { port } = gateway.address() as AddressInfo;
  return http
    .call({ timeoutMs: 5_000, clientCertificate })
    .send({ method: 'GET', url: `https://localhost:${port}/`, headers: {}, sendBefore: NEVER_LATE });
}

it('each company is known to a gateway by its own certificate, also when their calls alternate', async () => {
  const names = [];
  for (const certificate of [one, other, one, other]) names.push((await ask(certificate)).text);
  expect(names).toEqual(['merchant-1', 'merchant-2', 'merchant-1', 'merchant-2']);
});

it('calls of several companies at once never share a connection', async () => {
  const certificates = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other));
  const answers = await Promise.all(certificates.map(ask));
  expect(answers.map(({ text }) => text)).toEqual(
    certificates.map((certificate) => (certificate === one ? 'merchant-1' : 'merchant-2')),
  );
});

it('a call without a certificate is refused by a gateway that asks for one, also after calls with one', async () => {
  await ask(one);
  await expect(ask(null)).rejects.toMatchObject({ name: 'GatewayError' });
});

it.each([
  [
    'is no certificate',
    { certificate: '-----BEGIN CERTIFICATE-----\nc2FuZGJveA==\n-----END CERTIFICATE-----' },
  ],
  ['belongs to another key', { certificate: other.certificate }],
])('with a certificate that %s nothing is sent, and other calls go on', async (_what, wrong) => {
  await expect(ask({ ...one, ...wrong })).rejects.toMatchObject({ family: 'not_sent' });
  expect((await ask(one)).text).toBe('merchant-1');
});
