import fc from 'fast-check';
import { newTransactionId } from '../../../src/domain/shared/ids';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { REQUIRABLE_FIELDS } from '../../../src/domain/routing/required-data';
import { simulateRouting, type DescribedPayment } from '../../../src/domain/routing/route-simulation';
import { routeGateways, type Capabilities, type RoutableGateway } from '../../../src/domain/routing/routing';
import type { RoutingRule } from '../../../src/domain/routing/routing-rules';

const CAPABILITIES: Capabilities = {
  methods: ['card', 'pix'],
  authorizeOnly: true,
  verifiesCards: true,
  partialCapture: true,
  partialRefund: true,
  refundMethods: ['card', 'pix'],
  splits: 'exact',
  maxRecipients: 3,
  splitCosts: 'flagged',
  pixExpiry: { kind: 'fixed', seconds: 7_200 },
  billetDueDays: null,
  payableAfterExpiry: [],
  subAccounts: true,
  idempotency: 'both',
  replayWindowMs: 0,
  lookupSettlesMs: 0,
  pendingOperations: [],
};

const gateway = (slug: GatewaySlug, change: Partial<RoutableGateway> = {}): RoutableGateway => ({
  slug,
  order: Number(slug.slice(-1)),
  credentialId: Number(slug.slice(-1)),
  capabilities: CAPABILITIES,
  circuitOpen: false,
  recipientIds: [],
  subAccount: null,
  lackedFeatures: [],
  ...change,
});
const cardsOnly = { capabilities: { ...CAPABILITIES, methods: ['card'] as const } };

const CARD: DescribedPayment = {
  paymentMethod: 'card',
  amountCents: 60_000,
  currency: 'BRL',
  installments: 1,
  capture: true,
  card: { brand: 'visa', first6Digits: '4111' },
};
const PIX: DescribedPayment = { ...CARD, paymentMethod: 'pix', card: null };

const visaOver500: RoutingRule = {
  name: 'Visa over R$ 500',
  when: { cardBrand: 'visa', amountFromCents: 50_000 },
  target: { kind: 'list', gateways: ['gateway_2', 'gateway_1'] },
};
const sideBySide: RoutingRule = {
  name: 'Side by side',
  when: {},
  target: {
    kind: 'split',
    shares: [
      { gateway: 'gateway_1', percent: 20 },
      { gateway: 'gateway_2', percent: 20 },
      { gateway: 'gateway_3', percent: 60 },
    ],
  },
};
const ALL = [gateway('gateway_1'), gateway('gateway_2'), gateway('gateway_3')];

describe('simulating the route of a payment', () => {
  it('names the rule that matches, and the gateways in its order before the others', () => {
    const { rule, routes } = simulateRouting(CARD, [visaOver500], ALL);
    expect(rule).toMatchObject({ number: 1, name: 'Visa over R$ 500' });
    expect(routes.map(({ gateway: slug, reason }) => [slug, reason.kind])).toEqual([
      ['gateway_2', 'rule'],
      ['gateway_1', 'rule'],
      ['gateway_3', 'order'],
    ]);
    expect(simulateRouting({ ...CARD, amountCents: 49_999 }, [visaOver500], ALL).rule).toBeNull();
  });

  it('shows a split as shares of the payments like this one, without gateways that cannot take it', () => {
    const gateways = [gateway('gateway_1'), gateway('gateway_2'), gateway('gateway_3', cardsOnly)];
    const { routes, passedOver } = simulateRouting(PIX, [sideBySide], gateways);
    expect(routes.map(({ reason }) => reason)).toEqual([
      { kind: 'share', percent: 50 },
      { kind: 'share', percent: 50 },
    ]);
    expect(passedOver).toEqual([{ gateway: 'gateway_3', feature: 'method' }]);
  });

  it('puts a gateway that fails just now last, and says so', () => {
    const gateways = [gateway('gateway_1', { circuitOpen: true }), gateway('gateway_2')];
    const { routes } = simulateRouting(CARD, [], gateways);
    expect(routes.map(({ gateway: slug, circuitOpen }) => [slug, circuitOpen])).toEqual([
      ['gateway_2', false],
      ['gateway_1', true],
    ]);
  });

  it('a real payment goes first to a gateway that the simulation puts first or gives a share', () => {
    const rules = fc.subarray([visaOver500, sideBySide]);
    const failing = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(rules, failing, fc.constantFrom(CARD, PIX), (chosen, circuits, payment) => {
        const gateways = ALL.map((each, index) => ({ ...each, circuitOpen: circuits[index] ?? false }));
        const { routes } = simulateRouting(payment, chosen, gateways);
        const request = {
          ...payment,
          ...{ transactionId: newTransactionId(), authorizeOnly: false, hasCvv: true, splits: [] },
          ...{ expiry: null, given: REQUIRABLE_FIELDS, gatewayFirstTry: null },
        };
        const first = routeGateways(request, chosen, gateways)[0]?.gateway.slug;
        const possible = routes.filter(
          ({ reason, circuitOpen }, index) =>
            index === 0 || (reason.kind === 'share' && circuitOpen === routes[0]?.circuitOpen),
        );
        expect(possible.map(({ gateway: slug }) => slug)).toContain(first);
      }),
    );
  });
});
