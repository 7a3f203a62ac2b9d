/** Which layer may import which. A layer that is not listed in `to` or `typesOnly` must not be imported. */
const ROOTS = '^(src|workflows|activities)/';
/** Files of no layer, which every layer may use. */
const COMMON = ['^src/paths\\.ts$', '^src/log\\.ts$', '^src/failpoints\\.ts$', '^src/tracing/spans\\.ts$'];
/** The entry points and what assembles the parts for them. The simulator is a process of its own. */
const COMPOSITION_ROOTS =
  '^src/(api|worker|migrate|deployment|keys|users|restore|sweeper)\\.ts$|^src/composition/|^src/simulator/main\\.ts$|^src/dev/';
const CONFIG_TYPES = '^src/config\\.ts$';
/** The application services that activities call. None of them imports `src/temporal`. */
const WORKER_SERVICES =
  '^src/application/(subscriptions/transition-writer|payments/new-operation|webhooks/notify-endpoint-disabled|companies/open-gateway-account)\\.ts$';

const LAYERS = {
  domain: { from: '^src/domain/', to: [] },
  workflows: { from: '^workflows/', to: ['^src/domain/'], typesOnly: ['^activities/'] },
  activities: {
    from: '^activities/',
    to: [
      '^src/domain/',
      '^src/gateways/',
      '^src/persistence/',
      '^src/presenters/',
      '^src/security/',
      '^workflows/(messages|(subscriptions|disputes|settlement)/messages|search-attributes)',
      WORKER_SERVICES,
      ...COMMON,
    ],
    typesOnly: [CONFIG_TYPES],
  },
  gateways: { from: '^src/gateways/', to: ['^src/domain/', ...COMMON], typesOnly: [CONFIG_TYPES] },
  simulator: {
    from: '^src/simulator/',
    to: [
      '^src/domain/',
      '^src/gateways/simulator/',
      // Our own references, which no vendor's protocol knows: scripts find a payment by them.
      '^src/gateways/compact-reference\\.ts$',
      ...COMMON,
    ],
    typesOnly: [CONFIG_TYPES],
  },
  persistence: { from: '^src/persistence/', to: ['^src/domain/', ...COMMON], typesOnly: [CONFIG_TYPES] },
  metrics: {
    from: '^src/metrics/',
    to: ['^src/domain/', ...COMMON],
    typesOnly: ['^src/persistence/', '^src/tracing/'],
  },
  tracing: { from: '^src/tracing/', to: [...COMMON] },
  mail: { from: '^src/mail/', to: ['^src/domain/', ...COMMON], typesOnly: ['^src/persistence/'] },
  security: {
    from: '^src/security/',
    to: ['^src/domain/', ...COMMON],
    typesOnly: [CONFIG_TYPES, '^src/persistence/'],
  },
  presenters: { from: '^src/presenters/', to: ['^src/domain/', '^src/http/generated/'] },
  temporal: {
    from: '^src/temporal/',
    to: [
      '^src/domain/',
      '^workflows/(messages|(subscriptions|disputes|settlement)/messages|search-attributes)',
      // What workflows do after their first tasks.
      '^workflows/(payments|webhooks|shared)/first-task\\.ts$',
      ...COMMON,
    ],
    typesOnly: ['^workflows/', '^activities/', CONFIG_TYPES],
  },
  application: {
    from: '^src/application/',
    to: [
      '^src/domain/',
      '^src/persistence/',
      '^src/security/',
      '^src/temporal/',
      '^src/gateways/modes/registries\\.ts$',
      '^src/gateways/(gateway|callback|registry|credential-probe|card-verifier)\\.ts$',
      ...COMMON,
    ],
    typesOnly: [CONFIG_TYPES],
  },
  http: {
    from: '^src/http/',
    to: [
      '^src/domain/',
      '^src/application/',
      '^src/presenters/',
      '^src/persistence/read-models/',
      '^src/security/',
      ...COMMON,
    ],
    typesOnly: [CONFIG_TYPES],
  },
  web: {
    from: '^src/web/',
    to: ['^src/domain/(shared/currency|webhooks/webhook-event)\\.ts$'],
    typesOnly: ['^src/http/generated/'],
  },
};

/** The domain files that workflows import by value. */
const DOMAIN_INSIDE_WORKFLOWS = [
  '^src/domain/payments/inquiry-schedule\\.ts$',
  '^src/domain/routing/subaccount\\.ts$',
  '^src/domain/shared/assert-never\\.ts$',
  '^src/domain/shared/markdown\\.ts$',
];

