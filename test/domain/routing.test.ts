import fc from 'fast-check';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../src/domain/gateway-slug';
import {
  nextGateway,
  routeGateways,
  type Capabilities,
  type RoutableGateway,
  type RoutingRequest,
} from '../../src/domain/routing';

const able: Capabilities = {
  methods: ['card'],
  authorizeOnly: true,
  partialCapture: true,
  partialRefund: true,
  refundMethods: ['card', 'pix', 'billet'],
  splits: true,
  subAccounts: true,
  idempotency: 'both',
  replayWindowMs: 0,
};
const gateway = (slug: GatewaySlug, change: Partial<RoutableGateway> = {}): RoutableGateway => ({
  slug,
  order: Number(slug.slice(-1)),
  credentialId: Number(slug.slice(-1)),
  capabilities: able,
  circuitOpen: false,
  recipientIds: [],
  ...change,
});
const request: RoutingRequest = {
  paymentMethod: 'card',
  authorizeOnly: false,
  currency: 'BRL',
  recipientIds: [],
  gatewayFirstTry: null,
};
const slugs = (change: Partial<RoutingRequest>, ...gateways: RoutableGateway[]): string[] =>
  routeGateways({ ...request, ...change }, gateways).map(({ slug }) => slug);

describe('routing', () => {
  it('goes by order, equal orders by credential', () => {
    const gateways = [
      gateway('gateway_3', { order: 2, credentialId: 1 }),
      gateway('gateway_1', { order: 2, credentialId: 9 }),
      gateway('gateway_2', { order: 1 }),
    ];
    expect(slugs({}, ...gateways)).toEqual(['gateway_2', 'gateway_3', 'gateway_1']);
  });

  it('puts gateway_first_try first, when it is a candidate', () => {
    const gateways = [gateway('gateway_1'), gateway('gateway_2')];
    expect(slugs({ gatewayFirstTry: 'gateway_2' }, ...gateways)).toEqual(['gateway_2', 'gateway_1']);
    expect(slugs({ gatewayFirstTry: 'gateway_5' }, ...gateways)).toEqual(['gateway_1', 'gateway_2']);
  });

  it('puts open circuits last, even the one to be tried first', () => {
    const gateways = [gateway('gateway_1', { circuitOpen: true }), gateway('gateway_2')];
    expect(slugs({ gatewayFirstTry: 'gateway_1' }, ...gateways)).toEqual(['gateway_2', 'gateway_1']);
  });

  it('leaves out what cannot carry the method, the authorization, the currency or the splits', () => {
    const pix = { ...able, methods: ['card', 'pix'] } as Capabilities;
    expect(
      slugs({ paymentMethod: 'pix' }, gateway('gateway_1'), gateway('gateway_2', { capabilities: pix })),
    ).toEqual(['gateway_2']);
    expect(
      slugs({ paymentMethod: 'pix', currency: 'USD' }, gateway('gateway_2', { capabilities: pix })),
    ).toEqual([]);
    const saleOnly = { ...able, authorizeOnly: false };
    expect(
      slugs({ authorizeOnly: true }, gateway('gateway_2', { capabilities: saleOnly }), gateway('gateway_4')),
    ).toEqual(['gateway_4']);
    const holder = gateway('gateway_4', { recipientIds: ['a', 'b'] });
    expect(
      slugs({ recipientIds: ['a', 'b'] }, gateway('gateway_1', { recipientIds: ['a'] }), holder),
    ).toEqual(['gateway_4']);
  });
});

describe('the next gateway', () => {
  const routed = [gateway('gateway_1'), gateway('gateway_2'), gateway('gateway_3')];

  it('is one not tried yet; then one proven never to have received the charge; then none', () => {
    const done = (slug: GatewaySlug, provenAbsent: boolean) => ({ gateway: slug, provenAbsent });
    expect(nextGateway(routed, [])?.slug).toBe('gateway_1');
    expect(nextGateway(routed, [done('gateway_1', true)])?.slug).toBe('gateway_2');
    const both = [done('gateway_1', true), done('gateway_2', false)];
    expect(nextGateway(routed, [...both, done('gateway_3', false)])?.slug).toBe('gateway_1');
    expect(nextGateway(routed, [...both, done('gateway_3', false), done('gateway_1', false)])).toBeNull();
  });

  it('is never one that gave a certain result', () => {
    const tried = fc.array(
      fc.record({ gateway: fc.constantFrom(...GATEWAY_SLUGS), provenAbsent: fc.boolean() }),
    );
    fc.assert(
      fc.property(tried, (attempts) => {
        const next = nextGateway(routed, attempts);
        expect(attempts.some(({ gateway: slug, provenAbsent }) => slug === next?.slug && !provenAbsent)).toBe(
          false,
        );
      }),
    );
  });
});
