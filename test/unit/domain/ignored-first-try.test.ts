import { wholeTo } from '../../../src/domain/payments/split';
import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';
import { ignoredFirstTry, type GatewayUnavailability } from '../../../src/domain/routing/ignored-first-try';
import {
  unsupportedFeature,
  type Capabilities,
  type RoutableGateway,
  type RoutingRequest,
} from '../../../src/domain/routing/routing';

const CAPABILITIES: Capabilities = {
  methods: ['card', 'pix'],
  authorizeOnly: true,
  verifiesCards: true,
  partialCapture: true,
  partialRefund: true,
  refundMethods: ['card'],
  splits: 'exact',
  maxRecipients: 3,
  splitCosts: 'flagged',
  pixExpiry: { kind: 'fixed', seconds: 7_200 },
  billetDueDays: { min: 1, max: 30 },
  payableAfterExpiry: [],
  subAccounts: true,
  idempotency: 'both',
  replayWindowMs: 0,
  lookupSettlesMs: 0,
  pendingOperations: [],
};
const GATEWAY: RoutableGateway = {
  slug: 'gateway_4',
  order: 1,
  credentialId: 1,
  capabilities: CAPABILITIES,
  circuitOpen: false,
  recipientIds: ['re_1'],
  subAccount: null,
  lackedFeatures: [],
};
const REQUEST: RoutingRequest = {
  transactionId: '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
  paymentMethod: 'card',
  authorizeOnly: false,
  amountCents: 50_000,
  currency: 'BRL',
  installments: 1,
  hasCvv: true,
  card: null,
  splits: [],
  expiry: null,
  given: [],
  gatewayFirstTry: 'gateway_4',
};
const without = (change: Partial<Capabilities>) => ({ capabilities: { ...CAPABILITIES, ...change } });

describe('ignoredFirstTry', () => {
  it.each<[string, Partial<RoutableGateway>, Partial<RoutingRequest>]>([
    ['does not support billet', {}, { paymentMethod: 'billet' }],
    ['does not support capture: false', without({ authorizeOnly: false }), { authorizeOnly: true }],
    [
      'charges a card without its security code only by its own token, and has given none for this card',
      without({ savedCards: 'token' }),
      { hasCvv: false },
    ],
    ['does not support installments', without({ maxInstallments: 1 }), { installments: 2 }],
    ['supports 12 installments at most', without({ maxInstallments: 12 }), { installments: 13 }],
    ['does not support pix in USD', {}, { paymentMethod: 'pix', currency: 'USD' }],
    ['does not support splits', without({ splits: 'none' }), { splits: [wholeTo('re_1')] }],
    [
      'charges its fees and chargebacks to the platform, so no split can be liable or pay the fees',
      { ...without({ splitCosts: 'platform' }), subAccount: { recipientId: 're_1' } },
      {},
    ],
    ['answered that the account has no pix', { lackedFeatures: ['pix'] }, { paymentMethod: 'pix' }],
    ['answered that the account cannot charge card numbers', { lackedFeatures: ['raw_cards'] }, {}],
    [
      'answered that the account cannot split payments',
      { lackedFeatures: ['splits'] },
      { splits: [wholeTo('re_1')] },
    ],
    ['needs payer.ip, items', without({ requires: { card: ['payer.ip', 'items'] } }), {}],
    ['does not hold every recipient of the splits', {}, { splits: [wholeTo('re_2')] }],
  ])('a gateway that %s is ignored for that reason, and is no candidate', (reason, change, wanted) => {
    const gateway = { ...GATEWAY, ...change };
    const request = { ...REQUEST, ...wanted };
    expect(ignoredFirstTry(request, gateway)).toBe(`gateway_4 ${reason}`);
    expect(unsupportedFeature(gateway, request)).not.toBeNull();
  });

  it.each<[GatewayUnavailability, string]>([
    ['not_offered', 'gateway_4 is not offered'],
    ['not_for_company', 'gateway_4 is not available to this company'],
    ['no_credentials', 'gateway_4 has no credentials of this company'],
    ['disabled', 'gateway_4 is disabled'],
    ['sub_account_not_active', 'the sub-account at gateway_4 is not active'],
  ])('a gateway that is unavailable as %s is ignored for that reason', (reason, text) => {
    expect(ignoredFirstTry(REQUEST, reason)).toBe(text);
  });

  it('a gateway with an open circuit is not tried first, and the reason says so', () => {
    expect(ignoredFirstTry(REQUEST, { ...GATEWAY, circuitOpen: true })).toBe(
      'gateway_4 failed repeatedly just now and is tried after the others',
    );
  });

  it('nothing is ignored if the gateway can be tried first, or if none is named', () => {
    expect(ignoredFirstTry(REQUEST, GATEWAY)).toBeNull();
    for (const slug of GATEWAY_SLUGS)
      expect(ignoredFirstTry({ ...REQUEST, gatewayFirstTry: null }, { ...GATEWAY, slug })).toBeNull();
  });
});
