'use strict';

const { join } = require('node:path');
const { jest } = require('../../../package.json');

/** Tests of pure code: no Postgres, no Temporal, nothing to start. */
module.exports = {
  ...jest,
  rootDir: join(__dirname, '..', '..', '..'),
  testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
};
