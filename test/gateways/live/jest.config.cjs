'use strict';

const { join } = require('node:path');
const unit = require('../../support/jest/unit.config.cjs');

/** The contract suite against a vendor's test environment: one request after the other, because it limits their rate. */
module.exports = {
  ...unit,
  testMatch: ['<rootDir>/test/gateways/live/contract.live.ts'],
  testTimeout: 60_000,
  maxWorkers: 1,
  reporters: [join(__dirname, 'live-reporter.cjs')],
};
