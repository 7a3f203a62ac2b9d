import { AdyenDriver } from '../../../src/gateways/adyen/driver';
import { toCompactReference } from '../../../src/gateways/compact-reference';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

const SLUG = 'gateway_5';
const SECRET = 'AQE-key-of-the-contract-of-adyen';
const HMAC_KEY = '07E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B29';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({ slug: SLUG, vendor: 'adyen', secret: SECRET, webhookSecret: HMAC_KEY });
});
afterAll(async () => {
  await fake.dispose();
});

/** Every reference of a payment begins with this. */
const referenceOf = (transactionId: string): string => toCompactReference(`${transactionId}-1`);

function adyen(): GatewayUnderTest {
  const { control, url } = fake;
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}` },
    goodSecret: SECRET,
    goodCredentials: { merchant_account: 'LojaECOM' },
    // Every other decline has a code, by Adyen's own reasons.
    cardsDeclinedWithoutCode: { fraud: '4000000000000051' },
    accountFeatures: ['raw_cards'],
    sentOfPurchases: ['payer.ip', 'payer.phone', 'return_url'],
    documents: { active: '', pending: '', refused: '' },
    webhookSecret: HMAC_KEY,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      422: 'invalid_request',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
    },
    // The answer is the first one, which is about another amount.
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    takesAnyPayment: false,
    decideRecipient: () => Promise.reject(new Error('the driver has no recipients')),
    callbacks: (transactionId) =>
      Promise.resolve(fake.callbacks.filter(({ body }) => body.includes(referenceOf(transactionId)))),
    // The signature is in the body.
    unsigned: (callback) => ({
      ...callback,
      body: Buffer.from(callback.body.toString().replaceAll(/"hmacSignature":"[^"]*"/g, '"other":""')),
    }),
  };
}

describeGatewayContract('Adyen', { driver: new AdyenDriver(), slug: SLUG }, adyen);
