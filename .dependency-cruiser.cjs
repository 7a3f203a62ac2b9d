/** Who may import whom. A room that is not named in `mayImport` is closed to it. */
const ROOTS = '^(src|workflows|activities)/';
/** Belong to no room: the files a composition root hands on, and what every room may use. */
const COMMON = ['^src/paths\\.ts$', '^src/log\\.ts$', '^src/failpoints\\.ts$'];
/** What puts the parts together. The simulator is a process of its own. */
const COMPOSITION_ROOTS =
  '^src/(api|worker|migrate|sweeper|compose[^/]*)\\.ts$|^src/gateways/simulator/main\\.ts$|^src/local/';
const CONFIG_TYPES = '^src/config\\.ts$';

const ROOMS = {
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
      '^workflows/(messages|search-attributes)',
      ...COMMON,
    ],
    typesOnly: [CONFIG_TYPES],
  },
  gateways: { from: '^src/gateways/', to: ['^src/domain/', ...COMMON], typesOnly: [CONFIG_TYPES] },
  persistence: { from: '^src/persistence/', to: ['^src/domain/', ...COMMON], typesOnly: [CONFIG_TYPES] },
  mail: { from: '^src/mail/', to: ['^src/domain/', ...COMMON], typesOnly: ['^src/persistence/'] },
  security: {
    from: '^src/security/',
    to: ['^src/domain/', ...COMMON],
    typesOnly: [CONFIG_TYPES, '^src/persistence/'],
  },
  presenters: { from: '^src/presenters/', to: ['^src/domain/', '^src/http/generated/'] },
  temporal: {
    from: '^src/temporal/',
    to: ['^src/domain/', '^workflows/(messages|search-attributes)', ...COMMON],
    typesOnly: ['^workflows/', CONFIG_TYPES],
  },
  application: {
    from: '^src/application/',
    to: [
      '^src/domain/',
      '^src/persistence/',
      '^src/security/',
      '^src/temporal/',
      '^src/gateways/(gateway|registry)\\.ts$',
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
  web: { from: '^src/web/', to: [], typesOnly: ['^src/http/generated/'] },
};

/** Two rules for a room: what it may import at all, and what of that as types only. */
function roomRules([name, { from, to, typesOnly = [] }]) {
  return [
    {
      name: `${name}-imports`,
      severity: 'error',
      comment: `${name} may import only what docs of the layout allow it`,
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

module.exports = {
  forbidden: [
    ...Object.entries(ROOMS).flatMap(roomRules),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
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
        'zone and holiday data may change between a replay and the run before it: only activities read them. ' +
        'Workflows import domain, so no other part of domain may lead there either',
      from: {
        path: ['^workflows/', '^src/domain/'],
        pathNot: '^src/domain/(billet-calendar|pending-schedule)\\.ts$',
      },
      to: {
        path: [
          '^src/domain/(billet-calendar|pending-schedule)\\.ts$',
          'node_modules/@brazilian-utils/brazilian-utils/',
        ],
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
      comment: 'nothing imports what puts everything together, but another composition root',
      from: { path: ROOTS, pathNot: COMPOSITION_ROOTS },
      to: { path: COMPOSITION_ROOTS },
    },
    {
      name: 'web-is-for-browsers',
      severity: 'error',
      comment: 'pages are bundled and fetched; no program of ours loads them',
      from: { pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    {
      name: 'declared-dependencies',
      severity: 'error',
      comment: 'what the build puts into the pages is not installed where they are served',
      from: { path: ROOTS, pathNot: '^src/(local|web)/' },
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