/** Two rules for a layer: what it may import at all, and what of that only as types. */
function layerRules([name, { from, to, typesOnly = [] }]) {
  return [
    {
      name: `${name}-imports`,
      severity: 'error',
      comment: `${name} may import only the layers listed for it in docs/architecture.md`,
      from: { path: from, pathNot: COMPOSITION_ROOTS },
      to: { path: ROOTS, pathNot: [from, ...to, ...typesOnly] },
    },
    ...(typesOnly.length === 0
      ? []
      : [
          {
            name: `${name}-types-only`,
            severity: 'error',
            from: { path: from, pathNot: COMPOSITION_ROOTS },
            to: { path: typesOnly, pathNot: [from, ...to], dependencyTypesNot: ['type-only'] },
          },
        ]),
  ];
}

/** The folders of `src/domain`, lowest first: a folder may import those in the lines above its own, and itself. */
const DOMAIN_ORDER = [
  ['shared'],
  ['customers', 'time', 'users'],
  ['payments'],
  ['ledger', 'routing', 'subscriptions', 'webhooks'],
  ['settlement'],
  ['companies'],
  ['checkout', 'timeline'],
];

const domainOrderRules = DOMAIN_ORDER.flatMap((folders, rank) =>
  folders.map((folder) => ({
    name: `domain-order-${folder}`,
    severity: 'error',
    comment: 'domain folders depend on each other in one direction, see DOMAIN_ORDER',
    from: { path: `^src/domain/${folder}/` },
    to: {
      path: '^src/domain/',
      pathNot: [folder, ...DOMAIN_ORDER.slice(0, rank).flat()].map((allowed) => `^src/domain/${allowed}/`),
    },
  })),
);

module.exports = {
  forbidden: [
    ...Object.entries(LAYERS).flatMap(layerRules),
    ...domainOrderRules,
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'type-only imports count too',
      from: { pathNot: '^src/web/' },
      to: { circular: true },
    },
    {
      name: 'no-cycles-web',
      severity: 'error',
      from: { path: '^src/web/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'worker-services-know-no-temporal',
      severity: 'error',
      comment: 'what activities call must not start or signal workflows',
      from: { path: WORKER_SERVICES },
      to: { path: '^src/temporal/' },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'no I/O; one date library, one id library, card tables and the bank calendar',
      from: { path: '^src/domain/' },
      to: {
        dependencyTypes: ['npm', 'core', 'npm-no-pkg', 'npm-unknown'],
        pathNot: [
          'node_modules/(@types/)?(luxon|uuid|card-validator|credit-card-type|safe-stable-stringify)/',
          'node_modules/@brazilian-utils/brazilian-utils/',
        ],
      },
    },
    {
      name: 'calendars-outside-workflows',
      severity: 'error',
      comment:
        'time zone and holiday data may change between a run and its replay, so only activities read them. ' +
        'Workflows import domain, so no other domain file may import these two either',
      from: {
        path: ['^workflows/', '^src/domain/'],
        pathNot: '^src/domain/payments/(billet-calendar|pending-schedule)\\.ts$',
      },
      to: {
        path: [
          '^src/domain/payments/(billet-calendar|pending-schedule)\\.ts$',
          'node_modules/@brazilian-utils/brazilian-utils/',
        ],
      },
    },
    {
      name: 'domain-code-inside-workflows',
      severity: 'error',
      comment:
        'these run inside workflows, so a change to them must keep every recorded history replayable; extend the list ' +
        'only for code that cannot change what a workflow does',
      from: { path: '^workflows/' },
      to: {
        path: '^src/domain/',
        pathNot: DOMAIN_INSIDE_WORKFLOWS,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflows-are-deterministic',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        dependencyTypes: ['npm', 'core', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['node_modules/@temporalio/(workflow|common)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sequelize-in-persistence',
      severity: 'error',
      from: { path: ROOTS, pathNot: '^src/persistence/' },
      to: { path: 'node_modules/sequelize/' },
    },
    {
      name: 'temporal-client-in-temporal',
      severity: 'error',
      from: { path: ROOTS, pathNot: [COMPOSITION_ROOTS, '^src/temporal/'] },
      to: { path: 'node_modules/@temporalio/client/' },
    },
    {
      name: 'composition-roots-compose',
      severity: 'error',
      comment: 'only a composition root imports another one',
      from: { path: ROOTS, pathNot: COMPOSITION_ROOTS },
      to: { path: COMPOSITION_ROOTS },
    },
    {
      name: 'simulator-is-a-program',
      severity: 'error',
      comment: 'the simulator is an image of its own and never part of the production one',
      from: { path: ROOTS, pathNot: ['^src/simulator/', '^src/dev/'] },
      to: { path: '^src/simulator/' },
    },
    {
      name: 'web-is-for-browsers',
      severity: 'error',
      comment: 'pages are bundled for browsers; no Node program imports them',
      from: { pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'declared-dependencies',
      severity: 'error',
      comment: 'production images have no devDependencies',
      from: { path: ROOTS, pathNot: '^src/(dev|web)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
