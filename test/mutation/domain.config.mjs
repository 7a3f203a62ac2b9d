/** Mutation testing of the domain by the unit tests: `npm run test:mutation`. */
export default {
  mutate: ['src/domain/**/*.ts'],
  // An empty text where a union of texts is due is a type error, and the other texts are messages.
  mutator: { excludedMutations: ['StringLiteral'] },
  plugins: ['./test/mutation/loaded-tests-runner.mjs', './test/mutation/impossible-states.mjs'],
  ignorers: ['impossible-states'],
  testRunner: 'loaded',
  loadedTests: { files: '^test/unit/(checkout|companies|domain|gateways|security/personal-data)' },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  timeoutMS: 3_000,
  timeoutFactor: 1,
  reporters: ['clear-text', 'json', 'html'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true, logTests: false },
  jsonReporter: { fileName: 'dist/mutation/domain.json' },
  htmlReporter: { fileName: 'dist/mutation/domain.html' },
  tempDirName: 'dist/mutation/sandbox',
  ignorePatterns: ['/dist', '/.data', '/docs', '/src/web'],
  incremental: true,
  incrementalFile: 'dist/mutation/domain-incremental.json',
  thresholds: { high: 95, low: 85, break: 85 },
  concurrency: 2,
};
