import steps from './steps.config.mjs';

/** Mutation testing of the steps of subscriptions, in the same way. */
export default {
  ...steps,
  mutate: ['activities/subscriptions/*.ts'],
  loadedTests: { ...steps.loadedTests, files: '^test/workflows/subscriptions/steps/' },
  jsonReporter: { fileName: 'dist/mutation/subscription-steps.json' },
  htmlReporter: { fileName: 'dist/mutation/subscription-steps.html' },
  incrementalFile: 'dist/mutation/subscription-steps-incremental.json',
};
