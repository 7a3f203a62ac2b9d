import fc from 'fast-check';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { newTransactionId } from '../../../src/domain/shared/ids';
import {
  candidatesFor,
  nextRoute,
  routeGateways,
  type Capabilities,
  type RoutableGateway,
  type RoutingRequest,
  type TriedGateway,
} from '../../../src/domain/routing/routing';
import { explainRoute } from '../../../src/domain/routing/routing-reason';
import type { RoutingRule, RuleConditions, SplitShare } from '../../../src/domain/routing/routing-rules';

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
const open = (slug: GatewaySlug) => gateway(slug, { circuitOpen: true });
const request: RoutingRequest = {
  transactionId: '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
  paymentMethod: 'card',
  authorizeOnly: false,
  amountCents: 50_000,
  currency: 'BRL',
  installments: 3,
  card: { brand: 'visa', first6Digits: '411111' },
  recipientIds: [],
  gatewayFirstTry: null,
};
const [one, two, three] = [gateway('gateway_1'), gateway('gateway_2'), gateway('gateway_3')];

const listRule = (when: RuleConditions, ...gateways: GatewaySlug[]): RoutingRule => ({
  name: 'visa over R$ 500',
  when,
  target: { kind: 'list', gateways },
});
const splitRule = (...shares: Array<[GatewaySlug, number]>): RoutingRule => ({
  name: 'side by side',
  when: {},
  target: { kind: 'split', shares: shares.map(([slug, percent]) => ({ gateway: slug, percent })) },
});

interface Case {
  readonly rules?: readonly RoutingRule[];
  readonly change?: Partial<RoutingRequest>;
  readonly tried?: readonly TriedGateway[];
}

function slugs({ rules = [], change = {} }: Case, ...gateways: RoutableGateway[]): string[] {
  return routeGateways({ ...request, ...change }, rules, gateways).map((route) => route.gateway.slug);
}

/** Where the payment goes next, and what is said of it. */
function next({ rules = [], change = {}, tried = [] }: Case, ...gateways: RoutableGateway[]): string {
  const asked = { ...request, ...change };
  const routed = routeGateways(asked, rules, gateways);
  const route = nextRoute(routed, tried);
  return route === null ? 'nowhere' : `${route.gateway.slug}: ${explainRoute(route, routed, tried, asked)}`;
}

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
    expect(slugs({ change: { gatewayFirstTry: 'gateway_2' } }, one, two)).toEqual(['gateway_2', 'gateway_1']);
    expect(slugs({ change: { gatewayFirstTry: 'gateway_5' } }, one, two)).toEqual(['gateway_1', 'gateway_2']);
  });

  it('puts open circuits last, even the one to be tried first and the one a rule names', () => {
    const change = { gatewayFirstTry: 'gateway_1' } as const;
    expect(slugs({ change }, open('gateway_1'), two)).toEqual(['gateway_2', 'gateway_1']);
    const rules = [listRule({}, 'gateway_1', 'gateway_3')];
    expect(slugs({ rules }, open('gateway_1'), two, three)).toEqual(['gateway_3', 'gateway_2', 'gateway_1']);
  });

  it('leaves out what cannot carry the method, the authorization, the currency or the splits', () => {
    const pix = gateway('gateway_2', { capabilities: { ...able, methods: ['card', 'pix'] } });
    const able1 = gateway('gateway_1', { recipientIds: ['a'] });
    const saleOnly = gateway('gateway_2', { capabilities: { ...able, authorizeOnly: false } });
    const holder = gateway('gateway_4', { recipientIds: ['a', 'b'] });
    const left = (change: Partial<RoutingRequest>, ...gateways: RoutableGateway[]) => {
      const candidates = candidatesFor({ ...request, ...change }, gateways).map(({ slug }) => slug);
      expect(slugs({ change }, ...gateways).sort()).toEqual(candidates.sort());
      return candidates;
    };
    expect(left({ paymentMethod: 'pix' }, one, pix)).toEqual(['gateway_2']);
    expect(left({ paymentMethod: 'pix', currency: 'USD' }, pix)).toEqual([]);
    expect(left({ authorizeOnly: true }, saleOnly, gateway('gateway_4'))).toEqual(['gateway_4']);
    expect(left({ recipientIds: ['a', 'b'] }, able1, holder)).toEqual(['gateway_4']);
  });
});

