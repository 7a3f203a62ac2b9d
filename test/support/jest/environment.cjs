'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** Jest replaces these for each test file with functions that hold on to the file and to the functions they replace. */
const REPLACED = ['exit', 'getBuiltinModule'];

/**
 * The process's own globals instead of a copy for each test file: what `runtime.cjs` needs. What Jest leaves in them for
 * a test file is removed after it; otherwise every file's modules would stay in memory.
 */
class OneRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global = globalThis;
    // Those of the base class fake the timers of its own copy.
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: globalThis,
    });
    this.earlierSymbols = new Set(Object.getOwnPropertySymbols(globalThis));
    this.functions = REPLACED.map((name) => [name, process[name]]);
  }

  /** Sockets that outlive a test file remember the test or hook that opened them, and with it the file. */
  handleTestEvent({ name }, { rootDescribeBlock }) {
    if (name === 'teardown') release(rootDescribeBlock);
  }

  async teardown() {
    await super.teardown();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (!this.earlierSymbols.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
    }
    for (const [name, original] of this.functions) process[name] = original;
  }
}

function release({ hooks, children }) {
  for (const entry of [...hooks, ...children]) {
    if (entry.type === 'describeBlock') release(entry);
    else Object.assign(entry, { fn: null, asyncError: null });
  }
}

module.exports = OneRealmEnvironment;
