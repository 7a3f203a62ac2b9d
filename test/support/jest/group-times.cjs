'use strict';

const { existsSync } = require('node:fs');
const { relative, resolve, sep } = require('node:path');

/** The title of the test that stands for those that need the program. */
const MISSING_PROGRAM = /^is left out, because the program (\S+) is missing$/;

/**
 * Reporter that ends a run with the time each group of tests took, the folders of `test`, and says whether tests were left
 * out because the reference data of vendors, or a program of theirs, is missing.
 */
class GroupTimes {
  constructor(globalConfig) {
    this.testFolder = `${globalConfig.rootDir}${sep}test`;
    this.groups = new Map();
    this.programs = new Set();
    this.oracles = resolve(globalConfig.rootDir, process.env.VENDOR_ORACLES_DIR ?? '../shared/oracles');
  }

  onRunStart() {
    this.startedAt = Date.now();
  }

  onTestResult(_test, { testFilePath, perfStats, numPassingTests, numFailingTests, testResults }) {
    for (const { title } of testResults) {
      const program = MISSING_PROGRAM.exec(title)?.[1];
      if (program !== undefined) this.programs.add(program);
    }
    const [name] = relative(this.testFolder, testFilePath).split(sep);
    const group = this.groups.get(name) ?? { files: 0, tests: 0, seconds: 0 };
    group.files += 1;
    group.tests += numPassingTests + numFailingTests;
    group.seconds += (perfStats.end - perfStats.start) / 1000;
    this.groups.set(name, group);
  }

  onRunComplete() {
    const rows = [...this.groups].sort(([, a], [, b]) => b.seconds - a.seconds);
    const lines = rows.map(([name, { files, tests, seconds }]) =>
      [
        name.padEnd(12),
        String(files).padStart(5),
        String(tests).padStart(7),
        `${seconds.toFixed(0)} s`.padStart(8),
      ].join(''),
    );
    const wall = ((Date.now() - this.startedAt) / 1000).toFixed(0);
    process.stderr.write(
      [
        '',
        'Group       files  tests    time',
        ...lines,
        `Files run side by side: ${wall} s in all.`,
        ...(existsSync(this.oracles)
          ? []
          : [`Left out: comparisons with reference data of vendors, because ${this.oracles} is missing.`]),
        ...[...this.programs].map(
          (program) => `Left out: tests with ${program}, because it is not installed.`,
        ),
        '',
      ].join('\n'),
    );
  }
}

module.exports = GroupTimes;