describe('a routing rule', () => {
  it.each<[string, RuleConditions, Partial<RoutingRequest>]>([
    ['payment method', { paymentMethod: 'card' }, { paymentMethod: 'pix', card: null }],
    ['least amount', { amountFromCents: 50_000 }, { amountCents: 49_999 }],
    ['greatest amount', { amountToCents: 50_000 }, { amountCents: 50_001 }],
    ['currency', { currency: 'BRL' }, { currency: 'USD' }],
    ['card brand', { cardBrand: 'visa' }, { card: { brand: 'elo', first6Digits: '411111' } }],
    ['first digits', { binPrefix: '4111' }, { card: { brand: 'visa', first6Digits: '411011' } }],
    ['a card at all', { cardBrand: 'visa' }, { card: null }],
    ['first digits of a card at all', { binPrefix: '4' }, { card: null }],
    ['installments', { installmentsFrom: 3 }, { installments: 2 }],
    [
      'everything it says',
      { cardBrand: 'visa', amountFromCents: 50_000 },
      { card: { brand: 'elo', first6Digits: '636297' } },
    ],
  ])('goes by %s', (_, when, otherwise) => {
    const able2 = { capabilities: { ...able, methods: ['card', 'pix'] as const } };
    const gateways = [gateway('gateway_1', able2), gateway('gateway_2', able2)];
    const rules = [listRule(when, 'gateway_2')];
    expect(slugs({ rules }, ...gateways)).toEqual(['gateway_2', 'gateway_1']);
    const change = { currency: 'BRL', ...otherwise };
    const foreign = change.currency === 'USD' ? { paymentMethod: 'card' as const } : {};
    expect(slugs({ rules, change: { ...change, ...foreign } }, ...gateways)).toEqual([
      'gateway_1',
      'gateway_2',
    ]);
  });

  it('without conditions is for every payment, and the first that matches decides alone', () => {
    const rules = [
      listRule({ cardBrand: 'elo' }, 'gateway_1'),
      listRule({}, 'gateway_3'),
      listRule({}, 'gateway_2'),
    ];
    expect(slugs({ rules }, one, two, three)).toEqual(['gateway_3', 'gateway_1', 'gateway_2']);
  });

  it('gives way to gateway_first_try', () => {
    const change = { gatewayFirstTry: 'gateway_3' } as const;
    const rules = [listRule({}, 'gateway_2')];
    expect(slugs({ rules, change }, one, two, three)).toEqual(['gateway_3', 'gateway_2', 'gateway_1']);
  });
});

