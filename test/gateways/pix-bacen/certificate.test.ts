import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { request as requestUpstream } from 'node:http';
import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { PixBacenDriver } from '../../../src/gateways/pix-bacen/driver';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { newCertificate } from '../../support/vendors/certificates';
import { ContractBench, expectFamily } from '../contract/bench';
import { pixBacenAt } from '../contract/pix-bacen-gateway';

const SLUG = 'gateway_5';
const bank = newCertificate('localhost');
const company = newCertificate('company');
const stranger = newCertificate('stranger');

/** The simulator behind TLS, as a bank is: nobody without a certificate that it issued comes in. */
const received: string[] = [];
const bench = new ContractBench(new PixBacenDriver(), SLUG);
let simulator: OwnSimulator;
let front: Server;

beforeAll(async () => {
  simulator = await startOwnSimulator({ SIMULATOR_GATEWAY_5: 'pix-bacen' });
  const client = { ca: [company.certificate], requestCert: true, rejectUnauthorized: true };
  front = createServer({ key: bank.privateKey, cert: bank.certificate, ...client }, (req, res) => {
    const { CN: name } = (req.socket as TLSSocket).getPeerCertificate().subject;
    received.push(`${String(name)} ${req.method} ${req.url?.split('/')[2]}`);
    const options = { method: req.method, headers: req.headers };
    const upstream = requestUpstream(`${simulator.url}${req.url}`, options, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(upstream);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  // Stands in for the authority that signs the bank's own certificate.
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions) => TLSSocket;
  jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions) =>
      connect({ ...options, ca: bank.certificate })) as typeof tls.connect);
  const gateway = pixBacenAt(simulator, SLUG);
  const url = `https://localhost:${(front.address() as AddressInfo).port}/${SLUG}`;
  bench.connect({
    ...gateway,
    endpoints: { api: url, oauth: `${url}/oauth` },
    goodCredentials: { ...gateway.goodCredentials, ...credentialsOf(company) },
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await bench.close();
  front.closeAllConnections();
  front.close();
  await simulator.dispose();
});

function credentialsOf({ certificate, privateKey }: typeof company) {
  return { certificate, private_key: privateKey };
}

it('the company’s certificate is shown with every request, that for the token too', async () => {
  const { charge } = await bench.createCharge();
  expect(charge).toMatchObject({ kind: 'pending' });
  expect(received).toEqual(['company POST oauth', 'company PUT cob']);
});

it('with another company’s certificate nothing is charged', async () => {
  const { transactionId, request } = bench.newPayment();
  const credentials = { ...bench.gateway.goodCredentials, ...credentialsOf(stranger) };
  const ctx = bench.context({ credentials, secretKey: 'sk_of_the_stranger' });
  await expectFamily(bench.driver.charge(ctx, request), 'not_sent');
  expect(await bench.gateway.requestCount(transactionId)).toBe(0);
});
