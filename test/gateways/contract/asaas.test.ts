import { AsaasDriver } from '../../../src/gateways/asaas/driver';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

// Of the slugs that authorize without capturing.
const SLUG = 'gateway_4';
const SECRET = '$aact_hmlg_contract_of_asaas';
const WEBHOOK_SECRET = 'token of the asaas contract';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'asaas',
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await fake.dispose();
});

function asaas(): GatewayUnderTest {
  const { control, url } = fake;
  const { declinedCards } = simulatedGateway(control);
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}` },
    goodSecret: SECRET,
    badSecret: '$aact_prod_of_another_environment',
    // Asaas sends one answer for all declines, without a code and without advice, and keeps none of them.
    declinedCards: {},
    cardsDeclinedWithoutCode: { soft: declinedCards['51'] },
    advisedCards: {},
    keepsDeclines: false,
    // Asaas does not say how soon it lists a refund, and carries a second one out.
    provesPartialRefundAbsence: false,
    returnsIssuerData: false,
    accountFeatures: ['raw_cards'],
    // The fake decides by the last digits, and Asaas takes no document with wrong check digits.
    documents: { active: '52998224725', pending: '12345601000', refused: '12345614099' },
    recipientWithoutSecret: 'pending',
    webhookSecret: WEBHOOK_SECRET,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      404: 'invalid_request',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
      504: 'ambiguous',
    },
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // A code is paid once, in full, and not after its removal.
    takesAnyPayment: false,
    decideRecipient: (recipientId, status) => control.decideRecipient(`re_${recipientId}`, status),
    // Without the creation, which says nothing yet.
    callbacks: (transactionId) =>
      Promise.resolve(
        fake.callbacks.filter(
          ({ body }) => body.includes(transactionId) && !body.includes('PAYMENT_CREATED'),
        ),
      ),
    // Asaas has no field for it.
    distinctInitiations: 1,
    sentOfPurchases: ['description'],
  };
}

describeGatewayContract('Asaas', { driver: new AsaasDriver(), slug: SLUG }, asaas);
