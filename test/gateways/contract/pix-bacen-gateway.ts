import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { OwnSimulator } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';
import { simulatedGateway } from './simulated-gateway';

/** The simulator as a bank with the Pix API, without a receiver of its callbacks. */
export function pixBacenAt({ control, url }: OwnSimulator, slug: GatewaySlug): GatewayUnderTest {
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${slug}/api/v2`, oauth: `${url}/${slug}/oauth` },
    goodSecret: 'sk_contract_of_pix_bacen',
    goodClientId: 'contract-client',
    // The simulator speaks no TLS.
    goodCredentials: { certificate: '', private_key: '', pix_key: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906' },
    // No cards, no recipients.
    declinedCards: {},
    cardsDeclinedWithoutCode: {},
    advisedCards: {},
    returnsIssuerData: false,
    documents: { active: '', pending: '', refused: '' },
    decideRecipient: () => Promise.reject(new Error('there are no recipients')),
    webhookSecret: '',
    unsigned: (callback) => ({ ...callback, query: '' }),
    ownErrors: {
      400: 'invalid_request',
      403: 'bad_credentials',
      404: 'invalid_request',
      500: 'ambiguous',
      503: 'ambiguous',
      504: 'ambiguous',
    },
    referenceIsId: true,
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // A code is paid once, in full, and not after its removal.
    takesAnyPayment: false,
    callbacks: () => Promise.resolve([]),
    // The customer starts it.
    distinctInitiations: 1,
    sentOfPurchases: ['description'],
  };
}
