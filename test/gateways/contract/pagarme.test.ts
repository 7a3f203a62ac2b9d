import { CallbackKeys } from '../../../src/gateways/callbacks/published-keys';
import { GatewayHttp } from '../../../src/gateways/http';
import { PagarmeDriver } from '../../../src/gateways/pagarme/driver';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

const SLUG = 'gateway_1';
const SECRET = 'sk_test_contract_of_pagarme';

const driver = new PagarmeDriver();
const http = new GatewayHttp();
let fake: VendorFake;
let publishedKey = '';

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'pagarme',
    secret: SECRET,
    webhookSecret: 'loja:the password of the webhooks',
  });
  const keys = new CallbackKeys({ driver: () => driver, endpoints }, http);
  const signed = { headers: { 'x-webhook-asymmetric-signature': 'alg=RS256; kid=any; signature=' } };
  [publishedKey = ''] = await keys.secretsFor(SLUG, signed);
});
afterAll(async () => {
  await http.close();
  await fake.dispose();
});

const endpoints = () => ({ api: `${fake.url}/${SLUG}`, keys: `${fake.url}/${SLUG}` });

/** What the ids of a payment's objects at the fake have in common. */
async function digitsOf(transactionId: string): Promise<string[]> {
  const { entries } = await fake.control.ledger(transactionId);
  return entries.map(({ charge_id: id }) => id.slice('ch_'.length).replaceAll('-', ''));
}

/** The simulator's id of a recipient. */
function coreIdOf(recipientId: string): string {
  return recipientId.replace(/^rp_(.{8})(.{4})(.{4})(.{4})(.{12})$/, 're_$1-$2-$3-$4-$5');
}

function pagarme(): GatewayUnderTest {
  const { control } = fake;
  return {
    ...simulatedGateway(control),
    endpoints: endpoints(),
    goodSecret: SECRET,
    documents: { active: '26224451990', pending: '26224451900', refused: '26224451999' },
    webhookSecret: publishedKey,
    ownErrors: {
      400: 'ambiguous',
      401: 'bad_credentials',
      403: 'ambiguous',
      404: 'invalid_request',
      409: 'ambiguous',
      412: 'invalid_request',
      422: 'invalid_request',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
      504: 'ambiguous',
    },
    // The first result, whatever the second request is.
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // Pagar.me's pix takes its amount only.
    takesAnyPayment: false,
    decideRecipient: (recipientId, status) => control.decideRecipient(coreIdOf(recipientId), status),
    async callbacks(transactionId) {
      const names = [transactionId, ...(await digitsOf(transactionId))];
      return fake.callbacks.filter(({ body }) => names.some((name) => body.includes(name)));
    },
    sentOfPurchases: ['payer.ip', 'description'],
    // A card is charged once, as the first of a series, or by the merchant.
    distinctInitiations: 3,
  };
}

describeGatewayContract('Pagar.me', { driver, slug: SLUG, pendingRefunds: ['pix', 'billet'] }, pagarme);
