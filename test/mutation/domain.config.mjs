/** Mutation testing of the domain by the unit tests: `npm run test:mutation`. */
export default {
  mutate: ['src/domain/**/*.ts'],
  testRunner: 'jest',
  jest: { projectType: 'custom', configFile: 'test/support/jest/mutation.config.cjs' },
  coverageAnalysis: 'perTest',
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