describe('a split', () => {
  const shares: Array<[GatewaySlug, number]> = [
    ['gateway_1', 10],
    ['gateway_2', 60],
    ['gateway_3', 30],
  ];
  const firstOf = (split: Array<[GatewaySlug, number]>, ...gateways: RoutableGateway[]) =>
    slugs({ rules: [splitRule(...split)], change: { transactionId: newTransactionId() } }, ...gateways)[0];

  it('shares payments as it says, within what chance allows', () => {
    const payments = 5_000;
    const counts = new Map<string | undefined, number>();
    for (let n = 0; n < payments; n += 1) {
      const first = firstOf(shares, one, two, three);
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    for (const [slug, percent] of shares) {
      const part = percent / 100;
      // Six standard deviations: once in half a billion runs.
      const slack = 6 * Math.sqrt((part * (1 - part)) / payments);
      expect(Math.abs((counts.get(slug) ?? 0) / payments - part)).toBeLessThan(slack);
    }
  });

  it('shares the part of a gateway that cannot take part between the others, in proportion', () => {
    const payments = 5_000;
    let third = 0;
    for (let n = 0; n < payments; n += 1) if (firstOf(shares, one, three) === 'gateway_3') third += 1;
    expect(Math.abs(third / payments - 0.75)).toBeLessThan(6 * Math.sqrt((0.75 * 0.25) / payments));
  });

  it('sends a payment to the same gateway however often it is asked, then to the greater part before the lesser', () => {
    const rules = [splitRule(...shares)];
    for (let n = 0; n < 200; n += 1) {
      const change = { transactionId: newTransactionId() };
      const routed = slugs({ rules, change }, one, two, three, gateway('gateway_4'));
      expect(slugs({ rules, change }, three, gateway('gateway_4'), one, two)).toEqual(routed);
      const [first, ...others] = routed;
      const byPart = ['gateway_2', 'gateway_3', 'gateway_1'].filter((slug) => slug !== first);
      expect(others).toEqual([...byPart, 'gateway_4']);
    }
  });

  it('of one gateway is for all', () => {
    expect(firstOf([['gateway_3', 100]], one, three)).toBe('gateway_3');
  });
});

describe('whatever the rules', () => {
  const anySlug = fc.constantFrom(...GATEWAY_SLUGS);
  const someSlugs = fc.uniqueArray(anySlug, { minLength: 1 });
  const shares = fc
    .uniqueArray(fc.record({ gateway: anySlug, percent: fc.integer({ min: 1, max: 99 }) }), {
      minLength: 1,
      selector: (share: SplitShare) => share.gateway,
    })
    .map((list) => ({ kind: 'split', shares: list }) as const);
  const target = fc.oneof(
    someSlugs.map((list) => ({ kind: 'list', gateways: list }) as const),
    shares,
  );
  const when = fc.record(
    {
      paymentMethod: fc.constantFrom('card', 'pix', 'billet'),
      amountFromCents: fc.integer({ min: 0, max: 100_000 }),
      amountToCents: fc.integer({ min: 0, max: 100_000 }),
      cardBrand: fc.constantFrom('visa', 'elo'),
      installmentsFrom: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RuleConditions>;
  const rules = fc.array(fc.record({ name: fc.string(), when, target }), { maxLength: 6 });
  const gateways = fc.uniqueArray(
    fc.record({
      slug: anySlug,
      order: fc.integer({ min: 1, max: 3 }),
      able: fc.boolean(),
      circuitOpen: fc.boolean(),
    }),
    { selector: ({ slug }) => slug },
  );
  interface Drawn {
    readonly slug: GatewaySlug;
    readonly order: number;
    readonly able: boolean;
    readonly circuitOpen: boolean;
  }
  const asGateway = ({ slug, order, able: isAble, circuitOpen }: Drawn): RoutableGateway =>
    gateway(slug, { order, circuitOpen, capabilities: { ...able, methods: isAble ? ['card'] : ['pix'] } });
  const first = fc.option(anySlug);

  it('every candidate has its turn once, and nothing else does', () => {
    fc.assert(
      fc.property(rules, gateways, first, fc.uuid(), (given, list, gatewayFirstTry, transactionId) => {
        const change = { gatewayFirstTry, transactionId };
        const all = list.map(asGateway);
        const routed = slugs({ rules: given, change }, ...all);
        const candidates = list.filter((item) => item.able).map(({ slug }) => slug);
        expect([...routed].sort()).toEqual(candidates.sort());
        expect(slugs({ rules: given, change }, ...all.reverse())).toEqual(routed);
      }),
    );
  });

  it('no open circuit comes before a closed one, and gateway_first_try leads its kind', () => {
    fc.assert(
      fc.property(rules, gateways, first, (given, list, gatewayFirstTry) => {
        const routed = routeGateways({ ...request, gatewayFirstTry }, given, list.map(asGateway));
        const circuits = routed.map((route) => Number(route.gateway.circuitOpen));
        expect([...circuits].sort()).toEqual(circuits);
        const asked = routed.find((route) => route.gateway.slug === gatewayFirstTry);
        if (asked === undefined) return;
        const kind = routed.filter((route) => route.gateway.circuitOpen === asked.gateway.circuitOpen);
        expect(kind[0]).toBe(asked);
      }),
    );
  });

  it('each place is explained, in few words', () => {
    fc.assert(
      fc.property(rules, gateways, first, (given, list, gatewayFirstTry) => {
        const asked = { ...request, gatewayFirstTry };
        const routed = routeGateways(asked, given, list.map(asGateway));
        for (const route of routed) {
          const reason = explainRoute(route, routed, [], asked);
          expect(reason.length).toBeGreaterThan(5);
          expect(reason.length).toBeLessThan(300);
        }
      }),
    );
  });
});

describe('the reason', () => {
  const visa = listRule({ cardBrand: 'visa' }, 'gateway_2', 'gateway_3');
  const elo = listRule({ cardBrand: 'elo' }, 'gateway_1');
  const whole = splitRule(['gateway_3', 100]);
  const declined = { gateway: 'gateway_1', status: 'declined' } as const;
  const absent = { gateway: 'gateway_1', status: 'abandoned' } as const;

  it.each<[string, Case, readonly RoutableGateway[]]>([
    ['gateway_1: order 1', {}, [one, two]],
    ['gateway_2: gateway_first_try', { change: { gatewayFirstTry: 'gateway_2' } }, [one, two]],
    [
      'gateway_1: order 1; gateway_first_try gateway_5 cannot carry it',
      { change: { gatewayFirstTry: 'gateway_5' } },
      [one, two],
    ],
    ['gateway_2: rule 2 matched: visa over R$ 500', { rules: [elo, visa] }, [one, two]],
    ['gateway_1: order 1, not named by rule 1: visa over R$ 500', { rules: [visa] }, [one]],
    ['gateway_3: split of rule 1: side by side: 100% here', { rules: [whole] }, [one, three]],
    ['gateway_2: order 2; circuit of gateway_1 open', {}, [open('gateway_1'), two]],
    [
      'gateway_3: order 3; circuits of gateway_1, gateway_2 open',
      {},
      [open('gateway_1'), open('gateway_2'), three],
    ],
    [
      'gateway_1: order 1; its circuit is open, and so is every other left',
      {},
      [open('gateway_1'), open('gateway_2')],
    ],
    ['gateway_2: next after gateway_1 declined; order 2', { tried: [declined] }, [one, two]],
    [
      'gateway_2: next after gateway_1 failed; rule 1 matched: visa over R$ 500',
      { tried: [{ ...declined, status: 'error' }], rules: [visa] },
      [one, two],
    ],
    [
      'gateway_2: next after gateway_1, which never received the charge; order 2',
      { tried: [absent] },
      [one, two],
    ],
    ['gateway_1: once more: it never received the charge; order 1', { tried: [absent] }, [one]],
    ['gateway_7: platform gateway', {}, [gateway('gateway_7', { credentialId: null, order: 2_147_483_647 })]],
    ['nowhere', { tried: [declined] }, [one]],
  ])('is %s', (expected, given, gateways) => {
    expect(next(given, ...gateways)).toBe(expected);
  });

  it('tells a part of a split that the payment was not drawn for', () => {
    const rules = [splitRule(['gateway_1', 50], ['gateway_2', 50])];
    const drawn = slugs({ rules }, one, two)[0] as GatewaySlug;
    const other = drawn === 'gateway_1' ? 'gateway_2' : 'gateway_1';
    const tried = [{ gateway: drawn, status: 'declined' }] as const;
    expect(next({ rules, tried }, one, two)).toBe(
      `${other}: next after ${drawn} declined; split of rule 1: side by side: 50% here, drawn for another`,
    );
  });
});

describe('the next gateway', () => {
  const routed = routeGateways(request, [], [one, two, three]);
  const nextSlug = (tried: readonly TriedGateway[]) => nextRoute(routed, tried)?.gateway.slug ?? null;
  const done = (slug: GatewaySlug, provenAbsent: boolean): TriedGateway => ({
    gateway: slug,
    status: provenAbsent ? 'abandoned' : 'declined',
  });

  it('is one not tried yet; then one proven never to have received the charge; then none', () => {
    expect(nextSlug([])).toBe('gateway_1');
    expect(nextSlug([done('gateway_1', true)])).toBe('gateway_2');
    const both = [done('gateway_1', true), done('gateway_2', false)];
    expect(nextSlug([...both, done('gateway_3', false)])).toBe('gateway_1');
    expect(nextSlug([...both, done('gateway_3', false), done('gateway_1', false)])).toBeNull();
  });

  it('is never one that gave a certain result', () => {
    const tried = fc.array(fc.tuple(fc.constantFrom(...GATEWAY_SLUGS), fc.boolean()));
    fc.assert(
      fc.property(tried, (attempts) => {
        const slug = nextSlug(attempts.map(([tried1, absent]) => done(tried1, absent)));
        expect(attempts.some(([other, absent]) => other === slug && !absent)).toBe(false);
      }),
    );
  });
});
