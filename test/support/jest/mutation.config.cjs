'use strict';

const unit = require('./unit.config.cjs');

/** The unit tests as Stryker runs them: in its own environment, which tells the mutants that each test reaches. */
module.exports = {
  ...unit,
  runtime: undefined,
  reporters: undefined,
  testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
