import domain from './domain.config.mjs';

/** The steps that decide what a charge, its late answer or its repetition does with money. */
const STEPS = [
  'apply-charge-result',
  'attempt-predicates',
  'attempt-result-mapper',
  'claim-attempt',
  'gateways/repeat-charge',
  'inquire-attempt',
  'late-charge-result',
  'operations/operation-result',
  'polls/awaited-results',
  'record-charge',
  'record-operation',
];

/**
 * Mutation testing of the payment steps by the tests that call them one by one, on a real Postgres and simulator, without
 * workflows: `npm run test:mutation:steps`.
 */
export default {
  ...domain,
  mutate: STEPS.map((name) => `activities/payments/${name}.ts`),
  loadedTests: {
    files: '^test/(unit/payments|workflows/payments/(repeated-charges|steps))/',
    setup: 'test/support/stack/global-setup.ts',
    teardown: 'test/support/stack/global-teardown.ts',
  },
  timeoutMS: 20_000,
  jsonReporter: { fileName: 'dist/mutation/steps.json' },
  htmlReporter: { fileName: 'dist/mutation/steps.html' },
  incrementalFile: 'dist/mutation/steps-incremental.json',
  concurrency: 1,
};
