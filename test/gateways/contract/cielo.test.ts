import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RawCallback } from '../../../src/gateways/callback';
import { TOKEN_HEADER } from '../../../src/gateways/cielo/callback';
import { CieloDriver } from '../../../src/gateways/cielo/driver';
import { scriptedOperation } from '../../../src/simulator/scripts';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway } from './simulated-gateway';

// Of the slugs that authorize without capturing.
const SLUG = 'gateway_5';
const MERCHANT_ID = 'c1e10000-0000-4000-8000-000000000005';
const MERCHANT_KEY = 'CONTRACTOFCIELO0000000000000000000000005';
const WEBHOOK_SECRET = 'token of the cielo contract';

const callbacks: RawCallback[] = [];
const receiver = createServer((request, response) => {
  void buffer(request).then((body) => {
    const headers = { [TOKEN_HEADER]: String(request.headers[TOKEN_HEADER]) };
    callbacks.push({ body, headers, query: '' });
    response.writeHead(200).end();
  });
});
let simulator: OwnSimulator;

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  simulator = await startOwnSimulator({ SIMULATOR_GATEWAY_5: 'cielo' });
  await simulator.control.setUpAccount(MERCHANT_KEY, {
    callback_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    webhook_secret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await simulator.dispose();
  receiver.closeAllConnections();
  receiver.close();
});

function cielo(): GatewayUnderTest {
  const { control, url } = simulator;
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}`, query: `${url}/${SLUG}/apiquery` },
    goodClientId: MERCHANT_ID,
    goodSecret: MERCHANT_KEY,
    badSecret: 'sk_invalid_contract_of_cielo000000000000',
    accountFeatures: ['raw_cards'],
    documents: { active: '', pending: '', refused: '' },
    webhookSecret: WEBHOOK_SECRET,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
    },
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // The sale shows a refund of a pix only when it is carried out.
    showsPendingRefunds: false,
    pending: {
      async leave(transactionId, operation, then, fault) {
        const match = { transaction_id: transactionId, operation: scriptedOperation.parse(operation) };
        await control.script(match, { pending_then: then, ...(fault ?? {}) });
      },
      async finish(transactionId) {
        await control.finishOperation(transactionId);
      },
    },
    // A code is paid once and in full.
    takesAnyPayment: false,
    decideRecipient: () => Promise.reject(new Error('the driver has no recipients')),
    async callbacks(transactionId) {
      const { entries } = await control.ledger(transactionId);
      const ids = entries.map(({ charge_id: id }) => id.slice('ch_'.length));
      return callbacks.filter(({ body }) => ids.some((id) => body.includes(id)));
    },
  };
}

describeGatewayContract('Cielo', { driver: new CieloDriver(), slug: SLUG, pendingRefunds: ['pix'] }, cielo);
