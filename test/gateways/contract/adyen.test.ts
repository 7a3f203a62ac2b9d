import { AdyenDriver } from '../../../src/gateways/adyen/driver';
import { toCompactReference } from '../../../src/gateways/compact-reference';
import { recipientIdOf } from '../../../src/simulator/vendors/adyen/ids';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

const SLUG = 'gateway_5';
const SECRET = 'AQE-key-of-the-contract-of-adyen';
const HMAC_KEY = '07E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B29';

const CREDENTIALS = {
  merchant_account: 'LojaECOM',
  balance_platform: 'LojaPlatform',
  legal_entity_key: 'AQE-legal-entity-key-of-the-contract',
  balance_platform_key: 'AQE-balance-platform-key-of-the-contract',
};

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({ slug: SLUG, vendor: 'adyen', secret: SECRET, webhookSecret: HMAC_KEY });
});
afterAll(async () => {
  await fake.dispose();
});

/** The references of recipients whose creation has a fault. */
const troubled = new Set<string>();
/** Every reference of a payment begins with this. */
const referenceOf = (transactionId: string): string => toCompactReference(`${transactionId}-1`);

function adyen(): GatewayUnderTest {
  const { control, url } = fake;
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}`, kyc: `${url}/${SLUG}/kyc`, balance: `${url}/${SLUG}/balance` },
    goodSecret: SECRET,
    goodCredentials: CREDENTIALS,
    badCredentials: { ...CREDENTIALS, legal_entity_key: 'sk_invalid_contract' },
    // Every other decline has a code, by Adyen's own reasons.
    cardsDeclinedWithoutCode: { fraud: '4000000000000051' },
    accountFeatures: ['raw_cards'],
    sentOfPurchases: ['payer.ip', 'payer.phone', 'return_url'],
    documents: { active: '52998224725', pending: '52998224700', refused: '52998224799' },
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
    async injectFault(reference, fault, operation) {
      if (operation === 'recipient') troubled.add(reference);
      // Only recipients are asked about. The list of account holders names no reference, so the fault is that of the next inquiry.
      await (operation === 'inquiry' && troubled.has(reference)
        ? control.script({ gateway: SLUG, operation }, fault)
        : simulatedGateway(control).injectFault(reference, fault, operation));
    },
    leaveToOwner: (reference) =>
      control.script({ transaction_id: reference, operation: 'recipient' }, { needs_consent: true }),
    consentLinksChange: true,
    decideRecipient: (recipientId, status) =>
      control.decideRecipient(recipientIdOf(recipientId) ?? '', status),
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
