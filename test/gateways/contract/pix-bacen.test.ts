import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RawCallback } from '../../../src/gateways/callback';
import { toCompactReference } from '../../../src/gateways/compact-reference';
import { PixBacenDriver } from '../../../src/gateways/pix-bacen/driver';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { pixBacenAt } from './pix-bacen-gateway';

const SLUG = 'gateway_5';
const SECRET = 'sk_contract_of_pix_bacen';
const WEBHOOK_SECRET = 'hmac of the pix contract';

const callbacks: RawCallback[] = [];
const receiver = createServer((request, response) => {
  void buffer(request).then((body) => {
    callbacks.push({ body, headers: {}, query: new URL(`http://receiver${request.url}`).search.slice(1) });
    response.writeHead(200).end();
  });
});
let simulator: OwnSimulator;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  simulator = await startOwnSimulator({ SIMULATOR_GATEWAY_5: 'pix-bacen' });
  await simulator.control.setUpAccount(SECRET, {
    callback_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    webhook_secret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await simulator.dispose();
  receiver.closeAllConnections();
  receiver.close();
});

function pixBacen(): GatewayUnderTest {
  return {
    ...pixBacenAt(simulator, SLUG),
    goodSecret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
    callbacks(transactionId) {
      const txid = toCompactReference(`${transactionId}-1`);
      return Promise.resolve(callbacks.filter(({ body }) => body.includes(txid)));
    },
  };
}

describeGatewayContract('Pix API', { driver: new PixBacenDriver(), slug: SLUG }, pixBacen);
