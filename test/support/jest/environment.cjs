'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** The process's own globals instead of a copy for each test file: what `runtime.cjs` needs. */
class OneRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
  }
}

module.exports = OneRealmEnvironment;
