'use strict';

/** A test that ends with this error needs something that only the vendor can do. */
const LIMIT = /LiveLimit: ([^\n]*)/;

/** Tells the tests that failed from those that a test environment of the vendor cannot run, and ends the run with the former. */
class LiveReporter {
  constructor() {
    this.passed = 0;
    this.leftOut = new Map();
    this.failed = [];
  }

  onTestResult(_test, { testResults, testExecError }) {
    if (testExecError) this.failed.push([String(testExecError.message), '']);
    for (const { fullName, status, failureMessages } of testResults) {
      if (status === 'passed') this.passed += 1;
      if (status !== 'failed') continue;
      const reason = LIMIT.exec(failureMessages.join('\n'))?.[1];
      if (reason === undefined) this.failed.push([fullName, failureMessages.join('\n')]);
      else this.leftOut.set(reason, (this.leftOut.get(reason) ?? 0) + 1);
    }
  }

  onRunComplete() {
    const count = [...this.leftOut.values()].reduce((sum, each) => sum + each, 0);
    const lines = [
      ...this.failed.map(([name, message]) => `FAILED ${name}\n${message}\n`),
      `${this.passed} passed, ${this.failed.length} failed, ${count} left out:`,
      ...[...this.leftOut].map(([reason, tests]) => `  ${String(tests).padStart(3)}  ${reason}`),
      `The vendor's answers, without secrets: ${process.env.LIVE_RECORDINGS}`,
      '',
    ];
    process.stderr.write(lines.join('\n'));
  }

  getLastError() {
    return this.failed.length > 0 ? new Error('the contract is not kept') : undefined;
  }
}

module.exports = LiveReporter;
