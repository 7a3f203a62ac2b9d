import fc from 'fast-check';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { wholeTo } from '../../../src/domain/payments/split';
import { newTransactionId } from '../../../src/domain/shared/ids';
import {
  candidatesFor,
  nextRoute,
  routeGateways,
  type Capabilities,
  type RoutableGateway,
  type RoutingRequest,
  type AttemptedGateway,
} from '../../../src/domain/routing/routing';
import { describeLackingData, describeUnroutable } from '../../../src/domain/routing/ignored-first-try';
import { explainRoute } from '../../../src/domain/routing/routing-reason';
import type { RoutingRule, RuleConditions, SplitShare } from '../../../src/domain/routing/routing-rules';

const able: Capabilities = {
  methods: ['card'],
  authorizeOnly: true,
  verifiesCards: true,
  partialCapture: true,
  partialRefund: true,
  refundMethods: ['card', 'pix', 'billet'],
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
const gateway = (slug: GatewaySlug, change: Partial<RoutableGateway> = {}): RoutableGateway => ({
  slug,
  order: Number(slug.slice(-1)),
  credentialId: Number(slug.slice(-1)),
  capabilities: able,
  circuitOpen: false,
  recipientIds: [],
  subAccount: null,
  lackedFeatures: [],
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
  hasCvv: true,
  card: { brand: 'visa', first6Digits: '411111' },
  splits: [],
  expiry: null,
  given: [],
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
  /** Why gateway_first_try is not tried first. */
  readonly ignored?: string;
  readonly rules?: readonly RoutingRule[];
  readonly change?: Partial<RoutingRequest>;
  readonly attempted?: readonly AttemptedGateway[];
}

function slugs({ rules = [], change = {} }: Case, ...gateways: RoutableGateway[]): string[] {
  return routeGateways({ ...request, ...change }, rules, gateways).map((route) => route.gateway.slug);
}

/** The next gateway of the payment and its routing reason. */
function next(
  { rules = [], change = {}, attempted = [], ignored }: Case,
  ...gateways: RoutableGateway[]
): string {
  const changed = { ...request, ...change };
  const routed = routeGateways(changed, rules, gateways);
  const route = nextRoute(routed, attempted);
  return route === null
    ? 'nowhere'
    : `${route.gateway.slug}: ${explainRoute(route, routed, attempted, ignored)}`;
}

describe('routing', () => {
  it('gateways are sorted by order, and equal orders by credential', () => {
    const gateways = [
      gateway('gateway_3', { order: 2, credentialId: 1 }),
      gateway('gateway_1', { order: 2, credentialId: 9 }),
      gateway('gateway_2', { order: 1 }),
    ];
    expect(slugs({}, ...gateways)).toEqual(['gateway_2', 'gateway_3', 'gateway_1']);
  });

  it('gateway_first_try comes first if it supports the payment', () => {
    expect(slugs({ change: { gatewayFirstTry: 'gateway_2' } }, one, two)).toEqual(['gateway_2', 'gateway_1']);
    expect(slugs({ change: { gatewayFirstTry: 'gateway_5' } }, one, two)).toEqual(['gateway_1', 'gateway_2']);
  });

  it('gateways with an open circuit come last, even gateway_first_try and the targets of a rule', () => {
    const change = { gatewayFirstTry: 'gateway_1' } as const;
    expect(slugs({ change }, open('gateway_1'), two)).toEqual(['gateway_2', 'gateway_1']);
    const rules = [listRule({}, 'gateway_1', 'gateway_3')];
    expect(slugs({ rules }, open('gateway_1'), two, three)).toEqual(['gateway_3', 'gateway_2', 'gateway_1']);
  });

  it('a gateway that needs data which the payment does not have is passed over, and the reason names both', () => {
    const needy = gateway('gateway_1', {
      capabilities: { ...able, requires: { card: ['payer.ip', 'items'] } },
    });
    const reason = (given: RoutingRequest['given']) => {
      const changed = { ...request, given };
      const routed = routeGateways(changed, [], [needy, two]);
      const route = nextRoute(routed, []);
      const lacking = describeLackingData([needy, two], changed);
      return route && `${route.gateway.slug}: ${explainRoute(route, routed, [], null, lacking)}`;
    };
    expect(reason(['items'])).toBe('gateway_2: order 2; passed over: gateway_1 needs payer.ip');
    expect(reason(['items', 'payer.ip'])).toBe('gateway_1: order 1');
  });

  it('what is in the way of a payment that no gateway supports is told for each gateway', () => {
    const needy = gateway('gateway_1', { capabilities: { ...able, requires: { card: ['payer.phone'] } } });
    const limited = gateway('gateway_2', { lackedFeatures: ['raw_cards'] });
    expect(describeUnroutable([needy, limited], request)).toBe(
      'gateway_1 needs payer.phone; gateway_2 answered that the account cannot charge card numbers',
    );
    expect(describeUnroutable([], request)).toBe('no gateway is enabled');
  });

  it('gateways that do not support the method, authorization, currency or splits are left out', () => {
    const pix = gateway('gateway_2', { capabilities: { ...able, methods: ['card', 'pix'] } });
    const able1 = gateway('gateway_1', { recipientIds: ['a'] });
    const saleOnly = gateway('gateway_2', { capabilities: { ...able, authorizeOnly: false } });
    const holder = gateway('gateway_4', { recipientIds: ['a', 'b'] });
    const supporting = (change: Partial<RoutingRequest>, ...gateways: RoutableGateway[]) => {
      const candidates = candidatesFor({ ...request, ...change }, gateways).map(({ slug }) => slug);
      expect(slugs({ change }, ...gateways).sort()).toEqual(candidates.sort());
      return candidates;
    };
    expect(supporting({ paymentMethod: 'pix' }, one, pix)).toEqual(['gateway_2']);
    expect(supporting({ paymentMethod: 'pix', currency: 'USD' }, pix)).toEqual([]);
    expect(supporting({ authorizeOnly: true }, saleOnly, gateway('gateway_4'))).toEqual(['gateway_4']);
    const splits = ['a', 'b'].map((recipientId) => ({ ...wholeTo(recipientId), amount: 50 }));
    expect(supporting({ splits }, able1, holder)).toEqual(['gateway_4']);
    const oneRecipient = gateway('gateway_5', {
      recipientIds: ['a', 'b'],
      capabilities: { ...able, splits: 'fee', splitCosts: 'recipients' },
    });
    expect(supporting({ splits }, oneRecipient, holder)).toEqual(['gateway_4']);
  });
});

describe('a routing rule', () => {
  it.each<[string, RuleConditions, Partial<RoutingRequest>]>([
    ['payment method', { paymentMethod: 'card' }, { paymentMethod: 'pix', card: null }],
    ['minimum amount', { amountFromCents: 50_000 }, { amountCents: 49_999 }],
    ['maximum amount', { amountToCents: 50_000 }, { amountCents: 50_001 }],
    ['currency', { currency: 'BRL' }, { currency: 'USD' }],
    ['card brand', { cardBrand: 'visa' }, { card: { brand: 'elo', first6Digits: '411111' } }],
    ['first digits', { binPrefix: '4111' }, { card: { brand: 'visa', first6Digits: '411011' } }],
    ['card brand without a card', { cardBrand: 'visa' }, { card: null }],
    ['first digits without a card', { binPrefix: '4' }, { card: null }],
    ['installments', { installmentsFrom: 3 }, { installments: 2 }],
    [
      'all its conditions',
      { cardBrand: 'visa', amountFromCents: 50_000 },
      { card: { brand: 'elo', first6Digits: '636297' } },
    ],
  ])('a rule matches by %s', (_, when, otherwise) => {
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

  it('a rule without conditions matches every payment, and only the first matching rule applies', () => {
    const rules = [
      listRule({ cardBrand: 'elo' }, 'gateway_1'),
      listRule({}, 'gateway_3'),
      listRule({}, 'gateway_2'),
    ];
    expect(slugs({ rules }, one, two, three)).toEqual(['gateway_3', 'gateway_1', 'gateway_2']);
  });

  it('gateway_first_try has precedence over a rule', () => {
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

  it('payments are divided by the percentages, within statistical error', () => {
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

  it('the share of an unsupported gateway is divided among the others in proportion', () => {
    const payments = 5_000;
    let third = 0;
    for (let n = 0; n < payments; n += 1) if (firstOf(shares, one, three) === 'gateway_3') third += 1;
    expect(Math.abs(third / payments - 0.75)).toBeLessThan(6 * Math.sqrt((0.75 * 0.25) / payments));
  });

  it('a payment always gets the same gateway, and fails over to the others by descending percentage', () => {
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

  it('a split with one gateway gets all payments', () => {
    expect(firstOf([['gateway_3', 100]], one, three)).toBe('gateway_3');
  });
});

describe('any rules', () => {
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
  interface GeneratedGateway {
    readonly slug: GatewaySlug;
    readonly order: number;
    readonly able: boolean;
    readonly circuitOpen: boolean;
  }
  const asGateway = ({ slug, order, able: isAble, circuitOpen }: GeneratedGateway): RoutableGateway =>
    gateway(slug, { order, circuitOpen, capabilities: { ...able, methods: isAble ? ['card'] : ['pix'] } });
  const first = fc.option(anySlug);

  it('every supporting gateway is routed exactly once, and no other', () => {
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

  it('open circuits come after closed ones, and gateway_first_try leads its group', () => {
    fc.assert(
      fc.property(rules, gateways, first, (given, list, gatewayFirstTry) => {
        const routed = routeGateways({ ...request, gatewayFirstTry }, given, list.map(asGateway));
        const circuits = routed.map((route) => Number(route.gateway.circuitOpen));
        expect([...circuits].sort()).toEqual(circuits);
        const preferred = routed.find((route) => route.gateway.slug === gatewayFirstTry);
        if (preferred === undefined) return;
        const group = routed.filter((route) => route.gateway.circuitOpen === preferred.gateway.circuitOpen);
        expect(group[0]).toBe(preferred);
      }),
    );
  });

  it('every route has a short explanation', () => {
    fc.assert(
      fc.property(rules, gateways, first, (given, list, gatewayFirstTry) => {
        const changed = { ...request, gatewayFirstTry };
        const routed = routeGateways(changed, given, list.map(asGateway));
        for (const route of routed) {
          const reason = explainRoute(route, routed, []);
          expect(reason.length).toBeGreaterThan(5);
          expect(reason.length).toBeLessThan(300);
        }
      }),
    );
  });
});

describe('explainRoute', () => {
  const visa = listRule({ cardBrand: 'visa' }, 'gateway_2', 'gateway_3');
  const elo = listRule({ cardBrand: 'elo' }, 'gateway_1');
  const whole = splitRule(['gateway_3', 100]);
  const declined = { gateway: 'gateway_1', status: 'declined' } as const;
  const absent = { gateway: 'gateway_1', status: 'abandoned' } as const;

  it.each<[string, Case, readonly RoutableGateway[]]>([
    ['gateway_1: order 1', {}, [one, two]],
    ['gateway_2: gateway_first_try', { change: { gatewayFirstTry: 'gateway_2' } }, [one, two]],
    [
      'gateway_1: order 1; gateway_first_try ignored: gateway_5 is disabled',
      { change: { gatewayFirstTry: 'gateway_5' }, ignored: 'gateway_5 is disabled' },
      [one, two],
    ],
    ['gateway_2: rule 2 matched: visa over R$ 500', { rules: [elo, visa] }, [one, two]],
    ['gateway_1: order 1, not named by rule 1: visa over R$ 500', { rules: [visa] }, [one]],
    ['gateway_3: split of rule 1: side by side: 100%, selected', { rules: [whole] }, [one, three]],
    ['gateway_2: order 2; circuit of gateway_1 open', {}, [open('gateway_1'), two]],
    [
      'gateway_3: order 3; circuits of gateway_1, gateway_2 open',
      {},
      [open('gateway_1'), open('gateway_2'), three],
    ],
    ['gateway_1: order 1; all remaining circuits are open', {}, [open('gateway_1'), open('gateway_2')]],
    ['gateway_2: next after gateway_1 declined; order 2', { attempted: [declined] }, [one, two]],
    [
      'gateway_2: next after gateway_1 failed; rule 1 matched: visa over R$ 500',
      { attempted: [{ ...declined, status: 'error' }], rules: [visa] },
      [one, two],
    ],
    [
      'gateway_2: next after gateway_1, which never received the charge; order 2',
      { attempted: [absent] },
      [one, two],
    ],
    ['gateway_1: retried: it never received the charge; order 1', { attempted: [absent] }, [one]],
    ['gateway_7: platform gateway', {}, [gateway('gateway_7', { credentialId: null, order: 2_147_483_647 })]],
    ['nowhere', { attempted: [declined] }, [one]],
  ])('the reason is %s', (expected, given, gateways) => {
    expect(next(given, ...gateways)).toBe(expected);
  });

  it('a share that was not selected is named as such after a failover', () => {
    const rules = [splitRule(['gateway_1', 50], ['gateway_2', 50])];
    const drawn = slugs({ rules }, one, two)[0] as GatewaySlug;
    const other = drawn === 'gateway_1' ? 'gateway_2' : 'gateway_1';
    const attempted = [{ gateway: drawn, status: 'declined' }] as const;
    expect(next({ rules, attempted }, one, two)).toBe(
      `${other}: next after ${drawn} declined; split of rule 1: side by side: 50%, not selected`,
    );
  });
});

describe('nextRoute', () => {
  const routed = routeGateways(request, [], [one, two, three]);
  const nextSlug = (attempted: readonly AttemptedGateway[]) =>
    nextRoute(routed, attempted)?.gateway.slug ?? null;
  const done = (slug: GatewaySlug, provenAbsent: boolean): AttemptedGateway => ({
    gateway: slug,
    status: provenAbsent ? 'abandoned' : 'declined',
  });

  it('gateways that were not attempted come first, then those that never received the charge', () => {
    expect(nextSlug([])).toBe('gateway_1');
    expect(nextSlug([done('gateway_1', true)])).toBe('gateway_2');
    const both = [done('gateway_1', true), done('gateway_2', false)];
    expect(nextSlug([...both, done('gateway_3', false)])).toBe('gateway_1');
    expect(nextSlug([...both, done('gateway_3', false), done('gateway_1', false)])).toBeNull();
  });

  it('a gateway with a final result is never tried again', () => {
    const attempted = fc.array(fc.tuple(fc.constantFrom(...GATEWAY_SLUGS), fc.boolean()));
    fc.assert(
      fc.property(attempted, (attempts) => {
        const slug = nextSlug(attempts.map(([attemptedSlug, absent]) => done(attemptedSlug, absent)));
        expect(attempts.some(([other, absent]) => other === slug && !absent)).toBe(false);
      }),
    );
  });
});
