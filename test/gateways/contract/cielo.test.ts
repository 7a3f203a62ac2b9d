import { CieloDriver } from '../../../src/gateways/cielo/driver';
import { scriptedOperation } from '../../../src/simulator/scripts';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

// Of the slugs that authorize without capturing.
const SLUG = 'gateway_5';
const MERCHANT_ID = 'c1e10000-0000-4000-8000-000000000005';
const MERCHANT_KEY = 'CONTRACTOFCIELO0000000000000000000000005';
const WEBHOOK_SECRET = 'token of the cielo contract';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'cielo',
    secret: MERCHANT_KEY,
    webhookSecret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await fake.dispose();
});

function cielo(): GatewayUnderTest {
  const { control, url } = fake;
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}`, query: `${url}/${SLUG}/apiquery` },
    goodClientId: MERCHANT_ID,
    goodSecret: MERCHANT_KEY,
    goodCredentials: { boleto_provider: 'Bradesco2' },
    badSecret: 'sk_invalid_contract_of_cielo000000000000',
    accountFeatures: ['raw_cards', 'billet'],
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
      return fake.callbacks.filter(({ body }) => ids.some((id) => body.includes(id)));
    },
  };
}

describeGatewayContract('Cielo', { driver: new CieloDriver(), slug: SLUG, pendingRefunds: ['pix'] }, cielo);
